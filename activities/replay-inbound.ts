import type { Keyring } from '../src/platform/auth/keyring.ts';
import type { Job } from '../src/platform/jobs/job.ts';
import { replayJob } from '../src/platform/replays/replay-job.ts';
import type { RoundDependencies } from '../src/platform/replays/replay-job.ts';
import { inboundReplays } from '../src/inbound/replays/queries.ts';
import type { ReplayRow } from '../src/inbound/replays/queries.ts';
import { replayChunk } from '../src/inbound/replays/running/chunk.ts';
import { inboundReplayJob } from '../workflows/jobs.ts';

interface Tools extends RoundDependencies {
  keyring: Keyring;
  publicBaseUrl: string;
}

export function replayInbound(tools: Tools): Job<'shown'> {
  return replayJob<ReplayRow>(tools, {
    shape: inboundReplayJob,
    table: inboundReplays,
    ownerOf: ({ receiver_id: receiverId }) => ({ receiverId }),
    replayChunk: (sql, lease, most) => replayChunk(sql, tools, lease, most),
  });
}
