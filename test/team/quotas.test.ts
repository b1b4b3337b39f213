import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from '@jest/globals';
import { useTestApi } from '../support/use-test-api.ts';
import type { Reply, TestTeam } from '../support/api.ts';

const api = useTestApi();
let team: TestTeam;
beforeEach(async () => {
  team = await api.newTeam();
});

/** Rows of the team as if they had been made by requests, but for the last that fits. */
const fill = (statement: string) => api.db.look((sql) => sql.unsafe(statement));

async function expectFull(ask: () => Promise<Reply>, quota: string, limit: number) {
  expect((await ask()).status).toBe(201);
  const { status, body } = await ask();
  expect([status, body.errors]).toMatchObject([
    422,
    [{ code: 'quota_exceeded', meta: { quota, limit } }],
  ]);
}

test('a team has a thousand cohorts at most', async () => {
  await fill(
    `insert into cohorts (team_id, name, kind, evaluation_mode)
     select '${team.id}', n::text, 'static', 'on_demand' from generate_series(1, 999) n`,
  );
  const cohort = () => team.post('/v2/partner/cohorts', { name: randomUUID(), kind: 'static' });
  await expectFull(cohort, 'cohorts', 1_000);
});

test('a team has five thousand templates at most', async () => {
  await fill(
    `insert into templates (team_id, name) select '${team.id}', n::text
     from generate_series(1, 4999) n`,
  );
  await expectFull(() => team.post('/v2/partner/templates', { name: 'T' }), 'templates', 5_000);
});

test('a team has fifty webhook subscriptions at most', async () => {
  await fill(
    `insert into webhook_subscriptions (team_id, target_url, event_types, is_active)
     select '${team.id}', 'http://127.0.0.1:8080/', '{contact.created}', false
     from generate_series(1, 49) n`,
  );
  const subscription = () =>
    team.post('/v2/partner/webhook-subscriptions', {
      ...{ target_url: 'http://127.0.0.1:8080/', event_types: ['contact.created'] },
    });
  await expectFull(subscription, 'webhook_subscriptions', 50);
});

test('a contact has fifty devices at most, and a known device does not count again', async () => {
  const { body: contact } = await team.post('/v2/partner/contacts', { unique_id: 'a' });
  await fill(
    `insert into contact_devices (team_id, id, contact_id, token_hash, sealed_token, platform)
     select '${team.id}', gen_random_uuid(), '${String(contact.id)}', n::text, '', 'ios'
     from generate_series(1, 49) n`,
  );
  const register = (token: string) =>
    team.post(`/v2/partner/contacts/${String(contact.id)}/devices`, { token, platform: 'web' });
  await expectFull(() => register(randomUUID()), 'devices_per_contact', 50);
  const other = await team.post('/v2/partner/contacts', { unique_id: 'b' });
  const at = `/v2/partner/contacts/${String(other.body.id)}/devices`;
  await team.post(at, { token: 'known', platform: 'web' });
  expect((await register('known')).status).toBe(200);
});

test('a team has a hundred open exports at most', async () => {
  await fill(
    `insert into exports (team_id, kind, format, requested_by_client_id)
     select '${team.id}', 'contacts', 'csv', gen_random_uuid() from generate_series(1, 99)`,
  );
  const ask = () => team.post('/v2/partner/exports', { kind: 'contacts' });
  expect((await ask()).status).toBe(202);
  const { status, headers, body } = await ask();
  expect([status, headers.get('retry-after'), body.errors]).toMatchObject([
    429,
    '10',
    [{ code: 'too_many_operations', meta: { max: 100 } }],
  ]);
});
