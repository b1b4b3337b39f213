import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ApplicationFailure, Client, Connection } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import { DatabaseUnavailable } from '../../../src/platform/database/failures.ts';
import { createLog } from '../../../src/platform/observability/log.ts';
import { bundleWorkflows } from '../../../src/platform/temporal/bundle.ts';
import { concealFailures } from '../../../src/platform/temporal/conceal-failures.ts';
import { malformedArgument } from '../../../src/platform/temporal/failure-class.ts';
import { installRuntime } from '../../../src/platform/temporal/install-runtime.ts';
import { Interrupted } from '../../../src/platform/temporal/interrupted.ts';
import { taskQueues } from '../../../src/platform/temporal/task-queues.ts';
import { environmentNames, required } from '../../support/environment.ts';
import { eventually } from '../../support/eventually.ts';
import { newNamespace } from '../../support/worker.ts';

const withCode = (code: string | number, name = 'PostgresError') =>
  Object.assign(new Error('failed'), { name, code });
const serviceError = (code: number) =>
  Object.assign(new Error('Failed to signal', { cause: withCode(code) }), { name: 'ServiceError' });
const wrapped = (cause: Error) => new DatabaseUnavailable('Postgres is unavailable', { cause });

const transient: Record<string, Error> = {
  'Postgres restarts': withCode('57P01'),
  'Postgres is full': wrapped(withCode('53300')),
  'the connection is lost': withCode('CONNECTION_CLOSED', 'Error'),
  'the pool is busy': new DatabaseUnavailable('every connection to Postgres is busy'),
  'a deadlock': withCode('40P01'),
  'a serialization failure as the cause': new Error('failed', { cause: withCode('40001') }),
  'the network is away': withCode('ECONNREFUSED', 'Error'),
  'Temporal is away': serviceError(14),
  'Temporal limits the calls': serviceError(8),
  'the worker stops': new Interrupted('the worker stops'),
};
const defects: Record<string, Error> = {
  'a statement takes too long': withCode('57014'),
  'a lock is not released': wrapped(withCode('55P03')),
  'a constraint is violated': withCode('23505'),
  'Temporal refuses an argument': serviceError(3),
  'a TypeError': new TypeError('undefined is not a function'),
  'an Error': new Error('fewer contacts than items'),
};
const final: Record<string, Error> = {
  'a row of another version': ApplicationFailure.nonRetryable('no such task', 'UnknownTask'),
};
const thrown = { ...transient, ...defects, ...final };

const lines: string[] = [];
const log = createLog('warn', 'worker', { write: (line) => void lines.push(line) });
let client: Client;
let connection: Connection;
let native: NativeConnection;
let workers: Worker[] = [];
let running: Promise<unknown>;

beforeAll(async () => {
  installRuntime(createLog('silent', 'worker'));
  const address = required(environmentNames.temporalAddress);
  const namespace = await newNamespace();
  connection = await Connection.connect({ address });
  client = new Client({ connection, namespace });
  native = await NativeConnection.connect({ address });
  const shared = { connection: native, namespace };
  const maintainRound = ({ task = '' }: { task?: string }) =>
    Promise.reject(thrown[task] ?? new Error('no such case'));
  workers = await Promise.all([
    Worker.create({
      ...shared,
      taskQueue: taskQueues.main,
      workflowBundle: await bundleWorkflows(),
    }),
    Worker.create({
      ...shared,
      taskQueue: taskQueues.maintenance,
      activities: { maintainRound },
      interceptors: { activity: [concealFailures(log)] },
    }),
  ]);
  running = Promise.all(workers.map((worker) => worker.run()));
});
afterAll(async () => {
  for (const worker of workers) worker.shutdown();
  await running;
  await native.close();
  await connection.close();
});

/** Runs an activity that throws; its last failure, and whether Temporal tries it again. */
async function fail(name: string) {
  const handle = await client.workflow.start('maintain', {
    workflowId: name,
    taskQueue: taskQueues.main,
    args: [{ task: name, done: 0 }],
  });
  const described = await eventually(
    () => handle.describe(),
    ({ raw, status }) =>
      status.name !== 'RUNNING' || Boolean(raw.pendingActivities?.[0]?.lastFailure),
  );
  const pending = described.raw.pendingActivities?.[0]?.lastFailure;
  if (pending) await handle.terminate();
  const { events } = await handle.fetchHistory();
  const ended = events?.find((event) => event.activityTaskFailedEventAttributes);
  const failure = pending ?? ended?.activityTaskFailedEventAttributes?.failure;
  return {
    isRetried: Boolean(pending),
    category: failure?.applicationFailureInfo?.category ?? 0,
    isNonRetryable: failure?.applicationFailureInfo?.nonRetryable ?? false,
  };
}

const benign = 1;
const expected = [
  ...Object.keys(transient).map((name) => [name, 'transient', benign, true] as const),
  ...Object.keys(defects).map((name) => [name, 'defect', 0, true] as const),
  ...Object.keys(final).map((name) => [name, 'final', 0, false] as const),
];
test.each(expected)('%s is a %s failure', async (name, failureClass, category, isRetried) => {
  lines.length = 0;
  expect(await fail(name)).toEqual({ isRetried, category, isNonRetryable: !isRetried });
  expect(JSON.parse(lines[0] ?? '{}')).toMatchObject({ class: failureClass });
});

const id = '0197a2b4-0000-7000-8000-000000000001';
test.each([
  [[], undefined],
  [['mailbox'], undefined],
  [[{ teamId: id, templateId: id, asOfMs: 1 }], undefined],
  [[{ lane: 0 }], undefined],
  [[{ teamId: id, templateId: 'template/1' }], 'templateId'],
  [[{ teamId: null, id }], 'teamId'],
  [[{ teamId: id, id: 7 }], 'id'],
  [[{ lane: '0' }], 'lane'],
])('the arguments %j have the malformed one %s', (args, name) => {
  expect(malformedArgument(args)).toBe(name);
});
