import { continueAsNew, defineSignal, proxyActivities } from '@temporalio/workflow';
import type { createReplayActivities } from '../activities/replay-inbound.ts';
import { searchAttributes } from '../src/platform/temporal/search-attributes.ts';
import { cancelRows } from './cancellation.ts';
import { pinToVersion } from './pinned.ts';
import { runRounds } from './replay-rounds.ts';
import type { ReplayResult } from './replay-rounds.ts';

const { replayInboundRound } = proxyActivities<ReturnType<typeof createReplayActivities>>({
  taskQueue: 'onward-replays',
  startToCloseTimeout: '2 minutes',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '10 seconds' },
  summary: 'Replay what the rate allows for some seconds',
});

/** Wake-up signal: the replay was requested or canceled. */
export const replayChanged = defineSignal('replayChanged');

export function replayWorkflowId(replayId: string): string {
  return `inbound-replay/${replayId}`;
}

export interface ReplayInboundArguments {
  v: 1;
  teamId: string;
  replayId: string;
}

/** Replays callbacks of a receiver at the rate of the request, and ends with the replay. */
export async function replayInbound(args: ReplayInboundArguments): Promise<ReplayResult> {
  const { teamId, replayId } = args;
  return runRounds({
    kind: 'inbound_replay',
    teamId,
    id: replayId,
    changed: replayChanged,
    round: () => replayInboundRound({ teamId, replayId }),
    ownerOf: ({ receiverId }) => ({ key: searchAttributes.receiverId, value: receiverId }),
    cancel: () => cancelRows.cancelInboundReplay({ teamId, id: replayId }),
    again: () => continueAsNew<typeof replayInbound>(args),
  });
}

pinToVersion(replayInbound);
