import type { Sql } from '../../platform/database/sql.ts';

/** Ids of the teams and clients that an operator has suspended. */
export async function listSuspended(sql: Sql): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id from teams where suspended_at is not null /* any team: workers serve all */
    union all
    select id from clients where suspended_at is not null /* any team: workers serve all */`;
  return rows.map(({ id }) => id);
}

/** Which of some teams are suspended. */
export async function findSuspendedTeams(
  sql: Sql,
  teamIds: readonly string[],
): Promise<Set<string>> {
  if (teamIds.length === 0) return new Set();
  const rows = await sql<{ id: string }[]>`
    select id from teams
    where id = any(${[...teamIds]}::uuid[]) and suspended_at is not null /* team_id is the id */`;
  return new Set(rows.map(({ id }) => id));
}

export async function isTeamSuspended(sql: Sql, teamId: string): Promise<boolean> {
  return (await findSuspendedTeams(sql, [teamId])).has(teamId);
}
