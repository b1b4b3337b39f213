import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { dropOldDays, ensurePartitions } from '../../src/platform/database/maintenance.ts';
import { useTestApi } from '../support/use-test-api.ts';
import type { TestTeam } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';

const api = useTestApi({ REQUEST_LOG: 'true' });

/** The log of a team once it has a request with this id. */
async function logged(team: TestTeam, requestId: string) {
  const [row] = await eventually(
    async () =>
      (await team.get(`/v2/meta/requests?filter[request_id]=${requestId}`)).body.data as any[],
    (rows) => rows.length > 0,
  );
  return row;
}

test('a write is in the log with its form, and with none of its texts', async () => {
  const team = await api.newTeam();
  const requestId = randomUUID();
  const reply = await team.post(
    '/v2/partner/contacts',
    { email: 'ada@example.com', first_name: 'Ada', attributes: { income: 90_000 } },
    { 'X-Request-Id': requestId },
  );
  const row = await logged(team, requestId);
  expect(row).toMatchObject({
    type: 'logged_request',
    team_id: team.id,
    client_id: team.clientId,
    request_id: requestId,
    method: 'POST',
    operation: 'createContact',
    path: '/v2/partner/contacts',
    status: 201,
    error_codes: [],
  });
  expect(JSON.parse(row.request_body)).toEqual({
    email: '[15 characters]',
    first_name: '[3 characters]',
    attributes: { income: '[number]' },
  });
  expect(JSON.parse(row.response_body)).toMatchObject({ id: reply.body.id, team_id: team.id });
  expect(row.request_bytes).toBeGreaterThan(60);
  expect(row.response_bytes).toBeGreaterThan(200);
  for (const secret of ['ada@example.com', 'Ada', '90000', team.token]) {
    expect(JSON.stringify(row)).not.toContain(secret);
  }
});

test('a refused request is in the log with its codes, and none of its content', async () => {
  const team = await api.newTeam();
  const requestId = randomUUID();
  await team.call('POST', '/v2/partner/contacts?email=ada@example.com', {
    body: { email: 'ada@', nonsense: 'Ada' },
    headers: { 'X-Request-Id': requestId },
  });
  const row = await logged(team, requestId);
  expect(row).toMatchObject({
    status: 400,
    query: 'email=[15 characters]',
    error_codes: ['invalid_query_parameter'],
  });
  expect(JSON.parse(row.response_body)).toEqual({
    errors: [{ code: 'invalid_query_parameter', parameter: 'email' }],
  });
  expect(JSON.stringify(row)).not.toContain('ada@');
});

test('a path shows ids, and a partner’s own key by its length', async () => {
  const team = await api.newTeam();
  const [withId, withKey] = [randomUUID(), randomUUID()];
  const unknown = randomUUID();
  const get = (reference: string, requestId: string) =>
    team.call('GET', `/v2/partner/contacts/${reference}`, {
      headers: { 'X-Request-Id': requestId },
    });
  await get(unknown, withId);
  await get('unique_id:ada@example.com', withKey);
  expect((await logged(team, withId)).path).toBe(`/v2/partner/contacts/${unknown}`);
  expect((await logged(team, withKey)).path).toBe('/v2/partner/contacts/unique_id:[15 characters]');
});

test('a team sees its own requests only, without its reads of the log', async () => {
  const [team, other] = [await api.newTeam(), await api.newTeam()];
  const [mine, theirs] = [randomUUID(), randomUUID()];
  await other.call('GET', '/v2/partner/team', { headers: { 'X-Request-Id': theirs } });
  await team.call('GET', '/v2/partner/team', { headers: { 'X-Request-Id': mine } });
  await logged(other, theirs);
  await logged(team, mine);
  const { body } = await team.get('/v2/meta/requests');
  expect(body.data.map((row: any) => row.request_id)).toEqual([mine]);
});

test('days that are older than a week are dropped, and no younger ones', async () => {
  const { database } = api.db;
  await database.read((sql) => ensurePartitions(sql));
  await api.db.look(
    (sql) => sql`
      do $$ begin
        for age in 6..9 loop
          execute format('create table if not exists %I partition of request_log for values from (%L) to (%L)',
            'request_log_' || to_char(current_date - age, 'YYYYMMDD'), current_date - age, current_date - age + 1);
        end loop;
      end $$`,
  );
  const ages = async () =>
    (
      await api.db.look(
        (sql) => sql<{ age: number }[]>`
          select current_date - to_date(right(relname, 8), 'YYYYMMDD') as age from pg_class
          where relname ~ '^request_log_[0-9]{8}$' and relkind = 'r'`,
      )
    )
      .map(({ age }) => age)
      // Those of the migration, which may have been on the day before.
      .filter((age) => age > 2)
      .sort();
  expect(await ages()).toEqual([6, 7, 8, 9]);
  // A week is retained even with a limit of zero days.
  await database.read((sql) => dropOldDays(sql, ['request_log'], 0));
  expect(await ages()).toEqual([6, 7]);
});
