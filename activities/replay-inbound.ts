import type { Keyring } from '../src/platform/auth/keyring.ts';
import { inboundReplays } from '../src/inbound/replays/queries.ts';
import { replayChunk } from '../src/inbound/replays/running/chunk.ts';
import { createReplayRounds } from '../src/platform/replays/replay-rounds.ts';
import type { RoundDependencies } from '../src/platform/replays/replay-rounds.ts';
import type { ReplayOutlook } from '../src/platform/replays/rules.ts';

export interface ReplayDependencies extends RoundDependencies {
  keyring: Keyring;
  publicBaseUrl: string;
}

export interface InboundReplayOutlook extends ReplayOutlook {
  receiverId: string;
}

export function createReplayActivities(dependencies: ReplayDependencies) {
  const round = createReplayRounds(dependencies, {
    table: inboundReplays,
    replayChunk: (sql, lease, most) => replayChunk(sql, dependencies, lease, most),
  });
  return {
    /** Replays what the rate allows for some seconds, or the rest. */
    async replayInboundRound({
      teamId,
      replayId,
    }: {
      teamId: string;
      replayId: string;
    }): Promise<InboundReplayOutlook> {
      const { row, outlook } = await round(teamId, replayId);
      return { ...outlook, receiverId: row?.receiver_id ?? '' };
    },
  };
}
