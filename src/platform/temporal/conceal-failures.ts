import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import { describeError } from '../observability/log.ts';
import type { Log } from '../observability/log.ts';

/**
 * Removes the texts of errors from Temporal, whose histories are retained for 30 days and read by
 * operators. A message of Postgres or of a provider can quote a row, an address or a body. The
 * history gets classes and codes; the log of the worker gets the stack.
 */
export function concealFailures(log: Log): ActivityInterceptorsFactory {
  return ({ info, cancellationSignal }) => ({
    inbound: {
      async execute(input, next) {
        try {
          return await next(input);
        } catch (error) {
          const isCanceled = error instanceof CancelledFailure || cancellationSignal.aborted;
          if (isCanceled) throw error;
          log.warn(
            {
              err: error,
              attempt: info.attempt,
            },
            'an activity failed',
          );
          throw concealed(error);
        }
      },
    },
  });
}

/** Retryable errors stay retryable: only ApplicationFailure can forbid retries. */
function concealed(error: unknown): ApplicationFailure {
  const failure = ApplicationFailure.create({
    message: summaryOf(describeError(error)),
    type: error instanceof Error ? error.name : 'Error',
    nonRetryable: error instanceof ApplicationFailure && error.nonRetryable === true,
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
