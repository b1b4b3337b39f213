import type { Database } from '../database/client.ts';
import type { Sql } from '../database/sql.ts';
import type { Log } from '../observability/log.ts';
import { failReplay, findReplay, takeReplay } from './queries.ts';
import type { ReplayTable, StoredReplay } from './queries.ts';
import { recordReplayEnd } from './record-end.ts';
import { isOpen, roundSize } from './rules.ts';
import type { ReplayOutlook } from './rules.ts';
import { withHeartbeat } from '../temporal/heartbeat.ts';
import { failAfterAttempts } from '../temporal/retry-limit.ts';

export interface RoundDependencies {
  database: Database;
  log: Log;
  /** Aborted when the worker stops: a round ends after the current chunk. */
  stopping: AbortSignal;
}

/** Right to run a replay; only the latest token is valid. */
export interface Lease {
  teamId: string;
  replayId: string;
  token: number;
}

/** A kind of replay. */
export interface ReplayKind<Row extends StoredReplay> {
  table: ReplayTable;
  /**
   * Replays the next chunk in the caller's transaction, at most so many deliveries. Effects,
   * counters and position change together under the lock of the replay, so that a repeated chunk
   * counts once. Returns undefined if the replay is finished or another worker has claimed it.
   */
  replayChunk(sql: Sql, lease: Lease, most: number): Promise<Row | undefined>;
}

/** A round may take this long; the next one is another line in the history. */
const budgetMs = 10_000;
/** Limit of one chunk. Heartbeats continue meanwhile, so that only a dead worker misses one. */
const chunkDeadlineMs = 55_000;

/** Rounds of replays of a kind: each replays what the rate allows for some seconds, or the rest. */
export function createReplayRounds<Row extends StoredReplay>(
  { database, log, stopping }: RoundDependencies,
  { table, replayChunk }: ReplayKind<Row>,
) {
  const find = (teamId: string, id: string) =>
    database.read((sql) => findReplay<Row>(sql, table, teamId, id));

  async function round(teamId: string, replayId: string) {
    const startedAtMs = performance.now();
    const taken = await database.read((sql) => takeReplay<Row>(sql, table, teamId, replayId));
    if (!taken) return outlookOf(await find(teamId, replayId), 0);
    let row = taken;
    const before = row.replayed;
    const lease = { teamId, replayId, token: row.run_token };
    const replay = async () => {
      let left = roundSize(row.rate_per_second);
      while (isOpen(row.status) && left > 0 && !stopping.aborted) {
        if (performance.now() - startedAtMs > budgetMs) break;
        const most = left;
        const after = await database.transact((sql) => replayChunk(sql, lease, most), {
          deadlineMs: chunkDeadlineMs,
        });
        if (!after) break;
        left -= after.replayed - row.replayed;
        row = after;
      }
    };
    await withHeartbeat(replay, () => ({ replayed: row.replayed, skipped: row.skipped }));
    const now = (await find(teamId, replayId)) ?? row;
    return outlookOf(now, now.replayed - before);
  }

  return (teamId: string, replayId: string) =>
    failAfterAttempts(
      () => round(teamId, replayId),
      async (error) => {
        log.error({ err: error, team_id: teamId, replay_id: replayId }, 'a replay is given up');
        await database.transact(async (sql) => {
          const row = await failReplay<Row>(sql, table, teamId, replayId);
          if (row) recordReplayEnd(sql, table, row);
        });
        return outlookOf(await find(teamId, replayId), 0);
      },
    );
}

/** The row, and the report of a round to its workflow. */
function outlookOf<Row extends StoredReplay>(row: Row | undefined, replayedNow: number) {
  const outlook: ReplayOutlook = {
    status: row?.status ?? 'canceled',
    matched: row?.matched ?? 0,
    replayed: row?.replayed ?? 0,
    succeeded: row?.succeeded ?? 0,
    failed: row?.failed ?? 0,
    skipped: row?.skipped ?? 0,
    ratePerSecond: row?.rate_per_second ?? 1,
    replayedNow,
  };
  return { row, outlook };
}
