import { seedContacts } from '../../src/commands/seed/queries.ts';
import type { Machine } from '../world/machine.ts';
import type { Team } from '../world/teams.ts';

const atOnce = 10_000;

/** For statements about all rows of a large team. */
export const patient = { deadlineMs: 600_000 };

/** Inserts that many contacts with their accounts for a team, and reports its progress. */
export async function seedTeam(
  { database }: Machine,
  team: Team,
  contacts: number,
  note: (line: string) => void,
): Promise<void> {
  for (let first = 1; first <= contacts; first += atOnce) {
    const count = Math.min(atOnce, contacts - first + 1);
    await database.read((sql) => seedContacts(sql, team.id, first, count), patient);
    if (first % (10 * atOnce) === 1) note(`${String(first + count - 1)} contacts are there`);
  }
  await database.read(
    (sql) => sql`vacuum (analyze) contacts, accounts, cohort_members, engagement_events`,
    patient,
  );
}
