import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from '@jest/globals';
import { signalJob } from '../../src/platform/jobs/queries.ts';
import { aReceiver, receiversPath } from '../inbound/a-receiver.ts';
import { countEngagement, storeDeliveries, storeUnread, storedRows } from '../inbound/stored.ts';
import type { StoredFields } from '../inbound/stored.ts';
import type { TestTeam } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { useService } from '../support/use-service.ts';
import { changedSignal, jobId } from '../../src/platform/jobs/shape.ts';
import { inboundJob, inboundReplayJob } from '../../workflows/jobs.ts';

// Rows that are deleted while work on callbacks waits for its turn.
const { api, temporal } = useService();
let team: TestTeam;
let receiverId: string;

beforeEach(async () => {
  team = await api.newTeam();
  receiverId = (await aReceiver(api, team)).id;
});

interface DueRow {
  id: string;
  status: string;
  attempts: number;
  next_attempt_at: string | null;
}
const rowsOf = (receiver: string) =>
  api.db.look(
    (sql) => sql<DueRow[]>`
      select id, status, attempts, next_attempt_at from inbound_deliveries
      where receiver_id = ${receiver} order by received_at`,
  );

/** Callbacks that are due to be tried again, one after the other; returns their ids. */
const storeDue = (fields: readonly StoredFields[]) =>
  storeDeliveries(api, team, receiverId, fields.length, (at) => ({
    next_attempt_at: new Date(Date.now() - 60_000 + at).toISOString(),
    ...fields[at],
  }));

/** Runs the receiver's workflow until nothing is due; none of its rounds may fail. */
async function tryAgain(): Promise<DueRow[]> {
  await api.db.database.transact((sql) => signalJob(sql, inboundJob, receiverId, team.id));
  await eventually(
    () => rowsOf(receiverId),
    (rows) => rows.every(({ next_attempt_at }) => next_attempt_at === null),
  );
  const handle = temporal.handleOf(jobId(inboundJob, receiverId));
  await handle.result();
  const { events } = await handle.fetchHistory();
  const tries = (events ?? []).flatMap(
    (event) => event.activityTaskStartedEventAttributes?.attempt ?? [],
  );
  expect(new Set(tries)).toEqual(new Set([1]));
  return rowsOf(receiverId);
}

const processed = (id: string | undefined) => ({
  ...{ id, status: 'processed', attempts: 2, next_attempt_at: null },
});

test('a callback that was erased meanwhile is not retried, and the next one is', async () => {
  const [erased, whole] = await storeDue([{ payload: null, body_sha256: null }, {}]);
  expect(await tryAgain()).toEqual([
    { id: erased, status: 'failed', attempts: 1, next_attempt_at: null },
    processed(whole),
  ]);
  expect(await countEngagement(api, receiverId)).toBe(1);
});

test('a callback that is deleted during a round is skipped', async () => {
  // The projection of the first deletes the second, which the round has already listed.
  await api.db.look(
    (sql) => sql`
      create function take_along() returns trigger language plpgsql security definer as $$ begin
        delete from inbound_deliveries
        where receiver_id = new.receiver_id and event_type = 'goes.along';
        return null;
      end $$`,
  );
  await api.db.look(
    (sql) => sql`
      create trigger take_along after update on inbound_deliveries
      for each row when (new.event_type = 'takes.along') execute function take_along()`,
  );
  const kinds = ['takes.along', 'goes.along', 'stays'];
  const [first, , last] = await storeDue(kinds.map((event_type) => ({ event_type })));
  expect(await tryAgain()).toEqual([processed(first), processed(last)]);
});

async function askReplay(receiver: string, body: object): Promise<string> {
  const reply = await team.post(`/v2/webhooks/inbound/${receiver}/replay`, body);
  expect([reply.status, reply.body.errors]).toEqual([202, undefined]);
  return String(reply.body.id);
}

const replayOf = async (id: string) => {
  const [row] = await api.db.look(
    (sql) => sql<{ status: string; replayed: number; succeeded: number; failed: number }[]>`
      select status, replayed, succeeded, failed from inbound_replays
      where id = ${id} and (status in ('pending', 'running')) = (finished_at is null)`,
  );
  return row;
};

test('a replay whose receiver was deleted meanwhile is canceled, and replays nothing more', async () => {
  await storeDeliveries(api, team, receiverId, 100);
  const id = await askReplay(receiverId, { filter: {}, rate_per_second: 1 });
  await eventually(
    () => replayOf(id),
    (row) => (row?.replayed ?? 0) > 0,
  );
  expect((await team.delete(`${receiversPath}/${receiverId}`)).status).toBe(204);
  const handle = temporal.handleOf(jobId(inboundReplayJob, id));
  await handle.signal(changedSignal);
  await handle.result();
  const row = await replayOf(id);
  expect(row?.status).toBe('canceled');
  const again = (await storedRows(api, receiverId)).filter(({ replay_count }) => replay_count > 0);
  expect(again).toHaveLength(row?.replayed ?? 0);
  expect(again.length).toBeLessThan(100);
});

test('bytes that cannot be opened fail, and do not stop the replay', async () => {
  const { id: receiver } = await aReceiver(api, team, { receiver_kind: 'email_b' });
  const body = () =>
    JSON.stringify([
      {
        email: 'ada@example.com',
        timestamp: Math.floor(Date.now() / 1_000),
        event: 'delivered',
        sg_event_id: randomUUID(),
        sg_message_id: 'message-1',
      },
    ]);
  const sealed = await storeUnread(api, team, receiver, 'email_b', body());
  const open = await storeUnread(api, team, receiver, 'email_b', body());
  await api.db.look(
    (sql) => sql`update inbound_raw set sealed_callback = 'gone.AAAA' where id = ${sealed}
      returning id`,
  );
  const id = await askReplay(receiver, { delivery_ids: [sealed, open] });
  await eventually(
    () => replayOf(id),
    (row) => row?.status === 'completed',
  );
  expect(await replayOf(id)).toMatchObject({ replayed: 2, succeeded: 1, failed: 1 });
  expect(await storedRows(api, receiver)).toMatchObject([
    {
      id: sealed,
      status: 'failed',
      payload: null,
      replay_count: 1,
      error: { code: 'payload_unrecognised', detail: 'The bytes cannot be opened.' },
    },
    { id: open, status: 'processed', event_type: 'delivered', error: null },
  ]);
});
