import { Context } from '@temporalio/activity';

const usualMs = 2_000;

/**
 * Sends the heartbeats of an activity until its work has ended, so that Temporal soon retries a
 * lost one. `details` are sent with each heartbeat, for operators.
 */
export async function withHeartbeat<T>(
  work: () => Promise<T>,
  details?: () => unknown,
  everyMs = usualMs,
): Promise<T> {
  const context = Context.current();
  const beating = setInterval(() => {
    context.heartbeat(details?.());
  }, everyMs);
  try {
    return await work();
  } finally {
    clearInterval(beating);
  }
}
