import type { Database } from '../src/platform/database/client.ts';
import type { WorkListener } from '../src/platform/database/notify.ts';
import { isUnavailable, isRetryable } from '../src/platform/database/failures.ts';
import type { Log } from '../src/platform/observability/log.ts';
import { markFailed } from '../src/cohorts/evaluation/queries.ts';
import { RightsLost, followChanges } from '../src/cohorts/realtime/follow.ts';
import type { Followed } from '../src/cohorts/realtime/follow.ts';
import { CohortFault } from '../src/cohorts/realtime/evaluate.ts';
import { findChangedTeam } from '../src/cohorts/realtime/lanes/queries.ts';
import { firstId } from '../src/platform/database/first-id.ts';
import type { Lane } from '../src/platform/jobs/job.ts';
import { runLane } from '../src/platform/temporal/run-lane.ts';
import { cohortLane } from '../workflows/lanes.ts';

export interface CohortLaneDependencies {
  database: Database;
  log: Log;
  /** Aborted when the worker is to end. */
  stopping: AbortSignal;
  listener: WorkListener;
}

/** After a batch the lane rests as long as it worked, so that the next one is worth its start. */
const maxRestMs = 300;
const deadlineMs = 30_000;

/** Until a team is tried again whose changes could not be followed. */
const stuckMs = 5_000;
const nothing: Followed = { changes: 0, moved: 0, isFull: false };

/** Follows the changes of one lane's teams until it has been quiet for a while. */
export function followCohortChanges(dependencies: CohortLaneDependencies): Lane {
  const { database, log, listener, stopping } = dependencies;

  /** One batch of a team; a cohort that cannot be evaluated does not block others. */
  async function follow(teamId: string): Promise<Followed> {
    try {
      return await database.transact((sql) => followChanges(sql, log, teamId), { deadlineMs });
    } catch (error) {
      if (isUnavailable(error) || isRetryable(error)) throw error;
      if (!(error instanceof CohortFault)) {
        log.error({ err: error, team_id: teamId }, 'changes of a team cannot be followed');
        return { ...nothing, isStuck: true };
      }
      const { cohort, cause } = error;
      const isLost = cause instanceof RightsLost;
      const level = isLost ? 'info' : 'error';
      log[level]({ err: cause, team_id: teamId, cohort_id: cohort.id }, error.message);
      const reason = isLost ? cause.message : 'Changes could not be followed.';
      await database.transact((sql) => markFailed(sql, cohort, reason));
      return { ...nothing, isFull: true };
    }
  }

  return {
    shape: cohortLane,
    async drain({ lane, before }) {
      const counts = { changes: 0, moved: 0, ...before?.counts };
      /** Teams whose changes cannot be followed because of an error in the service. */
      const stuckUntilMs = new Map<string, number>();
      let after = firstId;

      async function round() {
        const now = performance.now();
        const from = after;
        const teamId = await database.read((sql) => findChangedTeam(sql, lane, from));
        const isStuck = teamId !== undefined && (stuckUntilMs.get(teamId) ?? 0) > now;
        const followed: Followed = teamId === undefined || isStuck ? nothing : await follow(teamId);
        if (teamId !== undefined && followed.isStuck) stuckUntilMs.set(teamId, now + stuckMs);
        after = teamId ?? firstId;
        if (followed.changes === 0 && !followed.isFull) return { worked: false };
        counts.changes += followed.changes;
        counts.moved += followed.moved;
        const tookMs = performance.now() - now;
        return { worked: true, restMs: followed.isFull ? 0 : Math.min(maxRestMs, tookMs) };
      }

      const owned = { table: 'cohort_lanes', lane } as const;
      const run = { database, listener, stopping, lane: owned, details: () => counts };
      await runLane(run, [round]);
      const details =
        `Lane ${String(lane)}: ${String(counts.changes)} changes followed, ` +
        `${String(counts.moved)} times a contact came to a cohort or left one. ` +
        'Ends when nothing waits; the next change starts the lane again.';
      return { counts, details, nextDueInMs: null };
    },
  };
}
