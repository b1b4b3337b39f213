import { webhookReplays } from '../src/webhooks/webhook-subscriptions/replays/queries.ts';
import { replayChunk } from '../src/webhooks/webhook-subscriptions/replays/running/chunk.ts';
import { createReplayRounds } from '../src/platform/replays/replay-rounds.ts';
import type { RoundDependencies } from '../src/platform/replays/replay-rounds.ts';
import type { ReplayOutlook } from '../src/platform/replays/rules.ts';

export interface WebhookReplayOutlook extends ReplayOutlook {
  subscriptionId: string;
}

export function createWebhookReplayActivities(dependencies: RoundDependencies) {
  const round = createReplayRounds(dependencies, { table: webhookReplays, replayChunk });
  return {
    /** Starts over what the rate allows for some seconds, or the rest. */
    async replayWebhookRound({
      teamId,
      replayId,
    }: {
      teamId: string;
      replayId: string;
    }): Promise<WebhookReplayOutlook> {
      const { row, outlook } = await round(teamId, replayId);
      return { ...outlook, subscriptionId: row?.subscription_id ?? '' };
    },
  };
}
