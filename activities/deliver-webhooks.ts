import { Context } from '@temporalio/activity';
import type { WebhookConfig } from '../src/platform/config.ts';
import type { Database } from '../src/platform/database/client.ts';
import type { WorkListener } from '../src/platform/database/notify.ts';
import { drainLane } from '../src/webhooks/dispatch/lane-drain.ts';
import type { AttemptRecorder } from '../src/webhooks/dispatch/attempt-recorder.ts';
import { createBusiestTeams } from '../src/platform/temporal/busiest-teams.ts';
import { reportOf } from '../src/platform/jobs/job.ts';
import type { Lane } from '../src/platform/jobs/job.ts';
import { withHeartbeat } from '../src/platform/temporal/heartbeat.ts';
import type { Sender } from '../src/webhooks/dispatch/webhook-sender.ts';
import { webhookLane } from '../workflows/lanes.ts';

export interface LaneDependencies {
  database: Database;
  sender: Sender;
  recorder: AttemptRecorder;
  policy: WebhookConfig;
  /** Aborted when the worker stops: drains finish the attempts in flight. */
  stopping: AbortSignal;
  listener: WorkListener;
}

/** The workflow restarts a drain without a heartbeat after five seconds. */
const heartbeatMs = 500;
/** An hour of uninterrupted work is one activity; a pause ends it sooner. */
const budgetMs = 3_600_000;

/** Drains one lane of healthy deliveries until it has been quiet for a while. */
export function deliverWebhooks(dependencies: LaneDependencies): Lane {
  const { database, sender, recorder, policy, stopping, listener } = dependencies;
  return {
    shape: webhookLane,
    async drain({ lane, before }) {
      const counts = { delivered: 0, failed: 0, ...before?.counts };
      const teams = createBusiestTeams();
      const { lanes, idleTimeoutMs } = policy;
      const drain = () =>
        drainLane({
          database,
          sender,
          recorder,
          lane,
          lanes,
          isSuccessor: Context.current().info.attempt > 1,
          idleTimeoutMs,
          budgetMs,
          stopping: AbortSignal.any([stopping, Context.current().cancellationSignal]),
          listener,
          counts,
          teams,
        });
      await withHeartbeat(drain, () => ({ ...counts, teams: teams.top() }), heartbeatMs);
      const details =
        `Lane ${String(lane)}: ${String(counts.delivered)} deliveries made, ` +
        `${String(counts.failed)} first attempts failed and went to the recovery of their ` +
        'subscription. Ends when nothing waits; the next delivery starts the lane again.';
      return reportOf({ counts, teams: teams.top(), nextDueInMs: null, before, details });
    },
  };
}
