import { entitledOf } from '../../platform/database/entitled.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { collectValues } from '../../platform/lists/statement.ts';
import { predicateOf } from '../definition/predicate.ts';
import type { Rule } from '../definition/tree.ts';
import type { Moved } from '../members/queries.ts';
import { cohorts, isKept } from '../queries.ts';
import type { CohortRow } from '../queries.ts';
import type { AuthorizedCohort } from '../rights.ts';

/** One evaluation of a cohort at a time, without holding up those who change its row. */
export async function holdEvaluation(sql: Sql, id: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('cohort ' || ${id}::uuid, 0))`;
}

/** Members that an evaluation added and removed: counts, and ids as far as they are requested. */
export interface Change {
  joined: number;
  left: number;
  came: readonly Moved[];
  went: readonly Moved[];
}

/**
 * Makes the contacts that a rule means the members of a cohort; members that stay keep the time
 * that they joined. Returns at most `most` contacts that joined and left.
 */
export async function writeMembers(
  sql: Sql,
  { team_id, id }: CohortRow,
  rule: Rule,
  asOf: string,
  most: number,
): Promise<Change> {
  const { values, bind } = collectValues([team_id]);
  const cohort = bind(id, 'uuid');
  const limit = bind(most, 'int');
  const some = (from: string) =>
    `coalesce((select jsonb_agg(one) from (select * from ${from} limit ${limit}) one), '[]')`;
  const [counts] = await sql.unsafe<[Change]>(
    `with moved as materialized (
      select coalesce(meant.id, m.contact_id) as id, meant.id is null as is_gone
      from (
        select t.id from contacts t
        where t.team_id = $1 and ${isKept} and ${predicateOf(rule, bind, asOf, 'all')}
      ) meant
      full join (
        select m.contact_id from cohort_members m
        where m.team_id = $1 and m.cohort_id = ${cohort}
      ) m on m.contact_id = meant.id
      where m.contact_id is null or meant.id is null
    ),
    gone as (
      delete from cohort_members m
      where m.team_id = $1 and m.cohort_id = ${cohort}
        and m.contact_id in (select id from moved where is_gone)
      returning m.contact_id, m.joined_at
    ),
    come as (
      insert into cohort_members (team_id, cohort_id, contact_id)
      select $1, ${cohort}, moved.id from moved where not is_gone
      -- In the order of the indexes, whose pages are then written one after the other.
      order by moved.id
      returning contact_id, joined_at
    )
    select (select count(*)::int from come) as joined, (select count(*)::int from gone) as left,
      ${some('come')} as came, ${some('gone')} as went`,
    values,
  );
  return counts;
}

/** Between two evaluations of a cohort that has not settled. */
const settlingSeconds = 10;

/**
 * Records an evaluation and sets the time of the next one. It is due now if another one was
 * requested meanwhile, and soon if the cohort is not caught up. Otherwise it is due after the
 * refresh interval.
 */
export async function markEvaluated(
  sql: Sql,
  { team_id, id }: CohortRow,
  { joined, left }: Pick<Change, 'joined' | 'left'>,
  { tookMs, isStale, isCaughtUp }: { tookMs: number; isStale: boolean; isCaughtUp: boolean },
): Promise<CohortRow> {
  const [row] = await sql<[CohortRow]>`
    update cohorts t
    set evaluation_status = case when ${isStale} and archived_at is null then 'queued'
        else 'ready' end,
      last_evaluated_at = now(), last_evaluation_ms = ${Math.round(tookMs)}, last_error = null,
      member_count = member_count + ${joined - left}::int,
      is_caught_up = is_caught_up or (${isCaughtUp} and not ${isStale}),
      updated_at = now(), lock_version = lock_version + 1,
      next_evaluation_at = case when archived_at is not null then null
        when ${isStale} then now()
        when evaluation_mode = 'on_demand' then null
        when not (is_caught_up or ${isCaughtUp}) then now() + make_interval(secs => ${settlingSeconds})
        else now() + make_interval(secs => refresh_interval_seconds) end
    where t.team_id = ${team_id} and t.id = ${id}
    returning ${sql.unsafe(cohorts.columns)}`;
  return row;
}

/** The next transaction id, by which `haveEndedBefore` checks that all earlier ones have ended. */
export async function nextTransaction(sql: Sql): Promise<string> {
  const [row] = await sql<[{ next: string }]>`
    select pg_snapshot_xmax(pg_current_snapshot())::text as next`;
  return row.next;
}

/** Whether every transaction before this one has ended, of those that write. */
export async function haveEndedBefore(sql: Sql, transaction: string): Promise<boolean> {
  const [row] = await sql<[{ ended: boolean }]>`
    select pg_snapshot_xmin(pg_current_snapshot()) >= ${transaction}::text::xid8 as ended`;
  return row.ended;
}

/** Sets the status of a running evaluation, without an event and without a new version. */
export async function markEvaluating(sql: Sql, { team_id, id }: CohortRow): Promise<void> {
  await sql`
    update cohorts set evaluation_status = 'evaluating'
    where team_id = ${team_id} and id = ${id} and next_evaluation_at is not null`;
}

/** Writes down why an evaluation could not be; the schedule tries again in its time. */
export async function markFailed(
  sql: Sql,
  { team_id, id }: CohortRow,
  error: string,
): Promise<void> {
  await sql`
    update cohorts
    set evaluation_status = 'failed', last_error = ${error}, updated_at = now(),
      lock_version = lock_version + 1,
      next_evaluation_at = case when evaluation_mode <> 'on_demand' and archived_at is null
        then now() + make_interval(secs => refresh_interval_seconds) end
    where team_id = ${team_id} and id = ${id}`;
}

/** The cohort with the present rights of its client; undefined where it is deleted. */
export async function findAuthorizedCohort(
  sql: Sql,
  teamId: string,
  id: string,
): Promise<AuthorizedCohort | undefined> {
  const [row] = await sql<AuthorizedCohort[]>`
    select ${sql.unsafe(cohorts.columns)}, ${sql.unsafe(entitledOf('t', 'set_by_client_id'))} as entitled
    from cohorts t
    where t.team_id = ${teamId} and t.id = ${id} and t.deleted_at is null`;
  return row;
}

/** Cohorts that are due and untouched: their workflow was lost. */
export async function listOverdueCohorts(sql: Sql, overdueMs: number, limit: number) {
  return sql<{ id: string; team_id: string }[]>`
    select id, team_id from cohorts /* of every team_id: repair */
    where next_evaluation_at < now() - make_interval(secs => ${overdueMs / 1_000})
      and deleted_at is null
    order by next_evaluation_at limit ${limit}`;
}
