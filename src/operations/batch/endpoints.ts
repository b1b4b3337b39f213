import type { Static } from 'typebox';
import type { Principal } from '../../platform/auth/principal.ts';
import { Answer, downloadEndpoint, endpoint } from '../../platform/http/endpoint.ts';
import type { Call } from '../../platform/http/endpoint.ts';
import { checkScopes } from '../../platform/http/authorize.ts';
import { applyItems } from '../apply-items.ts';
import type { Operation } from '../operation-type.ts';
import { callOf, checkRequested } from '../check-requested.ts';
import { findOperation } from '../catalog.ts';
import { listEndpoint } from '../../platform/lists/list-endpoint.ts';
import { checkKept, checkReader, pollHeaders, shownTo, unknownOperation } from '../runs/actions.ts';
import { itemListFields, runListFields } from '../runs/lists.ts';
import { itemSource } from '../runs/items/queries.ts';
import { requireRun, runSource } from '../runs/queries.ts';
import type { RunRow } from '../runs/queries.ts';
import { RunItem } from '../runs/run-item.ts';
import { addErrors, countItems, endOf } from '../runs/rules.ts';
import { startRun } from '../runs/start.ts';
import { cancelBatchOperation, retryBatchOperation } from './actions/endpoints.ts';
import { BatchOperation, BatchRequest, BatchValidation } from './batch-operation.ts';
import { errorsCsv } from './errors-csv.ts';
import { itemsOf } from './items-of.ts';

const tag = 'Batch';
const path = '/v2/batch/operations';
const readScope = 'batch:operations:read';
const scope = 'batch:operations:write';

/**
 * Items that a validation applies immediately; more run as a batch of their own. Items that are
 * checked before a batch starts.
 */
const maxSynchronousItems = 100;

const large = { bodyLimitBytes: 10_000_000, bodyLimitKeys: 400_000 };

export const createBatchOperation = endpoint({
  id: 'createBatchOperation',
  method: 'POST',
  path,
  summary: 'Apply an operation to many items in the background',
  description:
    'Applies an operation to many items in the background. The items are in the body, or in ' +
    'an upload that the body names. The Idempotency-Key is required, so that a repeat does ' +
    'not apply the items twice. The token also needs the scopes of the operation. Poll the ' +
    'address in Location, then read the items.',
  errors: [
    'not_found',
    'operation_unknown',
    'upload_unreadable',
    'too_many_items',
    'too_many_operations',
    'operation_failed',
  ],
  tag,
  scope,
  rateClass: 'bulk',
  audit: 'batch_operation.created',
  needsKey: true,
  bodyExample: {
    operation_kind: 'contacts.bulk_upsert',
    items: [{ unique_id: 'crm-4711', email: 'ada@example.com' }, { unique_id: 'crm-4712' }],
  },
  body: BatchRequest,
  ...large,
  status: 202,
  response: BatchOperation,
  answerHeaders: ['Retry-After'],
  location: `${path}/{id}`,
  async handle(call) {
    const { body, principal } = call;
    const operation = operationOf(body.operation_kind, principal);
    const run = await start(call, operation, body.options?.dry_run ?? false);
    return new Answer(run, { ...pollHeaders(run), itemCount: run.total_count });
  },
});

export const validateBatchOperation = endpoint({
  id: 'validateBatchOperation',
  method: 'POST',
  path: `${path}/validate`,
  summary: 'Validate a batch: synchronous for few items, otherwise a batch that changes nothing',
  description:
    'Says what a batch would do, without applying anything. Up to 100 items of a synchronous ' +
    'operation are answered with 200 right away. Otherwise the answer is 202, and a batch in ' +
    'the background tries the items. Run the operation createBatchOperation when the result ' +
    'is right.',
  errors: [
    'not_found',
    'operation_unknown',
    'upload_unreadable',
    'too_many_items',
    'too_many_operations',
  ],
  tag,
  scope,
  rateClass: 'bulk',
  audit: { none: 'question' },
  bodyExample: {
    operation_kind: 'contacts.bulk_upsert',
    items: [{ unique_id: 'crm-4711', email: 'ada@example.com' }, { unique_id: 'crm-4712' }],
  },
  body: BatchRequest,
  ...large,
  status: 202,
  repeatStatus: 200,
  response: BatchValidation,
  answerHeaders: ['Retry-After'],
  location: `${path}/{id}`,
  async handle(call) {
    const { principal, body } = call;
    const operation = operationOf(body.operation_kind, principal);
    const { items } = body;
    if (items && items.length <= maxSynchronousItems && operation.executionMode === 'sync') {
      return new Answer(await tryAtOnce(call, operation, items), { isRepeat: true });
    }
    const run = await start(call, operation, true);
    return new Answer(run, pollHeaders(run));
  },
});

/** Throws 404 for a kind that does not exist, and 401 where a scope of it is missing. */
function operationOf(kind: string, principal: Principal): Operation {
  const operation = findOperation(kind);
  if (!operation) throw unknownOperation();
  checkScopes(principal, ...operation.scopes);
  return operation;
}

type BatchCall = Call<unknown, undefined, Static<typeof BatchRequest>>;

/** Throws 422 where an item that undoes all of them is refused already. */
async function start(
  call: BatchCall,
  operation: Operation,
  isDry: boolean,
): Promise<RunRow<'batch'>> {
  const { sql, teamId, principal, body, request } = call;
  const { failure_mode: failureMode, notify_webhook: notifyWebhook = false } = body.options ?? {};
  const from = await itemsOf(sql, teamId, operation, body);
  if (!isDry && (failureMode ?? operation.failureMode) === 'transactional') {
    const first = body.items?.slice(0, maxSynchronousItems) ?? [];
    await checkRequested(callOf(call, 'batch'), operation, first, (at) => `/items/${String(at)}`);
  }
  const idempotencyKey = request.headers['idempotency-key']?.toString();
  return startRun(sql, {
    teamId,
    surface: 'batch',
    operation,
    principal,
    ...from,
    isDry,
    notifyWebhook,
    ...(failureMode && { failureMode }),
    ...(idempotencyKey !== undefined && { idempotencyKey }),
  });
}

/** Applies the items and undoes it; returns the result that a batch of them would have. */
async function tryAtOnce(call: BatchCall, operation: Operation, sent: readonly unknown[]) {
  const { teamId, body } = call;
  const failureMode = body.options?.failure_mode ?? operation.failureMode;
  const about = callOf(call, 'batch');
  const results = await applyItems(operation, about, sent, { failureMode, isDry: true });
  const items = results.map((result, index) => ({ ...result, index, errors: [...result.errors] }));
  const counts = countItems(results);
  const now = new Date().toISOString();
  const total = items.length;
  return {
    type: 'batch_operation' as const,
    team_id: teamId,
    operation_kind: operation.kind,
    status: endOf({ total, failed: counts.failed }, failureMode),
    source: 'inline' as const,
    failure_mode: failureMode,
    dry_run: true,
    total_count: total,
    processed_count: total,
    succeeded_count: counts.succeeded,
    failed_count: counts.failed,
    skipped_count: counts.skipped,
    error_summary: addErrors([], items),
    items,
    inserted_at: now,
    updated_at: now,
  };
}

export const listBatchOperations = listEndpoint({
  id: 'listBatchOperations',
  path,
  summary: 'List batches',
  description:
    'Returns the batch operations, the latest first. The counts of each grow while it runs; ' +
    'error_summary has the first codes of failed items.',
  tag,
  scope: readScope,
  item: BatchOperation,
  fields: runListFields,
  defaultSort: '-inserted_at',
  source: ({ principal }) => runSource(principal, 'batch'),
});

export const getBatchOperation = endpoint({
  id: 'getBatchOperation',
  method: 'GET',
  path: `${path}/{id}`,
  summary: 'Get a batch and its progress',
  description:
    'Returns one batch operation and its progress. Until it has finished, the answer carries ' +
    'Retry-After. The error is shown only to tokens with the scopes of the operation.',
  tag,
  scope: readScope,
  rateClass: 'read',
  response: BatchOperation,
  answerHeaders: ['Retry-After'],
  async handle({ sql, teamId, principal, params }) {
    const run = await requireRun(sql, teamId, 'batch', params.id);
    return new Answer(shownTo(principal, run), pollHeaders(run));
  },
});

export const listBatchOperationItems = listEndpoint({
  id: 'listBatchOperationItems',
  path: `${path}/{id}/items`,
  summary: 'List the item results so far; needs the scopes of the operation',
  description:
    'Returns the results of the items so far, also while the batch is running. The token ' +
    'needs the scopes of the operation. Results are kept for seven days.',
  errors: ['result_expired'],
  tag,
  scope: readScope,
  audit: { counted: 'batch_operation.results_read' },
  item: RunItem,
  fields: itemListFields,
  defaultSort: 'index',
  async source({ sql, teamId, principal, params: { id = '' } }) {
    const run = await requireRun(sql, teamId, 'batch', id);
    checkReader(principal, run);
    checkKept(run);
    return itemSource(run);
  },
});

export const getBatchOperationErrors = downloadEndpoint({
  id: 'getBatchOperationErrors',
  path: `${path}/{id}/errors.csv`,
  summary: 'Get the item errors so far as a CSV file, without the sent values',
  description:
    'Downloads the errors of the items so far as a CSV file. The items themselves are not in ' +
    'the file. The token needs the scopes of the operation. Results are kept for seven days.',
  errors: ['result_expired'],
  tag,
  scope: readScope,
  rateClass: 'bulk',
  audit: 'batch_operation.errors_downloaded',
  download: { 'text/csv': 'index,status,code,pointer,detail\n' },
  async handle({ sql, teamId, principal, params, services }) {
    const run = await requireRun(sql, teamId, 'batch', params.id);
    checkReader(principal, run);
    checkKept(run);
    return new Answer(errorsCsv(services.database, run), {
      itemCount: run.failed_count,
    });
  },
});

export const batchOperationEndpoints = [
  createBatchOperation,
  validateBatchOperation,
  listBatchOperations,
  getBatchOperation,
  listBatchOperationItems,
  getBatchOperationErrors,
  cancelBatchOperation,
  retryBatchOperation,
];
