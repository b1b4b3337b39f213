import {
  ActivityCancellationType,
  CancellationScope,
  continueAsNew,
  defineSignal,
  isCancellation,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { createLaneActivities } from '../activities/deliver-webhooks.ts';
import { explainCancellation } from './cancellation.ts';
import { createTeamsLine } from './list-counts.ts';
import { createSignalLatch } from './signal-latch.ts';

const { drainWebhookLane } = proxyActivities<ReturnType<typeof createLaneActivities>>({
  taskQueue: 'onward-webhook-lanes',
  startToCloseTimeout: '3 hours',
  heartbeatTimeout: '5 seconds',
  // The process that is canceled has usually ended, and will not confirm.
  cancellationType: ActivityCancellationType.TRY_CANCEL,
  // Under steady load one activity runs for an hour. The retry interval must not grow with the
  // failures before it.
  retry: { initialInterval: '500 milliseconds', maximumInterval: '1 second' },
});

/** Wake-up signal: work may wait in the lane. */
export const laneHasWork = defineSignal('laneHasWork');

/** The process that drains the lane has ended: a restart need not wait for its heartbeats. */
export const laneOwnerLost = defineSignal('laneOwnerLost');

/** Counts of all runs since the lane had no workflow. */
export interface LaneResult {
  delivered: number;
  /** First attempts that failed: the recovery of the subscription has the deliveries. */
  failed: number;
}

export interface DeliverWebhooksArguments {
  v: 1;
  lane: number;
  /** Counts of the earlier runs that this one continues. */
  before?: LaneResult;
}

export function laneWorkflowId(lane: number): string {
  return `webhook-lane/${String(lane)}`;
}

/**
 * Sends the first attempts of the healthy subscriptions of one lane. It keeps one activity running,
 * restarts it after a crash, and ends when no delivery waits.
 */
export async function deliverWebhooks(args: DeliverWebhooksArguments): Promise<LaneResult> {
  const { lane, before = { delivered: 0, failed: 0 } } = args;
  explainCancellation('To stop webhooks, set their subscriptions inactive in the API.');
  const signal = createSignalLatch(laneHasWork);
  const teamsLine = createTeamsLine();
  let { delivered, failed } = before;
  do {
    signal.clear();
    const counts = await drain(lane);
    delivered += counts.delivered;
    failed += counts.failed;
    const busiest = teamsLine(counts.teams);
    const show = (next: string) => {
      setCurrentDetails(describe(lane, { delivered, failed }, next) + busiest);
    };
    show('Ends when nothing waits.');
    if (workflowInfo().continueAsNewSuggested) {
      await continueAsNew<typeof deliverWebhooks>({ v: 1, lane, before: { delivered, failed } });
    }
    // A signal may have come with the drain's result.
    await signal.wait('1 second', 'Ends without a signal');
    if (!signal.isSet()) show('Nothing waits: the next delivery starts the lane again.');
  } while (signal.isSet());
  return { delivered, failed };
}

function describe(lane: number, { delivered, failed }: LaneResult, next: string): string {
  return (
    `Lane ${String(lane)}: ${String(delivered)} deliveries made, ${String(failed)} first attempts ` +
    `failed and went to the recovery of their subscription. ${next}`
  );
}

/** Runs the activity, and runs it again at once when its process has ended. */
async function drain(lane: number) {
  for (;;) {
    const scope = new CancellationScope();
    let isOwnerLost = false;
    setHandler(laneOwnerLost, () => {
      isOwnerLost = true;
      scope.cancel();
    });
    try {
      return await scope.run(() => drainWebhookLane({ lane }));
    } catch (error) {
      if (!isOwnerLost || !isCancellation(error)) throw error;
    }
  }
}
