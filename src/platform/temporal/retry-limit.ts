import { Context } from '@temporalio/activity';
import { isUnavailable, isRetryable } from '../database/failures.ts';

const mostTries = 5;

/**
 * Work that Temporal tries again when it fails. An error of ours that keeps coming back would hold
 * for ever whatever waits behind it: the fifth try ends in `giveUp`. Nothing is given up because
 * Postgres is away.
 */
export async function failAfterAttempts<T>(
  work: () => Promise<T>,
  giveUp: (error: unknown) => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { attempt } = Context.current().info;
    if (isUnavailable(error) || isRetryable(error) || attempt < mostTries) throw error;
    return giveUp(error);
  }
}
