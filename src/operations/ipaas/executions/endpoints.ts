import { Type } from 'typebox';
import { Answer, endpoint } from '../../../platform/http/endpoint.ts';
import { listEndpoint } from '../../../platform/lists/list-endpoint.ts';
import {
  cancelRun,
  checkKept,
  checkReader,
  checkResults,
  pollHeaders,
  retryRun,
  shownTo,
} from '../../runs/actions.ts';
import { itemListFields } from '../../runs/lists.ts';
import { itemSource } from '../../runs/items/queries.ts';
import { lockRun, requireRun, runSource } from '../../runs/queries.ts';
import { RunItem } from '../../runs/run-item.ts';
import { findOperation } from '../../catalog.ts';
import { OperationExecution, executionListFields } from './operation-execution.ts';

const tag = 'Integration operations';
const path = '/v2/ipaas/executions';
const readScope = 'ipaas:operations:read';
const scope = 'ipaas:operations:execute';

export const listExecutions = listEndpoint({
  id: 'listExecutions',
  path,
  summary: 'List executions',
  description:
    'Returns the executions that ran in the background, the latest first. Only calls that ' +
    'answered 202 are among them. Their results are stored until expires_at.',
  tag,
  scope: readScope,
  item: OperationExecution,
  fields: executionListFields,
  defaultSort: '-inserted_at',
  source: ({ principal }) => runSource(principal, 'ipaas'),
});

export const getExecution = endpoint({
  id: 'getExecution',
  method: 'GET',
  path: `${path}/{id}`,
  summary: 'Get an execution and its progress',
  description:
    'Returns one execution and its progress. Until it has finished, the answer carries ' +
    'Retry-After. The error is shown only to tokens with the scopes of the operation.',
  tag,
  scope: readScope,
  rateClass: 'read',
  response: OperationExecution,
  answerHeaders: ['Retry-After'],
  async handle({ sql, teamId, principal, params }) {
    const run = await requireRun(sql, teamId, 'ipaas', params.id);
    return new Answer(shownTo(principal, run), pollHeaders(run));
  },
});

export const getExecutionResult = listEndpoint({
  id: 'getExecutionResult',
  path: `${path}/{id}/result`,
  summary: 'Get the results of a finished execution; needs the scopes of its operation',
  description:
    'Returns the results of a finished execution, item by item. The token needs the scopes of ' +
    'the operation. An execution that has not finished is refused with 409, and results older ' +
    'than seven days with 410.',
  errors: ['execution_not_finished', 'result_expired'],
  tag,
  scope: readScope,
  audit: { counted: 'operation_execution.results_read' },
  item: Type.Object(
    {
      ...RunItem.properties,
      output: Type.Optional(Type.Unknown({ description: 'By the output_schema of the operation' })),
    },
    { title: 'operation_result' },
  ),
  fields: itemListFields,
  defaultSort: 'index',
  async source({ sql, teamId, principal, params: { id = '' } }) {
    const run = await requireRun(sql, teamId, 'ipaas', id);
    checkReader(principal, run);
    checkResults(run);
    return itemSource(run);
  },
});

export const listExecutionItems = listEndpoint({
  id: 'listExecutionItems',
  path: `${path}/{id}/items`,
  summary: 'List the item results so far; needs the scopes of the operation',
  description:
    'Returns the results of the items so far, also while the execution is running. The token ' +
    'needs the scopes of the operation. Results are kept for seven days.',
  errors: ['result_expired'],
  tag,
  scope: readScope,
  audit: { counted: 'operation_execution.results_read' },
  item: RunItem,
  fields: itemListFields,
  defaultSort: 'index',
  async source({ sql, teamId, principal, params: { id = '' } }) {
    const run = await requireRun(sql, teamId, 'ipaas', id);
    checkReader(principal, run);
    checkKept(run);
    return itemSource(run);
  },
});

export const cancelExecution = endpoint({
  id: 'cancelExecution',
  method: 'POST',
  path: `${path}/{id}/cancel`,
  summary: 'Cancel an execution; items already applied stay applied',
  description:
    'Stops an execution before its next items. What it has applied stays applied. An ' +
    'execution that has finished is refused with 409.',
  errors: ['execution_finished', 'precondition_failed'],
  tag,
  scope,
  rateClass: 'execute',
  audit: 'operation_execution.canceled',
  response: OperationExecution,
  async handle({ sql, teamId, params, checkPrecondition }) {
    const run = await lockRun(sql, teamId, 'ipaas', params.id);
    checkPrecondition(run);
    return cancelRun(sql, run);
  },
});

export const retryExecution = endpoint({
  id: 'retryExecution',
  method: 'POST',
  path: `${path}/{id}/retry`,
  summary: 'Retry the failed items of an execution',
  description:
    'Executes the operation again for the failed items, as a new execution. The ' +
    'execution must have finished within the last seven days. Poll the address in Location.',
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
  rateClass: 'execute',
  audit: 'operation_execution.retried',
  status: 202,
  response: OperationExecution,
  answerHeaders: ['Retry-After'],
  location: `${path}/{id}`,
  async handle({ sql, teamId, principal, params, checkPrecondition, request }) {
    const run = await lockRun(sql, teamId, 'ipaas', params.id);
    checkPrecondition(run);
    const key = request.headers['idempotency-key']?.toString();
    const retry = await retryRun(sql, run, findOperation(run.operation_kind), principal, key);
    return new Answer(retry, { ...pollHeaders(retry), itemCount: retry.total_count });
  },
});

export const executionEndpoints = [
  listExecutions,
  getExecution,
  getExecutionResult,
  listExecutionItems,
  cancelExecution,
  retryExecution,
];
