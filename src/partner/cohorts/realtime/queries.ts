import type { Sql } from '../../../database/client.ts';
import { collectValues } from '../../../listing/statement.ts';
import { predicateOf } from '../definition/predicate.ts';
import type { Rule } from '../definition/tree.ts';
import type { Moved } from '../members/queries.ts';
import { isKept, shownCohort } from '../queries.ts';
import type { CohortRow } from '../queries.ts';

/** Those that follow every change, of a row of cohorts with the alias t. */
const follows = `t.evaluation_mode = 'realtime' and t.archived_at is null and t.deleted_at is null`;

/**
 * Takes every cohort of the team that follows changes for this transaction, but those that are being
 * evaluated by somebody else at this moment. To be called before anything else is read: who comes
 * next sees what this transaction did, and this one what the last did.
 */
export async function holdFollowers(
  sql: Sql,
  teamId: string,
): Promise<{ held: readonly string[]; busy: readonly string[] }> {
  const rows = await sql<{ id: string; is_held: boolean }[]>`
    select t.id, pg_try_advisory_xact_lock(hashtextextended('cohort ' || t.id, 0)) as is_held
    from cohorts t
    where t.team_id = ${teamId} and ${sql.unsafe(follows)}`;
  const ids = (wanted: boolean) =>
    rows.filter(({ is_held: isHeld }) => isHeld === wanted).map(({ id }) => id);
  return { held: ids(true), busy: ids(false) };
}

/** One that could not be evaluated waits for the whole evaluation that its schedule brings. */
export async function findFollowers(sql: Sql, teamId: string, ids: readonly string[]) {
  return sql<CohortRow[]>`
    select ${sql.unsafe(shownCohort)} from cohorts t
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
 * Takes away the changes that were noted first, but those for cohorts that are busy. Whatever reads
 * after this sees what was changed, and who changes it again notes it again.
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
      select id from cohort_changes
      where team_id = ${teamId} and (cohort_id is null or cohort_id <> all(${[...busy]}::uuid[]))
      order by id limit ${limit}
      for update skip locked
    )
    returning contact_id, cohort_id`;
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

/** Those of some contacts whose membership is not what the rule of the cohort says, and what it is. */
export async function findMoving(
  sql: Sql,
  { team_id, id }: CohortRow,
  rule: Rule,
  contactIds: readonly string[],
  asOf: string,
): Promise<{ contact_id: string; belongs: boolean }[]> {
  const { values, bind } = collectValues([team_id]);
  const ids = bind(`{${contactIds.join(',')}}`, 'uuid[]');
  const cohort = bind(id, 'uuid');
  return sql.unsafe<{ contact_id: string; belongs: boolean }[]>(
    // The offset keeps the rule from being worked out twice.
    `select contact_id, belongs from (
      select t.id as contact_id, (${isKept} and ${predicateOf(rule, bind, asOf)}) as belongs,
        exists (select from cohort_members m where m.team_id = $1 and m.contact_id = t.id
          and m.cohort_id = ${cohort}) as is_member
      from contacts t
      where t.team_id = $1 and t.id = any(${ids})
      offset 0
    ) seen
    where belongs <> is_member`,
    values,
  );
}

/** Locks those of some cohorts that still follow, in the order of their ids. */
export async function lockFollowers(sql: Sql, teamId: string, ids: readonly string[]) {
  return sql<CohortRow[]>`
    select ${sql.unsafe(shownCohort)} from cohorts t
    where t.team_id = ${teamId} and t.id = any(${[...ids]}::uuid[]) and ${sql.unsafe(follows)}
    order by t.id
    for no key update of t`;
}

/** A contact that comes to a cohort or leaves it. */
export interface Move {
  cohort_id: string;
  contact_id: string;
  belongs: boolean;
}

/** Writes who comes and who goes, of cohorts that are locked. */
export async function writeMoves(sql: Sql, teamId: string, moves: readonly Move[]) {
  const pairs = (wanted: boolean) => {
    const chosen = moves.filter(({ belongs }) => belongs === wanted);
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
