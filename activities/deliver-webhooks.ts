import { Context } from '@temporalio/activity';
import type { WebhookConfig } from '../src/platform/config.ts';
import type { Database } from '../src/platform/database/client.ts';
import type { WorkListener } from '../src/platform/database/notify.ts';
import { drainLane } from '../src/webhooks/dispatch/lane-drain.ts';
import type { LaneCounts } from '../src/webhooks/dispatch/attempt-writer.ts';
import type { AttemptRecorder } from '../src/webhooks/dispatch/attempt-recorder.ts';
import { createBusiestTeams } from '../src/platform/temporal/busiest-teams.ts';
import { withHeartbeat } from '../src/platform/temporal/heartbeat.ts';
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

/** The workflow restarts a drain without a heartbeat after five seconds. */
const heartbeatMs = 500;
/** An hour of uninterrupted work is one activity; a pause ends it sooner. */
const budgetMs = 3_600_000;

/** Counts of one activity, with the teams that had most of them. */
export interface LaneReport extends LaneCounts {
  teams?: Record<string, number>;
}

export function createLaneActivities(dependencies: LaneDependencies) {
  const { database, sender, recorder, policy, stopping, listener } = dependencies;
  return {
    /** Drains one lane of healthy deliveries until it has been quiet for a while. */
    async drainWebhookLane({ lane }: { lane: number }): Promise<LaneReport> {
      const counts: LaneCounts = { delivered: 0, failed: 0 };
      const teams = createBusiestTeams();
      const report = () => ({ ...counts, teams: teams.top() });
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
      await withHeartbeat(drain, report, heartbeatMs);
      return report();
    },
  };
}
