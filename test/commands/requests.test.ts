import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import { readQuestion } from '../../src/commands/requests-question.ts';
import { useTestApi } from '../support/use-test-api.ts';
import type { TestTeam } from '../support/api.ts';
import { untilTrue } from '../support/eventually.ts';
import { runEntry } from './spawn.ts';

const api = useTestApi({ REQUEST_LOG: 'true' });
let team: TestTeam;
const requestId = randomUUID();

beforeAll(async () => {
  team = await api.newTeam();
  await team.post('/v2/partner/contacts', { first_name: 7 }, { 'X-Request-Id': requestId });
  await team.get('/v2/partner/team');
  await untilTrue(async () => (await team.get('/v2/meta/requests')).body.data.length === 2);
});

const run = (...args: string[]) =>
  runEntry('src/commands/requests.ts', args, { DATABASE_OWNER_URL: api.db.ownerUrl });

test('the requests of a team are listed with the given filters', async () => {
  const all = await run('--team', team.id, '--json');
  const operations = JSON.parse(all.stdout).map((row: { operation: string }) => row.operation);
  expect(operations).toEqual(['createContact', 'getTeam']);
  const refused = await run('--team', team.id, '--status', '4xx', '--since', '1h');
  expect(refused.stdout).toContain(requestId);
  expect(refused.stdout).toContain('validation_failed');
  expect(refused.stdout).not.toContain('getTeam');
}, 60_000);

test('one request is shown in full by its id', async () => {
  const { stdout } = await run('--team', team.id, '--id', requestId);
  expect(stdout).toMatch(/request_body +\{"first_name":"\[number\]"\}/);
  expect(stdout).toContain('"pointer":"/first_name"');
}, 60_000);

test('an unknown team name is reported', async () => {
  expect((await run('--team', 'Nobody')).stderr).toContain('No team has this name');
}, 60_000);

const nowMs = Date.parse('2026-01-05T00:00:00.000Z');
const ask = (...args: string[]) => readQuestion(['--team', 'First Bank', ...args], nowMs);

test('search options are parsed', () => {
  expect(ask('--since', '1h', '--status', '4xx', '--limit', '5')).toMatchObject({
    team: 'First Bank',
    search: { sinceMs: nowMs - 3_600_000, status: [400, 499], limit: 5 },
    follow: false,
  });
  expect(ask('--status', '404').search.status).toEqual([404, 404]);
});

test.each([
  [['--status', 'bad'], '4xx'],
  [['--since', 'ever'], '15m'],
  [['--limit', '0'], '10000'],
  [['--colour'], '--colour'],
])('%j is refused', (args, told) => {
  expect(() => ask(...args)).toThrow(told);
  expect(() => readQuestion([], nowMs)).toThrow('--team');
});
