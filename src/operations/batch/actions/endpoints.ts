import { Answer, endpoint } from '../../../platform/http/endpoint.ts';
import { findOperation } from '../../catalog.ts';
import { cancelRun, pollHeaders, retryRun } from '../../runs/actions.ts';
import { lockRun } from '../../runs/queries.ts';
import { BatchOperation } from '../batch-operation.ts';

const tag = 'Batch';
const path = '/v2/batch/operations';
const scope = 'batch:operations:write';

export const cancelBatchOperation = endpoint({
  id: 'cancelBatchOperation',
  method: 'POST',
  path: `${path}/{id}/cancel`,
  summary: 'Cancel a batch; items already applied stay applied',
  description:
    'Stops a batch operation before its next items. What it has applied stays applied. A ' +
    'batch that has finished is refused with 409.',
  errors: ['execution_finished', 'precondition_failed'],
  tag,
  scope,
  rateClass: 'execute',
  audit: 'batch_operation.canceled',
  response: BatchOperation,
  async handle({ sql, teamId, params, checkPrecondition }) {
    const run = await lockRun(sql, teamId, 'batch', params.id);
    checkPrecondition(run);
    return cancelRun(sql, run);
  },
});

export const retryBatchOperation = endpoint({
  id: 'retryBatchOperation',
  method: 'POST',
  path: `${path}/{id}/retry`,
  summary: 'Retry the failed items of a batch in a new batch',
  description:
    'Runs the failed items of a batch again, as a new batch. The batch must have finished ' +
    'within the last seven days. Poll the address in Location.',
  errors: [
    'operation_unknown',
    'execution_not_finished',
    'result_expired',
    'too_many_operations',
    'invalid_state_transition',
    'precondition_failed',
  ],
  tag,
  scope,
  rateClass: 'bulk',
  audit: 'batch_operation.retried',
  status: 202,
  response: BatchOperation,
  answerHeaders: ['Retry-After'],
  location: `${path}/{id}`,
  async handle({ sql, teamId, principal, params, checkPrecondition, request }) {
    const run = await lockRun(sql, teamId, 'batch', params.id);
    checkPrecondition(run);
    const key = request.headers['idempotency-key']?.toString();
    const retry = await retryRun(sql, run, findOperation(run.operation_kind), principal, key);
    return new Answer(retry, { ...pollHeaders(retry), itemCount: retry.total_count });
  },
});
