import type { Sql } from '../../../database/client.ts';
import { recordEvent } from '../../../events/record.ts';
import { ruleOf } from '../edit.ts';
import { findCohort, lockCohort, requireCohort } from '../queries.ts';
import type { CohortRow } from '../queries.ts';
import { holdEvaluation, markEvaluated, writeMembers } from './queries.ts';

/**
 * Makes the contacts that a dynamic cohort means at this moment its members, in the caller's
 * transaction. One evaluation of a cohort at a time; whoever changes the cohort meanwhile does not
 * wait, and is evaluated once more. Throws 404.
 */
export async function evaluateCohort(
  sql: Sql,
  teamId: string,
  cohortId: string,
  asOf: string,
): Promise<CohortRow> {
  await holdEvaluation(sql, cohortId);
  const cohort = await requireCohort(sql, teamId, cohortId);
  if (cohort.definition === null || cohort.is_archived) return cohort;
  const startedAtMs = performance.now();
  const change = await writeMembers(sql, cohort, ruleOf(cohort.definition), asOf);
  const tookMs = performance.now() - startedAtMs;
  const now = await lockCohort(sql, teamId, cohortId);
  const isStale = now.definition_version !== cohort.definition_version;
  const evaluated = await markEvaluated(sql, now, change, { tookMs, isStale });
  recordEvent(sql, {
    teamId,
    type: 'cohort.evaluated',
    data: evaluated,
    sequence: evaluated.lock_version,
  });
  return evaluated;
}

/** The cohort if an evaluation of it is due. */
export async function findDueCohort(
  sql: Sql,
  teamId: string,
  cohortId: string,
  asOfMs: number,
): Promise<{ cohort?: CohortRow; isDue: boolean }> {
  const cohort = await findCohort(sql, teamId, cohortId);
  const next = cohort?.next_evaluation_at ?? null;
  const isDue = next !== null && Date.parse(next) <= asOfMs;
  return { isDue, ...(cohort && { cohort }) };
}
