import { randomUUID } from 'node:crypto';
import { newContact } from './contacts.ts';
import type { Make, Recipes } from './recipe.ts';

/** A line of the log, as the answer to a client writes it. */
const insertRead: Make = async (team, params) => {
  const row = {
    ...{ team_id: team.id, id: randomUUID(), contact_id: await newContact(team, params) },
    ...{ client_id: randomUUID(), operation: 'getContact' },
    occurred_at: new Date(0).toISOString(),
    expires_at: new Date(Date.now() + 86_400_000).toISOString(),
  };
  await team.db.look((sql) => sql`insert into contact_reads ${sql(row)}`);
  return row.id;
};

export const contactReadRecipes: Recipes = {
  places: {},
  operations: { listContactReads: { shown: insertRead } },
};
