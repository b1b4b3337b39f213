import {
  continueAsNew,
  defineSignal,
  proxyActivities,
  setCurrentDetails,
  workflowInfo,
} from '@temporalio/workflow';
import type { createCohortLaneActivities } from '../activities/follow-cohort-changes.ts';
import { explainCancellation } from './cancellation.ts';
import { createSignalLatch } from './signal-latch.ts';

const { drainCohortLane } = proxyActivities<ReturnType<typeof createCohortLaneActivities>>({
  startToCloseTimeout: '3 hours',
  heartbeatTimeout: '5 seconds',
  // Under steady load one activity runs for long. The retry interval must not grow with the
  // failures before it.
  retry: { initialInterval: '500 milliseconds', maximumInterval: '1 second' },
});

/** Wake-up signal: changes may wait in the lane. */
export const cohortLaneHasWork = defineSignal('cohortLaneHasWork');

/** Counts of all runs since the lane had no workflow. */
export interface CohortLaneResult {
  changes: number;
  /** Times that a contact came to a cohort or left one. */
  moved: number;
}

export interface FollowCohortChangesArguments {
  v: 1;
  lane: number;
  /** Counts of the earlier runs that this one continues. */
  before?: CohortLaneResult;
}

export function cohortLaneWorkflowId(lane: number): string {
  return `cohort-lane/${String(lane)}`;
}

/**
 * Evaluates changed contacts for the realtime cohorts of one lane. It keeps one activity running,
 * restarts it after a crash, and ends when no change waits.
 */
export async function followCohortChanges(
  args: FollowCohortChangesArguments,
): Promise<CohortLaneResult> {
  const { lane, before = { changes: 0, moved: 0 } } = args;
  explainCancellation('To stop a cohort, archive it in the API.');
  const signal = createSignalLatch(cohortLaneHasWork);
  let { changes, moved } = before;
  do {
    signal.clear();
    const counts = await drainCohortLane({ lane });
    changes += counts.changes;
    moved += counts.moved;
    setCurrentDetails(describe(lane, { changes, moved }, 'Ends when nothing waits.'));
    if (workflowInfo().continueAsNewSuggested) {
      await continueAsNew<typeof followCohortChanges>({ v: 1, lane, before: { changes, moved } });
    }
    // A signal may have come with the drain's result.
    await signal.wait('1 second', 'Ends without a signal');
  } while (signal.isSet());
  const end = 'Nothing waits: the next change starts the lane again.';
  setCurrentDetails(describe(lane, { changes, moved }, end));
  return { changes, moved };
}

function describe(lane: number, { changes, moved }: CohortLaneResult, next: string): string {
  return (
    `Lane ${String(lane)}: ${String(changes)} changes followed, ${String(moved)} times a contact ` +
    `came to a cohort or left one. ${next}`
  );
}
