import { Context } from '@temporalio/activity';

const beatMs = 2_000;

/**
 * Tells Temporal that an activity is alive until its work is over: a lost one is soon done anew.
 * `details` go with each beat, for operators.
 */
export async function withHeartbeat<T>(
  work: () => Promise<T>,
  details?: () => unknown,
): Promise<T> {
  const context = Context.current();
  const beating = setInterval(() => {
    context.heartbeat(details?.());
  }, beatMs);
  try {
    return await work();
  } finally {
    clearInterval(beating);
  }
}
