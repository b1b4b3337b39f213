import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createAdmin } from '../../src/commands/admin/program.ts';
import { newKeyFile } from '../../src/platform/auth/keyring.ts';
import { scratchDirectory } from '../local/scratch.ts';
import { aLaunchedTemplate } from '../campaigns/a-template.ts';
import { aJourneyIn } from '../journeys/a-journey.ts';
import { aBatch, contactsOf } from '../operations/runs/a-run.ts';
import { samplesRunBy } from '../site/samples.ts';
import { startTestApi } from '../support/api.ts';
import type { TestApi, TestTeam } from '../support/api.ts';

// The commands of operators, as the pages for them show them.

const directory = scratchDirectory();
let api: TestApi;

beforeAll(async () => {
  const keys = JSON.stringify(newKeyFile());
  const file = join(directory, 'keys.json');
  writeFileSync(file, keys);
  api = await startTestApi({ ONWARD_KEYS: keys });
  process.env['DATABASE_OWNER_URL'] = api.db.ownerUrl;
  process.env['ONWARD_KEYS_FILE'] = file;
});
afterAll(() => api.stop());

const mark = 'test/commands/admin-samples.test.ts';
const pages = ['docs/night.md', 'docs/operators.md', 'docs/audit.md'];
const samples = pages.flatMap((page) => samplesRunBy(page, mark));

/** Ids that somebody gave to an operator. */
async function idsOf(team: TestTeam): Promise<[string, string][]> {
  const templateId = await aLaunchedTemplate(team);
  const journey = await aJourneyIn(api, team, templateId);
  const batch = await aBatch(team, { items: contactsOf(['first']) });
  const { body } = await team.post('/v2/partner/webhook-subscriptions', {
    ...{ target_url: 'https://example.com/hook', event_types: ['contact.created'] },
  });
  return [
    ['template id', templateId],
    ['contact id', journey.contactId],
    ['journey id', journey.id],
    ['batch id', String(batch.split('/').at(-1))],
    ['subscription id', String(body.id)],
  ];
}

/** Words of a line of a shell: those in quotes are one. */
const wordsOf = (line: string) =>
  [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');

/** Runs one line, and writes its output into the file behind `>`. */
async function run(line: string, ids: Map<string, string>): Promise<void> {
  const [command = '', file] = line.replace(/\s+#.*$/, '').split(' > ');
  const [, text = ''] = /^npm run admin -- (.+)$/.exec(command.trim()) ?? [];
  expect(text).not.toBe('');
  const named = text.replaceAll(/<([a-z ]+)>/g, (_, name: string) => ids.get(name) ?? `<${name}>`);
  const words = wordsOf(named).map((word) =>
    word.endsWith('.json') ? join(directory, word) : word,
  );
  const lines: string[] = [];
  const program = createAdmin((printed) => lines.push(printed));
  const asJson = words.includes('--json') ? words : [...words, '--json'];
  await program.parseAsync(asJson, { from: 'user' });
  const output = lines.join('\n');
  if (file !== undefined) writeFileSync(join(directory, file), output);
  const answer = JSON.parse(output);
  if (words[0] === 'teams') ids.set('team id', answer.id);
  if (answer.client_id !== undefined) ids.set('client id', answer.client_id);
}

test.each(samples)('the commands of $page, line $line, do what they say', async ({ text }) => {
  const team = await api.newTeam();
  const ids = new Map([['team id', team.id], ['client id', team.clientId], ...(await idsOf(team))]);
  for (const line of text.trim().split('\n')) await run(line, ids);
});
