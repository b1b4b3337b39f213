import type { Sql } from '../../../database/client.ts';
import { collectValues } from '../../../listing/statement.ts';
import { predicateOf } from '../definition/predicate.ts';
import type { Rule } from '../definition/tree.ts';
import { isKept, shownCohort } from '../queries.ts';
import type { CohortRow } from '../queries.ts';

/** One evaluation of a cohort at a time, without holding up those who change its row. */
export async function holdEvaluation(sql: Sql, id: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`cohort ${id}`}, 0))`;
}

/**
 * Makes the contacts that a rule means the members of a cohort; members that stay keep the time
 * that they joined. Gives how many came and went.
 */
export async function writeMembers(
  sql: Sql,
  { team_id, id }: CohortRow,
  rule: Rule,
  asOf: string,
): Promise<{ joined: number; left: number }> {
  const { values, bind } = collectValues([team_id]);
  const cohort = bind(id, 'uuid');
  const [counts] = await sql.unsafe<[{ joined: number; left: number }]>(
    `with meant as materialized (
      select t.id from contacts t
      where t.team_id = $1 and ${isKept} and ${predicateOf(rule, bind, asOf)}
    ),
    gone as (
      delete from cohort_members m
      where m.team_id = $1 and m.cohort_id = ${cohort}
        and not exists (select from meant where meant.id = m.contact_id)
      returning m.contact_id
    ),
    come as (
      insert into cohort_members (team_id, cohort_id, contact_id)
      select $1, ${cohort}, meant.id from meant
      where not exists (
        select from cohort_members m
        where m.team_id = $1 and m.cohort_id = ${cohort} and m.contact_id = meant.id)
      returning contact_id
    )
    select (select count(*)::int from come) as joined, (select count(*)::int from gone) as left`,
    values,
  );
  return counts;
}

/**
 * Writes down that the members are those of now; the next time is an interval later, or now where
 * the definition has become another meanwhile.
 */
export async function markEvaluated(
  sql: Sql,
  { team_id, id, evaluation_mode }: CohortRow,
  change: { joined: number; left: number },
  { tookMs, isStale }: { tookMs: number; isStale: boolean },
): Promise<CohortRow> {
  const isScheduled = evaluation_mode === 'scheduled';
  const [row] = await sql<[CohortRow]>`
    update cohorts t
    set evaluation_status = 'ready', last_evaluated_at = now(),
      last_evaluation_ms = ${Math.round(tookMs)}, last_error = null, updated_at = now(),
      member_count = member_count + ${change.joined - change.left}::int,
      lock_version = lock_version + 1,
      next_evaluation_at = case when archived_at is not null then null
        when ${isStale} then now()
        when ${isScheduled} then now() + make_interval(secs => refresh_interval_seconds) end
    where t.team_id = ${team_id} and t.id = ${id}
    returning ${sql.unsafe(shownCohort)}`;
  return row;
}

/** Says that an evaluation is under way; nothing that lists or events tell of otherwise. */
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
      next_evaluation_at = case when evaluation_mode = 'scheduled' and archived_at is null
        then now() + make_interval(secs => refresh_interval_seconds) end
    where team_id = ${team_id} and id = ${id}`;
}

/** Cohorts that are due and untouched: their workflow was lost. */
export async function listOverdueCohorts(sql: Sql, overdueMs: number, limit: number) {
  return sql<{ id: string; team_id: string }[]>`
    select id, team_id from cohorts /* of every team_id: repair */
    where next_evaluation_at < now() - make_interval(secs => ${overdueMs / 1_000})
      and deleted_at is null
    limit ${limit}`;
}
