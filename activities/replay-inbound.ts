import { Context } from '@temporalio/activity';
import type { Keyring } from '../src/auth/keyring.ts';
import type { Database } from '../src/database/client.ts';
import { isAway, isRepeatable } from '../src/database/failures.ts';
import type { ReplayRow } from '../src/inbound/replays/queries.ts';
import { isOpen, roundSize } from '../src/inbound/replays/rules.ts';
import type { ReplayStatus } from '../src/inbound/replays/rules.ts';
import { replayChunk } from '../src/inbound/replays/running/chunk.ts';
import { failReplay, findReplay, takeReplay } from '../src/inbound/replays/running/queries.ts';
import type { Log } from '../src/log.ts';

export interface ReplayDependencies {
  database: Database;
  keyring: Keyring;
  log: Log;
  publicBaseUrl: string;
  /** Aborted when the worker is to end: a round ends after the chunk under way. */
  stopping: AbortSignal;
}

/** How far a replay has got, and what the round that tells it has done. */
export interface ReplayOutlook {
  status: ReplayStatus;
  receiverId: string;
  matched: number;
  replayed: number;
  succeeded: number;
  failed: number;
  skipped: number;
  ratePerSecond: number;
  replayedNow: number;
}

/** A round may take this long; the next one is another line in the history. */
const budgetMs = 10_000;
/** Of one chunk. A heartbeat goes out all the while, so that only a dead worker misses one. */
const chunkDeadlineMs = 55_000;
const heartbeatMs = 2_000;
/** An error of ours that keeps coming back would hold the receiver's replays for ever. */
const mostTries = 5;

export function createReplayActivities(dependencies: ReplayDependencies) {
  const { database, log, stopping } = dependencies;

  async function round(teamId: string, replayId: string): Promise<ReplayOutlook> {
    const context = Context.current();
    const startedAtMs = performance.now();
    let row = await database.read((sql) => takeReplay(sql, teamId, replayId));
    if (!row) return outlookOf(await database.read((sql) => findReplay(sql, teamId, replayId)), 0);
    const before = row.replayed;
    const hold = { teamId, replayId, token: row.run_token };
    const beat = () => {
      context.heartbeat({ replayed: row?.replayed, skipped: row?.skipped });
    };
    const beating = setInterval(beat, heartbeatMs);
    try {
      let left = roundSize(row.rate_per_second);
      while (isOpen(row.status) && left > 0 && !stopping.aborted) {
        if (performance.now() - startedAtMs > budgetMs) break;
        const most = left;
        const after = await database.transact((sql) => replayChunk(sql, dependencies, hold, most), {
          deadlineMs: chunkDeadlineMs,
        });
        if (!after) {
          row = (await database.read((sql) => findReplay(sql, teamId, replayId))) ?? row;
          break;
        }
        left -= after.replayed - row.replayed;
        row = after;
      }
      return outlookOf(row, row.replayed - before);
    } finally {
      clearInterval(beating);
    }
  }

  return {
    /** Replays what the rate allows for some seconds, or the rest. */
    async replayInboundRound({
      teamId,
      replayId,
    }: {
      teamId: string;
      replayId: string;
    }): Promise<ReplayOutlook> {
      try {
        return await round(teamId, replayId);
      } catch (error) {
        const { attempt } = Context.current().info;
        if (isAway(error) || isRepeatable(error) || attempt < mostTries) throw error;
        log.error({ err: error, team_id: teamId, replay_id: replayId }, 'a replay is given up');
        await database.transact((sql) => failReplay(sql, teamId, replayId));
        return outlookOf(await database.read((sql) => findReplay(sql, teamId, replayId)), 0);
      }
    },
  };
}

function outlookOf(row: ReplayRow | undefined, replayedNow: number): ReplayOutlook {
  return {
    status: row?.status ?? 'canceled',
    receiverId: row?.receiver_id ?? '',
    matched: row?.matched ?? 0,
    replayed: row?.replayed ?? 0,
    succeeded: row?.succeeded ?? 0,
    failed: row?.failed ?? 0,
    skipped: row?.skipped ?? 0,
    ratePerSecond: row?.rate_per_second ?? 1,
    replayedNow,
  };
}
