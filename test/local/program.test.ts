import { execFile } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, beforeEach, expect, test } from '@jest/globals';
import { scratchDirectory } from './scratch.ts';

const project = new URL('../../', import.meta.url).pathname;
const copy = scratchDirectory();
const programs = join(copy, 'dist', 'programs');
const copied = [
  ...['package.json', 'package-lock.json', 'src/platform/observability/log.ts'],
  'src/platform/cut-text.ts',
  ...['src/platform/observability/source-frames.ts', 'src/local/run.mjs', 'src/local/install.mjs'],
  ...['src/local/program.mjs', 'src/local/typescript.mjs'],
];

beforeAll(() => {
  for (const path of copied) {
    mkdirSync(dirname(join(copy, path)), { recursive: true });
    cpSync(join(project, path), join(copy, path));
  }
  symlinkSync(join(project, 'node_modules'), join(copy, 'node_modules'));
});
beforeEach(() => {
  rmSync(join(copy, 'dist'), { recursive: true, force: true });
});

const write = (path: string, content: string) => {
  writeFileSync(join(copy, path), content);
};

async function run(...args: string[]): Promise<string> {
  const command = ['src/local/run.mjs', ...args];
  const { stdout } = await promisify(execFile)(process.execPath, command, { cwd: copy });
  return stdout;
}

test('a source that has changed runs as it is now', async () => {
  write('src/entry.ts', `import { value } from './value.ts';\nconsole.log(value);\n`);
  for (const value of [1, 2, 1]) {
    write('src/value.ts', `export const value: number = ${String(value)};\n`);
    expect(await run('src/entry.ts')).toBe(`${String(value)}\n`);
  }
});

test('a program is made once, and runs with its arguments and the addresses of its sources', async () => {
  write(
    'src/entry.ts',
    '#!/usr/bin/env node\nconsole.log(process.argv.slice(1), import.meta.url);\n',
  );
  expect(await run('--prepare', 'src/entry.ts')).toBe('');
  const made = readdirSync(programs).map((name) => [name, statSync(join(programs, name)).mtimeMs]);
  const output = await run('src/entry.ts', 'argument');
  expect(output).toContain(`[ '${join(copy, 'src/entry.ts')}', 'argument' ]`);
  expect(output).toContain(`file://${join(copy, 'src/entry.ts')}`);
  expect(
    readdirSync(programs).map((name) => [name, statSync(join(programs, name)).mtimeMs]),
  ).toEqual(made);
  expect(made).toHaveLength(4);
});

test('earlier versions of a program are removed once no process can be about to read them', async () => {
  write('src/entry.ts', 'console.log(1);\n');
  await run('src/entry.ts');
  const earlier = readdirSync(programs).filter((name) => name.includes('.cjs'));
  expect(earlier).toHaveLength(3);
  const long = new Date(Date.now() - 120_000);
  for (const name of earlier.slice(1)) utimesSync(join(programs, name), long, long);
  write('src/entry.ts', 'console.log(2);\n');
  expect(await run('src/entry.ts')).toBe('2\n');
  expect(readdirSync(programs).filter((name) => earlier.includes(name))).toEqual(
    earlier.slice(0, 1),
  );
});

test('a program whose files are damaged or gone is made again', async () => {
  write('src/entry.ts', 'console.log(1);\n');
  await run('src/entry.ts');
  const list = join('dist', 'programs', 'src-entry.json');
  for (const damage of [
    () => write(list, '{"key":'),
    () => {
      for (const name of readdirSync(programs).filter((name) => name.endsWith('.v8'))) {
        const compiled = readFileSync(join(programs, name));
        writeFileSync(join(programs, name), compiled.fill(0, compiled.length / 2));
      }
    },
    () => {
      for (const name of readdirSync(programs)) {
        if (name.endsWith('.cjs')) rmSync(join(programs, name));
      }
    },
  ]) {
    damage();
    expect(await run('src/entry.ts')).toBe('1\n');
  }
});

test('where no program can be stored the sources run', async () => {
  mkdirSync(join(copy, 'dist'));
  write('dist/programs', 'a file in the place of the folder');
  write('src/entry.ts', 'const value: number = 1;\nconsole.log(value);\n');
  expect(await run('src/entry.ts')).toBe('1\n');
});

const failures = `import ipaddr from 'ipaddr.js';
import { createLog } from './platform/observability/log.ts';

const log = createLog('info', 'test');
function failHere(): never {
  throw new Error('written here');
}
for (const fail of [failHere, () => ipaddr.parse('of a package')]) {
  try {
    fail();
  } catch (err) {
    log.error({ err }, 'failed');
  }
}
`;

async function loggedErrors(): Promise<{ message?: string; stack: string }[]> {
  const lines = (await run('src/entry.ts')).trim().split('\n');
  return lines.map((line) => {
    const { err }: { err: { message?: string; stack: string } } = JSON.parse(line);
    return err;
  });
}

test('the log names the sources of a program, and has no messages of its packages', async () => {
  write('src/entry.ts', failures);
  const [ours, foreign] = await loggedErrors();
  expect(ours?.message).toBe('written here');
  expect(ours?.stack).toContain(`at failHere (${join(copy, 'src/entry.ts')}:6:9)`);
  expect(foreign?.message).toBeUndefined();
  expect(foreign?.stack).toContain('node_modules/ipaddr.js/');
  expect(foreign?.stack).toContain(`${join(copy, 'src/entry.ts')}:8:`);
});

test('without its source map the log has no messages, since any could be of a package', async () => {
  write('src/entry.ts', failures);
  await run('--prepare', 'src/entry.ts');
  for (const name of readdirSync(programs)) {
    if (name.endsWith('.map')) rmSync(join(programs, name));
  }
  const errors = await loggedErrors();
  expect(errors).toHaveLength(2);
  for (const { message, stack } of errors) {
    expect(message).toBeUndefined();
    expect(stack).toMatch(/dist\/programs\/src-entry\.\w+\.cjs:/);
  }
});
