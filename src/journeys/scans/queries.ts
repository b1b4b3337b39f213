import type { Sql } from '../../platform/database/sql.ts';

/** The members of cohorts on their way into a template. */
export interface ScanRow {
  team_id: string;
  id: string;
  template_id: string;
  cohort_ids: string[];
  started_at: string;
  /** Which of the cohorts, from 1. */
  position: number;
  seen_count: number;
  enrolled_count: number;
  finished_at: string | null;
}

/** Begins a scan, unless it has begun. */
export async function insertScan(
  sql: Sql,
  scan: Pick<ScanRow, 'team_id' | 'id' | 'template_id' | 'cohort_ids'>,
): Promise<void> {
  const { team_id, id, template_id, cohort_ids } = scan;
  await sql`
    insert into enrollment_scans (team_id, id, template_id, cohort_ids)
    values (${team_id}, ${id}, ${template_id}, ${[...cohort_ids]}::uuid[])
    on conflict do nothing`;
}

export async function findScan(sql: Sql, teamId: string, id: string) {
  const [row] = await sql<ScanRow[]>`
    select * from enrollment_scans where team_id = ${teamId} and id = ${id}`;
  return row;
}

/** Locks a scan that is not finished, so that its members are looked at by one at a time. */
export async function lockOpenScan(sql: Sql, teamId: string, id: string) {
  const [row] = await sql<ScanRow[]>`
    select * from enrollment_scans
    where team_id = ${teamId} and id = ${id} and finished_at is null
    for no key update`;
  return row;
}

export interface ScannedMember {
  contact_id: string;
  joined_at: string;
}

/** The next members of the cohort that a scan is at, as far as they came before it began. */
export async function nextMembers(
  sql: Sql,
  { team_id, id }: ScanRow,
  limit: number,
): Promise<ScannedMember[]> {
  return sql<ScannedMember[]>`
    select m.contact_id, m.joined_at
    from enrollment_scans s
    cross join lateral (
      select c.contact_id, c.joined_at from cohort_members c
      where c.team_id = s.team_id and c.cohort_id = s.cohort_ids[s.position]
        and (c.joined_at, c.contact_id) > (s.after_joined_at, s.after_contact_id)
        and c.joined_at <= s.started_at
      order by c.joined_at, c.contact_id
      limit ${limit}
    ) m
    where s.team_id = ${team_id} and s.id = ${id}
    order by m.joined_at, m.contact_id`;
}

/** Writes down how far a scan, which is locked, has got. */
export async function advanceScan(
  sql: Sql,
  { team_id, id }: ScanRow,
  { last, seen, enrolled }: { last: ScannedMember | undefined; seen: number; enrolled: number },
): Promise<void> {
  await sql`
    update enrollment_scans
    set seen_count = seen_count + ${seen}::int, enrolled_count = enrolled_count + ${enrolled}::int,
      after_joined_at = coalesce(${last?.joined_at ?? null}::timestamptz, after_joined_at),
      after_contact_id = coalesce(${last?.contact_id ?? null}::uuid, after_contact_id)
    where team_id = ${team_id} and id = ${id}`;
}

/** Continues with the next cohort, or finishes the scan after the last one. */
export async function leaveCohort(sql: Sql, { team_id, id }: ScanRow): Promise<void> {
  await sql`
    update enrollment_scans
    set position = position + 1, after_joined_at = '-infinity',
      after_contact_id = '00000000-0000-0000-0000-000000000000',
      finished_at = case when position >= cardinality(cohort_ids) then now() end
    where team_id = ${team_id} and id = ${id}`;
}

/** Number of members of the cohorts of a scan, for its progress. */
export async function countMembers(sql: Sql, { team_id, cohort_ids }: ScanRow): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select coalesce(sum(member_count), 0)::bigint as count from cohorts
    where team_id = ${team_id} and id = any(${cohort_ids}::uuid[])`;
  return row.count;
}

export interface Arrival {
  id: number;
  contact_id: string;
  cohort_id: string;
  is_member: boolean;
}

/**
 * Deletes and returns the oldest arrivals in the cohorts of a template, and whether each is still a
 * member.
 */
export async function takeArrivals(
  sql: Sql,
  { team_id, id }: { team_id: string; id: string },
  limit: number,
): Promise<Arrival[]> {
  return sql<Arrival[]>`
    delete from cohort_arrivals a
    where a.team_id = ${team_id} and a.template_id = ${id} and a.id in (
      select n.id from cohort_arrivals n
      where n.team_id = ${team_id} and n.template_id = ${id}
      order by n.id limit ${limit}
      for update skip locked)
    returning a.id, a.contact_id, a.cohort_id, exists (
      select from cohort_members m
      where m.team_id = ${team_id} and m.contact_id = a.contact_id and m.cohort_id = a.cohort_id
    ) as is_member`;
}

/** Gives journeys that were due while their template was paused a time again. */
export async function releaseHeld(
  sql: Sql,
  { team_id, id }: { team_id: string; id: string },
  limit: number,
): Promise<number> {
  const rows = await sql`
    with found as (
      select t.id from journeys t
      where t.team_id = ${team_id} and t.template_id = ${id} and t.was_due_when_paused
      order by t.id
      limit ${limit}
      for no key update
    )
    update journeys t
    set was_due_when_paused = false, updated_at = now(), lock_version = t.lock_version + 1,
      next_due_at = case when t.status = 'scheduled' then now() else (
        select min((step.value ->> 'due_at')::timestamptz) from jsonb_each(t.scheduled_steps) as step) end
    from found where t.team_id = ${team_id} and t.id = found.id`;
  return rows.count;
}

/** Gives journeys behind an id the deadline of their template; returns the last of them, null for none. */
export async function moveDeadlines(
  sql: Sql,
  { team_id, id }: { team_id: string; id: string },
  after: string,
  limit: number,
): Promise<string | null> {
  const [row] = await sql<[{ last: string | null }]>`
    with found as materialized (
      select t.id, t.deadline_at is distinct from p.deadline_at as differs, p.deadline_at
      from journeys t
      join templates p on p.team_id = t.team_id and p.id = t.template_id
      where t.team_id = ${team_id} and t.template_id = ${id} and t.id > ${after}
        and t.status in ('scheduled', 'active', 'paused')
      order by t.id
      limit ${limit}
    ),
    moved as (
      update journeys t
      set deadline_at = found.deadline_at, updated_at = now(), lock_version = t.lock_version + 1
      from found where t.team_id = ${team_id} and t.id = found.id and found.differs
    )
    select max(id::text)::uuid as last from found`;
  return row.last;
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
export async function settle(
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

/** Deletes arrivals in the cohorts of a template that enrolls nobody any more. */
export async function forgetArrivals(
  sql: Sql,
  { team_id, id }: { team_id: string; id: string },
  limit: number,
): Promise<number> {
  const rows = await sql`
    delete from cohort_arrivals
    where team_id = ${team_id} and template_id = ${id} and id in (
      select id from cohort_arrivals
      where team_id = ${team_id} and template_id = ${id}
      order by id limit ${limit})`;
  return rows.count;
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
