import type { Sql } from '../platform/database/sql.ts';
import { seedObjectives } from '../campaigns/objectives/queries.ts';
import { insertTeam } from '../team/queries.ts';
import type { TeamRow } from '../team/queries.ts';

/** Makes a team with what every team starts with. */
export async function createTeam(sql: Sql, team: { name: string; tier: string }): Promise<TeamRow> {
  const row = await insertTeam(sql, team.name, team.tier);
  await seedObjectives(sql, row.id);
  return row;
}
