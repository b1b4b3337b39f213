import { isParked } from '../../platform/database/parked-rows.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { isOpenRow } from '../queries.ts';
import type { Happened } from '../queries.ts';
import type { Ending } from '../rules.ts';

/** Columns of a journey that ends: no step stays due. */
const endsWith = (sql: Sql, { status, reason }: Ending) => sql`
  set status = ${status}, exit_reason = ${reason}, next_due_at = null, was_due_when_paused = false,
    scheduled_steps = '{}', paused_at = null,
    completed_at = case when ${status === 'completed'} then now() end,
    exited_at = case when ${status === 'completed'} then null else now() end,
    lock_version = t.lock_version + 1, updated_at = now()`;

/** Deletes the data of the journeys found: messages of a journey that has ended are not sent. */
const deletedData = (sql: Sql, teamId: string) => sql`
  deleted as (
    delete from journey_data
    where team_id = ${teamId} and journey_id = any(array(select id from found))
  )`;

/** Ends those of some journeys that are open. */
export async function endJourneys(
  sql: Sql,
  teamId: string,
  ids: readonly string[],
  ending: Ending,
): Promise<Happened[]> {
  return sql<Happened[]>`
    with found as (
      select t.id from journeys t
      where t.team_id = ${teamId} and t.id = any(${[...ids]}::uuid[]) and ${sql.unsafe(isOpenRow)}
      order by t.id
      for no key update
    ),
    ${deletedData(sql, teamId)}
    update journeys t ${endsWith(sql, ending)}
    from found where t.team_id = ${teamId} and t.id = found.id
    returning t.id, t.contact_id, t.template_id`;
}

/** The loop that ends the journeys of a template, as parked rows name it. */
export const endingLoopName = 'journey-endings';

/** Locks some of the open journeys of a template, those with the first ids. */
export async function lockOpenOf(
  sql: Sql,
  { team_id, id }: { team_id: string; id: string },
  limit: number,
): Promise<{ team_id: string; id: string }[]> {
  return sql<{ team_id: string; id: string }[]>`
    select t.team_id, t.id from journeys t
    where t.team_id = ${team_id} and t.template_id = ${id} and ${sql.unsafe(isOpenRow)}
      and not ${isParked(sql, endingLoopName, 't')}
    order by t.id
    limit ${limit}
    for no key update`;
}

/** The open journeys of some contacts. */
export async function findOpenOf(
  sql: Sql,
  teamId: string,
  contactIds: readonly string[],
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select t.id from journeys t
    where t.team_id = ${teamId} and t.contact_id = any(${[...contactIds]}::uuid[])
      and ${sql.unsafe(isOpenRow)}`;
  return rows.map(({ id }) => id);
}

/**
 * The open journeys of some contacts whose messages all go by channels that the contact has
 * unsubscribed from. As when they are sent, only marketing and text messages ask for that.
 */
export async function findUnsubscribed(
  sql: Sql,
  teamId: string,
  contactIds: readonly string[],
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select t.id from journeys t
    join contacts c on c.team_id = ${teamId} and c.id = t.contact_id
    join template_versions v on v.team_id = ${teamId} and v.template_id = t.template_id
      and v.version = t.template_version
    cross join lateral (
      select bool_and(coalesce(c.consents -> m.channel ->> 'status', 'never') = 'unsubscribed'
        and (m.purpose = 'marketing' or m.channel = 'sms')) as is_refused
      from jsonb_to_recordset(v.content -> 'messages') as m (channel text, purpose text)
    ) as messages
    where t.team_id = ${teamId} and t.contact_id = any(${[...contactIds]}::uuid[])
      and ${sql.unsafe(isOpenRow)} and messages.is_refused`;
  return rows.map(({ id }) => id);
}

/** Some open journeys that a cohort brought, of contacts that have left it. */
export async function findLeft(
  sql: Sql,
  teamId: string,
  { cohortId, contactIds }: { cohortId: string; contactIds: readonly string[] | undefined },
  limit: number,
): Promise<string[]> {
  // Few that left must not cost a look at everybody whom the cohort brought.
  const isAsked = contactIds ? sql`and t.contact_id = any(${[...contactIds]}::uuid[])` : sql``;
  const rows = await sql<{ id: string }[]>`
    select t.id from journeys t
    join template_versions v on v.team_id = ${teamId} and v.template_id = t.template_id
      and v.version = t.template_version
    where t.team_id = ${teamId} and t.cohort_id = ${cohortId} and ${sql.unsafe(isOpenRow)}
      ${isAsked} and v.exit_on_leaving_cohort and not exists (
        select from cohort_members m
        where m.team_id = ${teamId} and m.cohort_id = ${cohortId} and m.contact_id = t.contact_id)
    order by t.id
    limit ${limit}`;
  return rows.map(({ id }) => id);
}

/**
 * Open journeys of contacts that have an objective which was just completed, locked: a concurrent
 * completion of another objective waits for the lock, and then sees all completions.
 */
export async function lockJourneysWith(
  sql: Sql,
  teamId: string,
  completed: readonly { contact_id: string; objective_id: string }[],
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select t.id from journeys t
    join template_versions v on v.team_id = t.team_id and v.template_id = t.template_id
      and v.version = t.template_version
    where t.team_id = ${teamId} and t.contact_id = any(${completed.map((c) => c.contact_id)}::uuid[])
      and ${sql.unsafe(isOpenRow)} and v.exit_on_objectives and exists (
        select from unnest(${completed.map((c) => c.contact_id)}::uuid[],
          ${completed.map((c) => c.objective_id)}::uuid[]) as done (contact_id, objective_id)
        where done.contact_id = t.contact_id and done.objective_id = any(v.objective_ids))
    order by t.id
    for no key update of t`;
  return rows.map(({ id }) => id);
}

/** Those of some journeys whose objectives are all completed. */
export async function findFulfilled(
  sql: Sql,
  teamId: string,
  ids: readonly string[],
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select t.id from journeys t
    join template_versions v on v.team_id = t.team_id and v.template_id = t.template_id
      and v.version = t.template_version
    where t.team_id = ${teamId} and t.id = any(${[...ids]}::uuid[]) and not exists (
      select from unnest(v.objective_ids) as requested (id)
      join objectives o on o.team_id = ${teamId} and o.id = requested.id
      where not exists (
        select from objective_completions c
        where c.team_id = ${teamId} and c.objective_id = o.id and c.contact_id = t.contact_id
          and c.voided_at is null and (not o.is_repeatable or c.completed_at >= t.enrolled_at)))`;
  return rows.map(({ id }) => id);
}
