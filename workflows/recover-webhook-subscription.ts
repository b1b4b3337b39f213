import {
  continueAsNew,
  defineSignal,
  proxyActivities,
  setCurrentDetails,
  workflowInfo,
} from '@temporalio/workflow';
import type {
  Survey,
  createRecoveryActivities,
} from '../activities/recover-webhook-subscription.ts';
import { searchAttributes } from '../src/platform/temporal/search-attributes.ts';
import { createSignalLatch } from './signal-latch.ts';
import { setSearchAttributes } from './search-attributes.ts';

type Activities = ReturnType<typeof createRecoveryActivities>;

const taskQueue = 'onward-webhook-recoveries';
const retry = { initialInterval: '500 milliseconds', maximumInterval: '5 seconds' } as const;
const { surveyWebhookRecovery } = proxyActivities<Activities>({
  taskQueue,
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '15 seconds',
  retry,
});
const { attemptDueWebhooks } = proxyActivities<Activities>({
  taskQueue,
  startToCloseTimeout: '2 minutes',
  // Longer than the slowest round, which is one attempt's timeout.
  heartbeatTimeout: '40 seconds',
  retry,
});

/** Wake-up signal: the rows of the subscription changed. */
export const recoveryChanged = defineSignal('recoveryChanged');

export function recoveryWorkflowId(subscriptionId: string): string {
  return `webhook-recovery/${subscriptionId}`;
}

export interface RecoveryArguments {
  v: 1;
  teamId: string;
  subscriptionId: string;
}

/**
 * Owns every delivery of a failing subscription: its retries, its circuit breaker, and its pending
 * deliveries when it is disabled. It ends when no delivery waits; the lanes continue then.
 */
export async function recoverWebhookSubscription(args: RecoveryArguments): Promise<void> {
  const { teamId, subscriptionId } = args;
  const signal = createSignalLatch(recoveryChanged);
  let delivered = 0;
  for (;;) {
    signal.clear();
    const survey: Survey = await surveyWebhookRecovery({
      teamId,
      subscriptionId,
      asOfMs: Date.now(),
    });
    setCurrentDetails(describe(survey, delivered));
    if (survey.dueAtMs === undefined) {
      if (signal.isSet()) continue;
      setSearchAttributes([{ key: searchAttributes.waiting, value: 0 }]);
      return;
    }
    const pauseMs = survey.dueAtMs - Date.now();
    if (pauseMs > 0) {
      setSearchAttributes([
        { key: searchAttributes.waiting, value: survey.waiting },
        { key: searchAttributes.dueAt, value: new Date(survey.dueAtMs) },
      ]);
      await signal.wait(pauseMs);
    } else {
      const counts = await attemptDueWebhooks({ teamId, subscriptionId, asOfMs: Date.now() });
      delivered += counts.delivered;
    }
    if (workflowInfo().continueAsNewSuggested) {
      await continueAsNew<typeof recoverWebhookSubscription>(args);
    }
  }
}

function describe(survey: Survey, delivered: number): string {
  const soFar = delivered > 0 ? ` ${String(delivered)} delivered by this recovery so far.` : '';
  if (survey.dueAtMs === undefined) return `Nothing waits; the subscription is healthy.${soFar}`;
  const breaker = survey.isBreakerOpen
    ? ' The circuit breaker is open: one probe stands for all of them.'
    : '';
  return (
    `${String(survey.waiting)} deliveries wait since ${survey.failingSince ?? 'now'}. ` +
    `Last error: ${survey.lastError ?? 'none'}. ` +
    `Next attempt due at ${new Date(survey.dueAtMs).toISOString()}.${breaker}${soFar}`
  );
}
