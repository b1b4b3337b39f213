import {
  ApplicationFailure,
  ApplicationFailureCategory,
  CancelledFailure,
} from '@temporalio/common';
import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import { describeError } from '../observability/log.ts';
import type { Log } from '../observability/log.ts';
import { classifyFailure, malformedArgument } from './failure-class.ts';
import type { FailureClass } from './failure-class.ts';

/**
 * Removes the texts of errors from Temporal, whose histories are retained for 30 days and read by
 * operators. A message of Postgres or of a provider can quote a row, an address or a body. The
 * history gets classes and codes; the log of the worker gets the stack. Transient failures are
 * benign for Temporal, which leaves them out of its metrics; final ones are not retried.
 */
export function concealFailures(log: Log): ActivityInterceptorsFactory {
  return ({ info, cancellationSignal }) => ({
    inbound: {
      async execute(input, next) {
        try {
          const malformed = malformedArgument(input.args);
          if (malformed !== undefined) {
            const message = `The argument ${malformed} is malformed.`;
            throw ApplicationFailure.nonRetryable(message, 'MalformedArgument');
          }
          return await next(input);
        } catch (error) {
          const isCanceled = error instanceof CancelledFailure || cancellationSignal.aborted;
          if (isCanceled) throw error;
          const failureClass = classifyFailure(error);
          log.warn(
            {
              err: error,
              class: failureClass,
              attempt: info.attempt,
            },
            'an activity failed',
          );
          throw concealed(error, failureClass);
        }
      },
    },
  });
}

function concealed(error: unknown, failureClass: FailureClass): ApplicationFailure {
  const isApplicationFailure =
    error instanceof ApplicationFailure && typeof error.type === 'string';
  const failure = ApplicationFailure.create({
    message: summaryOf(describeError(error)),
    type: isApplicationFailure ? error.type : error instanceof Error ? error.name : 'Error',
    nonRetryable: failureClass === 'final',
    ...(failureClass === 'transient' && { category: ApplicationFailureCategory.BENIGN }),
  });
  failure.stack = '';
  return failure;
}

/** Such as "DatabaseUnavailable: Postgres is unavailable, by PostgresError 57P01". */
function summaryOf({ kind, code, constraint, message, cause }: Record<string, unknown>): string {
  const names = [kind, code, constraint].filter((part) => part !== undefined).map(String);
  const summary = names.join(' ') + (typeof message === 'string' ? `: ${message}` : '');
  const isDescribed = typeof cause === 'object' && cause !== null;
  return isDescribed
    ? `${summary}, by ${summaryOf(Object.fromEntries(Object.entries(cause)))}`
    : summary;
}
