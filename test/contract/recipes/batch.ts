import { randomUUID } from 'node:crypto';
import type { Make, Owner, Recipes } from './recipe.ts';

const request = (count = 1) => ({
  operation_kind: 'contacts.bulk_upsert',
  items: Array.from({ length: count }, () => ({ unique_id: randomUUID() })),
});

/** A run that waits, or has ended with an item that failed. */
const newRun =
  (surface: 'ipaas' | 'batch', status: 'queued' | 'failed'): Make =>
  async (team: Owner) => {
    const isOver = status === 'failed';
    const [made] = await team.db.look(
      (sql) => sql<{ id: string }[]>`
      with run as (
        insert into operation_runs (team_id, surface, operation_kind, status, failure_mode, source,
          total_count, processed_count, failed_count, scopes, completed_at, expires_at)
        values (${team.id}, ${surface}, 'contacts.bulk_upsert', ${status}, 'partial_ok', 'inline',
          1, ${isOver ? 1 : 0}, ${isOver ? 1 : 0}, '{partner:contacts:write}',
          case when ${isOver} then now() end,
          case when ${isOver} then now() + interval '7 days' end)
        returning id
      ),
      item as (
        insert into operation_items (team_id, run_id, index, status, input)
        select ${team.id}, id, 0, 'failed', '{}' from run where ${isOver}
      )
      select id from run`,
    );
    return made?.id ?? '';
  };

export const batchRecipes: Recipes = {
  places: {
    '/v2/batch/operations/{id}': newRun('batch', 'queued'),
    '/v2/ipaas/executions/{id}': newRun('ipaas', 'queued'),
  },
  operations: {
    createBatchOperation: { body: () => request() },
    // Fewer are tried at once.
    validateBatchOperation: { body: () => request(101) },
    retryBatchOperation: { target: newRun('batch', 'failed') },
    retryExecution: { target: newRun('ipaas', 'failed') },
    getExecutionResult: { target: newRun('ipaas', 'failed') },
  },
};
