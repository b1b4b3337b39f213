import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { scratchDirectory } from '../local/scratch.ts';
import { environmentNames, required } from '../support/environment.ts';
import { copyRepository } from './a-clone.ts';
import { samplesRunBy } from './samples.ts';

// The guide is followed to the letter in a copy of the repository.
const guide = readFileSync('docs/add-a-resource.md', 'utf8');
const copy = join(scratchDirectory(), 'onward');

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

function run(command: string): void {
  const [program = '', ...args] = command.split(' ');
  const { PATH, HOME } = process.env;
  const TEMPORAL_ADDRESS = required(environmentNames.temporalAddress);
  const env = { PATH, HOME, TEMPORAL_ADDRESS };
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: copy, env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command}\n${stdout.slice(-4_000)}${stderr.slice(-4_000)}`);
}

/** Files of which the guide shows the whole text, by the sentence before it. */
function writeFiles(): void {
  const last = readdirSync(join(copy, 'src/platform/database/migrations')).sort().at(-1) ?? '';
  const next = String(Number(last.slice(0, 4)) + 1).padStart(4, '0');
  const written = [...guide.matchAll(/^Write `([^`]+)`/gm)].map(([sentence, file = '']) => {
    write(file.replace('NNNN', next), codeAfter(sentence));
    return file;
  });
  expect(written).toEqual([
    'src/platform/database/migrations/NNNN-notes.sql',
    'src/contacts/notes/note.ts',
    'src/contacts/notes/queries.ts',
    'src/contacts/notes/endpoints.ts',
    'test/contacts/notes.test.ts',
  ]);
}

/** Adds what the guide names to a file that has an import and a list. */
function add(file: string, importing: string, list: string, element: string): void {
  edit(file, 'import ', `${importing}\nimport `);
  edit(file, list, `${list}\n  ${element},`);
}

function recordTheEvent(): void {
  const [importing = '', ...declarations] = codeAfter('Declare the event type in').split('\n\n');
  write(
    'src/contacts/events.ts',
    `${importing}\n${inCopy('src/contacts/events.ts')}\n${declarations.join('\n\n')}`,
  );
  const events = "} from '../contacts/events.ts';";
  edit('src/app/event-catalog.ts', ` ${events}`, `, noteEvents ${events}`);
  edit('src/app/event-catalog.ts', '  ...contactEvents,', '  ...contactEvents,\n  ...noteEvents,');
  const scope = "note: 'partner:notes:read'";
  expect(guide).toContain(scope);
  edit(
    'src/webhooks/read-scopes.ts',
    'const scopeOfFamily = {',
    `const scopeOfFamily = {\n  ${scope},`,
  );
  const endpoints = 'src/contacts/notes/endpoints.ts';
  const imports =
    "import { recordEvent } from '../../platform/events/record.ts';\nimport { noteCreated } from '../events.ts';\n";
  edit(endpoints, 'import { notes }', imports + 'import { notes }');
  const handle = codeAfter('A `handle` of `createNote` records the event');
  edit(endpoints, '  quota: 1_000,', `  quota: 1_000,\n${handle}`);
}

test('docs/add-a-resource.md works when it is followed to the letter', () => {
  copyRepository(copy);
  symlinkSync(join(process.cwd(), 'node_modules'), join(copy, 'node_modules'));
  writeFiles();
  add(
    'src/app/endpoints.ts',
    "import { noteEndpoints } from '../contacts/notes/endpoints.ts';",
    'export const endpoints: readonly Endpoint[] = [',
    '...noteEndpoints',
  );
  const tag = "{ name: 'Notes', description: 'Notes that users of a team write.' }";
  expect(guide).toContain(tag);
  edit('src/meta/openapi/tags.ts', "  { name: 'Accounts'", `  ${tag},\n  { name: 'Accounts'`);
  recordTheEvent();
  const commands = samplesRunBy('docs/add-a-resource.md', 'test/site/add-a-resource.test.ts')
    .filter(({ language }) => language === 'sh')
    .flatMap(({ text }) => text.trim().split('\n'))
    .map((line) => line.replace(/ +#.*$/, ''));
  const [ownTest = '', ...writers] = commands;
  expect(ownTest).toMatch(/^npm test /);
  for (const writer of writers) run(writer);
  expect(inCopy('docs/generated/events.md')).toContain('note.created');
  expect(inCopy('docs/generated/tables.md')).toContain('Notes that users of a team write.');
  expect(inCopy('docs/generated/endpoints.md')).toContain('createNote');
  expect(inCopy('sdk/typescript/src/generated/resources.ts')).toContain('createNote');
  run(ownTest);
  run('npx oxlint src/contacts src/app src/webhooks/read-scopes.ts test/contacts/notes.test.ts');
});
