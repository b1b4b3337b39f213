import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { eraseLoggedRequests } from '../../src/meta/requests/erase.ts';
import { searchFor } from '../../src/contacts/contact-erasures/sweeping/identity.ts';
import { eventually } from '../support/eventually.ts';
import { useTestApi } from '../support/use-test-api.ts';
import type { TestTeam } from '../support/api.ts';

// A client that may read the log of requests looks there for persons that it may not read.

const api = useTestApi({ REQUEST_LOG: 'true' });
const log = '/v2/meta/requests';

async function logged(team: TestTeam, requestId: string): Promise<any> {
  const rows = await eventually(
    async () => (await team.get(`${log}?filter[request_id]=${requestId}`)).body.data as any[],
    (found) => found.length > 0,
  );
  return rows[0];
}

/** A contact with an account, and the ids of the requests that made and read them. */
async function aPerson(team: TestTeam) {
  const ids = Array.from({ length: 4 }, () => randomUUID());
  const header = (at: number) => ({ 'X-Request-Id': ids[at] ?? '' });
  const made = await team.post(
    '/v2/partner/contacts',
    { email: 'ada@example.com', consents: { email: { status: 'subscribed', source: 'branch' } } },
    header(0),
  );
  const contact = String(made.body.id);
  const account = await team.post(
    `/v2/partner/contacts/${contact}/accounts`,
    { kind: 'loan', balance_cents: 1_234_567, opened_at: '2019-03-04T00:00:00Z' },
    header(1),
  );
  await team.call('GET', `/v2/partner/accounts/${String(account.body.id)}`, { headers: header(2) });
  await team.call('GET', '/v2/partner/contacts?filter[email_status]=unknown', {
    headers: header(3),
  });
  return { contact, ids };
}

test('the log shows no value of a person, whatever its type', async () => {
  const team = await api.newTeam();
  const { contact, ids } = await aPerson(team);
  for (const id of ids) {
    const row = await logged(team, id);
    const text = JSON.stringify([row.request_body, row.response_body, row.query]);
    for (const value of [
      '1234567',
      'loan',
      'subscribed',
      'unknown',
      'active',
      '2019-03-04',
      'never',
    ]) {
      expect([row.operation, value, text.includes(value)]).toEqual([row.operation, value, false]);
    }
    expect([row.operation, row.contact_ids]).toEqual([row.operation, [contact]]);
  }
  const read = await logged(team, ids[2] ?? '');
  expect(JSON.parse(read.response_body)).toMatchObject({
    ...{ type: 'account', contact_id: contact },
    ...{ balance_cents: '[number]', kind: '[4 characters]' },
  });
});

test('no row is left that names an erased contact', async () => {
  const team = await api.newTeam();
  const other = await api.newTeam();
  const { contact, ids } = await aPerson(team);
  for (const id of ids) await logged(team, id);
  const kept = await aPerson(other);
  for (const id of kept.ids) await logged(other, id);
  const persons = { teamId: team.id, contactIds: [contact], needles: [], addresses: [] };
  const { database } = api.db;
  const search = searchFor([]);
  expect(await eraseLoggedRequests({ database, keyring: api.keyring, persons, search })).toBe(true);
  const rows = await api.db.look(
    (sql) => sql<{ team_id: string }[]>`
      select team_id from request_log
      where contact_ids && ${[contact, kept.contact]}::uuid[]`,
  );
  expect(new Set(rows.map(({ team_id }) => team_id))).toEqual(new Set([other.id]));
});

test('a request that names thousands of contacts stores those that its row shows', async () => {
  const team = await api.newTeam();
  const cohort = await team.post('/v2/partner/cohorts', { name: 'All', kind: 'static' });
  const contact_ids = Array.from({ length: 1_000 }, () => randomUUID());
  const id = randomUUID();
  await team.post(
    `/v2/partner/cohorts/${String(cohort.body.id)}/members/add`,
    { contact_ids },
    { 'X-Request-Id': id },
  );
  const row = await logged(team, id);
  expect(row.contact_ids.length).toBeGreaterThan(10);
  expect(row.contact_ids.length).toBeLessThan(100);
  expect(row.contact_ids).toEqual(contact_ids.slice(0, row.contact_ids.length));
  expect(row.request_body).toContain(row.contact_ids.at(-1));
});

test('a filter by a contact names it', async () => {
  const team = await api.newTeam();
  const [contact, id] = [randomUUID(), randomUUID()];
  await team.call('GET', `/v2/partner/journeys?filter[contact_id]=${contact}`, {
    headers: { 'X-Request-Id': id },
  });
  const row = await logged(team, id);
  expect([row.query.includes(contact), row.contact_ids]).toEqual([true, [contact]]);
});

test('who reads the log is counted, and named in the read log of the contacts', async () => {
  const team = await api.newTeam();
  await team.patch('/v2/partner/team', { retention: { contact_reads_days: 30 } });
  const { contact, ids } = await aPerson(team);
  const reader = await team.withScopes('meta:requests:read');
  await logged(reader, ids[0] ?? '');
  const reads = await eventually(
    async () =>
      (await team.get(`/v2/partner/contact-reads?filter[contact_id]=${contact}`)).body.data,
    (found: any[]) => found.some(({ operation }) => operation === 'listRequests'),
  );
  expect(reads.find((one: any) => one.operation === 'listRequests').client_id).toBe(
    reader.clientId,
  );
});
