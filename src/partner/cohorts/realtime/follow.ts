import type { Sql } from '../../../database/client.ts';
import { isAway, isRepeatable } from '../../../database/failures.ts';
import { ruleOf } from '../edit.ts';
import { areMembersHeard, recordMoves } from '../members/events.ts';
import { addToCount } from '../members/queries.ts';
import type { CohortRow } from '../queries.ts';
import {
  findFollowers,
  findMoving,
  holdFollowers,
  leaveChanges,
  lockFollowers,
  takeChanges,
  writeMoves,
} from './queries.ts';
import type { Changed, Move } from './queries.ts';

/** Changes that one transaction looks at. */
const batch = 250;

/** What was done with the changes of a team. */
export interface Followed {
  changes: number;
  moved: number;
  /** More of them may wait. */
  isFull: boolean;
  /** An error keeps them from being followed. */
  isStuck?: boolean;
}

/** A cohort that could not be evaluated, whatever the contacts. */
export class CohortFault extends Error {
  readonly cohort: CohortRow;
  constructor(cohort: CohortRow, cause: unknown) {
    super('a cohort cannot be evaluated', { cause });
    this.name = 'CohortFault';
    this.cohort = cohort;
  }
}

/**
 * Takes noted changes of a team and makes the memberships of these contacts what the cohorts that
 * follow changes say, in the caller's transaction: a change is forgotten with its effect or not at
 * all. Cohorts that somebody evaluates meanwhile find the contacts noted afterwards. Throws
 * CohortFault.
 */
export async function followChanges(sql: Sql, teamId: string): Promise<Followed> {
  const { held, busy } = await holdFollowers(sql, teamId);
  const taken = await takeChanges(sql, teamId, busy, batch);
  const [first] = taken;
  if (!first) return { changes: 0, moved: 0, isFull: false };
  const everyones = contactsOf(taken, null);
  if (busy.length > 0 && everyones.length > 0) await leaveChanges(sql, teamId, everyones, busy);
  const asOf = new Date().toISOString();
  const followers = await findFollowers(sql, teamId, held);
  // All at once on one connection: they travel together.
  const found = await Promise.all(
    followers.map(async (cohort) => {
      const ids = [...new Set([...everyones, ...contactsOf(taken, cohort.id)])];
      const moving = ids.length > 0 ? await findFaulting(sql, cohort, ids, asOf) : [];
      return moving.map((one) => ({ cohort_id: cohort.id, ...one }));
    }),
  );
  const moved = await move(sql, teamId, found.flat());
  return { changes: taken.length, moved, isFull: taken.length === batch };
}

function contactsOf(taken: readonly Changed[], cohortId: string | null): string[] {
  const ids = taken.filter(({ cohort_id }) => cohort_id === cohortId);
  return [...new Set(ids.map(({ contact_id }) => contact_id))];
}

async function findFaulting(sql: Sql, cohort: CohortRow, ids: readonly string[], asOf: string) {
  try {
    return await findMoving(sql, cohort, ruleOf(cohort.definition), ids, asOf);
  } catch (error) {
    if (isAway(error) || isRepeatable(error)) throw error;
    throw new CohortFault(cohort, error);
  }
}

/** Writes who comes and who goes; what was archived or deleted meanwhile stays as it is. */
async function move(sql: Sql, teamId: string, wanted: readonly Move[]): Promise<number> {
  if (wanted.length === 0) return 0;
  const ids = [...new Set(wanted.map(({ cohort_id }) => cohort_id))];
  const cohorts = await lockFollowers(sql, teamId, ids);
  const living = new Set(cohorts.map(({ id }) => id));
  const moves = await writeMoves(
    sql,
    teamId,
    wanted.filter(({ cohort_id }) => living.has(cohort_id)),
  );
  const isHeard = moves.length > 0 && (await areMembersHeard(sql, teamId));
  for (const cohort of cohorts) {
    const own = moves.filter(({ cohort_id }) => cohort_id === cohort.id);
    if (own.length === 0) continue;
    const came = own.filter(({ belongs }) => belongs);
    const went = own.filter(({ belongs }) => !belongs);
    const counted = await addToCount(sql, cohort, came.length - went.length);
    if (isHeard) recordMoves(sql, counted, { came, went });
  }
  return moves.length;
}
