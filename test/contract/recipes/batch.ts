import { randomUUID } from 'node:crypto';
import { maxRunning } from '../../../src/operations/runs/rules.ts';
import { create } from './recipe.ts';
import type { Make, Owner, Recipes, Scene } from './recipe.ts';

const request = (count = 1) => ({
  operation_kind: 'contacts.bulk_upsert',
  items: Array.from({ length: count }, () => ({ unique_id: randomUUID() })),
});
const contactsScope = 'partner:contacts:write';

type Surface = 'ipaas' | 'batch';
/** A run that waits or goes on, or has ended with an item that failed. */
const newRun =
  (surface: Surface, status: 'queued' | 'running' | 'failed', since = 'now()'): Make =>
  async (team: Owner) => {
    const isOver = status === 'failed';
    const [made] = await team.db.look(
      (sql) => sql<{ id: string }[]>`
      with run as (
        insert into operation_runs (team_id, surface, operation_kind, status, failure_mode, source,
          total_count, processed_count, failed_count, scopes, inserted_at, completed_at, expires_at)
        values (${team.id}, ${surface}, 'contacts.bulk_upsert', ${status}, 'partial_ok', 'inline',
          1, ${isOver ? 1 : 0}, ${isOver ? 1 : 0}, '{partner:contacts:write}',
          ${since}::text::timestamptz, case when ${isOver} then now() end,
          case when ${isOver} then now() + interval '7 days' end)
        returning id
      ),
      item as (
        insert into operation_items (team_id, run_id, index, status, input, errors)
        select ${team.id}, id, 0, 'failed', '{}', '[{"code": "conflict", "detail": "Taken."}]'
        from run where ${isOver}
      ),
      chunk as (
        insert into operation_chunks (team_id, run_id, number, first_index, item_count, input)
        select ${team.id}, id, 0, 0, 1, '[{}]' from run where not ${isOver}
      )
      select id from run`,
    );
    return made?.id ?? '';
  };

/** Situations in the queue of a team. */
const cancelScenes = (surface: Surface): Scene[] => [
  { title: 'waits for longer', target: newRun(surface, 'queued', '2001-01-01') },
  { title: 'is at it', target: newRun(surface, 'running') },
  {
    title: 'has as many at work as there may be',
    target: async (team, params) => {
      await newRun('batch', 'queued', '2001-01-01')(team, params);
      return newRun(surface, 'queued')(team, params);
    },
    deed: async (team, params) => {
      for (let at = 0; at < maxRunning; at += 1) await newRun('batch', 'running')(team, params);
    },
  },
];
const retry = (surface: Surface) => ({
  target: newRun(surface, 'failed'),
  furtherScopes: [{ scope: contactsScope }],
  scenes: [{ title: 'has failed as well' }],
});

/** A file of these lines. */
async function newFileOf(team: Owner, lines: string): Promise<string> {
  const [made] = await team.db.look(
    (sql) => sql<{ id: string }[]>`
    with upload as (
      insert into uploads (team_id, format, status, sha256, size_bytes, expires_at)
      values (${team.id}, 'csv', 'received', ${'0'.repeat(64)}, 12, now() + interval '1 hour')
      returning id
    ),
    part as (
      insert into upload_parts (team_id, upload_id, number, bytes)
      select ${team.id}, id, 0, ${Buffer.from(lines)} from upload
    )
    select id from upload`,
  );
  return made?.id ?? '';
}

/** A file with a line of names. */
export const newFile: Make = (team) => newFileOf(team, 'unique_id\nab\n');

export const batchRecipes: Recipes = {
  places: {
    '/v2/batch/operations/{id}': newRun('batch', 'queued'),
    '/v2/ipaas/executions/{id}': newRun('ipaas', 'queued'),
  },
  operations: {
    createBatchOperation: {
      body: () => request(),
      furtherScopes: [{ scope: contactsScope }],
      deepIds: [
        {
          name: 'upload_id',
          make: newFile,
          body: (upload_id) => ({ operation_kind: 'contacts.bulk_upsert', upload_id }),
        },
      ],
      scenes: [
        {
          title: 'has an objective that is called like a column',
          body: async (team) => ({
            operation_kind: 'contacts.bulk_upsert',
            upload_id: await newFileOf(team, 'unique_id,called-so\nab,yes\n'),
          }),
          deed: (team) => create(team, '/v2/partner/objectives', { name: 'So', key: 'called-so' }),
        },
        {
          title: 'has other bytes in the file',
          body: async (team, params) => ({
            operation_kind: 'contacts.bulk_upsert',
            upload_id: await newFile(team, params),
          }),
          deed: (team) =>
            team.db.look(
              (sql) => sql`
              update upload_parts set bytes = ${Buffer.from('nothing\nab\n')}
              where team_id = ${team.id}
              returning number`,
            ),
        },
      ],
    },
    // Fewer are tried at once.
    validateBatchOperation: {
      body: () => request(101),
      furtherScopes: [{ scope: contactsScope }],
    },
    cancelBatchOperation: { scenes: cancelScenes('batch') },
    cancelExecution: { scenes: cancelScenes('ipaas') },
    retryBatchOperation: retry('batch'),
    retryExecution: retry('ipaas'),
    getBatchOperationErrors: { target: newRun('batch', 'failed') },
    getExecutionResult: { target: newRun('ipaas', 'failed') },
  },
};
