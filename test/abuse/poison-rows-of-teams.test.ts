import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import { suppress } from '../../src/contacts/suppressions/suppress.ts';
import { endAbandoned } from '../../src/operations/sftp/upload-status.ts';
import { tasks } from '../../src/maintenance/tasks.ts';
import { createLog } from '../../src/platform/observability/log.ts';
import { aReader, aSendingTemplate, anEmail } from '../journeys/a-send.ts';
import { aReceiver } from '../inbound/a-receiver.ts';
import { storeDeliveries } from '../inbound/stored.ts';
import { newCredential } from '../operations/sftp/a-client.ts';
import type { TestTeam } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { runNow } from '../support/schedules.ts';
import { useService } from '../support/use-service.ts';
import { usePoison } from './poison.ts';
import { rollupComparison, rollupRefresh } from '../../workflows/schedules.ts';

// As poison-rows.test.ts, for what schedules compute, for callbacks, and for journeys that follow a
// template.

const { api, temporal } = useService();
const { refuse, setAside } = usePoison(api);
const log = createLog('silent', 'worker');
let harmed: TestTeam;
let others: TestTeam;

beforeAll(async () => {
  [harmed, others] = [await api.newTeam(), await api.newTeam()];
});

async function made(team: TestTeam, path: string, body: object): Promise<any> {
  const reply = await team.post(path, body);
  if (reply.status >= 300) throw new Error(`${path}: ${JSON.stringify(reply.body)}`);
  return reply.body;
}

test('a journey that cannot get the deadline of its template fails; the others get it', async () => {
  const poison = await refuse(
    'journeys',
    'contact_id',
    `new.deadline_at is not null and new.status <> 'failed'`,
  );
  const template = await aSendingTemplate(harmed, [
    { ...anEmail, trigger: { kind: 'delay', delay: 'P3D' } },
  ]);
  const contactIds = [await aReader(harmed), await aReader(harmed), await aReader(harmed)];
  const journeys: string[] = [];
  for (const contact_id of contactIds) {
    const path = `/v2/partner/templates/${template.id}/enrollments`;
    journeys.push(String((await made(harmed, path, { contact_id })).id));
  }
  await poison(String(contactIds[1]));
  const deadline_at = new Date(Date.now() + 86_400_000).toISOString();
  expect((await harmed.patch(`/v2/partner/templates/${template.id}`, { deadline_at })).status).toBe(
    200,
  );
  const found = await eventually(
    () =>
      Promise.all(
        journeys.map(async (id) => (await harmed.get(`/v2/partner/journeys/${id}`)).body),
      ),
    (bodies) =>
      bodies.every((body) => body.deadline_at === deadline_at || body.status === 'failed'),
  );
  expect(found.map(({ status, deadline_at: at }) => (status === 'failed' ? status : at))).toEqual([
    deadline_at,
    'failed',
    deadline_at,
  ]);
  expect(found[1]).toMatchObject({ exit_reason: 'error' });
  expect(await setAside('journey-resyncs')).toEqual([]);
});

/** A team with messages whose figures are to be summed. */
async function countSomething(team: TestTeam): Promise<void> {
  await api.db.look(
    (sql) => sql`
      insert into message_stats (team_id, message_id, slot) values (${team.id}, ${randomUUID()}, 0)`,
  );
}

test('a team whose figures cannot be summed or compared delays no other team', async () => {
  const poison = await refuse('delivery_rollup_progress', 'team_id');
  for (const team of [harmed, others]) await countSomething(team);
  await poison(harmed.id);
  const summed = async () =>
    (
      await api.db.look<{ team_id: string; compared_at: string | null }>(
        (sql) => sql`select * from delivery_rollup_progress`,
      )
    ).map(({ team_id }) => team_id);
  await runNow(temporal.client, rollupRefresh.id);
  expect(await summed()).toEqual([others.id]);
  expect(await setAside('rollups')).toEqual([
    expect.objectContaining({ team_id: harmed.id, reason: '23514', attempts: 1 }),
  ]);
  // Now the harmed team has sums, and they cannot be compared.
  await api.db.look((sql) => sql`alter table delivery_rollup_progress disable trigger user`);
  await api.db.look(
    (sql) => sql`
      insert into delivery_rollup_progress (team_id, rolled_up_until)
      values (${harmed.id}, date_trunc('hour', now(), 'UTC'))`,
  );
  await api.db.look((sql) => sql`alter table delivery_rollup_progress enable trigger user`);
  await runNow(temporal.client, rollupComparison.id);
  expect(await setAside('rollup-comparison')).toEqual([
    expect.objectContaining({ team_id: harmed.id, reason: '23514' }),
  ]);
});

test('a team whose figures cannot be compared with others leaves theirs to them', async () => {
  const poison = await refuse('objective_rates', 'team_id');
  for (const team of [harmed, others]) {
    await api.db.look((sql) => sql`update teams set is_in_benchmarks = true where id = ${team.id}`);
    const objective = await made(team, '/v2/partner/objectives', {
      ...{ key: 'open-account', name: 'Open an account' },
    });
    const template = await aSendingTemplate(team, [anEmail], {
      objective_ids: [objective.id],
    });
    const path = `/v2/partner/templates/${template.id}/enrollments`;
    await made(team, path, { contact_id: await aReader(team) });
  }
  await poison(harmed.id);
  const turn = { log, count: 0, isOver: () => false };
  expect(await tasks['benchmarks']?.work(api.db.database, turn)).toBe(true);
  const rated = await api.db.look<{ team_id: string }>(
    (sql) => sql`select distinct team_id from objective_rates`,
  );
  expect(rated).toEqual([{ team_id: others.id }]);
  expect(await setAside('benchmarks')).toEqual([
    expect.objectContaining({ team_id: harmed.id, reason: '23514' }),
  ]);
});

test('an address that cannot be tried again waits; those of others are tried', async () => {
  const poison = await refuse('suppressions', 'team_id');
  const contactOf = new Map<TestTeam, string>();
  for (const team of [harmed, others]) {
    const address = `full-${team.id}@example.com`;
    contactOf.set(team, await aReader(team, { email: address }));
    await api.db.database.transact((sql) =>
      suppress(sql, team.id, {
        ...{ channel: 'email', address, contact_id: null, note: null },
        ...{ reason: 'soft_bounces', source: 'inbound' },
      }),
    );
  }
  const turn = { log, count: 0, isOver: () => false };
  const age = (days: number) =>
    api.db.look(
      (sql) => sql`update suppressions set inserted_at = now() - make_interval(days => ${days})`,
    );
  const statesOf = async () => {
    const states = [];
    for (const [team, id] of contactOf)
      states.push((await team.get(`/v2/partner/contacts/${id}`)).body.email_status);
    return states;
  };
  await age(29);
  expect(await tasks['soft-bounces']?.work(api.db.database, turn)).toBe(true);
  expect(await statesOf()).toEqual(['soft_bouncing', 'soft_bouncing']);
  await age(31);
  await poison(harmed.id);
  expect(await tasks['soft-bounces']?.work(api.db.database, turn)).toBe(true);
  expect(await statesOf()).toEqual(['soft_bouncing', 'unknown']);
  expect(await setAside('soft-bounces')).toEqual([
    expect.objectContaining({ team_id: harmed.id, reason: '23514' }),
  ]);
});

test('a file that cannot be ended waits; the files of others end', async () => {
  const poison = await refuse('sftp_uploads', 'team_id', `new.status = 'failed'`);
  for (const team of [harmed, others]) {
    const { id } = await newCredential(team);
    await api.db.look(
      (sql) => sql`
        insert into sftp_uploads (team_id, sftp_credential_id, path, status, updated_at)
        values (${team.id}, ${id}, '/in/contacts/a.csv', 'receiving', now() - interval '2 days')`,
    );
  }
  await poison(harmed.id);
  expect(await endAbandoned(api.db.database, 10, log)).toBe(1);
  const statusOf = async (team: TestTeam) =>
    (await team.get('/v2/partner/sftp-uploads')).body.data[0].status;
  expect([await statusOf(harmed), await statusOf(others)]).toEqual(['receiving', 'failed']);
  expect(await setAside('sftp-files')).toEqual([
    expect.objectContaining({ team_id: harmed.id, reason: '23514' }),
  ]);
  // It waits, and is not tried again before its time.
  expect(await endAbandoned(api.db.database, 10, log)).toBe(0);
  expect((await setAside('sftp-files'))[0]?.attempts).toBe(1);
});

test('a team that cannot be told of a replaced name leaves the notices of others to them', async () => {
  const poison = await refuse('deprecation_notices', 'team_id');
  const told = async () =>
    (
      await api.db.look<{ team_id: string }>(
        (sql) => sql`select distinct team_id from deprecation_notices`,
      )
    ).map(({ team_id }) => team_id);
  for (const team of [harmed, others]) {
    // Older than their interest in notices, which would have recorded it.
    for (const event_types of [['batch_operation.completed'], ['team.*']]) {
      await made(team, '/v2/partner/webhook-subscriptions', {
        ...{ target_url: 'https://example.com/hook', event_types },
      });
    }
  }
  await poison(harmed.id);
  const turn = { log, count: 0, isOver: () => false };
  await tasks['deprecation-notices']?.work(api.db.database, turn);
  expect(await told()).toEqual([others.id]);
  expect(await setAside('deprecation-notices')).toEqual([
    expect.objectContaining({ team_id: harmed.id, reason: '23514', attempts: 1 }),
  ]);
});

test('a callback that cannot be applied is given up; the others of its receiver are applied', async () => {
  const poison = await refuse('inbound_deliveries', 'id', `new.attempts > 1`);
  const receiver = await aReceiver(api, harmed);
  await made(harmed, '/v2/partner/contacts', { unique_id: 'ada' });
  const next_attempt_at = new Date().toISOString();
  const ids = await storeDeliveries(api, harmed, receiver.id, 3, () => ({ next_attempt_at }));
  const [, bad = ''] = ids;
  await poison(bad);
  await api.db.look(
    (sql) => sql`
      insert into workflow_outbox (team_id, workflow, key)
      values (${harmed.id}, 'inbound', ${receiver.id})`,
  );
  const at = `/v2/webhooks/inbound/${receiver.id}/deliveries`;
  await eventually(
    () =>
      api.db.look(
        (sql) => sql`
          select id from inbound_deliveries
          where receiver_id = ${receiver.id} and next_attempt_at is not null`,
      ),
    (due) => due.length === 0,
  );
  const found = await Promise.all(ids.map(async (id) => (await harmed.get(`${at}/${id}`)).body));
  expect(found.map(({ status }) => status)).toEqual(['processed', 'failed', 'processed']);
  expect(await setAside('inbound-callbacks')).toEqual([]);
});
