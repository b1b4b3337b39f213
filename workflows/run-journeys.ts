import {
  continueAsNew,
  defineSignal,
  proxyActivities,
  setCurrentDetails,
  workflowInfo,
} from '@temporalio/workflow';
import type { JourneyLaneCounts, createJourneyLaneActivities } from '../activities/run-journeys.ts';
import { explainCancellation } from './cancellation.ts';
import { createTeamsLine } from './list-counts.ts';
import { createSignalLatch } from './signal-latch.ts';

const { drainJourneyLane } = proxyActivities<ReturnType<typeof createJourneyLaneActivities>>({
  taskQueue: 'onward-journeys',
  startToCloseTimeout: '3 hours',
  heartbeatTimeout: '5 seconds',
  // Under steady load one activity runs for long. The retry interval must not grow with the
  // failures before it.
  retry: { initialInterval: '500 milliseconds', maximumInterval: '1 second' },
});

/** Wake-up signal: something may be due in the lane. */
export const journeyLaneHasWork = defineSignal('journeyLaneHasWork');

/** Counts of all runs since the lane had no workflow. */
export interface JourneyLaneResult {
  /** Times that a journey was looked at. */
  journeys: number;
  /** Messages. */
  sent: number;
  skipped: number;
  failed: number;
}

export interface RunJourneysArguments {
  v: 1;
  lane: number;
  /** Counts of the earlier runs that this one continues. */
  before?: JourneyLaneResult;
}

export function journeyLaneWorkflowId(lane: number): string {
  return `journey-lane/${String(lane)}`;
}

/** The rows may name an earlier time by then; the workflow that writes it signals. */
const maxSleepMs = 86_400_000;

/**
 * Runs the journeys of one lane's contacts: begins them, decides their steps and sends their
 * messages. It sleeps until the earliest due time, restarts its activity after a crash, and ends
 * when no step is due or upcoming.
 */
export async function runJourneys(args: RunJourneysArguments): Promise<JourneyLaneResult> {
  const { lane, before = { journeys: 0, sent: 0, skipped: 0, failed: 0 } } = args;
  explainCancellation('To stop sends, pause their templates in the API.');
  const signal = createSignalLatch(journeyLaneHasWork);
  const teamsLine = createTeamsLine();
  let total = before;
  for (;;) {
    signal.clear();
    const counts = await drainJourneyLane({ lane });
    total = {
      journeys: total.journeys + counts.journeys,
      sent: total.sent + counts.sent,
      skipped: total.skipped + counts.skipped,
      failed: total.failed + counts.failed,
    };
    setCurrentDetails(describe(lane, total, counts) + teamsLine(counts.teams));
    if (workflowInfo().continueAsNewSuggested) {
      await continueAsNew<typeof runJourneys>({ v: 1, lane, before: total });
    }
    const { nextDueInMs } = counts;
    // A signal may have come with the drain's result.
    const isSignaled = await signal.wait(
      nextDueInMs === null ? '1 second' : Math.min(Math.max(nextDueInMs, 1), maxSleepMs),
      nextDueInMs === null ? 'Ends without a signal' : 'The next journey is due',
    );
    if (!isSignaled && nextDueInMs === null) return total;
  }
}

function describe(
  lane: number,
  { journeys, sent, skipped, failed }: JourneyLaneResult,
  { nextDueInMs, overdueSeconds, halted = [] }: JourneyLaneCounts,
): string {
  const then =
    nextDueInMs === null
      ? 'Nothing waits: the next journey starts the lane again.'
      : `The next is due in ${String(Math.ceil(nextDueInMs / 1_000))} s.`;
  return (
    `Lane ${String(lane)}: ${String(journeys)} times a journey was looked at, ` +
    `${String(sent)} messages sent, ${String(skipped)} skipped, ${String(failed)} failed. ${then}` +
    (overdueSeconds === undefined
      ? ''
      : ` The oldest due journey has waited for ${String(overdueSeconds)} s.`) +
    (halted.length > 0 ? ` The provider of ${halted.join(', ')} takes no messages now.` : '')
  );
}
