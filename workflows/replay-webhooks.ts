import { continueAsNew, defineSignal, proxyActivities } from '@temporalio/workflow';
import type { createWebhookReplayActivities } from '../activities/replay-webhooks.ts';
import { searchAttributes } from '../src/platform/temporal/search-attributes.ts';
import { cancelRows } from './cancellation.ts';
import { pinToVersion } from './pinned.ts';
import { runRounds } from './replay-rounds.ts';
import type { ReplayResult } from './replay-rounds.ts';

const { replayWebhookRound } = proxyActivities<ReturnType<typeof createWebhookReplayActivities>>({
  taskQueue: 'onward-replays',
  startToCloseTimeout: '2 minutes',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '10 seconds' },
  summary: 'Replay what the rate allows for some seconds',
});

/** Wake-up signal: the replay was requested or canceled. */
export const webhookReplayChanged = defineSignal('webhookReplayChanged');

export function webhookReplayWorkflowId(replayId: string): string {
  return `webhook-replay/${replayId}`;
}

export interface ReplayWebhooksArguments {
  v: 1;
  teamId: string;
  replayId: string;
}

/** Replays deliveries of a subscription at the rate of the request: lanes or recovery send them. */
export async function replayWebhooks(args: ReplayWebhooksArguments): Promise<ReplayResult> {
  const { teamId, replayId } = args;
  return runRounds({
    kind: 'webhook_replay',
    teamId,
    id: replayId,
    changed: webhookReplayChanged,
    round: () => replayWebhookRound({ teamId, replayId }),
    ownerOf: ({ subscriptionId }) => ({
      key: searchAttributes.subscriptionId,
      value: subscriptionId,
    }),
    cancel: () => cancelRows.cancelWebhookReplay({ teamId, id: replayId }),
    again: () => continueAsNew<typeof replayWebhooks>(args),
  });
}

pinToVersion(replayWebhooks);
