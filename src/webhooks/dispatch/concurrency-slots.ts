import { LRUCache } from 'lru-cache';
import type { DueDelivery } from './queries.ts';

/** Attempts under way of a subscription whose receiver has not answered lately. */
const firstWindow = 4;
const largestWindow = 128;
/**
 * The window of a receiver that answers slowly: one attempt for each `msPerAttempt` of its fastest
 * answer, within these bounds. More attempts to a near receiver only wait, and are all repeated
 * when the process is killed; fewer to a far one would hold up its deliveries.
 */
const msPerAttempt = 12;
const slowWindow = { least: 2, most: 8 };
/** A window ends when nothing was answered for this long. */
const windowMs = 10_000;
/** An answer is slow when it takes longer than the fastest one times `slowerTimes` plus `slowerMs`. */
const slowerTimes = 2;
const slowerMs = 10;
/** The fastest answer counts for so long, since receivers become slower. */
const fastestForMs = 10_000;
/** A team and a subscription take these shares of the free places at most. */
const shareOfTeam = 1 / 2;
const shareOfSubscription = 1 / 4;
/** Receivers that have not answered lately leave this share of all places to the others. */
const shareOfProven = 1 / 4;

type Subscriber = Pick<DueDelivery, 'team_id' | 'subscription_id'>;

interface Window {
  size: number;
  fastestMs: number;
  fastestAtMs: number;
}

/** How an attempt has ended: with an answer, without one, or unmade for reasons of our own. */
export type Outcome = 'answered' | 'unanswered' | 'unmade';

/**
 * Places for attempts under way, shared by all subscriptions of a process. A subscription starts
 * with a small window that grows by one with each answer, as in the slow start of TCP, so that a
 * receiver that hangs never holds many places. It shrinks by one with each answer that is much
 * slower than the fastest (as in TCP Vegas): more attempts under way would only wait, and a process
 * that is killed makes all of them again. A team and a subscription take a share of the free places
 * only (dynamic thresholds, as in the buffers of a switch), so that others find some.
 */
export function createConcurrencySlots(total: number, now = () => performance.now()) {
  /** Places taken, by team and by subscription. */
  const taken = new Map<string, number>();
  const windows = new LRUCache<string, Window>({ max: 10_000, ttl: windowMs });
  let free = total;

  const takenBy = (id: string) => taken.get(id) ?? 0;

  function change(id: string, by: 1 | -1): void {
    const after = takenBy(id) + by;
    if (after > 0) taken.set(id, after);
    else taken.delete(id);
  }

  return {
    /** Whether the receiver has answered lately. */
    isProven: (subscriptionId: string) => windows.has(subscriptionId),
    /** How many attempts more may begin, with at most `most` of the subscription under way. */
    room({ team_id, subscription_id }: Subscriber, most: number): number {
      const window = windows.get(subscription_id);
      const usable = window === undefined ? free - total * shareOfProven : free;
      const ofTeam = Math.floor(usable * shareOfTeam) - takenBy(team_id);
      const ofSubscription = Math.min(
        window?.size ?? firstWindow,
        most,
        Math.floor(usable * shareOfSubscription),
      );
      return Math.max(0, Math.min(ofTeam, ofSubscription - takenBy(subscription_id)));
    },
    begin({ team_id, subscription_id }: Subscriber): void {
      free -= 1;
      change(team_id, 1);
      change(subscription_id, 1);
    },
    /** `tookMs` is the time from the attempt to its answer. */
    end({ team_id, subscription_id }: Subscriber, outcome: Outcome, tookMs = 0): void {
      free += 1;
      change(team_id, -1);
      change(subscription_id, -1);
      if (outcome === 'unanswered') windows.delete(subscription_id);
      if (outcome !== 'answered') return;
      windows.set(subscription_id, windowAfter(windows.get(subscription_id), tookMs, now()));
    },
  };
}

function windowAfter(before: Window | undefined, tookMs: number, nowMs: number): Window {
  const { size, fastestMs, fastestAtMs } = before ?? {
    size: firstWindow,
    fastestMs: tookMs,
    fastestAtMs: nowMs,
  };
  const isSlow = tookMs > fastestMs * slowerTimes + slowerMs;
  const isFastest = tookMs <= fastestMs || nowMs - fastestAtMs > fastestForMs;
  const { least, most } = slowWindow;
  const smallest = Math.min(most, Math.max(least, Math.ceil(fastestMs / msPerAttempt)));
  return {
    size: isSlow ? Math.max(smallest, size - 1) : Math.min(largestWindow, size + 1),
    ...(isFastest ? { fastestMs: tookMs, fastestAtMs: nowMs } : { fastestMs, fastestAtMs }),
  };
}
