import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ApplicationFailure } from '@temporalio/common';
import { taskQueues } from '../../src/platform/temporal/task-queues.ts';
import { roundName } from '../../src/platform/jobs/shape.ts';
import { schedules } from '../../workflows/schedules.ts';
import { startGivenWork } from './given-work.ts';
import { detailsNow } from '../support/use-service.ts';

// Endings of the workflows of schedules; those of jobs are in run-job.test.ts.

let given: Awaited<ReturnType<typeof startGivenWork>>;
/** The answer of the activities. */
let seen: unknown;

beforeAll(async () => {
  const activities = schedules.map(({ workflow }) => [
    roundName(workflow),
    () => (seen instanceof Error ? Promise.reject(seen) : Promise.resolve(seen)),
  ]);
  given = await startGivenWork(Object.fromEntries(activities));
});
afterAll(() => given.stop());

const failed = ApplicationFailure.nonRetryable('It is broken.');

async function run(workflow: string, args: object = {}) {
  const handle = await given.client.workflow.start(workflow, {
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
