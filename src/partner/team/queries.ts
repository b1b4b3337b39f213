import type { Sql } from '../../database/client.ts';

export interface TeamRow {
  id: string;
  name: string;
  tier: string;
  timezone: string;
  currency: string;
  inserted_at: string;
  updated_at: string;
}

export async function insertTeam(sql: Sql, name: string, tier: string): Promise<TeamRow> {
  const [row] = await sql<[TeamRow]>`
    insert into teams (name, tier) values (${name}, ${tier})
    returning *`;
  return row;
}

/** The team of a token, which exists. */
export async function requireTeam(sql: Sql, teamId: string): Promise<TeamRow> {
  const [row] = await sql<[TeamRow]>`
    select * from teams where id = ${teamId} /* team_id is this id */`;
  return row;
}

export async function setTeamTier(sql: Sql, teamId: string, tier: string) {
  const [row] = await sql<TeamRow[]>`
    update teams set tier = ${tier}, updated_at = now(), lock_version = lock_version + 1
    where id = ${teamId} /* team_id is this id */
    returning *`;
  return row;
}

export async function listTeams(sql: Sql): Promise<TeamRow[]> {
  return sql<TeamRow[]>`select * from teams order by inserted_at, id /* any team: operators */`;
}

/**
 * Makes changes of one team's administration wait for each other, so that what they count stays
 * true until they commit. Nothing else waits for it.
 */
export async function lockTeam(sql: Sql, teamId: string): Promise<void> {
  await sql`
    select from teams where id = ${teamId} /* team_id is this id */
    for no key update`;
}
