import { ApplicationFailure } from '@temporalio/common';
import { codeOf, isRetryable, isUnavailable } from '../database/failures.ts';
import { isUuid } from '../schema/fields.ts';
import { Interrupted } from './interrupted.ts';

/**
 * `transient`: the infrastructure is away, or another transaction or worker was faster; Temporal
 * retries, and metrics do not count it. `final`: no retry can succeed. `defect`: anything else.
 */
export type FailureClass = 'transient' | 'defect' | 'final';

/** Postgres ended a statement or a transaction that took too long, which a defect can cause. */
const deadlineCodes = new Set(['57014', '55P03', '25P03', '25P04']);

/** UNAVAILABLE, DEADLINE_EXCEEDED and RESOURCE_EXHAUSTED of gRPC, from the SDK. */
const temporalCodes = new Set<unknown>([14, 4, 8]);

export function classifyFailure(error: unknown): FailureClass {
  if (error instanceof ApplicationFailure && error.nonRetryable === true) return 'final';
  return isTransient(error) ? 'transient' : 'defect';
}

function isTransient(error: unknown): boolean {
  if (error instanceof Interrupted) return true;
  if (!(error instanceof Error)) return false;
  if (deadlineCodes.has(codeOf(error)) || deadlineCodes.has(codeOf(error.cause))) return false;
  if (isUnavailable(error) || isRetryable(error)) return true;
  if (error.name === 'ServiceError' && error.cause instanceof Error && 'code' in error.cause) {
    return temporalCodes.has(error.cause.code);
  }
  return error.cause !== undefined && isTransient(error.cause);
}

/**
 * The argument of an activity that no retry can fix, as when a workflow was started by hand with a
 * wrong id. Ids are UUIDs and lanes are numbers in all activities.
 */
export function malformedArgument(args: readonly unknown[]): string | undefined {
  for (const argument of args) {
    if (typeof argument !== 'object' || argument === null) continue;
    for (const [name, value] of Object.entries(argument)) {
      if (/^id$|Id$/.test(name) && !(typeof value === 'string' && isUuid(value))) return name;
      if (name === 'lane' && !Number.isSafeInteger(value)) return name;
    }
  }
  return undefined;
}
