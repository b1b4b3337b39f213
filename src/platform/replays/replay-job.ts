import type { Database } from '../database/client.ts';
import type { Sql } from '../database/sql.ts';
import { again, end, untouchedFor, waitUntil } from '../jobs/job.ts';
import type { Job } from '../jobs/job.ts';
import type { JobShape, Round, ShownValues } from '../jobs/shape.ts';
import {
  cancelReplayRow,
  failReplay,
  findReplay,
  listStaleReplays,
  setReplayRate,
  takeReplay,
} from './queries.ts';
import type { ReplayTable, StoredReplay } from './queries.ts';
import { recordReplayEnd } from './record-end.ts';
import { isOpen, nextRoundAtMs, roundSize } from './rules.ts';

export interface RoundDependencies {
  database: Database;
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
  shape: JobShape;
  table: ReplayTable;
  /** Whose deliveries it replays, by which operators find it. */
  ownerOf(row: Row): ShownValues;
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
/** Longer than a replay waits between two rounds. */
const untouchedSeconds = 20;

/**
 * Replays deliveries at the rate of the request. The row stores the request, the progress and the
 * status; each round replays what the rate allows for some seconds, or the rest.
 */
export function replayJob<Row extends StoredReplay>(
  { database, stopping }: RoundDependencies,
  { shape, table, ownerOf, replayChunk }: ReplayKind<Row>,
): Job<'shown'> {
  const find = (teamId: string, id: string) =>
    database.read((sql) => findReplay<Row>(sql, table, teamId, id));

  /** Returns the number of deliveries that were replayed. */
  async function replay(
    teamId: string,
    replayId: string,
    show: (progress: object) => void,
  ): Promise<number> {
    const startedAtMs = performance.now();
    let row = await database.read((sql) => takeReplay<Row>(sql, table, teamId, replayId));
    if (!row) return 0;
    const { replayed: before, run_token: token } = row;
    const lease = { teamId, replayId, token };
    let left = roundSize(row.rate_per_second);
    while (isOpen(row.status) && left > 0 && !stopping.aborted) {
      if (performance.now() - startedAtMs > budgetMs) break;
      const most = left;
      const after: Row | undefined = await database.transact(
        (sql) => replayChunk(sql, lease, most),
        { deadlineMs: chunkDeadlineMs },
      );
      if (!after) break;
      left -= after.replayed - row.replayed;
      row = after;
      show({ replayed: row.replayed, skipped: row.skipped });
    }
    return ((await find(teamId, replayId)) ?? row).replayed - before;
  }

  /** `replayedNow` since `sinceMs`, which decides the time of the next round. */
  async function look(
    { teamId, id }: { teamId: string; id: string },
    { sinceMs, replayedNow, isShown }: { sinceMs: number; replayedNow: number; isShown: boolean },
  ): Promise<Round<'shown'>> {
    const row = await find(teamId, id);
    if (!row) return end({ outcome: 'canceled', ...none }, 'The replay was deleted.');
    const { status, matched, replayed, succeeded, failed, skipped } = row;
    const waiting = waitingOf(row);
    const owner = ownerOf(row);
    const details = describeReplay(row, owner);
    if (!isOpen(status)) {
      const counts = { matched, replayed, succeeded, failed, skipped };
      return end({ outcome: status, ...counts }, details, { shown: { ...owner, waiting: 0 } });
    }
    // Each further value would be an event in the history.
    const more = { state: 'shown' as const, ...(!isShown && { shown: { ...owner, waiting } }) };
    const nextAtMs = nextRoundAtMs(sinceMs, replayedNow, row.rate_per_second);
    if (nextAtMs <= Date.now()) return again(details, more);
    return waitUntil(nextAtMs, 'Keeps to the rate', details, more);
  }

  return {
    shape,
    overdue: [
      untouchedFor(untouchedSeconds, (sql, ms, most) => listStaleReplays(sql, table, ms, most)),
    ],
    async round({ teamId, id, asOfMs, state }, show) {
      const replayedNow = await replay(teamId, id, show);
      return look({ teamId, id }, { sinceMs: asOfMs, replayedNow, isShown: state === 'shown' });
    },
    async giveUp(target) {
      await database.transact(async (sql) => {
        const row = await failReplay<Row>(sql, table, target.teamId, target.id);
        if (row) recordReplayEnd(sql, table, row);
      });
      return look(target, { sinceMs: Date.now(), replayedNow: 0, isShown: false });
    },
    /** Waits for the chunk in progress, and claims the replay, so that nothing more is replayed. */
    async cancel(sql, { teamId, id }) {
      const open = await takeReplay<Row>(sql, table, teamId, id);
      if (!open) return undefined;
      recordReplayEnd(sql, table, await cancelReplayRow(sql, table, open));
      return table.type;
    },
    updates: {
      async setRate(sql, { teamId, id }, { ratePerSecond }) {
        const isSet = await setReplayRate(sql, table, teamId, id, Number(ratePerSecond));
        if (!isSet) return { refusal: 'The replay has ended.' };
        return {
          done: `The rate is ${String(ratePerSecond)} a second.`,
          action: `${table.type}.updated`,
          changedFields: ['rate_per_second'],
        };
      },
    },
  };
}

const none = { matched: 0, replayed: 0, succeeded: 0, failed: 0, skipped: 0 };

const waitingOf = ({ matched, replayed, skipped }: StoredReplay) =>
  Math.max(0, matched - replayed - skipped);

function describeReplay(row: StoredReplay, owner: ShownValues): string {
  const { status, matched, replayed, failed, skipped, rate_per_second: rate } = row;
  const left = String(waitingOf(row));
  const rest = isOpen(status)
    ? `${left} wait, at ${String(rate)} a second.`
    : `${left} were not replayed.`;
  const cause =
    status === 'failed'
      ? ' An error came back five times: the line `a job is given up` of the worker has it.'
      : '';
  const owners = Object.entries(owner).map(([name, id]) => ` ${name}: ${String(id)}.`);
  return (
    `The replay is ${status}: ${String(replayed)} of ${String(matched)} deliveries replayed, ` +
    `${String(failed)} of them failed, ${String(skipped)} skipped. ${rest}${cause}${owners.join('')}`
  );
}
