import {
  continueAsNew,
  defineSignal,
  proxyActivities,
  setCurrentDetails,
  workflowInfo,
} from '@temporalio/workflow';
import type { createFetchActivities } from '../activities/fetch-file.ts';
import { explainCancellation } from './cancellation.ts';
import { createSignalLatch } from './signal-latch.ts';
import { describeTest } from './describe-test.ts';
import { endWith } from './search-attributes.ts';

const { testFileSourceOnce } = proxyActivities<ReturnType<typeof createFetchActivities>>({
  taskQueue: 'onward-file-fetches',
  startToCloseTimeout: '2 minutes',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '10 seconds' },
  summary: 'Log in to the server of the source',
});

/** A test of the source was requested. */
export const sourceTestRequested = defineSignal('sourceTestRequested');

export function sourceTestWorkflowId(sourceId: string): string {
  return `file-source-test/${sourceId}`;
}

export interface TestFileSourceArguments {
  v: 1;
  teamId: string;
  sourceId: string;
}

export interface SourceTestResult {
  /** `succeeded`, the code of the failure, or `ended` where no test was requested any more. */
  outcome: string;
}

/** Tests the login of a file source, after those of the team's other sources. */
export async function testFileSource(args: TestFileSourceArguments): Promise<SourceTestResult> {
  const { teamId, sourceId } = args;
  explainCancellation('A test ends by itself.');
  const signal = createSignalLatch(sourceTestRequested);
  for (;;) {
    signal.clear();
    const outcome: string = await testFileSourceOnce({ teamId, sourceId });
    setCurrentDetails(describeTest(outcome));
    if (outcome === 'waiting')
      await signal.wait('5 seconds', 'Another source of the team is being tested');
    else if (!signal.isSet()) return endWith({ outcome });
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof testFileSource>(args);
  }
}
