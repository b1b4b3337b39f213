import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client, Connection, ScheduleOverlapPolicy } from '@temporalio/client';
import type { ScheduleDescription, ScheduleUpdateOptions } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import { maintain } from '../../activities/maintain.ts';
import type { ScheduleArguments } from '../../src/platform/jobs/shape.ts';
import { createLog } from '../../src/platform/observability/log.ts';
import { tasks } from '../../src/maintenance/tasks.ts';
import { schedules } from '../../src/app/schedules.ts';
import { bundleWorkflows } from '../../src/platform/temporal/bundle.ts';
import { scheduleLateness, scheduleMissedRuns } from '../../src/platform/http/metrics.ts';
import { connectTemporal } from '../../src/platform/temporal/client.ts';
import { observeSchedules } from '../../src/platform/temporal/schedule-metrics.ts';
import { keepSchedules } from '../../src/platform/temporal/schedules.ts';
import { taskQueues } from '../../src/platform/temporal/task-queues.ts';
import { startTestApi } from '../support/api.ts';
import type { TestApi } from '../support/api.ts';
import { environmentNames, required } from '../support/environment.ts';
import { eventually, untilTrue } from '../support/eventually.ts';
import { recordHistory } from '../support/histories.ts';
import { trigger } from '../support/schedules.ts';
import { newNamespace, startTestWorker } from '../support/worker.ts';
import type { TestWorker } from '../support/worker.ts';
import { maintenanceId } from '../../workflows/schedules.ts';

const address = required(environmentNames.temporalAddress);
let api: TestApi;
let worker: TestWorker;
let namespace: string;
let connection: Connection;
let client: Client;

beforeAll(async () => {
  api = await startTestApi();
  namespace = await newNamespace();
  connection = await Connection.connect({ address });
  client = new Client({ connection, namespace });
  worker = await startTestWorker(api, { namespace });
  await eventually(
    async () => (await ids()).length,
    (count) => count === schedules.length,
  );
});
afterAll(async () => {
  await worker.close();
  await connection.close();
  await api.stop();
});

async function ids(): Promise<string[]> {
  const found: string[] = [];
  for await (const { scheduleId } of client.schedule.list()) found.push(scheduleId);
  return found.sort();
}

/** Makes the schedules as a worker does when it starts. */
async function declare(declared = schedules): Promise<boolean> {
  const temporal = connectTemporal({
    temporalAddress: address,
    temporalNamespace: namespace,
    temporalProfile: {},
  });
  const isComplete = await keepSchedules(temporal, createLog('silent', 'worker'), declared);
  await temporal.close();
  return isComplete;
}

/** A call to a busy Temporal may take too long; a worker tries again as well. */
const declareAll = (declared = schedules) => untilTrue(() => declare(declared));

/** Starts a task once more by its schedule. */
const triggerTask = (task: string) => trigger(client, maintenanceId(task));

async function fillMailbox(count: number): Promise<void> {
  await api.db.look(
    (sql) => sql`
      insert into mailbox_messages (team_id, id, channel, recipient, content, inserted_at)
      select ${randomUUID()}::uuid, gen_random_uuid(), 'email', 'a@example.com', '{}',
        now() - interval '1 year'
      from generate_series(1, ${count}::int)`,
  );
}

async function countMails(): Promise<number> {
  const [row] = await api.db.look(
    (sql) => sql<[{ count: number }]>`select count(*)::int as count from mailbox_messages`,
  );
  return row?.count ?? 0;
}

const intervalsOf = ({ spec }: ScheduleDescription) =>
  spec.intervals?.map(({ every, offset }) => [every, offset]);

test('every task has an hourly schedule of its own, which skips overlapping runs', async () => {
  expect(await ids()).toEqual(schedules.map(({ id }) => id).sort());
  for (const [at, task] of Object.keys(tasks).entries()) {
    const handle = client.schedule.getHandle(maintenanceId(task));
    const described = await handle.describe();
    expect(intervalsOf(described)).toEqual([[3_600_000, at * 120_000]]);
    expect(described.policies).toMatchObject({ overlap: 'SKIP', catchupWindow: 600_000 });
    expect(described.state.note).toBe(tasks[task]?.note);
  }
});

test('every task runs by its schedule to its end', async () => {
  // Its own time may come during the test.
  await client.schedule.getHandle(maintenanceId('mailbox')).pause();
  await fillMailbox(3);
  for (const task of Object.keys(tasks)) {
    const run = await triggerTask(task);
    const { task: named, done } = await run.result();
    expect([named, done]).toEqual([task, task === 'mailbox' ? 3 : expect.any(Number)]);
  }
  expect(await countMails()).toBe(0);
  await client.schedule.getHandle(maintenanceId('mailbox')).unpause();
});

test('a stuck task blocks no other one, and is not started twice', async () => {
  const schedule = client.schedule.getHandle(maintenanceId('mailbox'));
  const { stuck, startedAgain } = await api.db.database.transact(
    async (sql) => {
      await sql`lock table mailbox_messages in access exclusive mode`;
      const run = await triggerTask('mailbox');
      const started = (await schedule.describe()).info.numActionsTaken;
      await eventually(
        // A query here as well, since Postgres ends an idle transaction.
        async () => {
          await sql`select 1`;
          const { raw } = await run.describe();
          return raw.pendingActivities?.[0]?.heartbeatDetails?.payloads?.length ?? 0;
        },
        (heartbeats) => heartbeats > 0,
      );
      for (const task of ['uploads', 'exports', 'rate-budgets'])
        await (await triggerTask(task)).result();
      await sql`select 1`;
      await schedule.trigger(ScheduleOverlapPolicy.SKIP);
      const { info } = await eventually(
        async () => {
          await sql`select 1`;
          return schedule.describe();
        },
        (described) => described.info.numActionsSkippedOverlap > 0,
      );
      return { stuck: run, startedAgain: info.numActionsTaken - started };
    },
    { deadlineMs: 280_000 },
  );
  expect(startedAgain).toBe(0);
  await stuck.result();
});

test('a schedule of another version is updated and remains paused, and an undeclared one is deleted', async () => {
  const [first, second, ...others] = schedules;
  if (!first || !second) throw new Error('there are no schedules');
  const former = { ...first, everyMinutes: 7, workflowType: 'sealAll', args: ['all'], note: 'Old' };
  const retired = { ...first, id: 'maintain-storage', workflowType: 'maintainStorage' };
  await declareAll([former, second, retired, ...others]);
  const handle = client.schedule.getHandle(first.id);
  expect(intervalsOf(await handle.describe())).toEqual([[420_000, 0]]);
  await handle.pause('an operator looks into it');
  const untouched = client.schedule.getHandle(second.id);
  const { lastUpdatedAt } = (await untouched.describe()).info;
  await client.schedule.create({
    scheduleId: 'of-somebody-else',
    spec: { intervals: [{ every: '1 day' }] },
    action: { type: 'startWorkflow', workflowType: 'other', taskQueue: 'other' },
  });
  await eventually(
    ids,
    (found) => found.includes(retired.id) && found.includes('of-somebody-else'),
  );

  await declareAll();
  const now = await handle.describe();
  expect(intervalsOf(now)).toEqual([[300_000, 0]]);
  expect(now.action).toMatchObject({
    workflowType: first.workflowType,
    taskQueue: taskQueues.main,
  });
  expect(now.state).toMatchObject({ paused: true, note: 'an operator looks into it' });
  expect((await untouched.describe()).info.lastUpdatedAt).toEqual(lastUpdatedAt);
  await eventually(
    ids,
    (found) =>
      JSON.stringify(found) ===
      JSON.stringify([...schedules.map(({ id }) => id), 'of-somebody-else'].sort()),
  );
});

test('a schedule that cannot be made is reported, so that it is tried again; the others are made', async () => {
  const [first] = schedules;
  if (!first) throw new Error('there are no schedules');
  const refused = { ...first, id: 'maintain-refused', everyMinutes: -1 };
  const added = { ...first, id: 'maintain-added' };
  expect(await declare([...schedules, refused, added])).toBe(false);
  await client.schedule.getHandle(added.id).describe();
  await declareAll();
});

test('a schedule that an operator changed is corrected, by several workers at once', async () => {
  const [first] = schedules;
  if (!first) throw new Error('there are no schedules');
  const handle = client.schedule.getHandle(first.id);
  await handle.unpause('looked into');
  // Temporal applies a change some time after it has accepted it, and drops one that another overtakes.
  await eventually(
    () => handle.describe(),
    ({ state }) => !state.paused,
  );
  const isDeclared = ({ policies, spec, action }: ScheduleDescription) =>
    policies.overlap === 'SKIP' &&
    !policies.pauseOnFailure &&
    spec.intervals?.[0]?.every === 300_000 &&
    action.workflowRunTimeout === 3_600_000 &&
    action.staticSummary === first.note &&
    action.retry === undefined;
  const changes: ((options: ScheduleUpdateOptions) => ScheduleUpdateOptions)[] = [
    (options) => ({ ...options, policies: { overlap: 'ALLOW_ALL', catchupWindow: '1 year' } }),
    (options) => ({ ...options, policies: { ...options.policies, pauseOnFailure: true } }),
    (options) => ({ ...options, action: { ...options.action, workflowRunTimeout: '1 day' } }),
    (options) => ({ ...options, action: { ...options.action, retry: { maximumAttempts: 2 } } }),
    (options) => ({ ...options, action: { ...options.action, staticSummary: 'mine' } }),
    (options) => ({ ...options, spec: { intervals: [{ every: '1 day' }] } }),
  ];
  for (const change of changes) {
    await handle.update(change);
    await eventually(
      () => handle.describe(),
      (shown) => !isDeclared(shown),
    );
    await Promise.all([declareAll(), declareAll(), declareAll()]);
    const { spec, action, policies, state } = await eventually(() => handle.describe(), isDeclared);
    expect({ intervals: spec.intervals, action, policies, state }).toMatchObject({
      intervals: [{ every: 300_000, offset: 0 }],
      action: { workflowRunTimeout: 3_600_000, staticSummary: first.note, args: [] },
      policies: { overlap: 'SKIP', catchupWindow: 600_000, pauseOnFailure: false },
      state: { paused: false, note: first.note },
    });
    expect(action.retry).toBeUndefined();
  }
});

test('the metrics show by how much a schedule is late', async () => {
  const temporal = connectTemporal({
    temporalAddress: address,
    temporalNamespace: namespace,
    temporalProfile: {},
  });
  let minutes = 0;
  const refresh = observeSchedules(temporal, schedules, () => Date.now() + minutes * 60_000);
  const readLateness = async () => {
    await refresh();
    const { values } = await scheduleLateness.get();
    return new Map(values.map(({ labels, value }) => [labels.schedule, value]));
  };
  const tasksLate = (late: Awaited<ReturnType<typeof readLateness>>) =>
    Object.keys(tasks).map((task) => late.get(maintenanceId(task)));
  const onTime = await readLateness();
  expect(onTime.size).toBe(schedules.length);
  expect(new Set(tasksLate(onTime))).toEqual(new Set([0]));
  const { values: missed } = await scheduleMissedRuns.get();
  expect(missed.map(({ value }) => value)).toEqual(schedules.map(() => 0));

  await temporal.close();
  // As if it had been away for two hours: what it said last counts.
  minutes = 120;
  for (const seconds of tasksLate(await readLateness())) {
    expect(seconds).toBeGreaterThan(3_000);
    expect(seconds).toBeLessThan(7_200);
  }
});

test('a task that exceeds its time continues in a new run', async () => {
  await fillMailbox(12_000);
  const own = await newNamespace();
  const native = await NativeConnection.connect({ address });
  const shared = { connection: native, namespace: own };
  const { db, keyring } = api;
  const log = createLog('silent', 'worker');
  const tools = { database: db.database, keyring, log, turnMs: 0 };
  const workflowBundle = await bundleWorkflows();
  const workers = await Promise.all([
    Worker.create({ ...shared, taskQueue: taskQueues.main, workflowBundle }),
    Worker.create({
      ...shared,
      taskQueue: taskQueues.maintenance,
      activities: {
        maintainRound: (given: ScheduleArguments) => maintain(tools, given, () => undefined),
      },
    }),
  ]);
  const running = Promise.all(workers.map((one) => one.run()));
  const handle = await new Client({ connection, namespace: own }).workflow.start('maintain', {
    workflowId: maintenanceId('mailbox'),
    taskQueue: taskQueues.main,
    args: [{ task: 'mailbox', done: 0 }],
  });
  const first = handle.firstExecutionRunId;
  await handle.result();
  const ofFirst = new Client({ connection, namespace: own }).workflow.getHandle(
    handle.workflowId,
    first,
  );
  await recordHistory(ofFirst, 'run-schedule/continued');
  expect((await handle.describe()).runId).not.toBe(first);
  expect(await countMails()).toBe(0);
  for (const one of workers) one.shutdown();
  await running;
  await native.close();
});
