import {
  continueAsNew,
  defineSignal,
  proxyActivities,
  setCurrentDetails,
  workflowInfo,
} from '@temporalio/workflow';
import type { CohortOutlook, createCohortActivities } from '../activities/refresh-cohort.ts';
import { searchAttributes } from '../src/platform/temporal/search-attributes.ts';
import { explainCancellation } from './cancellation.ts';
import { createSignalLatch } from './signal-latch.ts';
import { endWith, setSearchAttributes } from './search-attributes.ts';

const { refreshDueCohort } = proxyActivities<ReturnType<typeof createCohortActivities>>({
  taskQueue: 'onward-cohorts',
  startToCloseTimeout: '3 minutes',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '10 seconds' },
  summary: 'Evaluate the cohort if that is due, and read when it is next',
});

/** Wake-up signal: the cohort is to be evaluated, or its schedule has changed. */
export const cohortChanged = defineSignal('cohortChanged');

export function cohortWorkflowId(cohortId: string): string {
  return `cohort/${cohortId}`;
}

export interface RefreshCohortArguments {
  v: 1;
  teamId: string;
  cohortId: string;
}

export interface CohortResult {
  /** `archived`, `deleted`, or the status of its last evaluation. */
  outcome: string;
  members: number;
}

/**
 * Evaluates a cohort after a change of its definition and by its schedule. It ends when no
 * evaluation is upcoming.
 */
export async function refreshCohort(args: RefreshCohortArguments): Promise<CohortResult> {
  const { teamId, cohortId } = args;
  explainCancellation('To stop evaluations, remove the schedule of the cohort in the API.');
  const signal = createSignalLatch(cohortChanged);
  for (;;) {
    signal.clear();
    const outlook: CohortOutlook = await refreshDueCohort({
      teamId,
      cohortId,
      asOfMs: Date.now(),
    });
    setCurrentDetails(describe(outlook));
    // A change during the read has sent its signal already; no further one follows.
    if (!signal.isSet()) {
      const { status, members, nextAtMs } = outlook;
      if (nextAtMs === undefined) return endWith({ outcome: status, members });
      setSearchAttributes([{ key: searchAttributes.dueAt, value: new Date(nextAtMs) }]);
      const summary = `Evaluated next at ${new Date(nextAtMs).toISOString()}`;
      await signal.wait(Math.max(nextAtMs - Date.now(), 1), summary);
    }
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof refreshCohort>(args);
  }
}

function describe({ status, members, tookMs, nextAtMs }: CohortOutlook): string {
  if (status === 'deleted') return 'The cohort was deleted: it is not evaluated any more.';
  if (status === 'archived') return 'The cohort is archived: it is not evaluated any more.';
  const next =
    nextAtMs === undefined
      ? 'No schedule asks for another evaluation.'
      : `It is evaluated next at ${new Date(nextAtMs).toISOString()}.`;
  const counted = `${String(members)} members`;
  if (status === 'failed') {
    return `The last evaluation failed; the cohort keeps the ${counted} of the one before. ${next}`;
  }
  return `The cohort is ${status}, with ${counted} (${String(tookMs)} ms). ${next}`;
}
