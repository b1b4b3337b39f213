import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from '@jest/globals';
import type { WorkflowHandle } from '@temporalio/client';
import { newKeyFile } from '../../src/platform/auth/keyring.ts';
import { startTestApi } from '../support/api.ts';
import type { TestTeam } from '../support/api.ts';
import { environmentNames, required } from '../support/environment.ts';
import { eventually } from '../support/eventually.ts';
import { detailsNow, useService } from '../support/use-service.ts';
import { newNamespace } from '../support/worker.ts';
import { aReceiver, receiversPath } from '../inbound/a-receiver.ts';
import { countEngagement, storeDeliveries, storeUnread, storedRows } from '../inbound/stored.ts';
import { startChildWorker } from '../webhooks/a-worker.ts';
import { changedSignal, jobId } from '../../src/platform/jobs/shape.ts';
import { inboundReplayJob } from '../../workflows/jobs.ts';

const { api, temporal } = useService();
let team: TestTeam;
let receiverId: string;

beforeEach(async () => {
  team = await api.newTeam();
  receiverId = (await aReceiver(api, team)).id;
});

const pathOf = (receiver: string, rest: string) => `/v2/webhooks/inbound/${receiver}/${rest}`;
const handleOf = (id: string): WorkflowHandle => temporal.handleOf(jobId(inboundReplayJob, id));

async function replay(body: object, of = { team, receiverId }): Promise<string> {
  const reply = await of.team.post(pathOf(of.receiverId, 'replay'), body);
  expect([reply.status, reply.body.errors]).toEqual([202, undefined]);
  return String(reply.body.id);
}

const become = (
  id: string,
  is: (replay: { status: string; replayed: number }) => boolean,
  of = { team, receiverId },
) => eventually(async () => (await of.team.get(pathOf(of.receiverId, `replays/${id}`))).body, is);
const isFinished = ({ status }: { status: string }) => !['pending', 'running'].includes(status);

/** Counts the events of a history by the end of their name. */
async function countEvents(handle: WorkflowHandle, type: string): Promise<number> {
  const { events } = await handle.fetchHistory();
  return (events ?? []).filter((event) => Reflect.get(event, type) != null).length;
}

test('a replay applies failed deliveries once, and reports its result', async () => {
  await team.post('/v2/partner/webhook-subscriptions', {
    target_url: 'https://hooks.example.com/replays',
    event_types: ['inbound_replay.completed'],
  });
  const ids = await storeDeliveries(api, team, receiverId, 6, (at) =>
    at === 0 ? { status: 'rejected_signature', payload: null } : {},
  );
  const first = await replay({ delivery_ids: ids });
  expect(await become(first, isFinished)).toMatchObject({
    status: 'completed',
    matched: 6,
    replayed: 5,
    succeeded: 5,
    failed: 0,
    skipped: 1,
    started_at: expect.any(String),
    finished_at: expect.any(String),
  });
  expect(await handleOf(first).result()).toEqual({
    outcome: 'completed',
    matched: 6,
    replayed: 5,
    succeeded: 5,
    failed: 0,
    skipped: 1,
  });
  const after = await storedRows(api, receiverId);
  expect(after.map(({ status, replay_count }) => [status, replay_count])).toEqual([
    ['rejected_signature', 0],
    ...ids.slice(1).map(() => ['processed', 1]),
  ]);
  expect(await countEngagement(api, receiverId)).toBe(5);

  const second = await replay({ filter: { status: ['processed'] } });
  expect(await become(second, isFinished)).toMatchObject({ matched: 5, succeeded: 5, skipped: 0 });
  expect(await countEngagement(api, receiverId)).toBe(5);
  const told = await api.db.look<{ data: { id: string; replayed: number } }>(
    (sql) => sql`
      select body::jsonb -> 'data' as data from webhook_events
      where team_id = ${team.id} and type = 'inbound_replay.completed'`,
  );
  expect(new Set(told.map(({ data }) => data.id))).toEqual(new Set([first, second]));
  expect(told.map(({ data }) => data.replayed)).toEqual([5, 5]);
});

test('a window without deliveries is replayed as well: it completes', async () => {
  const id = await replay({ filter: { status: ['failed'] } });
  expect(await become(id, isFinished)).toMatchObject({ status: 'completed', matched: 0 });
});

test('the workflow limits the rate by timers between rounds', async () => {
  await storeDeliveries(api, team, receiverId, 130);
  const id = await replay({ filter: {}, rate_per_second: 10 });
  expect(await become(id, isFinished)).toMatchObject({ status: 'completed', succeeded: 130 });
  await handleOf(id).result();
  // Fifty for five seconds; no timer follows the last.
  expect(await countEvents(handleOf(id), 'activityTaskScheduledEventAttributes')).toBe(3);
  expect(await countEvents(handleOf(id), 'timerFiredEventAttributes')).toBe(2);
  expect(await detailsNow(handleOf(id))).toContain('completed: 130 of 130 deliveries replayed');
});

test('a replay that is canceled midway replays nothing more, and its workflow ends', async () => {
  const ids = await storeDeliveries(api, team, receiverId, 200);
  const id = await replay({ filter: {}, rate_per_second: 10 });
  await become(id, ({ replayed }) => replayed > 0);
  const canceled = await team.post(pathOf(receiverId, `replays/${id}/cancel`));
  expect(canceled.body).toMatchObject({ status: 'canceled', replayed: 50 });
  await handleOf(id).result();
  // The next replay succeeds, and only its own deliveries have been replayed since.
  const next = await replay({ delivery_ids: ids.slice(-1) });
  await become(next, isFinished);
  expect((await team.get(pathOf(receiverId, `replays/${id}`))).body).toEqual(canceled.body);
  const rows = await storedRows(api, receiverId);
  expect(rows.map(({ replay_count }) => replay_count)).toEqual([
    ...Array.from({ length: 50 }, () => 1),
    ...Array.from({ length: 149 }, () => 0),
    1,
  ]);
  expect(await countEngagement(api, receiverId)).toBe(51);
});

test('a cancellation request in Temporal cancels a replay for good', async () => {
  await storeDeliveries(api, team, receiverId, 200);
  const id = await replay({ filter: {}, rate_per_second: 10 });
  await become(id, ({ replayed }) => replayed > 0);
  await handleOf(id).cancel();
  const shown = async () => (await team.get(pathOf(receiverId, `replays/${id}`))).body;
  const canceled = await eventually(shown, ({ status }) => status === 'canceled');
  expect(canceled).toMatchObject({ replayed: 50, finished_at: expect.any(String) });
  const ended = await eventually(
    async () => (await handleOf(id).describe()).status.name,
    (name) => name !== 'RUNNING',
  );
  expect(ended).toBe('CANCELLED');
  const next = await replay({ filter: { status: ['failed'] } });
  await become(next, isFinished);
  expect(await shown()).toEqual(canceled);
});

test('a long replay continues as new before its history grows long', async () => {
  await storeDeliveries(api, team, receiverId, 2_000);
  const id = await replay({ filter: {}, rate_per_second: 1 });
  await become(id, ({ replayed }) => replayed > 0);
  const runOf = async () => (await handleOf(id).describe()).runId;
  const first = await runOf();
  // Each signal ends a pause, and all of them lengthen the history. Temporal takes 10,000 for a run, and
  // suggests the next run after some 4,000 events.
  let sent = 0;
  const next = await eventually(
    async () => {
      if (sent < 6_000) {
        await Promise.all(Array.from({ length: 50 }, () => handleOf(id).signal(changedSignal)));
        sent += 50;
      }
      return runOf();
    },
    (run) => run !== first,
    280_000,
  );
  expect(
    await countEvents(
      temporal.client.workflow.getHandle(handleOf(id).workflowId, first),
      'workflowExecutionContinuedAsNewEventAttributes',
    ),
  ).toBe(1);
  const { replayed } = (await team.get(pathOf(receiverId, `replays/${id}`))).body;
  await handleOf(id).signal(changedSignal);
  await become(id, (row) => row.replayed > replayed);
  expect(await runOf()).toBe(next);
  await team.post(pathOf(receiverId, `replays/${id}/cancel`));
  await handleOf(id).result();
});

test('a delivery that cannot be applied fails alone', async () => {
  await api.db.look(
    (sql) => sql`
      create function refuse_poison() returns trigger language plpgsql as $$ begin
        if new.unique_id like '%poison%' then raise exception 'no'; end if;
        return new;
      end $$`,
  );
  await api.db.look(
    (sql) => sql`
      create trigger refuse_poison before insert on engagement_events
      for each row execute function refuse_poison()`,
  );
  const ids = await storeDeliveries(api, team, receiverId, 40);
  const bad = [ids[0], ids[17], ids[39]].map(String);
  await api.db.look(
    (sql) => sql`
      update inbound_deliveries set dedup_key = 'poison-' || id where id = any(${bad}::uuid[])`,
  );
  const id = await replay({ delivery_ids: ids, rate_per_second: 10_000 });
  expect(await become(id, isFinished)).toMatchObject({
    status: 'completed',
    replayed: 40,
    succeeded: 37,
    failed: 3,
  });
  const failed = (await storedRows(api, receiverId)).filter(({ status }) => status === 'failed');
  expect(failed.map((row) => row.id)).toEqual(bad);
  expect(new Set(failed.map(({ error }) => error?.code))).toEqual(new Set(['projection_failed']));
  expect(await countEngagement(api, receiverId)).toBe(37);
});

test('a replay parses an unparsed body by the current settings', async () => {
  const receiver = await aReceiver(api, team);
  const sent = await receiver.send({ what: 'Deposit', data: { do_contact_id: randomUUID() } });
  expect(sent.body.status).toBe('accepted');
  const [unread] = await storedRows(api, receiver.id);
  expect(unread).toMatchObject({
    status: 'failed',
    payload: null,
    error: { code: 'payload_unrecognised' },
  });
  const of = { team, receiverId: receiver.id };
  const filter = { status: ['failed'] };
  const first = await replay({ filter }, of);
  expect(await become(first, isFinished, of)).toMatchObject({ replayed: 1, failed: 1 });

  const path = `${receiversPath}/${receiver.id}/verification`;
  expect((await team.patch(path, { event_type_at: '/what' })).status).toBe(200);
  const second = await replay({ filter }, of);
  expect(await become(second, isFinished, of)).toMatchObject({ replayed: 1, succeeded: 1 });
  const [read] = await storedRows(api, receiver.id);
  expect(read).toMatchObject({
    status: 'processed',
    event_type: 'deposit',
    replay_count: 2,
    // The id stood in a header.
    payload: { event_type: 'deposit', event_id: expect.stringMatching(/^msg_/) },
    error: null,
  });
  expect(await countEngagement(api, receiver.id)).toBe(1);
});

test('each event of a body becomes a delivery, unless it has arrived before', async () => {
  const { id } = await aReceiver(api, team, { receiver_kind: 'email_b' });
  const of = { team, receiverId: id };
  const event = (name: string, eventId: string) => ({
    email: 'ada@example.com',
    timestamp: Math.floor(Date.now() / 1_000),
    event: name,
    sg_event_id: eventId,
    sg_message_id: 'message-1',
  });
  const known = randomUUID();
  const body = JSON.stringify([
    event('delivered', randomUUID()),
    { nonsense: true },
    event('open', known),
    event('click', randomUUID()),
  ]);
  const unread = await storeUnread(api, team, id, 'email_b', body);
  await api.db.look(
    (sql) => sql`
      insert into inbound_dedup_keys (team_id, receiver_id, dedup_key, delivery_id, day,
        received_at, expires_at)
      values (${team.id}, ${id}, ${known}, ${randomUUID()}, current_date, now(),
        now() + interval '1 hour')`,
  );
  const first = await replay({ delivery_ids: [unread] }, of);
  // It fares as the worst of its events.
  expect(await become(first, isFinished, of)).toMatchObject({
    matched: 1,
    replayed: 1,
    failed: 1,
  });
  const rows = await storedRows(api, id);
  expect(rows.map((row) => [row.event_index, row.event_type, row.status])).toEqual([
    [0, 'delivered', 'processed'],
    [1, null, 'failed'],
    [2, 'open', 'ignored'],
    [3, 'click', 'processed'],
  ]);
  expect(rows[0]?.id).toBe(unread);
  expect(rows[2]?.error?.code).toBe('duplicate');
  expect(await countEngagement(api, id)).toBe(2);

  const second = await replay({ filter: {} }, of);
  expect(await become(second, isFinished, of)).toMatchObject({
    matched: 4,
    replayed: 4,
    succeeded: 3,
    failed: 1,
  });
  expect(await storedRows(api, id)).toHaveLength(4);
  expect(await countEngagement(api, id)).toBe(2);
});

test('a replay continues after a kill of its worker: every delivery is replayed once', async () => {
  const settings = { ONWARD_KEYS: JSON.stringify(newKeyFile()) };
  const other = await startTestApi(settings);
  try {
    const theirs = await other.newTeam();
    const of = { team: theirs, receiverId: (await aReceiver(other, theirs)).id };
    const addresses = {
      ...settings,
      TEMPORAL_ADDRESS: required(environmentNames.temporalAddress),
      TEMPORAL_NAMESPACE: await newNamespace(),
    };
    const count = 6_000;
    await storeDeliveries(other, theirs, of.receiverId, count);
    const first = await startChildWorker(other, addresses);
    const id = await replay({ filter: {}, rate_per_second: 10_000 }, of);
    const { replayed } = await become(id, (row) => row.replayed > 0, of);
    await first.kill();
    expect(replayed).toBeLessThan(count);
    const second = await startChildWorker(other, addresses);
    try {
      expect(await become(id, isFinished, of)).toMatchObject({
        status: 'completed',
        matched: count,
        replayed: count,
        succeeded: count,
      });
    } finally {
      await second.stop();
    }
    const rows = await storedRows(other, of.receiverId);
    expect(new Set(rows.map((row) => `${row.status} ${String(row.replay_count)}`))).toEqual(
      new Set(['processed 1']),
    );
    expect(await countEngagement(other, of.receiverId)).toBe(count);
  } finally {
    await other.stop();
  }
});
