import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** Smaller files than this fit into a few packets anyway. */
const minBytes = 4_096;

/** Puts a compressed copy next to each large text, so that no request compresses. */
export function compressFiles(folder: string): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!/\.(html|js|css|json|svg)$/.test(name)) continue;
    const bytes = readFileSync(join(folder, name));
    if (bytes.length >= minBytes) writeFileSync(join(folder, `${name}.gz`), gzipSync(bytes));
  }
}
