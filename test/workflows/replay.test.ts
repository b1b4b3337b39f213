import { access, writeFile } from 'node:fs/promises';
import { beforeAll, expect, test } from '@jest/globals';
import { Worker } from '@temporalio/worker';
import { bundleWorkflows } from '../../src/platform/temporal/bundle.ts';
import { createLog } from '../../src/platform/observability/log.ts';
import { installRuntime } from '../../src/platform/temporal/install-runtime.ts';
import { workflowChecksums, workflowCodeFile } from '../gate/workflow-code.ts';
import { recordedHistories } from '../support/histories.ts';

beforeAll(() => {
  installRuntime(createLog('silent', 'worker'));
});

/** Files of workflows/ that hold a workflow, which is the loop of many types. */
const loops = ['run-job', 'run-lane', 'run-schedule'];

interface Recorded {
  workflowId: string;
  history: unknown;
}

/** The outcome of the replay of each run: 'replayed', or the name of the error. */
async function replay(histories: readonly Recorded[]): Promise<[string, string][]> {
  const workflowBundle = await bundleWorkflows();
  const outcomes: [string, string][] = [];
  for await (const { workflowId, error } of Worker.runReplayHistories(
    { workflowBundle },
    histories,
  )) {
    outcomes.push([workflowId, error?.name ?? 'replayed']);
  }
  return outcomes;
}

test('the current workflow code replays every recorded run', async () => {
  const histories = await recordedHistories();
  const recorded = new Set(histories.map(({ workflowId }) => workflowId.split('/')[0]));
  expect([...recorded]).toEqual(loops);
  for (const loop of loops) await access(new URL(`../../workflows/${loop}.ts`, import.meta.url));
  expect(await replay(histories)).toEqual(
    histories.map(({ workflowId }) => [workflowId, 'replayed']),
  );
  if (process.env['RECORD_WORKFLOW_CODE'] === undefined) return;
  await writeFile(workflowCodeFile, `${JSON.stringify(workflowChecksums(), undefined, 2)}\n`);
});

test('a run that deviates from the workflow code is found', async () => {
  // As if the code of that day had called an activity of another name.
  const others = (await recordedHistories()).slice(0, 1).map(({ workflowId, history }) => {
    const text = JSON.stringify(history);
    const altered: unknown = JSON.parse(
      text.replaceAll(/"activityType":{"name":"\w+"}/g, '"activityType":{"name":"another"}'),
    );
    return { workflowId, history: altered };
  });
  expect(await replay(others)).toEqual(
    others.map(({ workflowId }) => [workflowId, 'DeterminismViolationError']),
  );
});
