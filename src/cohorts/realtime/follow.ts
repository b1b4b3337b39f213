import { isolate } from '../../platform/batching/isolate.ts';
import type { RowLoop } from '../../platform/batching/isolate.ts';
import type { Sql } from '../../platform/database/sql.ts';
import type { Log } from '../../platform/observability/log.ts';
import type { Rule } from '../definition/tree.ts';
import { ruleOf } from '../edit.ts';
import { contactsLeftCohort } from '../hooks.ts';
import { hasMemberSubscription, recordMoves } from '../members/events.ts';
import { addToCount } from '../members/queries.ts';
import { lackedScopes, lackingClient } from '../rights.ts';
import type { AuthorizedCohort } from '../rights.ts';
import { CohortFault, evaluate } from './evaluate.ts';
import {
  changeLoopName,
  findFollowers,
  findMemberships,
  holdFollowers,
  leaveChanges,
  lockFollowers,
  putBackChange,
  takeChanges,
  writeMoves,
} from './queries.ts';
import type { Changed, EvaluatedMembership } from './queries.ts';

/** Changes that one transaction looks at. */
const batch = 250;

/** Result of one batch of changes of a team. */
export interface Followed {
  changes: number;
  moved: number;
  /** More of them may wait. */
  isFull: boolean;
  /** An error keeps them from being followed. */
  isStuck?: boolean;
}

/** A change of a contact that cannot be followed waits; the other contacts of its team do not. */
const changesOf = (teamId: string): RowLoop<Changed> => ({
  name: changeLoopName,
  keyOf: ({ contact_id }) => ({ team_id: teamId, id: contact_id }),
  putBack: (sql, { contact_id, cohort_id }) =>
    putBackChange(sql, teamId, { contact_id, cohort_id }),
  isOfAll: (error) => error instanceof CohortFault,
});

/**
 * Applies recorded changes of a team to the memberships of cohorts that follow changes. The
 * caller's transaction deletes a change together with its effect, or not at all. Cohorts under
 * evaluation get the contacts as new changes for later. Throws CohortFault.
 */
export async function followChanges(sql: Sql, log: Log, teamId: string): Promise<Followed> {
  const { held, busy } = await holdFollowers(sql, teamId);
  const taken = await takeChanges(sql, teamId, busy, batch);
  const everyones = contactsOf(taken, null);
  if (busy.length > 0 && everyones.length > 0) await leaveChanges(sql, teamId, everyones, busy);
  const parts = await isolate(sql, log, changesOf(teamId), taken, (some) =>
    follow(sql, teamId, held, some),
  );
  const moved = parts.reduce((sum, part) => sum + part, 0);
  return { changes: taken.length, moved, isFull: taken.length === batch };
}

/** Moves the contacts of some changes; returns how many memberships began or ended. */
async function follow(
  sql: Sql,
  teamId: string,
  held: readonly string[],
  taken: readonly Changed[],
): Promise<number> {
  const everyones = contactsOf(taken, null);
  const toEvaluate = (await findFollowers(sql, teamId, held)).flatMap((cohort) => {
    const contactIds = [...new Set([...everyones, ...contactsOf(taken, cohort.id)])];
    return contactIds.length > 0 ? [{ cohort, rule: readRule(cohort), contactIds }] : [];
  });
  if (toEvaluate.length === 0) return 0;
  const results = await evaluate(sql, teamId, toEvaluate, new Date().toISOString());
  return move(sql, teamId, await differing(sql, teamId, results));
}

function contactsOf(taken: readonly Changed[], cohortId: string | null): string[] {
  const ids = taken.filter(({ cohort_id }) => cohort_id === cohortId);
  return [...new Set(ids.map(({ contact_id }) => contact_id))];
}

function readRule(cohort: AuthorizedCohort): Rule {
  const lacked = lackedScopes(cohort);
  if (lacked.length > 0) throw new CohortFault(cohort, new RightsLost(lackingClient(lacked)));
  try {
    return ruleOf(cohort.definition);
  } catch (error) {
    throw new CohortFault(cohort, error);
  }
}

/** The client of a cohort may not read any more what its rule asks about. */
export class RightsLost extends Error {}

/** The results that differ from the stored memberships. */
async function differing(sql: Sql, teamId: string, results: readonly EvaluatedMembership[]) {
  const contacts = new Set(results.map(({ contact_id }) => contact_id));
  const cohorts = new Set(results.map(({ cohort_id }) => cohort_id));
  const rows = await findMemberships(sql, teamId, [...contacts], [...cohorts]);
  const members = new Set(rows.map(membershipKeyOf));
  return results.filter((result) => result.belongs !== members.has(membershipKeyOf(result)));
}

const membershipKeyOf = ({ cohort_id, contact_id }: { cohort_id: string; contact_id: string }) =>
  `${cohort_id} ${contact_id}`;

/** Writes who comes and who goes; what was archived or deleted meanwhile stays as it is. */
async function move(
  sql: Sql,
  teamId: string,
  requested: readonly EvaluatedMembership[],
): Promise<number> {
  if (requested.length === 0) return 0;
  const ids = [...new Set(requested.map(({ cohort_id }) => cohort_id))];
  const cohorts = await lockFollowers(sql, teamId, ids);
  const living = new Set(cohorts.map(({ id }) => id));
  const moves = await writeMoves(
    sql,
    teamId,
    requested.filter(({ cohort_id }) => living.has(cohort_id)),
  );
  const isSubscribed = moves.length > 0 && (await hasMemberSubscription(sql, teamId));
  for (const cohort of cohorts) {
    const own = moves.filter(({ cohort_id }) => cohort_id === cohort.id);
    if (own.length === 0) continue;
    const came = own.filter(({ belongs }) => belongs);
    const went = own.filter(({ belongs }) => !belongs);
    const counted = await addToCount(sql, cohort, came.length - went.length);
    if (isSubscribed) recordMoves(sql, counted, { came, went });
    const contactIds = went.map(({ contact_id }) => contact_id);
    if (contactIds.length === 0) continue;
    await contactsLeftCohort(sql, teamId, { cohortId: cohort.id, contactIds });
  }
  return moves.length;
}
