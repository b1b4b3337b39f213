import { maxOpen } from '../../../src/operations/exports/queries.ts';
import { create } from './recipe.ts';
import type { Make, Owner, Recipes } from './recipe.ts';

const path = '/v2/partner/exports';

/** Deletes those that no worker makes here, of which a team may have few. */
async function makeRoom(team: Owner): Promise<void> {
  await team.db.look(
    (sql) => sql`update exports set status = 'succeeded' where team_id = ${team.id}`,
  );
}

const newExport: Make = async (team) => {
  await makeRoom(team);
  const id = await create(team, path, { kind: 'contacts' });
  await team.db.look(
    (sql) => sql`
      insert into export_parts (team_id, export_id, number, section, bytes)
      values (${team.id}, ${id}, 0, 0, ${Buffer.from('id\r\n')})`,
  );
  await team.db.look(
    (sql) => sql`update exports set next_part = 1 where team_id = ${team.id} and id = ${id}`,
  );
  await makeRoom(team);
  return id;
};

const newContact: Make = async (team) => {
  await makeRoom(team);
  return create(team, '/v2/partner/contacts', { unique_id: crypto.randomUUID() });
};

export const exportRecipes: Recipes = {
  places: { '/v2/partner/exports/{id}': newExport },
  operations: {
    createExport: {
      body: async (team) => {
        await makeRoom(team);
        return { kind: 'contacts' };
      },
      furtherScopes: [
        { scope: 'partner:contacts:read', body: () => ({ kind: 'contacts' }) },
        {
          scope: 'partner:archived_messages:read',
          body: () => ({ kind: 'archived_messages' }),
        },
        { scope: 'partner:audit:read', body: () => ({ kind: 'contact_reads' }) },
        { scope: 'partner:objectives:read', body: () => ({ kind: 'objective_completions' }) },
      ],
      quota: { table: 'exports', most: maxOpen },
    },
    exportContact: { target: newContact },
  },
};
