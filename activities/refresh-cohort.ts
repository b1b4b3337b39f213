import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../src/platform/database/client.ts';
import type { Log } from '../src/platform/observability/log.ts';
import {
  evaluateCohort,
  findDueCohort,
  refuseWithoutRights,
} from '../src/cohorts/evaluation/evaluate.ts';
import {
  haveEndedBefore,
  markEvaluating,
  markFailed,
  nextTransaction,
} from '../src/cohorts/evaluation/queries.ts';
import type { CohortRow } from '../src/cohorts/queries.ts';
import { withHeartbeat } from '../src/platform/temporal/heartbeat.ts';
import { failAfterAttempts } from '../src/platform/temporal/retry-limit.ts';
import { toTimestamp } from '../src/platform/time/rules.ts';

export interface CohortDependencies {
  database: Database;
  log: Log;
}

/** State of a cohort for operators, and the time of its next evaluation. */
export interface CohortOutlook {
  status: string;
  members: number;
  tookMs: number;
  /** Undefined without a schedule. */
  nextAtMs?: number;
}

/** Limit of one evaluation. Heartbeats continue meanwhile. */
const deadlineMs = 110_000;
/** Wait for transactions that began before the cohort followed changes. */
const settlingMs = 5_000;
const settlingPauseMs = 20;

export function createCohortActivities({ database, log }: CohortDependencies) {
  async function refresh(teamId: string, cohortId: string, asOfMs: number) {
    const { cohort, isDue } = await database.read((sql) =>
      findDueCohort(sql, teamId, cohortId, asOfMs),
    );
    if (!cohort || !isDue) return outlookOf(cohort);
    const refused = await database.transact((sql) => refuseWithoutRights(sql, cohort));
    if (refused) return outlookOf(refused);
    await database.transact((sql) => markEvaluating(sql, cohort));
    const isCaughtUp = cohort.is_caught_up || (await settle());
    const asOf = toTimestamp(asOfMs);
    const evaluated = await database.transact(
      (sql) => evaluateCohort(sql, teamId, cohortId, asOf, { isCaughtUp }),
      { deadlineMs },
    );
    return outlookOf(evaluated.cohort);
  }

  /**
   * Waits until all current transactions have ended: later ones record changes for the cohort.
   * Returns false if one lasts too long.
   */
  async function settle(): Promise<boolean> {
    const next = await database.read((sql) => nextTransaction(sql));
    const untilMs = performance.now() + settlingMs;
    while (!(await database.read((sql) => haveEndedBefore(sql, next)))) {
      if (performance.now() > untilMs) return false;
      await pause(settlingPauseMs);
    }
    return true;
  }

  return {
    /** Evaluates the cohort if it is due; returns when it is due next. */
    refreshDueCohort: ({
      teamId,
      cohortId,
      asOfMs,
    }: {
      teamId: string;
      cohortId: string;
      asOfMs: number;
    }): Promise<CohortOutlook> =>
      failAfterAttempts(
        () => withHeartbeat(() => refresh(teamId, cohortId, asOfMs)),
        async (error) => {
          const ids = { team_id: teamId, cohort_id: cohortId };
          log.error({ err: error, ...ids }, 'a cohort is not evaluated');
          const due = (ofMs: number) =>
            database.read((sql) => findDueCohort(sql, teamId, cohortId, ofMs));
          const { cohort } = await due(asOfMs);
          const words = 'The evaluation failed several times in a row.';
          if (cohort) await database.transact((sql) => markFailed(sql, cohort, words));
          return outlookOf((await due(0)).cohort);
        },
      ),
  };
}

function statusOf(cohort: CohortRow | undefined): string {
  if (!cohort) return 'deleted';
  return cohort.archived_at === null ? cohort.evaluation_status : 'archived';
}

function outlookOf(cohort: CohortRow | undefined): CohortOutlook {
  const next = cohort?.next_evaluation_at ?? null;
  return {
    status: statusOf(cohort),
    members: cohort?.member_count ?? 0,
    tookMs: cohort?.last_evaluation_ms ?? 0,
    ...(next !== null && { nextAtMs: Date.parse(next) }),
  };
}
