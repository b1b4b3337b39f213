import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { WorkflowHandle } from '@temporalio/client';
import { searchAttributes } from '../../src/platform/temporal/search-attributes.ts';
import type { TestTeam } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { detailsNow, useService } from '../support/use-service.ts';
import { recordHistory } from '../support/histories.ts';
import { startReceiver } from '../support/receiver.ts';
import type { Receiver } from '../support/receiver.ts';
import { jobId, ownerLostSignal } from '../../src/platform/jobs/shape.ts';
import { webhookRecoveryJob } from '../../workflows/jobs.ts';
import { webhookLane } from '../../workflows/lanes.ts';

// With RECORD_HISTORIES=1 the runs below are stored under test/histories.
const { api, temporal } = useService({
  WEBHOOK_RETRY_SCHEDULE_SECONDS: '0,1,1,1,1,1,1',
  WEBHOOK_BREAKER_TRIES: '10',
  WEBHOOK_BREAKER_FIRST_PAUSE_SECONDS: '1',
  WEBHOOK_BREAKER_MAX_PAUSE_SECONDS: '1',
  WEBHOOK_DISABLE_AFTER: '1000',
  WEBHOOK_LANE_IDLE_SECONDS: '1',
  WEBHOOK_LANES: '1',
});
let team: TestTeam;
let receiver: Receiver;
const path = '/v2/partner/webhook-subscriptions';

beforeEach(async () => {
  team = await api.newTeam();
  receiver = await startReceiver();
});
afterEach(() => receiver.stop());

async function subscribe(): Promise<string> {
  const reply = await team.post(path, { target_url: receiver.url, event_types: ['contact.*'] });
  expect(reply.status).toBe(201);
  return String(reply.body.id);
}

async function cause(count: number) {
  for (let at = 0; at < count; at += 1) {
    const reply = await team.post('/v2/partner/contacts', { email: `p${String(at)}@example.com` });
    expect(reply.status).toBe(201);
  }
}

const recoveryOf = (id: string): WorkflowHandle => temporal.handleOf(jobId(webhookRecoveryJob, id));
const statusOf = async (handle: WorkflowHandle) =>
  (await handle.describe().catch(() => undefined))?.status.name ?? 'none';
const ends = (handle: WorkflowHandle) =>
  eventually(
    () => statusOf(handle),
    (status) => status === 'COMPLETED',
  );

test('a lane runs while it has work, and ends after a time without any', async () => {
  await subscribe();
  // The lane has work until all are caused.
  const caused = cause(3);
  receiver.answer(async () => {
    await caused;
    return { status: 204 };
  });
  await caused;
  await receiver.waitFor(3);
  const lane = temporal.handleOf(jobId(webhookLane, String(0)));
  await ends(lane);
  expect(await lane.result()).toEqual({ delivered: 3, failed: 0 });
  expect(await detailsNow(lane)).toContain(`Busiest teams: 3 ${team.id}.`);
  await recordHistory(lane, 'run-lane/drained');
  // The next event starts it again.
  await cause(1);
  await receiver.waitFor(4);
  await ends(lane);
});

/** The first attempt of the first delivery hangs. */
async function hangOnce(): Promise<void> {
  await subscribe();
  receiver.answer((_, index) => (index === 0 ? 'hang' : { status: 204 }));
  await cause(1);
  await receiver.waitFor(1);
}

async function expectSecondAttempt(): Promise<void> {
  await receiver.waitFor(2);
  const [first, second] = receiver.received.map(({ headers }) => headers['webhook-id']);
  expect(second).toBe(first);
}

test('a lane is drained again as soon as the connection of its process has ended', async () => {
  await hangOnce();
  // No backend has this number.
  await api.db.look((sql) => sql`update webhook_lanes set owner_pid = 2147483647 where lane = 0`);
  await expectSecondAttempt();
  const lane = temporal.handleOf(jobId(webhookLane, String(0)));
  await ends(lane);
  // The activity began again, and the workflow had nothing to do.
  const { events } = await lane.fetchHistory();
  const attempts = events?.flatMap(
    ({ activityTaskStartedEventAttributes: started }) => started?.attempt ?? [],
  );
  expect(attempts).toEqual([2]);
});

test('a lane whose process has ended is signaled where no attempt runs', async () => {
  await api.db.look(
    (sql) => sql`
      update webhook_lanes
      set owner_pid = 2147483647, leased_until = clock_timestamp() + interval '1 minute'
      where lane = 1`,
  );
  const lane = temporal.handleOf(jobId(webhookLane, String(1)));
  const events = await eventually(
    async () => (await lane.fetchHistory().catch(() => ({ events: [] }))).events ?? [],
    (found) => found.length > 0,
  );
  const [signal] = events.flatMap(
    (event) => event.workflowExecutionSignaledEventAttributes?.signalName ?? [],
  );
  expect(signal).toBe(ownerLostSignal);
  await ends(lane);
});

test('a signal that its process has ended gives a lane a new activity', async () => {
  await hangOnce();
  const lane = temporal.handleOf(jobId(webhookLane, String(0)));
  await lane.signal(ownerLostSignal);
  await expectSecondAttempt();
  await ends(lane);
  const { events } = await lane.fetchHistory();
  const scheduled = events?.filter((event) => event.activityTaskScheduledEventAttributes);
  const canceled = events?.filter((event) => event.activityTaskCancelRequestedEventAttributes);
  expect([scheduled?.length, canceled?.length]).toEqual([2, 1]);
  await recordHistory(lane, 'run-lane/owner-lost');
});

describe('a recovery', () => {
  test('retries until all is delivered, then ends', async () => {
    const id = await subscribe();
    receiver.answer((_, index) => ({ status: index < 3 ? 500 : 204 }));
    await cause(2);
    await receiver.waitFor(5);
    await ends(recoveryOf(id));
    expect(await recoveryOf(id).result()).toMatchObject({ outcome: 'recovered', delivered: 2 });
  });

  test('says that it gave up, and never that all is well', async () => {
    const id = await subscribe();
    receiver.answer(() => ({ status: 500 }));
    await cause(1);
    const recovery = recoveryOf(id);
    await ends(recovery);
    expect(await recovery.result()).toEqual({
      ...{ outcome: 'given_up', delivered: 0, failed: 6 },
      givenUp: expect.any(Number),
    });
    expect(await detailsNow(recovery)).toBe(
      'Nothing waits. All 6 attempts failed, and the deliveries were given up. Replay them once the receiver works.',
    );
  });

  test('probes while the breaker is open, then drains, then ends', async () => {
    const id = await subscribe();
    receiver.answer(() => ({ status: 500 }));
    await cause(12);
    await receiver.waitFor(14);
    receiver.answer(() => ({ status: 204 }));
    await receiver.waitFor(12 + 14);
    await ends(recoveryOf(id));
  });

  test('settles waiting deliveries when the subscription is disabled, then ends', async () => {
    const id = await subscribe();
    receiver.answer(() => ({ status: 503, headers: { 'retry-after': '3600' } }));
    await cause(2);
    await eventually(
      () => statusOf(recoveryOf(id)),
      (status) => status === 'RUNNING',
    );
    const reply = await team.patch(`${path}/${id}`, { is_active: false });
    expect(reply.status).toBe(200);
    await ends(recoveryOf(id));
    expect(await recoveryOf(id).result()).toMatchObject({ outcome: 'inactive', delivered: 0 });
    const { typedSearchAttributes: shown } = await recoveryOf(id).describe();
    expect(shown.get(searchAttributes.outcome)).toBe('inactive');
  });
});
