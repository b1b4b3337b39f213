import type { Sql } from '../../platform/database/sql.ts';

/**
 * Moves last_engaged_at forward, never back. Locked in the order of ids, so that two batches with
 * the same contacts do not lock each other out.
 */
export async function recordLastEngagement(
  sql: Sql,
  teamId: string,
  latest: ReadonlyMap<string, string>,
): Promise<void> {
  if (latest.size === 0) return;
  await sql`
    with engaged as (
      select c.id, e.at
      from unnest(${[...latest.keys()]}::uuid[], ${[...latest.values()]}::timestamptz[]) as e (id, at)
      join contacts c on c.team_id = ${teamId} and c.id = e.id
      where c.last_engaged_at is null or c.last_engaged_at < e.at
      order by c.id
      for no key update of c
    )
    update contacts t
    set last_engaged_at = engaged.at
    from engaged
    where t.team_id = ${teamId} and t.id = engaged.id
      and (t.last_engaged_at is null or t.last_engaged_at < engaged.at)`;
}
