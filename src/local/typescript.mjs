import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

// Hooks of Node's module loader: TypeScript with its types blanked out, so that lines and columns
// stay what they are and no source maps are needed. What Node 22.18 and later do by themselves.

const project = fileURLToPath(new URL('../../', import.meta.url));
const folder = new URL('../../node_modules/.cache/onward-typescript/', import.meta.url);
await mkdir(folder, { recursive: true }).catch(() => undefined);
const { version } = JSON.parse(
  await readFile(
    new URL('../../node_modules/@swc/wasm-typescript/package.json', import.meta.url),
    'utf8',
  ),
);

const hashOf = (...texts) => {
  const hash = createHash('sha256');
  for (const text of texts) hash.update(text);
  return hash.digest('hex');
};

export async function load(url, context, next) {
  if (!url.startsWith('file:') || !url.endsWith('.ts')) return next(url, context);
  const text = await readFile(new URL(url));
  return { format: 'module', source: await strip(fileURLToPath(url), text), shortCircuit: true };
}

/**
 * A process reads some 900 files: each is stripped once, and kept with the hash of its source. Copies
 * of the project that share node_modules share the files, so that their number is bounded.
 */
async function strip(filename, text) {
  const file = new URL(hashOf(relative(project, filename)), folder);
  const first = `//${hashOf(version, text)}\n`;
  const kept = await readFile(file, 'utf8').catch(() => '');
  if (kept.startsWith(first)) return kept.slice(first.length);
  const { transform } = await import('@swc/wasm-typescript');
  const options = { filename, mode: 'strip-only', module: true };
  const { code } = await transform(text.toString(), options);
  // A cache that cannot be written costs time, nothing else.
  await keep(file, first + code).catch(() => undefined);
  return code;
}

/** The file appears whole or not at all, also with concurrent writers. */
async function keep(file, content) {
  const draft = new URL(`${file.href}.${String(process.pid)}`);
  await writeFile(draft, content);
  await rename(draft, file);
}
