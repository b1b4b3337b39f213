import type { Sql } from '../../../platform/database/sql.ts';
import { isParked } from '../../../platform/database/parked-rows.ts';
import { claimLanesToSignal } from '../../../platform/database/leases.ts';
import { changeLoopName } from '../queries.ts';

const isLeftOut = (sql: Sql) => isParked(sql, changeLoopName, 'c', 'contact_id');

/** The next team of a lane with changes, behind another one or else from the first on. */
export async function findChangedTeam(
  sql: Sql,
  lane: number,
  after: string,
): Promise<string | undefined> {
  const [row] = await sql<{ team_id: string }[]>`
    select next.team_id from cohort_lanes l
    cross join lateral (
      (select team_id, 0 as turn from cohort_changes c
       where team_id > greatest(${after}::uuid, l.first_team_id) and team_id <= l.last_team_id
         and not ${isLeftOut(sql)}
       order by team_id limit 1)
      union all
      (select team_id, 1 from cohort_changes c
       where team_id between l.first_team_id and l.last_team_id and not ${isLeftOut(sql)}
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
        where c.team_id between l.first_team_id and l.last_team_id and not ${isLeftOut(sql)})`;
  return claimLanesToSignal(sql, 'cohort_lanes', hasChanges);
}

/** For how long the oldest change of each lane waits, in seconds; lanes without one are left out. */
export async function overdueLanes(sql: Sql): Promise<{ lane: number; seconds: number }[]> {
  return sql<{ lane: number; seconds: number }[]>`
    with recursive firsts as (
      (select team_id, inserted_at from cohort_changes c
       where not ${isLeftOut(sql)}
       order by team_id, id limit 1)
      union all
      select next.team_id, next.inserted_at from firsts f
      cross join lateral (
        select team_id, inserted_at from cohort_changes c
        where c.team_id > f.team_id and not ${isLeftOut(sql)}
        order by c.team_id, c.id limit 1
      ) next
    )
    select l.lane::int as lane,
      extract(epoch from clock_timestamp() - min(f.inserted_at))::float8 as seconds
    from firsts f
    join cohort_lanes l on f.team_id between l.first_team_id and l.last_team_id
    group by l.lane /* any team: a metric */`;
}
