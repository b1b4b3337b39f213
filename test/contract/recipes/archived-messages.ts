import { randomUUID } from 'node:crypto';
import type { Json } from '../json-schema.ts';
import { newContact } from './contacts.ts';
import { newMessage } from './messages.ts';
import type { Owner, Recipes } from './recipe.ts';

/** A line that the sending engine writes; its content was lost. */
async function insertArchived({ id: team_id, db }: Owner, about: Json): Promise<string> {
  const now = new Date().toISOString();
  const expires_at = new Date(Date.now() + 86_400_000).toISOString();
  const row = {
    ...{ team_id, id: randomUUID(), message_id: randomUUID(), template_id: randomUUID() },
    ...{ contact_id: randomUUID(), template_version: 1, channel: 'email', provider: 'smtp' },
    ...{ sent_at: now, inserted_at: now, expires_at },
    ...about,
  };
  await db.look((sql) => sql`insert into archived_messages ${sql(row)}`);
  return row.id;
}

export const archivedMessageRecipes: Recipes = {
  places: { '/v2/partner/archived-messages/{id}': (team) => insertArchived(team, {}) },
  operations: {
    listArchivedMessages: {
      shown: async (team, params) =>
        insertArchived(team, {
          message_id: await newMessage(team, params),
          contact_id: await newContact(team, params),
        }),
    },
  },
};
