import type { Fragment, Sql } from './sql.ts';

/** A row of a background loop. */
export interface RowKey {
  team_id: string;
  id: string;
}

/**
 * Lets a loop leave a row out: for a minute at first, four times as long after each further failure,
 * and six hours at most. Returns how often it was parked.
 */
export async function parkRow(
  sql: Sql,
  loop: string,
  { team_id, id }: RowKey,
  reason: string,
): Promise<{ attempts: number; parked_until: string }> {
  const [row] = await sql<[{ attempts: number; parked_until: string }]>`
    insert into parked_rows as p (loop, team_id, row_id, reason, parked_until)
    values (${loop}, ${team_id}, ${id}, ${reason}, clock_timestamp() + interval '1 minute')
    on conflict (loop, team_id, row_id) do update
    set attempts = least(p.attempts + 1, 1000), reason = excluded.reason,
      parked_until = clock_timestamp()
        + least(interval '6 hours', interval '1 minute' * 4 ^ least(p.attempts, 5))
    returning attempts, parked_until`;
  return row;
}

export async function unparkRow(sql: Sql, loop: string, { team_id, id }: RowKey): Promise<void> {
  await sql`
    delete from parked_rows where loop = ${loop} and team_id = ${team_id} and row_id = ${id}`;
}

/** Condition that a loop leaves the row with this alias and these key columns out. */
export function isParked(sql: Sql, loop: string, alias: string, idColumn = 'id'): Fragment {
  return sql`exists (
    select from parked_rows p
    where p.loop = ${loop} and p.team_id = ${sql.unsafe(`${alias}.team_id`)}
      and p.row_id = ${sql.unsafe(`${alias}.${idColumn}::text`)} and p.parked_until > now())`;
}

/** The rows that a loop leaves out now. */
export async function listParked(sql: Sql, loop: string): Promise<RowKey[]> {
  return sql<RowKey[]>`
    select team_id, row_id as id from parked_rows
    where loop = ${loop} and parked_until > now() /* any team: loops serve all */`;
}

/** Numbers of rows that are left out now, by loop. */
export async function countParked(sql: Sql): Promise<{ loop: string; count: number }[]> {
  return sql<{ loop: string; count: number }[]>`
    select loop, count(*)::int as count from parked_rows
    where parked_until > now()
    group by loop /* any team: a metric */`;
}

/** Forgets rows that no loop has met for a week; returns their number. */
export async function pruneParked(sql: Sql): Promise<number> {
  const { count } = await sql`
    delete from parked_rows
    where parked_until < now() - interval '7 days' /* any team: housekeeping */`;
  return count;
}
