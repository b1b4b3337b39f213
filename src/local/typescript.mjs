import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { transform } from '@swc/wasm-typescript';

// Hooks of Node's module loader: TypeScript with its types blanked out, so that lines and columns
// stay what they are and no source maps are needed. What Node 22.18 and later do by themselves.

export async function load(url, context, next) {
  if (!url.startsWith('file:') || !url.endsWith('.ts')) return next(url, context);
  const filename = fileURLToPath(url);
  const { code } = await transform(await readFile(filename, 'utf8'), {
    filename,
    mode: 'strip-only',
    module: true,
  });
  return { format: 'module', source: code, shortCircuit: true };
}
