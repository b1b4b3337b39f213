import {
  ApplicationFailure,
  defineUpdate,
  proxyActivities,
  setHandler,
} from '@temporalio/workflow';
import type {
  JobArguments,
  JobShape,
  OperatorRequest,
  UpdateShape,
} from '../src/platform/jobs/shape.ts';
import type { OperatorActivities } from '../activities/act-for-operator.ts';
import type { SignalLatch } from './signal-latch.ts';

/** Change rows on the request of an operator, with an event of the audit trail. */
const { updateRow } = proxyActivities<OperatorActivities>({
  startToCloseTimeout: '30 seconds',
  scheduleToCloseTimeout: '5 minutes',
  retry: { initialInterval: '500 milliseconds', maximumInterval: '5 seconds' },
  summary: 'Do what an operator asks for',
});

const operatorName = /^[\w.+@-]{1,100}$/;
const maxReason = 500;

/**
 * Accepts the Updates of a job. A request without a form is refused before anything is stored in
 * the history; the activity refuses what the row does not allow.
 */
export function acceptUpdates(
  { workflow, updates = {} }: JobShape,
  { teamId, id }: JobArguments,
  signal: SignalLatch,
): void {
  for (const [name, update] of Object.entries(updates)) {
    const apply = async (request: OperatorRequest) => {
      const declared = declaredParts(update, request);
      const answer = await updateRow({ workflow, update: name, teamId, id, request: declared });
      signal.set();
      if ('refusal' in answer) throw ApplicationFailure.nonRetryable(answer.refusal, 'Refused');
      return answer.done;
    };
    setHandler(defineUpdate<string, [OperatorRequest]>(name), apply, {
      description: update.description,
      validator(request: unknown) {
        const problem = problemOf(update, request);
        if (problem !== undefined) throw ApplicationFailure.nonRetryable(problem, 'Refused');
      },
    });
  }
}

/** The parts of a request that its Update declares, with the usual numbers for absent ones. */
function declaredParts({ numbers = {} }: UpdateShape, request: OperatorRequest): OperatorRequest {
  const { operator, reason } = request;
  const given = Object.entries(numbers).map(
    ([name, { usual }]) => [name, request[name] ?? usual] as const,
  );
  return { operator, ...(reason !== undefined && { reason }), ...Object.fromEntries(given) };
}

/** Why a request cannot be taken; undefined when it can. */
function problemOf(update: UpdateShape, request: unknown): string | undefined {
  const given = new Map<string, unknown>(
    typeof request === 'object' && request !== null ? Object.entries(request) : [],
  );
  const [operator, reason] = [given.get('operator'), given.get('reason')];
  if (typeof operator !== 'string' || !operatorName.test(operator)) return unnamed;
  const isReason = typeof reason === 'string' && reason.trim() !== '' && reason.length <= maxReason;
  if (update.needsReason && !isReason) return unexplained;
  for (const [name, { least, most, usual }] of Object.entries(update.numbers ?? {})) {
    const value = given.get(name) ?? usual;
    if (Number.isInteger(value) && Number(value) >= least && Number(value) <= most) continue;
    return `${name} must be a whole number from ${String(least)} to ${String(most)}.`;
  }
  return undefined;
}

const unnamed =
  'Say who asks: {"operator": "<name>"}, at most 100 letters, digits and the signs . _ + @ -';
const unexplained = `Say why, without personal data: "reason" has 1 to ${String(maxReason)} characters.`;
