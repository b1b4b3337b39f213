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

/** Adds to the number of those whom a scan has enrolled. */
export async function addEnrolled(
  sql: Sql,
  { team_id, id }: ScanRow,
  enrolled: number,
): Promise<void> {
  await sql`
    update enrollment_scans set enrolled_count = enrolled_count + ${enrolled}::int
    where team_id = ${team_id} and id = ${id}`;
}

/** Locks a scan as it was read; false if somebody else has moved it on since. */
export async function lockUnmoved(
  sql: Sql,
  { team_id, id, position, seen_count }: ScanRow,
): Promise<boolean> {
  const rows = await sql`
    select from enrollment_scans
    where team_id = ${team_id} and id = ${id} and finished_at is null
      and position = ${position} and seen_count = ${seen_count}
    for no key update`;
  return rows.length > 0;
}

/** Writes down how far a scan, which is locked, has got. */
export async function advanceScan(
  sql: Sql,
  { team_id, id }: ScanRow,
  members: readonly ScannedMember[],
): Promise<void> {
  const last = members.at(-1);
  await sql`
    update enrollment_scans
    set seen_count = seen_count + ${members.length}::int,
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
