import { Context } from '@temporalio/activity';
import type { WebhookConfig } from '../src/platform/config.ts';
import type { Database } from '../src/platform/database/client.ts';
import type { WorkListener } from '../src/platform/database/notify.ts';
import { drainLane } from '../src/webhooks/dispatch/lane-drain.ts';
import type { LaneCounts } from '../src/webhooks/dispatch/lane-drain.ts';
import type { AttemptRecorder } from '../src/webhooks/dispatch/attempt-recorder.ts';
import type { Sender } from '../src/webhooks/dispatch/webhook-sender.ts';

export interface LaneDependencies {
  database: Database;
  sender: Sender;
  recorder: AttemptRecorder;
  policy: WebhookConfig;
  /** Aborted when the worker stops: drains finish the attempts in flight. */
  stopping: AbortSignal;
  listener: WorkListener;
}

/** An hour of uninterrupted work is one activity; a pause ends it sooner. */
const budgetMs = 3_600_000;

export function createLaneActivities(dependencies: LaneDependencies) {
  const { database, sender, recorder, policy, stopping, listener } = dependencies;
  return {
    /** Drains one lane of healthy deliveries until it has been quiet for a while. */
    async drainWebhookLane({ lane }: { lane: number }): Promise<LaneCounts> {
      const context = Context.current();
      return drainLane({
        database,
        sender,
        recorder,
        lane,
        lanes: policy.lanes,
        idleTimeoutMs: policy.idleTimeoutMs,
        budgetMs,
        stopping: AbortSignal.any([stopping, context.cancellationSignal]),
        listener,
        onProgress: (counts) => {
          context.heartbeat(counts);
        },
      });
    },
  };
}
