import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from '@jest/globals';
import { environmentNames, required } from '../support/environment.ts';
import { copyRepository } from './a-clone.ts';

/** Follows a guide to the letter in a copy of the repository. */
export function followGuide(page: string, copy: string) {
  const guide = readFileSync(page, 'utf8');
  copyRepository(copy);
  symlinkSync(join(process.cwd(), 'node_modules'), join(copy, 'node_modules'));

  const inCopy = (file: string) => readFileSync(join(copy, file), 'utf8');
  function write(file: string, text: string): void {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    writeFileSync(join(copy, file), text);
  }

  /** Replaces a text that the guide speaks of, which has to be there once at least. */
  function edit(file: string, from: string, to: string): void {
    const text = inCopy(file);
    expect(text).toContain(from);
    write(
      file,
      text.replace(from, () => to),
    );
  }

  /** The first block of code after a sentence of the guide. */
  function codeAfter(sentence: string): string {
    expect(guide).toContain(sentence);
    const [, code = ''] = /```\w+\n([^]*?)^```$/m.exec(guide.slice(guide.indexOf(sentence))) ?? [];
    expect(code).not.toBe('');
    return code;
  }

  /** Writes the files of which the guide shows the whole text, by the sentence before it. */
  function writeFiles(): string[] {
    const last = readdirSync(join(copy, 'src/platform/database/migrations')).sort().at(-1) ?? '';
    const next = String(Number(last.slice(0, 4)) + 1).padStart(4, '0');
    return [...guide.matchAll(/^Write `([^`]+)`/gm)].map(([sentence, file = '']) => {
      write(file.replace('NNNN', next), codeAfter(sentence));
      return file;
    });
  }

  /** Adds what the guide names to a file that has an import and a list. */
  function add(file: string, importing: string, list: string, element: string): void {
    edit(file, 'import ', `${importing}\nimport `);
    edit(file, list, `${list}\n  ${element},`);
  }

  function run(command: string): void {
    const [program = '', ...args] = command.split(' ');
    const { PATH, HOME } = process.env;
    const TEMPORAL_ADDRESS = required(environmentNames.temporalAddress);
    const env = { PATH, HOME, TEMPORAL_ADDRESS };
    const { status, stdout, stderr } = spawnSync(program, args, {
      ...{ cwd: copy, env, encoding: 'utf8' },
    });
    if (status !== 0) throw new Error(`${command}\n${stdout.slice(-4_000)}${stderr.slice(-4_000)}`);
  }

  return { guide, inCopy, write, edit, codeAfter, writeFiles, add, run };
}
