import type { Sql } from '../database/sql.ts';
import { traceparentFor } from '../database/transaction-trace.ts';
import { notifyAfterCommit } from '../database/transaction-context.ts';

/** Workflows that outbox entries signal; the key of an entry makes the id of its workflow. */
export type SignaledWorkflow =
  | 'template'
  | 'journey'
  | 'webhook_recovery'
  | 'webhook_replay'
  | 'inbound'
  | 'inbound_replay'
  | 'operation_run'
  | 'batch'
  | 'cohort'
  | 'export'
  | 'sending_domain'
  | 'erasure'
  | 'file_fetch'
  | 'file_source_test'
  | 'sending_provider_test';

/**
 * Inserts an outbox entry in the transaction that changed the row: the workflow reads the row
 * again. Entries are appended, never merged, since a shared key would serialize the writers of a
 * workflow.
 */
export async function signalWorkflow(
  sql: Sql,
  workflow: SignaledWorkflow,
  key: string,
  teamId: string,
): Promise<void> {
  await sql`
    insert into workflow_outbox (workflow, key, team_id, traceparent)
    values (${workflow}, ${key}, ${teamId}, ${traceparentFor(sql, key)})`;
  notifyAfterCommit(sql, 'outbox');
}
