import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { NativeConnection, Worker } from '@temporalio/worker';
import { bundleWorkflows } from '../../src/platform/temporal/bundle.ts';
import { installRuntime } from '../../src/platform/temporal/install-runtime.ts';
import { createLog } from '../../src/platform/observability/log.ts';
import { taskQueues } from '../../src/platform/temporal/task-queues.ts';
import { roundName } from '../../src/platform/jobs/shape.ts';
import { schedules } from '../../workflows/schedules.ts';
import { environmentNames, required } from '../support/environment.ts';
import { detailsNow } from '../support/use-service.ts';
import { newNamespace } from '../support/worker.ts';

// Endings of the workflows of schedules; those of jobs are in run-job.test.ts.

const address = required(environmentNames.temporalAddress);
let connection: Connection;
let native: NativeConnection;
let client: Client;
let workers: Worker[];
let running: Promise<unknown>;

/** The answer of the activities. */
let seen: unknown;

beforeAll(async () => {
  installRuntime(createLog('silent', 'worker'));
  const namespace = await newNamespace();
  connection = await Connection.connect({ address });
  native = await NativeConnection.connect({ address });
  client = new Client({ connection, namespace });
  const activities = Object.fromEntries(
    schedules.map(({ workflow }) => [
      roundName(workflow),
      () => (seen instanceof Error ? Promise.reject(seen) : Promise.resolve(seen)),
    ]),
  );
  const shared = { connection: native, namespace, activities };
  const workflowBundle = await bundleWorkflows();
  workers = await Promise.all(
    Object.values(taskQueues).map((taskQueue) =>
      Worker.create({
        ...shared,
        taskQueue,
        ...(taskQueue === taskQueues.main && { workflowBundle }),
      }),
    ),
  );
  running = Promise.all(workers.map((worker) => worker.run()));
});
afterAll(async () => {
  for (const worker of workers) worker.shutdown();
  await running;
  await connection.close();
  await native.close();
});

const failed = ApplicationFailure.nonRetryable('It is broken.');

async function run(workflow: string, args: object = {}) {
  const handle = await client.workflow.start(workflow, {
    workflowId: `${workflow}/${randomUUID()}`,
    taskQueue: taskQueues.main,
    args: [args],
  });
  const result: unknown = await handle.result().catch(() => 'failed');
  return { result, details: await detailsNow(handle) };
}

test.each(schedules)('$workflow shows how it has ended', async ({ workflow }) => {
  seen = { details: '4 rows done.', result: { rows: 4 } };
  expect(await run(workflow)).toEqual({ result: { rows: 4 }, details: '4 rows done.' });
});

test.each(schedules)('$workflow says what happens when it has failed', async ({ workflow }) => {
  seen = failed;
  expect(await run(workflow)).toEqual({
    result: 'failed',
    details: expect.stringMatching(
      /^The run has failed: .* The next run of the schedule does the work\.$/,
    ),
  });
});
