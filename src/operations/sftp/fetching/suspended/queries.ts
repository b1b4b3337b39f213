import type { Sql } from '../../../../platform/database/sql.ts';
import type { OpenFetch } from '../queries.ts';

/** Whether the team, or the client that last set the source up, is suspended: its files wait. */
export async function isSourceSuspended(
  sql: Sql,
  { team_id, file_source_id }: OpenFetch,
): Promise<boolean> {
  const [row] = await sql<{ is_suspended: boolean }[]>`
    select m.suspended_at is not null or c.suspended_at is not null as is_suspended
    from file_sources s
    join teams m on m.id = s.team_id
    left join clients c on c.team_id = s.team_id and c.id = s.client_id
    where s.team_id = ${team_id} and s.id = ${file_source_id}`;
  return row?.is_suspended ?? false;
}
