import type { Make, Recipes } from './recipe.ts';

const newUpload: Make = async (team) => {
  const [row] = await team.db.look(
    (sql) => sql<{ id: string }[]>`
    insert into uploads (team_id, format, status, sha256, expires_at)
    values (${team.id}, 'csv', 'received', ${'0'.repeat(64)}, now() + interval '1 hour')
    returning id`,
  );
  return String(row?.id);
};

export const uploadRecipes: Recipes = {
  references: { upload_id: newUpload },
  places: { '/v2/batch/uploads/{id}': newUpload },
  operations: {
    deleteUpload: {
      scenes: [
        {
          title: 'is reading it',
          deed: (team, { id = '' }) =>
            team.db.look(
              (sql) => sql`
              insert into operation_runs
                (team_id, surface, operation_kind, failure_mode, source, upload_id, scopes)
              values (${team.id}, 'batch', 'contacts.upsert', 'partial_ok', 'upload', ${id}, '{}')
              returning id`,
            ),
        },
      ],
    },
  },
};
