import {
  continueAsNew,
  defineSignal,
  proxyActivities,
  setCurrentDetails,
  workflowInfo,
} from '@temporalio/workflow';
import type { createProviderTestActivities } from '../activities/test-sending-provider.ts';
import { explainCancellation } from './cancellation.ts';
import { describeTest } from './describe-test.ts';
import { endWith } from './search-attributes.ts';
import { createSignalLatch } from './signal-latch.ts';

const { testSendingProviderOnce } = proxyActivities<
  ReturnType<typeof createProviderTestActivities>
>({
  taskQueue: 'onward-file-fetches',
  startToCloseTimeout: '1 minute',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '10 seconds' },
  summary: 'Log in to the provider',
});

/** A test of the provider was requested. */
export const providerTestRequested = defineSignal('providerTestRequested');

export function providerTestWorkflowId(providerId: string): string {
  return `sending-provider-test/${providerId}`;
}

export interface TestSendingProviderArguments {
  v: 1;
  teamId: string;
  providerId: string;
}

/** Tests the login of a sending provider, after those of the team's other providers. */
export async function testSendingProvider(
  args: TestSendingProviderArguments,
): Promise<{ outcome: string }> {
  const { teamId, providerId } = args;
  explainCancellation('A test ends by itself.');
  const signal = createSignalLatch(providerTestRequested);
  for (;;) {
    signal.clear();
    const outcome: string = await testSendingProviderOnce({ teamId, providerId });
    setCurrentDetails(describeTest(outcome));
    if (outcome === 'waiting')
      await signal.wait('5 seconds', 'Another provider of the team is being tested');
    else if (!signal.isSet()) return endWith({ outcome });
    if (workflowInfo().continueAsNewSuggested) {
      await continueAsNew<typeof testSendingProvider>(args);
    }
  }
}
