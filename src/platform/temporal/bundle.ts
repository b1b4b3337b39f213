import { execFile } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { mkdir, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const limitBytes = 50_000_000;
const bundlePrefix = 'workflows-';
const keptMs = 7 * 86_400_000;

/**
 * Bundles the workflow code, once for all workers of a process. The bundle is cached in `onward/`
 * of the cache directory (default: ~/.cache), since it takes four seconds of CPU, which would delay
 * a restart.
 */
export async function bundleWorkflows(
  cacheDirectory = join(homedir(), '.cache'),
): Promise<{ code: string }> {
  const directory = join(cacheDirectory, 'onward');
  const file = join(directory, `${bundlePrefix}${fingerprint()}.js`);
  const kept = await readFile(file, 'utf8').catch(() => undefined);
  if (kept !== undefined) return { code: kept };
  const code = await bundle();
  // A cache that cannot be written costs time, nothing else.
  await keep(file, code).catch(() => undefined);
  return { code };
}

/** Runs in a separate process, since a bundler would occupy 100 MB until this one ends. */
async function bundle(): Promise<string> {
  const command = ['src/local/run.mjs', 'src/platform/temporal/print-bundle.ts'];
  const { stdout } = await promisify(execFile)(
    process.execPath,
    command.map((path) => join(root, path)),
    { maxBuffer: limitBytes },
  );
  return stdout;
}

/** The file appears whole or not at all, also with concurrent writers; old files are removed. */
async function keep(file: string, code: string): Promise<void> {
  const directory = dirname(file);
  await mkdir(directory, { recursive: true });
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, code, { mode: 0o600 });
  await rename(draft, file);
  for (const name of await readdir(directory)) {
    const other = join(directory, name);
    if (!name.startsWith(bundlePrefix)) continue;
    if (Date.now() - (await stat(other)).mtimeMs > keptMs) await rm(other);
  }
}

/**
 * Identifies all input of a bundle: the sources and the versions of the packages. Blocks for 20 ms;
 * without that, a thousand files delay a start by 100 ms.
 */
function fingerprint(): string {
  const hash = createHash('sha256').update(root);
  hash.update(readFileSync(join(root, 'package-lock.json')));
  for (const folder of ['src', 'workflows']) {
    const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
    for (const name of names.filter((name) => name.endsWith('.ts')).sort()) {
      const text = readFileSync(join(root, folder, name));
      hash.update(`${folder}/${name} ${String(text.length)}\n`).update(text);
    }
  }
  return hash.digest('hex').slice(0, 32);
}
