import { setTimeout as pause } from 'node:timers/promises';
import { DatabaseUnavailable, isUnavailable } from './failures.ts';

const patienceMs = 20_000;
const pauseMs = 250;

/**
 * Runs the database work of a starting process, and retries while Postgres is unavailable, for
 * example during its restart. Throws after 20 s.
 */
export async function retryUntilAvailable<T>(
  work: () => Promise<T>,
  onAway: () => void,
): Promise<T> {
  const until = performance.now() + patienceMs;
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (!mayPass(error) || performance.now() > until) throw error;
      if (tries === 1) onAway();
      await pause(pauseMs);
    }
  }
}

/** False for a wrong password or a missing database: a retry cannot succeed. */
function mayPass(error: unknown): boolean {
  const cause = error instanceof DatabaseUnavailable ? error.cause : undefined;
  return isUnavailable(error) && (cause === undefined || isUnavailable(cause));
}
