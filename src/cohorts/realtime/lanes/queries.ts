import type { Sql } from '../../../platform/database/sql.ts';
import { claimLanesToSignal } from '../../../platform/database/leases.ts';

/** The next team of a lane with changes, behind another one or else from the first on. */
export async function findChangedTeam(
  sql: Sql,
  lane: number,
  after: string,
): Promise<string | undefined> {
  const [row] = await sql<{ team_id: string }[]>`
    select next.team_id from cohort_lanes l
    cross join lateral (
      (select team_id, 0 as turn from cohort_changes
       where team_id > greatest(${after}::uuid, l.first_team_id) and team_id <= l.last_team_id
       order by team_id limit 1)
      union all
      (select team_id, 1 from cohort_changes
       where team_id between l.first_team_id and l.last_team_id
       order by team_id limit 1)
    ) next
    where l.lane = ${lane}
    order by next.turn limit 1`;
  return row?.team_id;
}

/** Idle lanes with changes. */
export async function claimIdleLanes(sql: Sql): Promise<{ lane: number }[]> {
  const hasChanges = sql`
    exists (
        select from cohort_changes c
        where c.team_id between l.first_team_id and l.last_team_id)`;
  return claimLanesToSignal(sql, 'cohort_lanes', hasChanges);
}

/** Age of the oldest change that waits, by the first of each team; 0 when there is none. */
export async function oldestChangeSeconds(sql: Sql): Promise<number> {
  const [row] = await sql<[{ seconds: number }]>`
    with recursive firsts as (
      (select team_id, inserted_at from cohort_changes order by team_id, id limit 1)
      union all
      select next.team_id, next.inserted_at from firsts f
      cross join lateral (
        select team_id, inserted_at from cohort_changes c
        where c.team_id > f.team_id
        order by c.team_id, c.id limit 1
      ) next
    )
    select coalesce(extract(epoch from clock_timestamp() - min(inserted_at)), 0)::float8 as seconds
    from firsts /* any team: a metric */`;
  return row.seconds;
}
