import { Answer, endpoint } from '../../../platform/http/endpoint.ts';
import type { Endpoint } from '../../../platform/http/endpoint.ts';
import { pollHeaders, shownTo } from '../../runs/actions.ts';
import { requireRunFor } from '../../runs/queries.ts';
import type { Operation } from '../../operation-type.ts';
import { OperationExecution } from './operation-execution.ts';

interface Declaration extends Pick<Endpoint, 'id' | 'summary' | 'description' | 'tag' | 'scope'> {
  /** The path of the resource that the execution was started for, with its `{id}`. */
  path: `${string}/{id}/${string}`;
  operation: Pick<Operation, 'kind'>;
}

/**
 * Declares the endpoint for polling an execution that an endpoint of the partner surface started.
 * Clients of one surface must not need another.
 */
export function executionBelow({ path, operation: { kind }, ...declaration }: Declaration) {
  return endpoint({
    ...declaration,
    method: 'GET',
    path: `${path}/{execution_id}`,
    rateClass: 'read',
    response: OperationExecution,
    answerHeaders: ['Retry-After'],
    async handle({ sql, teamId, principal, params }) {
      const subject = { kind, id: params.id };
      const run = await requireRunFor(sql, teamId, subject, params.execution_id);
      return new Answer(shownTo(principal, run), pollHeaders(run));
    },
  });
}
