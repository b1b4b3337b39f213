import type { Sql } from '../../../../platform/database/sql.ts';

export interface FoundRequest {
  team_id: string;
  request_id: string;
  client_id: string;
  occurred_at: string;
  operation: string;
  status: number;
  error_codes: string[];
  duration_ms: number;
}

/** The latest requests with an id, which callers choose, of any team. */
export async function findRequestsById(sql: Sql, id: string): Promise<FoundRequest[]> {
  return sql<FoundRequest[]>`
    select t.team_id, t.request_id, t.client_id, t.occurred_at, t.operation, t.status,
      t.error_codes, t.duration_ms
    from teams cross join lateral (
      select * from request_log x where x.team_id = teams.id and x.request_id = ${id}) t
    order by t.occurred_at desc
    limit 20 /* any team: team_id is what an operator looks for */`;
}
