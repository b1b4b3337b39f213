import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { WorkflowFailedError } from '@temporalio/client';
import type { WorkflowHandle } from '@temporalio/client';
import { changedSignal, jobId, roundName } from '../../src/platform/jobs/shape.ts';
import type { JobShape, LaneReport, Round, RoundRequest } from '../../src/platform/jobs/shape.ts';
import { again, end, endUnlessSignaled, waitUntil } from '../../src/platform/jobs/job.ts';
import { taskQueues } from '../../src/platform/temporal/task-queues.ts';
import { jobs, templateJob, webhookRecoveryJob } from '../../workflows/jobs.ts';
import { lanes } from '../../workflows/lanes.ts';
import { untilTrue } from '../support/eventually.ts';
import { startGivenWork } from './given-work.ts';
import { detailsNow } from '../support/use-service.ts';

// Promises of the workflow of all jobs, for any job: its rounds are given by each test.

let given: Awaited<ReturnType<typeof startGivenWork>>;

type Rounds = (request: RoundRequest<unknown>, handle: WorkflowHandle) => Promise<Round<unknown>>;
const rounds = new Map<string, Rounds>();
let drained: LaneReport;
/** Requests of operators that reached a row. */
const asked: unknown[] = [];

const activityOf = ({ idPrefix }: JobShape) => {
  return (request: RoundRequest<unknown>) => {
    const workflowId = jobId({ idPrefix }, request.id);
    const work = rounds.get(request.id);
    if (!work) throw new Error('no test has this row');
    return work(request, given.client.workflow.getHandle(workflowId));
  };
};

beforeAll(async () => {
  const activities = {
    ...Object.fromEntries(jobs.map((shape) => [roundName(shape.workflow), activityOf(shape)])),
    ...Object.fromEntries(
      lanes.map(({ workflow }) => [roundName(workflow), () => Promise.resolve(drained)]),
    ),
    cancelRow(request: { id: string }) {
      asked.push(request);
      rounds.set(request.id, () => Promise.resolve(end({ outcome: 'canceled' }, 'Canceled.')));
      return Promise.resolve();
    },
    updateRow(request: object) {
      asked.push(request);
      return Promise.resolve({ done: 'It is done.' });
    },
  };
  given = await startGivenWork(activities);
});
afterAll(() => given.stop());

async function start(shape: JobShape, work: Rounds): Promise<WorkflowHandle> {
  const id = randomUUID();
  rounds.set(id, work);
  return given.client.workflow.start(shape.workflow, {
    workflowId: jobId(shape, id),
    taskQueue: taskQueues.main,
    memo: { teamId: 'team' },
    args: [{ teamId: randomUUID(), id }],
  });
}

/** Makes these rounds, one after the other; returns what each was asked. */
function inOrder(...answers: Rounds[]) {
  const requests: RoundRequest<unknown>[] = [];
  const work: Rounds = (request, handle) => {
    requests.push(request);
    const answer = answers[requests.length - 1];
    if (!answer) throw new Error('the workflow asks too often');
    return answer(request, handle);
  };
  return { requests, work };
}

const statusOf = async (handle: WorkflowHandle) => (await handle.describe()).status.name;
const answer =
  (round: Round<unknown>): Rounds =>
  () =>
    Promise.resolve(round);
const ended = answer(end({ outcome: 'succeeded', rows: 3 }, 'It has ended.'));

test.each(jobs)('the workflow of $name shows how it has ended', async (shape) => {
  const handle = await start(shape, ended);
  expect(await handle.result()).toEqual({ outcome: 'succeeded', rows: 3 });
  expect(await detailsNow(handle)).toBe('It has ended.');
});

test('a job whose row has failed is found as a failed workflow, with details and result', async () => {
  const handle = await start(templateJob, answer(end({ outcome: 'failed', rows: 1 }, 'No luck.')));
  const error: unknown = await handle.result().catch((one: unknown) => one);
  const cause = error instanceof WorkflowFailedError ? error.cause : undefined;
  expect(cause).toMatchObject({ message: 'No luck.', details: [{ outcome: 'failed', rows: 1 }] });
  expect(await statusOf(handle)).toBe('FAILED');
  expect(await detailsNow(handle)).toBe('No luck.');
});

test('a signal during a round makes the workflow read the row again', async () => {
  const nothing = endUnlessSignaled({ outcome: 'draft' }, 'Nothing is due.');
  const { requests, work } = inOrder(async (_, handle) => {
    await handle.signal(changedSignal);
    return nothing;
  }, answer(nothing));
  await (await start(templateJob, work)).result();
  expect(requests).toHaveLength(2);
});

test('a row that nothing can bring back needs no further round', async () => {
  const { requests, work } = inOrder(async (request, handle) => {
    await handle.signal(changedSignal);
    return ended(request, handle);
  });
  await (await start(templateJob, work)).result();
  expect(requests).toHaveLength(1);
});

test('a round begins when something is due, not before, and gets what the one before passed on', async () => {
  const dueAtMs = Date.now() + 400;
  const { requests, work } = inOrder(
    answer(again('At once.', { state: 1 })),
    answer(waitUntil(dueAtMs, 'Due', 'It waits.', { state: 2 })),
    ended,
  );
  await (await start(templateJob, work)).result();
  expect(requests.map(({ state, isSignaled }) => [state, isSignaled])).toEqual([
    [undefined, true],
    [1, true],
    [2, false],
  ]);
  expect(requests[2]?.asOfMs).toBeGreaterThanOrEqual(dueAtMs);
});

test('a round that fails is retried', async () => {
  const { requests, work } = inOrder(
    () => Promise.reject(new Error('the database is away')),
    ended,
  );
  await (await start(templateJob, work)).result();
  expect(requests).toHaveLength(2);
});

test('signals during every round do not delay the next run, which gets the state', async () => {
  const runs = new Set<string>();
  const handle = await start(templateJob, async ({ state }, workflow) => {
    const count = Number(state ?? 0) + 1;
    runs.add((await workflow.describe()).runId);
    if (runs.size > 1) return end({ outcome: 'ended', count }, 'Over.');
    await Promise.all(Array.from({ length: 100 }, () => workflow.signal(changedSignal)));
    return waitUntil(Date.now() + 3_600_000, 'Later', 'It waits.', { state: count });
  });
  const result: unknown = await handle.result();
  const { memo } = await handle.describe();
  expect([runs.size, memo]).toEqual([2, { teamId: 'team' }]);
  expect(result).toMatchObject({ outcome: 'ended', count: expect.any(Number) });
  expect(Number(Object(result).count)).toBeGreaterThan(5);
});

const waits = answer(waitUntil(Date.now() + 3_600_000, 'Later', 'It waits.'));

test.each(jobs)(
  'a cancellation of $name cancels its row, or says what to do instead',
  async (shape) => {
    const handle = await start(shape, waits);
    await handle.cancel();
    await expect(handle.result()).rejects.toThrow('Workflow execution cancelled');
    expect(await statusOf(handle)).toBe('CANCELLED');
    const id = handle.workflowId.split('/')[1];
    const { cancel, workflow } = shape;
    if (cancel === 'row') {
      expect(asked).toContainEqual({ workflow, id, teamId: expect.any(String) });
      expect(await detailsNow(handle)).toBe('Canceled.');
    } else expect(await detailsNow(handle)).toContain(cancel.instead);
  },
);

const refusalOf = (update: Promise<unknown>) =>
  update.then(
    () => 'accepted',
    (error: unknown) =>
      error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error),
  );

test('an update is refused without a name and outside of its limits, and else ends the wait', async () => {
  const { requests, work } = inOrder(waits, ended);
  const handle = await start(webhookRecoveryJob, work);
  const request = (args: object) => handle.executeUpdate('pauseDelivery', { args: [args] });
  expect(await refusalOf(request({}))).toContain('Say who asks');
  expect(await refusalOf(request({ operator: 'jane@ops', seconds: 1.5 }))).toBe(
    'seconds must be a whole number from 60 to 86400.',
  );
  expect(await request({ operator: 'jane@ops', more: 'of it' })).toBe('It is done.');
  expect(asked.at(-1)).toEqual({
    ...{ id: expect.any(String), teamId: expect.any(String) },
    workflow: webhookRecoveryJob.workflow,
    update: 'pauseDelivery',
    request: { operator: 'jane@ops', seconds: 3_600 },
  });
  await handle.result();
  expect(requests).toHaveLength(2);
});

test('names of jobs, and prefixes of ids, are unique', () => {
  for (const names of [jobs.map(({ name }) => name), jobs.map(({ idPrefix }) => idPrefix)]) {
    expect(new Set(names).size).toBe(jobs.length);
  }
});

test.each(lanes)('the lane $workflow ends when nothing waits, with its counts', async (shape) => {
  drained = { counts: { made: 3 }, details: 'Nothing waits.', nextDueInMs: null };
  const handle = await given.client.workflow.start(shape.workflow, {
    workflowId: jobId(shape, '0'),
    taskQueue: taskQueues.main,
    args: [{ lane: 0 }],
  });
  expect(await handle.result()).toEqual({ made: 3 });
  expect(await detailsNow(handle)).toBe('Nothing waits.');
});

test('a type that no job has fails its task, not the workflow', async () => {
  const unknown: JobShape = { ...templateJob, workflow: 'ofALaterVersion' };
  const handle = await start(unknown, ended);
  await untilTrue(async () => {
    const { events } = await handle.fetchHistory();
    return events?.some(({ workflowTaskFailedEventAttributes: one }) => one) ?? false;
  });
  expect(await statusOf(handle)).toBe('RUNNING');
  await handle.terminate();
});
