import { entitledOf } from '../../platform/database/entitled.ts';
import { isParked } from '../../platform/database/parked-rows.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { arrayLiteral, collectValues } from '../../platform/lists/statement.ts';
import { clockOf, leafText } from '../definition/predicate.ts';
import type { Leaf } from '../definition/tree.ts';
import type { Moved } from '../members/queries.ts';
import { cohorts, isKept } from '../queries.ts';
import type { CohortRow } from '../queries.ts';
import type { AuthorizedCohort } from '../rights.ts';

/** The loop that follows changes of contacts, as parked rows name it. */
export const changeLoopName = 'cohort-changes';

/** Those that follow every change, of a row of cohorts with the alias t. */
const follows = `t.evaluation_mode = 'realtime' and t.archived_at is null and t.deleted_at is null`;

/**
 * Locks every cohort of the team that follows changes, except those under evaluation, for this
 * transaction. It must run before any other read: each transaction then sees the effects of the
 * previous one.
 */
export async function holdFollowers(
  sql: Sql,
  teamId: string,
): Promise<{ held: readonly string[]; busy: readonly string[] }> {
  const rows = await sql<{ id: string; is_held: boolean }[]>`
    select t.id, pg_try_advisory_xact_lock(hashtextextended('cohort ' || t.id, 0)) as is_held
    from cohorts t
    where t.team_id = ${teamId} and ${sql.unsafe(follows)}`;
  const ids = (requested: boolean) =>
    rows.filter(({ is_held: isHeld }) => isHeld === requested).map(({ id }) => id);
  return { held: ids(true), busy: ids(false) };
}

/** One that could not be evaluated waits for the whole evaluation that its schedule brings. */
export async function findFollowers(sql: Sql, teamId: string, ids: readonly string[]) {
  return sql<AuthorizedCohort[]>`
    select ${sql.unsafe(cohorts.columns)}, ${sql.unsafe(entitledOf('t', 'set_by_client_id'))} as entitled
    from cohorts t
    where t.team_id = ${teamId} and t.id = any(${[...ids]}::uuid[]) and ${sql.unsafe(follows)}
      and t.evaluation_status <> 'failed'`;
}

/** Whose membership is to be looked at. */
export interface Changed {
  contact_id: string;
  /** By this cohort alone, or by every one. */
  cohort_id: string | null;
}

/**
 * Deletes and returns the oldest changes, except those of busy cohorts. Later reads see the changed
 * data, and a concurrent change is recorded as a new row.
 */
export async function takeChanges(
  sql: Sql,
  teamId: string,
  busy: readonly string[],
  limit: number,
): Promise<Changed[]> {
  return sql<Changed[]>`
    delete from cohort_changes
    where team_id = ${teamId} and id in (
      select id from cohort_changes c
      where team_id = ${teamId} and not ${isParked(sql, changeLoopName, 'c', 'contact_id')}
        and (cohort_id is null or cohort_id <> all(${[...busy]}::uuid[]))
      order by id limit ${limit}
      for update skip locked
    )
    returning contact_id, cohort_id`;
}

/** Inserts a change again that a transaction has taken, and could not follow. */
export async function putBackChange(
  sql: Sql,
  teamId: string,
  { contact_id, cohort_id }: Changed,
): Promise<void> {
  await sql`
    insert into cohort_changes (team_id, contact_id, cohort_id)
    values (${teamId}, ${contact_id}, ${cohort_id})`;
}

/** Leaves contacts to cohorts that are busy: they look at them later. */
export async function leaveChanges(
  sql: Sql,
  teamId: string,
  contactIds: readonly string[],
  cohortIds: readonly string[],
): Promise<void> {
  await sql`
    insert into cohort_changes (team_id, contact_id, cohort_id)
    select ${teamId}, contact, cohort
    from unnest(${[...contactIds]}::uuid[]) as contact,
      unnest(${[...cohortIds]}::uuid[]) as cohort`;
}

/** Whether a contact belongs to a cohort. */
export interface EvaluatedMembership {
  cohort_id: string;
  contact_id: string;
  belongs: boolean;
}

/**
 * Result of the query on the contact's own row: whether it is not archived, and the value of each
 * leaf.
 */
export interface OwnFacts {
  id: string;
  is_kept: boolean;
  holds: readonly boolean[];
}

/** Evaluates leaves that need only the contacts' own rows. */
export async function findOwnFacts(
  sql: Sql,
  teamId: string,
  contactIds: readonly string[],
  leaves: readonly Leaf[],
  asOf: string,
): Promise<OwnFacts[]> {
  const { values, bind } = collectValues([teamId]);
  const ids = bind(arrayLiteral(contactIds), 'uuid[]');
  const now = clockOf(bind, asOf);
  const texts = leaves.map((leaf) => `(${leafText(leaf, bind, now)})`);
  return sql.unsafe<OwnFacts[]>(
    `select t.id, ${isKept} as is_kept, array[${texts.join(', ')}]::boolean[] as holds
    from contacts t where t.team_id = $1 and t.id = any(${ids})`,
    values,
  );
}

/** Returns the contacts for which a leaf is true. */
export async function findHolding(
  sql: Sql,
  teamId: string,
  contactIds: readonly string[],
  leaf: Leaf,
  asOf: string,
): Promise<string[]> {
  const { values, bind } = collectValues([teamId]);
  const ids = bind(arrayLiteral(contactIds), 'uuid[]');
  const holds = leafText(leaf, bind, clockOf(bind, asOf));
  const rows = await sql.unsafe<{ id: string }[]>(
    `select t.id from contacts t where t.team_id = $1 and t.id = any(${ids}) and ${holds}`,
    values,
  );
  return rows.map(({ id }) => id);
}

/** Which of some contacts are members of which of some cohorts. */
export async function findMemberships(
  sql: Sql,
  teamId: string,
  contactIds: readonly string[],
  cohortIds: readonly string[],
) {
  return sql<{ cohort_id: string; contact_id: string }[]>`
    select cohort_id, contact_id from cohort_members
    where team_id = ${teamId} and contact_id = any(${[...contactIds]}::uuid[])
      and cohort_id = any(${[...cohortIds]}::uuid[])`;
}

/** Locks those of some cohorts that still follow, in the order of their ids. */
export async function lockFollowers(sql: Sql, teamId: string, ids: readonly string[]) {
  return sql<CohortRow[]>`
    select ${sql.unsafe(cohorts.columns)} from cohorts t
    where t.team_id = ${teamId} and t.id = any(${[...ids]}::uuid[]) and ${sql.unsafe(follows)}
    order by t.id
    for no key update of t`;
}

/** Writes who comes and who goes, of cohorts that are locked. */
export async function writeMoves(sql: Sql, teamId: string, moves: readonly EvaluatedMembership[]) {
  const pairs = (requested: boolean) => {
    const chosen = moves.filter(({ belongs }) => belongs === requested);
    return [
      chosen.map(({ cohort_id }) => cohort_id),
      chosen.map(({ contact_id }) => contact_id),
    ] as const;
  };
  const [[comingTo, coming], [leavingFrom, leaving]] = [pairs(true), pairs(false)];
  return sql<(Moved & { cohort_id: string; belongs: boolean })[]>`
    with gone as (
      delete from cohort_members m
      using unnest(${leavingFrom}::uuid[], ${leaving}::uuid[]) as w (cohort_id, contact_id)
      where m.team_id = ${teamId} and m.cohort_id = w.cohort_id and m.contact_id = w.contact_id
      returning m.cohort_id, m.contact_id, m.joined_at
    ),
    come as (
      insert into cohort_members (team_id, cohort_id, contact_id)
      select ${teamId}, w.cohort_id, w.contact_id
      from unnest(${comingTo}::uuid[], ${coming}::uuid[]) as w (cohort_id, contact_id)
      on conflict do nothing
      returning cohort_id, contact_id, joined_at
    )
    select *, true as belongs from come
    union all
    select *, false from gone`;
}
