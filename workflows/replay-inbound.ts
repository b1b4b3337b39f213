import {
  continueAsNew,
  defineSignal,
  proxyActivities,
  setCurrentDetails,
  workflowInfo,
} from '@temporalio/workflow';
import type { ReplayOutlook, createReplayActivities } from '../activities/replay-inbound.ts';
import { isOpen, pauseMs } from '../src/inbound/replays/rules.ts';
import { searchAttributes } from '../src/temporal/search-attributes.ts';
import { hearNudges } from './nudges.ts';
import { showSearchAttributes } from './show.ts';

const { replayInboundRound } = proxyActivities<ReturnType<typeof createReplayActivities>>({
  taskQueue: 'onward-inbound-replays',
  startToCloseTimeout: '2 minutes',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '10 seconds' },
  summary: 'Replay what the rate allows for some seconds',
});

/** Nudge: the replay was asked for, or canceled. */
export const replayChanged = defineSignal('replayChanged');

export function replayWorkflowId(replayId: string): string {
  return `inbound-replay/${replayId}`;
}

export interface ReplayInboundArguments {
  v: 1;
  teamId: string;
  replayId: string;
}

/** A round and the pause after it make a dozen events. */
const longestHistory = 1_000;

/**
 * Replays deliveries of a receiver at a given rate. The row holds what is wanted, how far it has got
 * and whether it goes on; this keeps the pace, begins again where a worker was lost, and ends with
 * the replay.
 */
export async function replayInbound(args: ReplayInboundArguments): Promise<void> {
  const { teamId, replayId } = args;
  const nudges = hearNudges(replayChanged);
  let isShown = false;
  for (;;) {
    nudges.forget();
    const beganAtMs = Date.now();
    const outlook: ReplayOutlook = await replayInboundRound({ teamId, replayId });
    setCurrentDetails(describe(outlook));
    const { status, ratePerSecond, replayedNow } = outlook;
    if (!isOpen(status)) {
      showSearchAttributes([
        { key: searchAttributes.waiting, value: 0 },
        { key: searchAttributes.outcome, value: status },
      ]);
      return;
    }
    if (!isShown) {
      isShown = true;
      showSearchAttributes([
        { key: searchAttributes.receiverId, value: outlook.receiverId },
        { key: searchAttributes.waiting, value: waitingOf(outlook) },
      ]);
    }
    const waitMs = pauseMs(replayedNow, ratePerSecond, Date.now() - beganAtMs);
    if (waitMs > 0) await nudges.wait(waitMs);
    const { continueAsNewSuggested, historyLength } = workflowInfo();
    if (continueAsNewSuggested || historyLength > longestHistory) {
      await continueAsNew<typeof replayInbound>(args);
    }
  }
}

const waitingOf = ({ matched, replayed, skipped }: ReplayOutlook) =>
  Math.max(0, matched - replayed - skipped);

function describe(outlook: ReplayOutlook): string {
  const { status, matched, replayed, failed, skipped, ratePerSecond } = outlook;
  return (
    `The replay is ${status}: ${String(replayed)} of ${String(matched)} deliveries replayed, ` +
    `${String(failed)} of them failed, ${String(skipped)} skipped. ` +
    `${String(waitingOf(outlook))} wait, at ${String(ratePerSecond)} a second.`
  );
}
