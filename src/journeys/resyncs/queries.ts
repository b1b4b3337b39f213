import { isParked } from '../../platform/database/parked-rows.ts';
import type { Sql } from '../../platform/database/sql.ts';

/** The loop that gives journeys the state of their template, as parked rows name it. */
export const resyncLoopName = 'journey-resyncs';

interface TemplateKey {
  team_id: string;
  id: string;
}

/** Locks some of the journeys of a template that were due while it was paused. */
export async function lockHeld(
  sql: Sql,
  { team_id, id }: TemplateKey,
  limit: number,
): Promise<{ team_id: string; id: string }[]> {
  return sql<{ team_id: string; id: string }[]>`
    select t.team_id, t.id from journeys t
    where t.team_id = ${team_id} and t.template_id = ${id} and t.was_due_when_paused
      and not ${isParked(sql, resyncLoopName, 't')}
    order by t.id
    limit ${limit}
    for no key update`;
}

/** Gives journeys that were due while their template was paused a time again. */
export async function release(sql: Sql, teamId: string, ids: readonly string[]): Promise<void> {
  await sql`
    update journeys t
    set was_due_when_paused = false, updated_at = now(), lock_version = t.lock_version + 1,
      next_due_at = case when t.status = 'scheduled' then now() else (
        select min((step.value ->> 'due_at')::timestamptz) from jsonb_each(t.scheduled_steps) as step) end
    where t.team_id = ${teamId} and t.id = any(${[...ids]}::uuid[])`;
}

/** Some of the open journeys of a template, those with the first ids behind one. */
export async function listBehind(
  sql: Sql,
  { team_id, id }: TemplateKey,
  after: string,
  limit: number,
): Promise<{ team_id: string; id: string; differs: boolean }[]> {
  return sql<{ team_id: string; id: string; differs: boolean }[]>`
    select t.team_id, t.id, t.deadline_at is distinct from p.deadline_at as differs
    from journeys t
    join templates p on p.team_id = t.team_id and p.id = t.template_id
    where t.team_id = ${team_id} and t.template_id = ${id} and t.id > ${after}
      and t.status in ('scheduled', 'active', 'paused')
    order by t.id
    limit ${limit}`;
}

/** Gives journeys the deadline of their template. */
export async function moveDeadlines(
  sql: Sql,
  teamId: string,
  ids: readonly string[],
): Promise<void> {
  await sql`
    update journeys t
    set deadline_at = p.deadline_at, updated_at = now(), lock_version = t.lock_version + 1
    from templates p
    where t.team_id = ${teamId} and t.id = any(${[...ids]}::uuid[])
      and p.team_id = t.team_id and p.id = t.template_id`;
}

/** Requests a resync of all journeys of a template. */
export async function requestResync(
  sql: Sql,
  teamId: string,
  { id }: { id: string },
): Promise<void> {
  await sql`
    insert into journey_resyncs as s (team_id, template_id) values (${teamId}, ${id})
    on conflict (team_id, template_id)
    do update set revision = s.revision + 1, touched_at = clock_timestamp()`;
}

export interface Resync {
  /** Number of requested resyncs of the template. */
  revision: number;
  /** Id after which deadlines are still to be updated; null if the update is done. */
  deadline_cursor: string | null;
}

/** Claims the resync of a template; undefined if none is requested. */
export async function claimResync(sql: Sql, { team_id, id }: { team_id: string; id: string }) {
  const [row] = await sql<Resync[]>`
    update journey_resyncs set touched_at = clock_timestamp(), deadline_revision = revision,
      deadline_cursor = case when deadline_revision = revision then deadline_cursor
        else '00000000-0000-0000-0000-000000000000' end
    where team_id = ${team_id} and template_id = ${id}
    returning revision, deadline_cursor`;
  return row;
}

/** Stores the position of the deadline update, unless a newer resync has restarted it. */
export async function noteMoved(
  sql: Sql,
  { team_id, id }: { team_id: string; id: string },
  { revision, deadline_cursor: after }: Resync,
): Promise<void> {
  await sql`
    update journey_resyncs set deadline_cursor = ${after}
    where team_id = ${team_id} and template_id = ${id} and deadline_revision = ${revision}`;
}

/** Deletes the request, unless there is a newer one. */
export async function finishResync(
  sql: Sql,
  { team_id, id }: { team_id: string; id: string },
  revision: number,
): Promise<void> {
  await sql`
    delete from journey_resyncs
    where team_id = ${team_id} and template_id = ${id} and revision = ${revision}`;
}

/** Whether a template has journeys to be looked at, or contacts that came to its cohorts. */
export async function needsResync(
  sql: Sql,
  { team_id, id, status }: { team_id: string; id: string; status: string },
): Promise<boolean> {
  const [row] = await sql<[{ is_so: boolean }]>`
    select exists (
      select from journey_resyncs where team_id = ${team_id} and template_id = ${id}
    ) or ${status === 'launched'} and exists (
      select from cohort_arrivals where team_id = ${team_id} and template_id = ${id}
    ) as is_so`;
  return row.is_so;
}

/** Templates with work that nobody has touched for a while: their workflow was lost. */
export async function listStaleResyncs(
  sql: Sql,
  untouchedMs: number,
  limit: number,
): Promise<{ team_id: string; id: string }[]> {
  const before = sql`clock_timestamp() - make_interval(secs => ${untouchedMs / 1_000})`;
  return sql<{ team_id: string; id: string }[]>`
    select team_id, template_id as id from journey_resyncs where touched_at < ${before}
    union
    select t.team_id, t.id from templates t
    where t.entry = 'on_cohort_entry' and t.status = 'launched' and t.deleted_at is null
      and exists (
        select from cohort_arrivals a
        where a.team_id = t.team_id and a.template_id = t.id and a.arrived_at < ${before})
    limit ${limit} /* any team: the repair of lost work */`;
}
