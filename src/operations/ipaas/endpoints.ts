import { checkScopes } from '../../platform/http/authorize.ts';
import { Answer, endpoint } from '../../platform/http/endpoint.ts';
import type { Call } from '../../platform/http/endpoint.ts';
import { fail, failAll, withPointerPrefix } from '../../platform/http/errors.ts';
import { readIdempotencyKey } from '../../platform/http/idempotency.ts';
import { listEndpoint } from '../../platform/lists/list-endpoint.ts';
import { pollHeaders } from '../runs/actions.ts';
import { startRun } from '../runs/start.ts';
import { applyItems, inputProblems, itemScopes } from '../apply-items.ts';
import type { ItemResult } from '../apply-items.ts';
import { OperationDescriptor, descriptorOf, operationListFields } from '../descriptor.ts';
import { ExecutionReport, ExecutionRequest, itemsOf } from './execution-request.ts';
import { OperationExecution } from './executions/operation-execution.ts';
import { callOf, checkAllDone, checkRequested, shownResult } from '../check-requested.ts';
import type { Operation } from '../operation-type.ts';
import { findOperation, operations } from '../catalog.ts';
import { operationSource } from './queries.ts';

const tag = 'Integration operations';
const path = '/v2/ipaas/operations';

const descriptors = JSON.stringify(operations.map(descriptorOf));

export const listOperations = listEndpoint({
  id: 'listOperations',
  path,
  summary: 'List the operations of the integration catalog',
  description:
    'Returns the operations of the integration catalog with their schemas. It is the same for ' +
    'every team.',
  tag,
  scope: 'ipaas:operations:read',
  item: OperationDescriptor,
  fields: operationListFields,
  defaultSort: 'kind',
  source: ({ teamId }) => operationSource(teamId, descriptors),
});

export const getOperationDescriptor = endpoint({
  id: 'getOperationDescriptor',
  method: 'GET',
  path: `${path}/{operation_kind}/describe`,
  textParams: ['operation_kind'],
  summary: 'Get the descriptor of an operation: schemas, scopes, idempotency and failures',
  description:
    'Returns one operation: its input and output schemas, its scopes, its limits, and how it ' +
    'repeats and fails. Read it before you build an integration on the operation.',
  errors: ['operation_unknown'],
  tag,
  scope: 'ipaas:operations:read',
  rateClass: 'read',
  response: OperationDescriptor,
  handle: ({ params }) =>
    Promise.resolve(descriptorOf(requireOperation(findOperation, params.operation_kind))),
});

/** Executes the operations that `find` returns for their kind. */
export const executeEndpoint = (find: typeof findOperation) =>
  endpoint({
    id: 'executeOperation',
    method: 'POST',
    path: `${path}/{operation_kind}/execute`,
    textParams: ['operation_kind'],
    summary: 'Execute an operation with one input or many items',
    description:
      'Executes an operation with one input or with up to 10,000 items. Few items of a ' +
      'synchronous operation are executed within the request, and the answer has their results. ' +
      'Otherwise, or with Prefer: respond-async, the answer is 202 and the address in Location ' +
      'shows the progress. The operation decides whether an Idempotency-Key is required. The ' +
      'token also needs the scopes of the operation.',
    errors: ['operation_unknown', 'too_many_items', 'too_many_operations', 'operation_failed'],
    tag,
    scope: 'ipaas:operations:execute',
    rateClass: 'write',
    audit: { accepted: 'operation_execution.created', otherwise: 'items' },
    demands({ operation_kind = '' }) {
      const operation = find(operation_kind);
      return (
        operation && {
          scopes: operation.scopes,
          rateClass: operation.rateLimitClass,
          needsKey: operation.idempotencyMode === 'keyed',
        }
      );
    },
    bodyExample: { input: { unique_id: 'crm-4711', email: 'ada@example.com' } },
    body: ExecutionRequest,
    bodyLimitBytes: 10_000_000,
    bodyLimitKeys: 400_000,
    // Such as the link of an enrollment.
    showsSecret: true,
    response: ExecutionReport,
    accepted: OperationExecution,
    answerHeaders: ['Location', 'Retry-After'],
    takesPrefer: true,
    async handle(call) {
      const operation = requireOperation(find, call.params.operation_kind);
      const { items, pointerOf } = itemsOf(call.body, operation);
      const { dry_run: isDry = false, return: returned = 'full' } = call.body.options ?? {};
      if (call.body.input !== undefined) checkInput(operation, call.body.input);
      checkScopes(call.principal, ...itemScopes(operation, items));
      if (runsByItself(operation, items, call.request.headers.prefer)) {
        await checkRequested(callOf(call, 'ipaas'), operation, items, pointerOf);
        return accept(call, { operation, items, isDry });
      }
      const { failureMode } = operation;
      const results = await applyItems(operation, callOf(call, 'ipaas'), items, {
        failureMode,
        isDry,
      });
      const shown = results.map((result, index) => shownResult(result, index, pointerOf(index)));
      if (failureMode === 'transactional') checkAllDone(operation, shown);
      const summary = summaryOf(results);
      countLookup(call, operation, summary.succeeded);
      return {
        execution_id: null,
        status: statusOf(summary),
        dry_run: isDry,
        summary,
        results: shown
          .filter(({ status }) => returned !== 'none' || status === 'failed')
          .map(({ output, ...result }) => (returned === 'full' ? { ...result, output } : result)),
      };
    },
  });

export const operationEndpoints = [
  listOperations,
  getOperationDescriptor,
  executeEndpoint(findOperation),
];

function requireOperation(find: typeof findOperation, kind: string): Operation {
  const operation = find(kind);
  if (operation) return operation;
  throw fail('operation_unknown', {
    detail: 'The catalog has no operation of this kind.',
    meta: { parameter: 'operation_kind' },
  });
}

/** A single input is rejected like any body; each of several items has its own result. */
function checkInput(operation: Operation, input: unknown): void {
  const problems = inputProblems(operation, input);
  if (problems.length > 0)
    throw failAll(problems.map((problem) => withPointerPrefix(problem, '/input')));
}

/** RFC 7240 §4.1. */
const prefersAsync = /(^|,)\s*respond-async\s*(;|,|$)/i;

function runsByItself(
  { executionMode, bulkThreshold = 1 }: Operation,
  items: readonly unknown[],
  prefer: string | string[] | undefined,
): boolean {
  if (executionMode === 'async' || items.length > bulkThreshold) return true;
  return prefersAsync.test(prefer?.toString() ?? '');
}

/** Puts it into the queue of the team; the caller polls it. */
async function accept(
  { sql, teamId, principal, request }: Call<unknown, unknown, unknown>,
  asked: { operation: Operation; items: readonly unknown[]; isDry: boolean },
) {
  const { items } = asked;
  const idempotencyKey = readIdempotencyKey(request.headers['idempotency-key']?.toString());
  const run = await startRun(sql, {
    ...asked,
    teamId,
    principal,
    surface: 'ipaas',
    source: 'inline',
    ...(idempotencyKey !== undefined && { idempotencyKey }),
  });
  const headers = { Location: `/v2/ipaas/executions/${run.id}`, ...pollHeaders(run).headers };
  return new Answer(run, { isAccepted: true, headers, itemCount: items.length });
}

/** Counts items that show personal data. A run has an event of its own. */
function countLookup(
  { teamId, principal: { clientId }, services, request }: Call<unknown, unknown, unknown>,
  { audit }: Operation,
  itemCount: number,
): void {
  if (typeof audit === 'string' || !('counted' in audit)) return;
  const event = { teamId, clientId, action: audit.counted, resourceId: clientId };
  services.auditCounter.count(event, request.trace, itemCount);
}

function statusOf({
  total,
  failed,
}: {
  total: number;
  failed: number;
}): 'succeeded' | 'succeeded_with_errors' | 'failed' {
  if (failed === 0) return 'succeeded';
  return failed === total ? 'failed' : 'succeeded_with_errors';
}

function summaryOf(results: readonly ItemResult[]) {
  const count = (requested: ItemResult['status']) =>
    results.filter(({ status }) => status === requested).length;
  const [failed, skipped] = [count('failed'), count('skipped')];
  return { total: results.length, succeeded: results.length - failed - skipped, failed, skipped };
}
