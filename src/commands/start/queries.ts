import type { Sql } from '../../platform/database/sql.ts';

/**
 * Removes a team and everything that is its own, in one transaction of a superuser: nothing else may
 * end rows without their triggers and references. Returns whether there was one.
 */
export async function removeTeam(sql: Sql, teamId: string): Promise<boolean> {
  await sql`set local session_replication_role = replica`;
  const tables = await sql<{ name: string }[]>`
    select c.relname as name from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'team_id' and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`;
  for (const { name } of tables) await sql`delete from ${sql(name)} where team_id = ${teamId}`;
  const { count } = await sql`delete from teams where id = ${teamId}`;
  return count > 0;
}
