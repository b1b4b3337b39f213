import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import { parseAge, parseStatus } from '../../src/commands/admin/arguments.ts';
import { createAdmin } from '../../src/commands/admin/program.ts';
import { useTestApi } from '../support/use-test-api.ts';
import type { TestTeam } from '../support/api.ts';
import { untilTrue } from '../support/eventually.ts';

const api = useTestApi({ REQUEST_LOG: 'true' });
let team: TestTeam;
const requestId = randomUUID();

beforeAll(async () => {
  team = await api.newTeam();
  await team.post('/v2/partner/contacts', { first_name: 7 }, { 'X-Request-Id': requestId });
  await team.get('/v2/partner/team');
  await untilTrue(async () => (await team.get('/v2/meta/requests')).body.data.length === 2);
  process.env['DATABASE_OWNER_URL'] = api.db.ownerUrl;
});

async function run(...args: string[]): Promise<string> {
  const lines: string[] = [];
  const words = ['requests', 'list', '--team', team.id, ...args];
  await createAdmin((line) => lines.push(line)).parseAsync(words, { from: 'user' });
  return lines.join('\n');
}

test('the requests of a team are listed with the given filters', async () => {
  const all = JSON.parse(await run('--json'));
  const operations = all.map((row: { operation: string }) => row.operation);
  expect(operations).toEqual(['createContact', 'getTeam']);
  const refused = await run('--status', '4xx', '--since', '1h');
  expect(refused).toContain(requestId);
  expect(refused).toContain('validation_failed');
  expect(refused).not.toContain('getTeam');
});

test('one request is shown in full by its id', async () => {
  const shown = await run('--id', requestId);
  expect(shown).toMatch(/request_body +\{"first_name":"\[number\]"\}/);
  expect(shown).toContain('"pointer":"/first_name"');
});

test('search options are parsed, and wrong ones refused', () => {
  expect(['4xx', '404'].map(parseStatus)).toEqual([
    [400, 499],
    [404, 404],
  ]);
  expect(['30s', '15m', '1h', '2d'].map(parseAge)).toEqual([
    ...[30_000, 900_000, 3_600_000, 172_800_000],
  ]);
  expect(() => parseStatus('bad')).toThrow('4xx');
  expect(() => parseAge('ever')).toThrow('15m');
});
