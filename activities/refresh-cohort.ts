import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../src/platform/database/client.ts';
import { endUnlessSignaled, untouchedFor, waitUntil } from '../src/platform/jobs/job.ts';
import type { Job } from '../src/platform/jobs/job.ts';
import type { Round } from '../src/platform/jobs/shape.ts';
import {
  evaluateCohort,
  findDueCohort,
  refuseWithoutRights,
} from '../src/cohorts/evaluation/evaluate.ts';
import {
  haveEndedBefore,
  listOverdueCohorts,
  markEvaluating,
  markFailed,
  nextTransaction,
} from '../src/cohorts/evaluation/queries.ts';
import type { CohortRow } from '../src/cohorts/queries.ts';
import { toTimestamp } from '../src/platform/time/rules.ts';
import { cohortJob } from '../workflows/jobs.ts';

/** Limit of one evaluation. Heartbeats continue meanwhile. */
const deadlineMs = 110_000;
/** Wait for transactions that began before the cohort followed changes. */
const settlingMs = 5_000;
const settlingPauseMs = 20;

export function refreshCohort({ database }: { database: Database }): Job {
  /** Evaluates the cohort if it is due. */
  async function refresh(teamId: string, id: string, asOfMs: number) {
    const { cohort, isDue } = await database.read((sql) => findDueCohort(sql, teamId, id, asOfMs));
    if (!cohort || !isDue) return cohort;
    const refused = await database.transact((sql) => refuseWithoutRights(sql, cohort));
    if (refused) return refused;
    await database.transact((sql) => markEvaluating(sql, cohort));
    const isCaughtUp = cohort.is_caught_up || (await settle());
    const asOf = toTimestamp(asOfMs);
    const evaluated = await database.transact(
      (sql) => evaluateCohort(sql, teamId, id, asOf, { isCaughtUp }),
      { deadlineMs },
    );
    return evaluated.cohort;
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
    shape: cohortJob,
    overdue: [untouchedFor(8, listOverdueCohorts)],
    round: async ({ teamId, id, asOfMs }) => afterEvaluation(await refresh(teamId, id, asOfMs)),
    async giveUp({ teamId, id }) {
      const due = (ofMs: number) => database.read((sql) => findDueCohort(sql, teamId, id, ofMs));
      const { cohort } = await due(Date.now());
      const words = 'The evaluation failed several times in a row.';
      if (cohort) await database.transact((sql) => markFailed(sql, cohort, words));
      return afterEvaluation((await due(0)).cohort);
    },
  };
}

function afterEvaluation(cohort: CohortRow | undefined): Round<never> {
  if (!cohort) {
    const details = 'The cohort was deleted: it is not evaluated any more.';
    return endUnlessSignaled({ outcome: 'deleted', members: 0 }, details);
  }
  const { member_count: members, next_evaluation_at: nextAt, archived_at: archivedAt } = cohort;
  const outcome = archivedAt === null ? cohort.evaluation_status : 'archived';
  if (nextAt === null) {
    const end = 'No schedule asks for another evaluation.';
    return endUnlessSignaled({ outcome, members }, describe(cohort, end));
  }
  const dueAt = Date.parse(nextAt);
  const at = toTimestamp(dueAt);
  const details = describe(cohort, `It is evaluated next at ${at}.`);
  return waitUntil(dueAt, `Evaluated next at ${at}`, details, { shown: { dueAt } });
}

function describe(cohort: CohortRow, next: string): string {
  const { archived_at: archivedAt, evaluation_status: status, last_evaluation_ms: tookMs } = cohort;
  if (archivedAt !== null) return 'The cohort is archived: it is not evaluated any more.';
  const counted = `${String(cohort.member_count)} members`;
  if (status === 'failed') {
    return `The last evaluation failed; the cohort keeps the ${counted} of the one before. ${next}`;
  }
  return `The cohort is ${status}, with ${counted} (${String(tookMs ?? 0)} ms). ${next}`;
}
