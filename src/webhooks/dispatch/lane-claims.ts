import type { Database } from '../../platform/database/client.ts';
import { claimWaiting, firstCursor, firstWaitingDay } from './lanes/queries.ts';
import type { DueDelivery } from './queries.ts';
import type { ClaimRequest, ScanCursor } from './lanes/queries.ts';

/** Claimed ahead, in a few large rounds; it costs nothing when the process ends. */
const claimAhead = 256;

export type LaneClaims = ReturnType<typeof createLaneClaims>;

/** Scans the shards of a lane for waiting deliveries, and decides when the next claim is due. */
export function createLaneClaims(database: Database, shards: { from: number; to: number }) {
  let after: ScanCursor = firstCursor;
  let since = '';
  /**
   * Set by a work notification, the next poll, an unfinished scan, or a subscription with more to
   * claim.
   */
  let isAsked = true;

  return {
    /** Looks where the days with waiting deliveries begin. */
    async survey(): Promise<void> {
      since = await database.read((sql) => firstWaitingDay(sql));
    },
    ask() {
      isAsked = true;
    },
    isDue: () => isAsked,
    async next(
      leaving: Pick<ClaimRequest, 'taken' | 'allowances' | 'skipsLimited'>,
    ): Promise<DueDelivery[]> {
      const request = { shards, after, since, ...leaving, limit: claimAhead };
      const isAmid = after !== firstCursor;
      isAsked = false;
      const claimed = await database.read((sql) => claimWaiting(sql, request));
      const last = claimed.at(-1);
      // The scan continues after the last subscription served, or starts over at its end.
      after =
        claimed.length === claimAhead && last
          ? { shard: last.shard, subscriptionId: last.subscription_id }
          : firstCursor;
      // Those before the place where this walk began have had no turn yet.
      if (isAmid || after !== firstCursor) isAsked = true;
      return claimed;
    },
  };
}

/**
 * First and last shard of a lane; lanes split 0–255 into equal ranges, so their number can change.
 */
export function shardsOf(lane: number, lanes: number): { from: number; to: number } {
  const from = Math.ceil((lane * 256) / lanes);
  return { from, to: Math.ceil(((lane + 1) * 256) / lanes) - 1 };
}
