import {
  ApplicationFailure,
  allHandlersFinished,
  condition,
  defineUpdate,
  proxyActivities,
  setHandler,
} from '@temporalio/workflow';
import type { Answer, createOperatorActivities } from '../activities/act-for-operator.ts';

/** Change rows on the request of an operator, with an event of the audit trail. */
export const operatorActions = proxyActivities<ReturnType<typeof createOperatorActivities>>({
  startToCloseTimeout: '30 seconds',
  scheduleToCloseTimeout: '5 minutes',
  retry: { initialInterval: '500 milliseconds', maximumInterval: '5 seconds' },
  summary: 'Do what an operator asks for',
});

/** Every request of an operator says who asks: Temporal does not pass that on to the workflow. */
export interface OperatorRequest {
  /** Name for the audit trail. */
  operator: string;
}

const operatorName = /^[\w.+@-]{1,100}$/;

/**
 * Accepts an Update by operators. `refusal` answers why it cannot be now, before anything is
 * stored in the history; `apply` changes the row.
 */
export function acceptUpdate<Request extends OperatorRequest>(
  name: string,
  description: string,
  {
    refusal,
    apply,
  }: {
    refusal(request: Request): string | undefined;
    apply(request: Request): Promise<Answer>;
  },
): void {
  const applied = async (request: Request) => {
    const answer = await apply(request);
    if ('refusal' in answer) throw ApplicationFailure.nonRetryable(answer.refusal, 'Refused');
    return answer.done;
  };
  setHandler(defineUpdate<string, [Request]>(name), applied, {
    description,
    validator(request: Request) {
      const problem = isNamed(request) ? refusal(request) : unnamed;
      if (problem !== undefined) throw ApplicationFailure.nonRetryable(problem, 'Refused');
    },
  });
}

function isNamed(request: unknown): boolean {
  if (typeof request !== 'object' || request === null || !('operator' in request)) return false;
  return typeof request.operator === 'string' && operatorName.test(request.operator);
}

const unnamed =
  'Say who asks: {"operator": "<name>"}, at most 100 letters, digits and the signs . _ + @ -';

/** Why a number of a request is out of range; undefined when it is not. */
export function outOfRange(
  name: string,
  value: unknown,
  { least, most }: { least: number; most: number },
): string | undefined {
  const fits = Number.isInteger(value) && Number(value) >= least && Number(value) <= most;
  return fits
    ? undefined
    : `${name} must be a whole number from ${String(least)} to ${String(most)}.`;
}

/** Resolves when no Update is under way: a workflow may not end, nor continue as new, before. */
export async function updatesFinished(): Promise<void> {
  await condition(allHandlersFinished);
}
