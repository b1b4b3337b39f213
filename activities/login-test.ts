import { endUnlessSignaled, waitUntil } from '../src/platform/jobs/job.ts';
import type { Round } from '../src/platform/jobs/shape.ts';

/** Tests of the same team wait for each other. */
const pauseMs = 5_000;

/** Decides what follows a test of a login: `outcome` is that of the test, or `waiting` for another one. */
export function afterTest(outcome: string, others: string): Round<never> {
  if (outcome === 'waiting') {
    const details = 'The test waits for that of another one of the team.';
    return waitUntil(
      Date.now() + pauseMs,
      `Another ${others} of the team is being tested`,
      details,
    );
  }
  return endUnlessSignaled({ outcome }, describe(outcome));
}

function describe(outcome: string): string {
  if (outcome === 'ended') return 'No test was requested any more.';
  return outcome === 'succeeded' ? 'The test has succeeded.' : `The test has failed: ${outcome}.`;
}
