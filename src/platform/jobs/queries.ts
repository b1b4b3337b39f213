import type { Sql } from '../database/sql.ts';
import { traceparentFor } from '../database/transaction-trace.ts';
import { notifyAfterCommit } from '../database/transaction-context.ts';
import type { JobShape } from './shape.ts';

/**
 * Inserts an outbox entry in the transaction that changed the row: the workflow of its job reads
 * the row again, or is started. Entries are appended, never merged, since a shared key would
 * serialize the writers of a workflow.
 */
export async function signalJob(
  sql: Sql,
  { name }: Pick<JobShape, 'name'>,
  id: string,
  teamId: string,
): Promise<void> {
  await sql`
    insert into workflow_outbox (workflow, key, team_id, traceparent)
    values (${name}, ${id}, ${teamId}, ${traceparentFor(sql, id)})`;
  notifyAfterCommit(sql, 'outbox');
}
