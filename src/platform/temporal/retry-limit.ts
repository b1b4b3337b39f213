import { Context } from '@temporalio/activity';
import { isUnavailable, isRetryable } from '../database/failures.ts';
import { Interrupted } from './interrupted.ts';

const maxAttempts = 5;

/**
 * Runs work that Temporal retries. An error that recurs would block all later work forever, so the
 * fifth attempt ends in `giveUp`. Attempts that were interrupted, or that fail because Postgres is
 * unavailable, never do.
 */
export async function failAfterAttempts<T>(
  work: () => Promise<T>,
  giveUp: (error: unknown) => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { attempt } = Context.current().info;
    const isTransient = error instanceof Interrupted || isUnavailable(error) || isRetryable(error);
    if (isTransient || attempt < maxAttempts) throw error;
    return giveUp(error);
  }
}
