import type { Job } from '../src/platform/jobs/job.ts';
import { replayJob } from '../src/platform/replays/replay-job.ts';
import type { RoundDependencies } from '../src/platform/replays/replay-job.ts';
import { webhookReplays } from '../src/webhooks/webhook-subscriptions/replays/queries.ts';
import type { ReplayRow } from '../src/webhooks/webhook-subscriptions/replays/queries.ts';
import { replayChunk } from '../src/webhooks/webhook-subscriptions/replays/running/chunk.ts';
import { webhookReplayJob } from '../workflows/jobs.ts';

export function replayWebhooks(tools: RoundDependencies): Job<'shown'> {
  return replayJob<ReplayRow>(tools, {
    shape: webhookReplayJob,
    table: webhookReplays,
    ownerOf: ({ subscription_id: subscriptionId }) => ({ subscriptionId }),
    replayChunk,
  });
}
