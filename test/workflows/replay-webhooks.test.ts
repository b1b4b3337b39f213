import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { WorkflowHandle } from '@temporalio/client';
import { newKeyFile } from '../../src/platform/auth/keyring.ts';
import { startTestApi } from '../support/api.ts';
import type { TestApi, TestTeam } from '../support/api.ts';
import { environmentNames, required } from '../support/environment.ts';
import { eventually } from '../support/eventually.ts';
import { useService } from '../support/use-service.ts';
import { startReceiver } from '../support/receiver.ts';
import type { Receiver } from '../support/receiver.ts';
import { newNamespace } from '../support/worker.ts';
import { startChildWorker } from '../webhooks/a-worker.ts';
import { jobId } from '../../src/platform/jobs/shape.ts';
import { webhookReplayJob } from '../../workflows/jobs.ts';

const settings = { WEBHOOK_LANE_IDLE_SECONDS: '1', WEBHOOK_RETRY_SCHEDULE_SECONDS: '0,3600' };
const { api, temporal } = useService(settings);
let team: TestTeam;
let receiver: Receiver;
let id: string;
const path = '/v2/partner/webhook-subscriptions';

beforeEach(async () => {
  team = await api.newTeam();
  receiver = await startReceiver();
  id = await subscribe(team);
});
afterEach(() => receiver.stop());

async function subscribe(of: TestTeam): Promise<string> {
  const reply = await of.post(path, { target_url: receiver.url, event_types: ['contact.*'] });
  return String(reply.body.id);
}

/** Deliveries that failed for good, a second apart, the oldest first. */
async function storeFailed(of: TestApi, teamId: string, subscription: string, count: number) {
  const rows = await of.db.look<{ id: string; event_id: string; inserted_at: string }>(
    (sql) => sql`
      with sent as (
        insert into webhook_events (day, id, team_id, type, resource_id, sequence, body, inserted_at)
        select (at at time zone 'UTC')::date, gen_random_uuid(), ${teamId}, 'contact.created',
          gen_random_uuid(), 1, json_build_object('n', n)::text, at
        from (
          select n, date_trunc('second', now()) - make_interval(secs => ${count} + 60 - n) as at
          from generate_series(1, ${count}::int) as n
        ) times
        returning *
      )
      insert into webhook_deliveries (day, id, team_id, subscription_id, event_id, event_type, shard,
        status, error_code, attempt_count, schedule_step, renewed_at, completed_at, inserted_at,
        updated_at)
      select day, gen_random_uuid(), team_id, ${subscription}, id, type, 5, 'failed', 'expired', 0, 0,
        inserted_at, now(), inserted_at, now()
      from sent
      returning id, event_id, inserted_at`,
  );
  return rows.sort((a, b) => Date.parse(a.inserted_at) - Date.parse(b.inserted_at));
}

const handleOf = (replayId: string): WorkflowHandle =>
  temporal.handleOf(jobId(webhookReplayJob, replayId));
const replay = (body: object) => team.post(`${path}/${id}/replay`, body);
const become = (replayId: string, is: (replay: any) => boolean, of = { team, id }) =>
  eventually(async () => (await of.team.get(`${path}/${of.id}/replays/${replayId}`)).body, is);

test('a replay sends failed deliveries with the same ids and bytes, and reports its result', async () => {
  const stored = await storeFailed(api, team.id, id, 6);
  const dry = await replay({ filter: { status: ['failed'] }, dry_run: true });
  expect([dry.status, dry.body.matched, dry.body.id]).toEqual([200, 6, undefined]);
  const asked = await replay({ filter: { status: ['failed'] } });
  expect([asked.status, asked.body.errors]).toEqual([202, undefined]);
  expect(await become(asked.body.id, ({ succeeded }) => succeeded === 6)).toMatchObject({
    ...{ status: 'completed', matched: 6, replayed: 6, failed: 0, skipped: 0 },
    ...{ started_at: expect.any(String), finished_at: expect.any(String) },
  });
  expect(await handleOf(asked.body.id).result()).toMatchObject({ outcome: 'completed' });
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id']))).toEqual(
    new Set(stored.map(({ event_id }) => event_id)),
  );
  expect(receiver.received).toHaveLength(6);
  const sent = `${path}/${id}/deliveries/${String(stored[0]?.id)}?include=attempts`;
  expect((await team.get(sent)).body).toMatchObject({
    ...{ status: 'delivered', trigger: 'replay', attempts: [{ trigger: 'replay' }] },
  });
});

test('a replay whose deliveries the database rejects fails, and the next one succeeds', async () => {
  await storeFailed(api, team.id, id, 1);
  const owner = (statement: string) => api.db.look((sql) => sql.unsafe(statement));
  const refusal = `check (status <> 'pending' or subscription_id <> '${id}')`;
  await owner(`alter table webhook_deliveries add constraint refused ${refusal} not valid`);
  const broken = await replay({ filter: { status: ['failed'] } });
  const hasFailed = ({ status }: { status: string }) => status === 'failed';
  expect(await become(broken.body.id, hasFailed)).toMatchObject({ replayed: 0 });
  await owner('alter table webhook_deliveries drop constraint refused');
  const whole = await replay({ filter: { status: ['failed'] } });
  expect(await become(whole.body.id, ({ succeeded }) => succeeded === 1)).toMatchObject({
    ...{ status: 'completed', failed: 0 },
  });
});

test('the window begins with since and ends before until', async () => {
  const stored = await storeFailed(api, team.id, id, 5);
  const filter = { since: stored[1]?.inserted_at, until: stored[3]?.inserted_at };
  const asked = await replay({ filter });
  await become(asked.body.id, ({ succeeded }) => succeeded === 2);
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id']))).toEqual(
    new Set([stored[1]?.event_id, stored[2]?.event_id]),
  );
});

test('a canceled replay starts no further delivery, and one replay runs at a time', async () => {
  await storeFailed(api, team.id, id, 200);
  const asked = await replay({ filter: {}, rate_per_second: 10 });
  const second = await replay({ filter: {} });
  expect([second.status, second.body.errors[0].code]).toEqual([409, 'replay_in_progress']);
  await become(asked.body.id, ({ replayed }) => replayed > 0);
  const canceled = await team.post(`${path}/${id}/replays/${asked.body.id}/cancel`);
  expect(canceled.body).toMatchObject({ status: 'canceled', replayed: 50 });
  await handleOf(asked.body.id).result();
  const next = await replay({ filter: { status: ['failed'] }, rate_per_second: 10_000 });
  expect(next.body.matched).toBe(150);
  await become(next.body.id, ({ succeeded }) => succeeded === 150);
  // Those that the canceled replay had started over may be the last to arrive.
  await eventually(
    () => Promise.resolve(receiver.received.length),
    (count) => count >= 200,
  );
  expect(receiver.received).toHaveLength(200);
});

test('a cancellation request in Temporal cancels a replay for good', async () => {
  await storeFailed(api, team.id, id, 200);
  const asked = await replay({ filter: {}, rate_per_second: 10 });
  await become(asked.body.id, ({ replayed }) => replayed > 0);
  await handleOf(asked.body.id).cancel();
  const shown = async () => (await team.get(`${path}/${id}/replays/${String(asked.body.id)}`)).body;
  const canceled = await eventually(shown, ({ status }) => status === 'canceled');
  expect(canceled).toMatchObject({ replayed: 50, finished_at: expect.any(String) });
  const ended = await eventually(
    async () => (await handleOf(asked.body.id).describe()).status.name,
    (name) => name !== 'RUNNING',
  );
  expect(ended).toBe('CANCELLED');
});

test('an invalid replay is refused', async () => {
  const [first] = await storeFailed(api, team.id, id, 1);
  const codeOf = async (body: object) => {
    const { status, body: answer } = await replay(body);
    return [status, answer.errors[0].code];
  };
  expect(await codeOf({})).toEqual([422, 'validation_failed']);
  expect(await codeOf({ delivery_ids: [randomUUID()] })).toEqual([404, 'not_found']);
  const since = new Date(Date.now() - 31 * 86_400_000).toISOString();
  expect(await codeOf({ filter: { since } })).toEqual([422, 'replay_window_too_large']);
  await team.patch(`${path}/${id}`, { is_active: false });
  expect(await codeOf({ delivery_ids: [first?.id] })).toEqual([409, 'subscription_inactive']);
  await team.patch(`${path}/${id}`, { is_active: true });
  await api.db.look((sql) => sql`delete from webhook_events where id = ${first?.event_id ?? ''}`);
  expect(await codeOf({ delivery_ids: [first?.id] })).toEqual([410, 'payload_expired']);
});

test('a replay continues after a kill of its worker: each of 12,000 deliveries restarts once', async () => {
  const keys = { ...settings, ONWARD_KEYS: JSON.stringify(newKeyFile()) };
  const other = await startTestApi(keys);
  try {
    const theirs = await other.newTeam();
    const of = { team: theirs, id: await subscribe(theirs) };
    const count = 12_000;
    await storeFailed(other, theirs.id, of.id, count);
    await other.db.look((sql) => sql`create table started (id uuid, replay uuid)`);
    await other.db.look(
      (sql) => sql`
        create function note_start() returns trigger language plpgsql security definer as $$ begin
          insert into public.started values (new.id, new.last_replay_id); return new;
        end $$`,
    );
    await other.db.look(
      (sql) => sql`
        create trigger note_start after update on webhook_deliveries for each row
        when (old.renewed_at is distinct from new.renewed_at) execute function note_start()`,
    );
    const addresses = {
      ...keys,
      TEMPORAL_ADDRESS: required(environmentNames.temporalAddress),
      TEMPORAL_NAMESPACE: await newNamespace(),
    };
    const first = await startChildWorker(other, addresses);
    const asked = await theirs.post(`${path}/${of.id}/replay`, {
      filter: {},
      rate_per_second: 10_000,
    });
    const { replayed } = await become(asked.body.id, (row) => row.replayed > 0, of);
    await first.kill();
    expect(replayed).toBeLessThan(count);
    const second = await startChildWorker(other, addresses);
    try {
      await become(asked.body.id, (row) => row.succeeded === count, of);
    } finally {
      await second.stop();
    }
    const [started] = await other.db.look<{ all: number; different: number }>(
      (sql) => sql`select count(*)::int as all, count(distinct id)::int as different from started`,
    );
    expect(started).toEqual({ all: count, different: count });
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(count);
  } finally {
    await other.stop();
  }
});
