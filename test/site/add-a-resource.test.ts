import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { scratchDirectory } from '../local/scratch.ts';
import { followGuide } from './a-guide.ts';
import { samplesRunBy } from './samples.ts';

const copy = join(scratchDirectory(), 'onward');

function recordTheEvent({
  guide,
  inCopy,
  write,
  edit,
  codeAfter,
}: ReturnType<typeof followGuide>): void {
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
  const following = followGuide('docs/add-a-resource.md', copy);
  const { guide, inCopy, edit, add, run } = following;
  expect(following.writeFiles()).toEqual([
    'src/platform/database/migrations/NNNN-notes.sql',
    'src/contacts/notes/note.ts',
    'src/contacts/notes/queries.ts',
    'src/contacts/notes/endpoints.ts',
    'test/contacts/notes.test.ts',
  ]);
  add(
    'src/app/endpoints.ts',
    "import { noteEndpoints } from '../contacts/notes/endpoints.ts';",
    'export const endpoints: readonly Endpoint[] = [',
    '...noteEndpoints',
  );
  const tag = "{ name: 'Notes', description: 'Notes that users of a team write.' }";
  expect(guide).toContain(tag);
  edit('src/meta/openapi/tags.ts', "  { name: 'Accounts'", `  ${tag},\n  { name: 'Accounts'`);
  recordTheEvent(following);
  const commands = samplesRunBy('docs/add-a-resource.md', 'test/site/add-a-resource.test.ts')
    .filter(({ language }) => language === 'sh')
    .flatMap(({ text }) => text.trim().split('\n'))
    .map((line) => line.replace(/ +#.*$/, ''));
  const [ownTest = '', ...writers] = commands;
  expect(ownTest).toMatch(/^npm test /);
  for (const writer of writers) run(writer);
  expect(inCopy('docs/generated/events.md')).toContain('note.created');
  expect(inCopy('docs/generated/tables.md')).toContain('Notes that users of a team write.');
  expect(inCopy('test/contract/openapi.json')).toContain('createNote');
  expect(inCopy('sdk/typescript/src/generated/resources.ts')).toContain('createNote');
  run(ownTest);
  run('npx oxlint src/contacts src/app src/webhooks/read-scopes.ts test/contacts/notes.test.ts');
});
