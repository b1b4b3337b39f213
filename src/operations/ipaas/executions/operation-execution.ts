import { Type } from 'typebox';
import { Count, Id, OneOf, Text, Timestamp, resource } from '../../../platform/schema/fields.ts';
import type { ListField } from '../../../platform/lists/declaration.ts';
import { runListFields } from '../../runs/lists.ts';
import { runStatuses } from '../../runs/rules.ts';
import { RunError } from '../../runs/run-item.ts';

/** `validating` is for files, whose items are counted first. */
const statuses = runStatuses.filter((status): boolean => status !== 'validating');

export const executionListFields = {
  ...runListFields,
  status: { type: 'enum', values: statuses, filter: true },
} as const satisfies Record<string, ListField>;

/** An operation that is applied in the background. */
export const OperationExecution = resource('operation_execution', {
  operation_kind: Text(255),
  status: OneOf(
    statuses,
    'succeeded_with_errors: some items failed; failed: all did, or the execution as a whole',
  ),
  execution_mode: OneOf(['sync', 'async']),
  idempotency_key: Type.Optional(Type.String()),
  dry_run: Type.Boolean({
    description: 'Nothing was applied: the results show what a real run would do',
  }),
  retry_of_id: Type.Optional(Id('The execution whose failed items this one retries')),
  input_count: Type.Optional(Count('Items that were sent')),
  summary: Type.Object({
    total: Type.Optional(Count()),
    succeeded: Count('Items that were created, updated or unchanged'),
    failed: Count(),
    skipped: Count(),
  }),
  progress: Type.Object({
    processed: Count('Items with a result'),
    total: Type.Optional(Count()),
  }),
  error: Type.Optional(RunError),
  requested_by_client_id: Type.Optional(Id()),
  started_at: Type.Optional(Timestamp()),
  completed_at: Type.Optional(Timestamp()),
  expires_at: Type.Optional(Timestamp('Time after which the results of the items are deleted')),
});
