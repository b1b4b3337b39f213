import { Type } from 'typebox';
import { Count, Id, OneOf, Text, Timestamp, resource } from '../../platform/schema/fields.ts';
import { failureModes, maxItems, runStatuses } from '../runs/rules.ts';
import { ConsentColumns, FieldMapping } from '../uploads/mapping.ts';
import { RunError, RunItem } from '../runs/run-item.ts';

/** Many items that an operation is applied to in the background. */
export const BatchOperation = resource('batch_operation', {
  operation_kind: Text(255),
  status: OneOf(
    runStatuses,
    'succeeded_with_errors: some items failed; failed: all did, or the run as a whole',
  ),
  source: OneOf(['inline', 'upload', 'sftp'], 'Route by which the items were submitted'),
  failure_mode: OneOf(failureModes, 'transactional: all items or none'),
  dry_run: Type.Boolean({
    description: 'Nothing was applied: the results show what a real run would do',
  }),
  upload_id: Type.Optional(Id()),
  retry_of_id: Type.Optional(Id('The batch whose failed items these are')),
  total_count: Type.Optional(Count('Items; absent until an upload has been read once')),
  processed_count: Count('Items with a result'),
  succeeded_count: Count('Items that were created, updated or unchanged'),
  failed_count: Count(),
  skipped_count: Count(),
  error_summary: Type.Array(
    Type.Object({
      code: Type.String(),
      count: Count(),
      sample_index: Count('The first item that failed so'),
    }),
    { description: 'The first 20 codes' },
  ),
  error: Type.Optional(RunError),
  started_at: Type.Optional(Timestamp()),
  estimated_completion_at: Type.Optional(Timestamp('While it is running')),
  completed_at: Type.Optional(Timestamp()),
  expires_at: Type.Optional(Timestamp('Until then the results of the items are kept')),
});

/** Result of a validation: immediate for a small batch, or a batch of its own. */
export const BatchValidation = Type.Object(
  {
    ...BatchOperation.properties,
    id: Type.Optional(Id('Absent where it ran synchronously, which is not stored')),
    items: Type.Optional(
      Type.Array(RunItem, {
        description: 'The outcome that each would have, if it ran synchronously',
      }),
    ),
  },
  { title: 'batch_validation' },
);

const Options = Type.Object(
  {
    failure_mode: Type.Optional(
      OneOf(failureModes, 'The operation’s own if absent; transactional takes 1,000 items'),
    ),
    dry_run: Type.Optional(
      Type.Boolean({ description: 'Try every item and keep nothing; false if absent' }),
    ),
    notify_webhook: Type.Optional(
      Type.Boolean({
        description:
          'Send batch_operation.started, and the event of the state it ends in; false if absent',
      }),
    ),
  },
  { additionalProperties: false },
);

/** Request for a batch. */
export const BatchRequest = Type.Object(
  {
    operation_kind: Text(255, 'As GET /v2/ipaas/operations lists them'),
    items: Type.Optional(
      Type.Array(Type.Unknown({ description: 'By the input_schema of the operation' }), {
        minItems: 1,
        description: `At most ${String(maxItems)}; more come as an upload`,
      }),
    ),
    upload_id: Type.Optional(Id('Instead of items: of a file that was sent to /v2/batch/uploads')),
    mapping: Type.Optional(FieldMapping),
    consent_columns: Type.Optional(ConsentColumns),
    options: Type.Optional(Options),
  },
  { additionalProperties: false },
);
