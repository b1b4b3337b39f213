import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SiteOptions } from './options.ts';

const project = fileURLToPath(new URL('../', import.meta.url));
export const digestName = '.digest';

/** Changes with everything that a build reads. */
export function digestOfInputs(options: SiteOptions): string {
  const hash = createHash('sha256').update(JSON.stringify(options));
  for (const file of ['docs', 'site'].flatMap((folder) => filesOf(join(project, folder)))) {
    hash.update(file).update(readFileSync(file));
  }
  // The snapshot of the OpenAPI document stands for the code that determines it; an image lacks it.
  for (const name of ['CHANGELOG.md', 'package-lock.json', 'test/contract/openapi.json']) {
    const file = join(project, name);
    if (existsSync(file)) hash.update(readFileSync(file));
  }
  return hash.digest('hex');
}

/** Without what the generator leaves there. */
function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((file) => !/\.vitepress\/(cache|\.temp)\//.test(file))
    .sort();
}

/** Digest of the files that a folder was built from. */
export function readDigest(folder: string): string | undefined {
  try {
    return readFileSync(join(folder, digestName), 'utf8');
  } catch {
    return undefined;
  }
}
