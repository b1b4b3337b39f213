import type { Sql } from '../../platform/database/sql.ts';
import { setWorkMem } from '../../platform/database/planner-settings.ts';
import { recordEvent } from '../../platform/events/record.ts';
import { cohortEvaluated } from '../events.ts';
import { ruleOf } from '../edit.ts';
import { contactsLeftCohort } from '../hooks.ts';
import { hasMemberSubscription, recordMoves } from '../members/events.ts';
import { cohorts, lockCohort } from '../queries.ts';
import type { CohortRow } from '../queries.ts';
import { lackedScopes, lackingClient } from '../rights.ts';
import {
  findAuthorizedCohort,
  holdEvaluation,
  markEvaluated,
  markFailed,
  writeMembers,
} from './queries.ts';

/** Most changes of members that one evaluation publishes singly; above it, only the counts. */
const maxPublishedChanges = 10_000;
/** For the contacts that a rule counts rows of: ten million. */
const hashMegabytes = 512;

export interface Evaluated {
  cohort: CohortRow;
  joined: number;
  left: number;
}

/**
 * Makes the contacts that a dynamic cohort means at this moment its members, in the caller's
 * transaction. One evaluation of a cohort at a time; a concurrent change of the cohort does not
 * wait, and causes one more evaluation. `isCaughtUp`: by now every writer notes its changes for the
 * cohort. Throws 404.
 */
export async function evaluateCohort(
  sql: Sql,
  teamId: string,
  cohortId: string,
  asOf: string,
  { isCaughtUp }: { isCaughtUp: boolean },
): Promise<Evaluated> {
  await holdEvaluation(sql, cohortId);
  const cohort = await cohorts.require(sql, teamId, cohortId);
  if (cohort.definition === null || cohort.is_archived) return { cohort, joined: 0, left: 0 };
  const isSubscribed = await hasMemberSubscription(sql, teamId);
  await setWorkMem(sql, hashMegabytes);
  const startedAtMs = performance.now();
  const most = isSubscribed ? maxPublishedChanges + 1 : 0;
  const change = await writeMembers(sql, cohort, ruleOf(cohort.definition), asOf, most);
  const tookMs = performance.now() - startedAtMs;
  const now = await lockCohort(sql, teamId, cohortId);
  const isStale =
    now.definition_version !== cohort.definition_version ||
    now.next_evaluation_at !== cohort.next_evaluation_at;
  const evaluated = await markEvaluated(sql, now, change, { tookMs, isStale, isCaughtUp });
  recordEvent(sql, {
    teamId,
    type: cohortEvaluated,
    data: evaluated,
    sequence: evaluated.lock_version,
  });
  const { joined, left } = change;
  if (joined + left <= maxPublishedChanges) recordMoves(sql, evaluated, change);
  if (left > 0) await contactsLeftCohort(sql, teamId, { cohortId: cohort.id });
  return { cohort: evaluated, joined, left };
}

/** Notes why a cohort is not evaluated whose client has lost a right; undefined where it has all. */
export async function refuseWithoutRights(
  sql: Sql,
  { team_id, id }: CohortRow,
): Promise<CohortRow | undefined> {
  const cohort = await findAuthorizedCohort(sql, team_id, id);
  const lacked = cohort ? lackedScopes(cohort) : [];
  if (!cohort || lacked.length === 0) return undefined;
  await markFailed(sql, cohort, lackingClient(lacked));
  return cohorts.require(sql, team_id, id);
}

/** The cohort if an evaluation of it is due. */
export async function findDueCohort(
  sql: Sql,
  teamId: string,
  cohortId: string,
  asOfMs: number,
): Promise<{ cohort?: CohortRow; isDue: boolean }> {
  const cohort = await cohorts.find(sql, teamId, cohortId);
  const next = cohort?.next_evaluation_at ?? null;
  const isDue = next !== null && Date.parse(next) <= asOfMs;
  return { isDue, ...(cohort && { cohort }) };
}
