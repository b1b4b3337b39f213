import type { Database } from '../../platform/database/client.ts';
import { readInOrder } from '../../platform/database/one-trip.ts';
import { claimWaiting, firstCursor, findWaitingDays } from './lanes/queries.ts';
import type { ClaimedDelivery, ClaimRequest, ShardRange, WaitingDays } from './lanes/queries.ts';

/** Claimed ahead, in a few large rounds; it costs nothing when the process ends. */
const claimAhead = 256;
/** All shards are claimed this often, for work without a notification. */
const claimAllEveryMs = 250;

export interface Claim {
  claimed: readonly ClaimedDelivery[];
  /** Whether the claim visited all subscriptions of a shard. */
  covers(shard: number): boolean;
}

/** Deliveries and subscriptions that a claim leaves out. */
type Leaving = Pick<ClaimRequest, 'allowances' | 'skipsLimited'> & {
  /** Deliveries of the shards that the filter accepts which this lane has already. */
  taken: (isOf: (shard: number) => boolean) => string[];
};

export type LaneClaims = ReturnType<typeof createLaneClaims>;

/**
 * Claims waiting deliveries of the shards of a lane: of those shards that a work notification or a
 * queue asked for, and at intervals of all. So a claim does not visit all subscriptions with a
 * backlog, such as those whose receivers do not respond.
 */
export function createLaneClaims(database: Database, all: ShardRange) {
  let days: WaitingDays = { first: today(), last: today() };
  let isAllRequested = true;
  let allClaimedAtMs = performance.now();
  const requestedShards = new Set<number>();
  /** Where a scan ended that found as much as a claim may take. */
  let unfinished: Pick<ClaimRequest, 'ranges' | 'start'> | undefined;

  const isAllDue = (nowMs: number) => isAllRequested || nowMs - allClaimedAtMs >= claimAllEveryMs;

  function nextScan(nowMs: number) {
    if (unfinished) return unfinished;
    const claimsAll = isAllDue(nowMs);
    const ranges = claimsAll
      ? [all]
      : [...requestedShards].map((shard) => ({ from: shard, to: shard }));
    if (claimsAll) allClaimedAtMs = nowMs;
    isAllRequested = false;
    requestedShards.clear();
    return { ranges, start: firstCursor };
  }

  return {
    /** Reads which days have waiting deliveries. */
    async refreshDays(): Promise<void> {
      days = await readInOrder(database, findWaitingDays);
    },
    requestShard(shard: number) {
      requestedShards.add(shard);
    },
    requestAllShards() {
      isAllRequested = true;
    },
    /** Time until all shards are claimed again; a claim that is due waits for room in the queues. */
    allInMs: (nowMs: number) =>
      isAllDue(nowMs) ? claimAllEveryMs : Math.ceil(allClaimedAtMs + claimAllEveryMs - nowMs),
    isDue: (nowMs: number) =>
      isAllDue(nowMs) || requestedShards.size > 0 || unfinished !== undefined,
    async next(nowMs: number, { taken, ...leaving }: Leaving): Promise<Claim> {
      const { ranges, start } = nextScan(nowMs);
      const isInRanges = (shard: number) =>
        ranges.some(({ from, to }) => shard >= from && shard <= to);
      const request = {
        ranges,
        start,
        // Days change between two looks.
        days: { ...days, last: days.last > today() ? days.last : today() },
        ...leaving,
        taken: taken(isInRanges),
        limit: claimAhead,
      };
      unfinished = undefined;
      const claimed = await readInOrder(database, (sql) => claimWaiting(sql, request));
      const last = claimed.at(-1);
      // The scan continues at the last subscription served.
      if (claimed.length === claimAhead && last) {
        unfinished = { ranges, start: { shard: last.shard, subscriptionId: last.subscription_id } };
      }
      const end = unfinished?.start.shard ?? Infinity;
      return { claimed, covers: (shard) => shard < end && isInRanges(shard) };
    },
  };
}

const today = () => new Date().toISOString().slice(0, 10);

/**
 * First and last shard of a lane; lanes split 0–255 into equal ranges, so their number can change.
 */
export function shardsOf(lane: number, lanes: number): ShardRange {
  const from = Math.ceil((lane * 256) / lanes);
  return { from, to: Math.ceil(((lane + 1) * 256) / lanes) - 1 };
}
