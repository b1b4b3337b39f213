import { expect, test } from '@jest/globals';
import { Worker } from '@temporalio/worker';
import { bundleWorkflows } from '../../src/temporal/bundle.ts';
import { createLog } from '../../src/log.ts';
import { installRuntime } from '../../src/worker-process.ts';
import { recordedHistories } from '../support/histories.ts';

test('today’s workflow code still goes the way of every recorded run', async () => {
  installRuntime(createLog('silent', 'worker'));
  const histories = await recordedHistories();
  const workflowBundle = await bundleWorkflows();
  const outcomes: [string, string][] = [];
  for await (const { workflowId, error } of Worker.runReplayHistories(
    { workflowBundle },
    histories,
  )) {
    outcomes.push([workflowId, error?.message ?? 'replayed']);
  }
  expect(outcomes).toEqual(histories.map(({ workflowId }) => [workflowId, 'replayed']));
  expect(outcomes.length).toBeGreaterThan(0);
});
