import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, readdirSync, symlinkSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from '@jest/globals';
import ts from 'typescript';
import { scratchDirectory } from './scratch.ts';

const project = new URL('../../', import.meta.url).pathname;
const read = (path: string) => readFileSync(join(project, path), 'utf8');

/** Entry points of the processes of the image, and of its operators. */
const entries = [
  ...['src/api.ts', 'src/worker.ts', 'src/platform/temporal/print-bundle.ts', 'workflows/index.ts'],
  ...['src/commands/migrate.ts', 'src/commands/admin.ts', 'src/commands/prepare-image.ts'],
  ...['src/local/run.mjs', 'src/local/install.mjs', 'src/local/program.mjs'],
  'src/local/typescript.mjs',
];

/** Files of the copied folders that .dockerignore leaves: the last rule that matches decides. */
function filesOfImage(): string[] {
  const rules = read('.dockerignore')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => ({ isKept: line.startsWith('!'), pattern: line.replace(/^!/, '') }));
  const matches = (path: string, pattern: string) =>
    pattern === '*' || path === pattern || path.startsWith(`${pattern.replace(/\/?\*$/, '')}/`);
  const isKept = (path: string) =>
    rules.filter(({ pattern }) => matches(path, pattern)).at(-1)?.isKept ?? true;
  // The stage before builds the documentation, which comes into the image ready.
  const [, stage = ''] = /(?:[^]*\n)FROM (.*)/s.exec(read('Dockerfile')) ?? [];
  const folders = [...stage.matchAll(/^COPY (\w+) \w+$/gm)].map(([, name]) => name);
  return folders
    .flatMap((folder = '') =>
      readdirSync(join(project, folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => posix.relative(project, join(entry.parentPath, entry.name))),
    )
    .filter(isKept);
}

/** Files that an entry loads, directly or not. */
function loadedFiles(): Set<string> {
  const found = new Set<string>();
  const waiting = [...entries];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (found.has(path)) continue;
    found.add(path);
    for (const { fileName } of ts.preProcessFile(read(path)).importedFiles) {
      if (fileName.startsWith('.')) waiting.push(posix.join(posix.dirname(path), fileName));
    }
  }
  return found;
}

const image = scratchDirectory();
const files = filesOfImage();

beforeAll(() => {
  for (const path of [...files, 'package.json', 'package-lock.json', 'tsconfig.json']) {
    mkdirSync(dirname(join(image, path)), { recursive: true });
    cpSync(join(project, path), join(image, path));
  }
  symlinkSync(join(project, 'node_modules'), join(image, 'node_modules'));
});

test('the image has no commands and no local servers but those that production runs', () => {
  const loaded = loadedFiles();
  const outside = files.filter(
    (path) => /^src\/(commands|local|main)/.test(path) && !loaded.has(path),
  );
  expect(outside).toEqual([]);
  for (const name of ['src/main.ts', 'src/commands/demo.ts', 'src/local/temporal-download.ts']) {
    expect(files).not.toContain(name);
  }
});

test('the image has every file that its processes load', () => {
  const present = new Set(files);
  expect([...loadedFiles()].filter((path) => !present.has(path))).toEqual([]);
});

async function run(...args: string[]): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    ['src/local/run.mjs', ...args],
    { cwd: image, env: { PATH: process.env['PATH'], HOME: image }, maxBuffer: 50_000_000 },
  ).catch((error: unknown) => ({ stdout: '', stderr: String(error) }));
  return stdout + stderr;
}

test('the commands and processes of the image start from its files alone', async () => {
  expect(await run('src/commands/admin.ts', '--help')).toContain('OAuth clients of teams');
  for (const entry of ['src/api.ts', 'src/worker.ts', 'src/commands/migrate.ts']) {
    expect(await run(entry)).toContain('The configuration is not usable');
  }
  expect(await run('src/platform/temporal/print-bundle.ts')).toContain('runTemplate');
});

test('the image is built with the bundle of the workflows that a worker reads at its start', async () => {
  expect(read('Dockerfile')).toContain('&& node src/local/run.mjs src/commands/prepare-image.ts\n');
  expect(await run('src/commands/prepare-image.ts')).toBe('');
  const [bundle = ''] = readdirSync(join(image, '.cache', 'onward'));
  expect(readFileSync(join(image, '.cache', 'onward', bundle), 'utf8')).toContain('runTemplate');
});
