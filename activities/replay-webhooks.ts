import { webhookReplays } from '../src/partner/webhook-subscriptions/replays/queries.ts';
import { replayChunk } from '../src/partner/webhook-subscriptions/replays/running/chunk.ts';
import { createReplayRounds } from './replay-rounds.ts';
import type { ReplayOutlook, RoundDependencies } from './replay-rounds.ts';

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
