import { execFile } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from '@jest/globals';

/** Folders of src from the lowest to the highest, as the documentation names them. */
const [sentence = ''] = /`platform` < .+/.exec(readFileSync('docs/architecture.md', 'utf8')) ?? [];
const order = Array.from(sentence.matchAll(/`([a-z]+)`/g), ([, folder = '']) => folder);

/** Names of the rules that files break, by file. */
async function breachesOf(files: Readonly<Record<string, string>>): Promise<string[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'onward-imports-'));
  try {
    const written = Object.entries({ 'tsconfig.json': '{}', ...files });
    for (const [name, text] of written) {
      const file = path.join(folder, name);
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, text);
    }
    const output = await cruise(folder);
    const { summary }: Cruised = JSON.parse(output);
    return summary.violations.map(({ from, rule }) => `${from} breaks ${rule.name}`).sort();
  } finally {
    await rm(folder, { recursive: true });
  }
}

interface Cruised {
  summary: { violations: { from: string; rule: { name: string } }[] };
}

function cruise(folder: string): Promise<string> {
  const program = path.resolve('node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
  const config = path.resolve('.dependency-cruiser.js');
  const args = [program, '--config', config, '--output-type', 'json', 'src'];
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: folder }, (_error, output) => resolve(output));
  });
}

/** A file of each part that names a type of its neighbor, and that neighbor's type. */
const importing = (distance: -1 | 1) =>
  Object.fromEntries(
    order.flatMap((part, at) => {
      const neighbor = order[at + distance];
      const text = `import type { Shape } from '../${neighbor ?? part}/shape.ts';\nexport type Own = Shape;\n`;
      const shape = [`src/${part}/shape.ts`, 'export type Shape = string;\n'];
      return neighbor === undefined ? [shape] : [shape, [`src/${part}/own.ts`, text]];
    }),
  );

test('the order contains every folder of src except the commands and the local servers', () => {
  const others = ['commands', 'local'];
  const folders = readdirSync('src', { withFileTypes: true }).filter((one) => one.isDirectory());
  expect([...order, ...others].sort()).toEqual(folders.map(({ name }) => name).sort());
});

test('each part may import the one below it', async () => {
  expect(await breachesOf(importing(-1))).toEqual([]);
});

test('a type that a part imports from the one above it is reported, for every part', async () => {
  const breaches = await breachesOf(importing(1));
  for (const part of order.slice(0, -1)) {
    expect(breaches).toContain(`src/${part}/own.ts breaks ${part}-imports-downwards`);
  }
});
