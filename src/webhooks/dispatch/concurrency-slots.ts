import { LRUCache } from 'lru-cache';
import type { DueDelivery } from './queries.ts';

/** Attempts in flight of a subscription whose receiver has not responded lately. */
const firstWindow = 4;
const largestWindow = 128;
/**
 * The window of a receiver that responds slowly: one attempt for each `msPerAttempt` of its fastest
 * response, within these bounds. More attempts to a near receiver only wait, and are all repeated
 * when the process is killed. Fewer to a distant one would delay its deliveries.
 */
const msPerAttempt = 12;
const slowWindow = { least: 2, most: 8 };
/** A window ends when there was no response for this long. */
const windowMs = 10_000;
/**
 * A response is slow if it takes longer than `slowerTimes` times the fastest one, plus `slowerMs`.
 */
const slowerTimes = 2;
const slowerMs = 10;
/** Validity of the fastest response, since receivers become slower. */
const fastestForMs = 10_000;
/** A team and a subscription take these shares of the free slots at most. */
const shareOfTeam = 1 / 2;
const shareOfSubscription = 1 / 4;
/** Receivers that have not responded lately leave this share of all slots to the others. */
const shareOfResponsive = 1 / 4;

type Subscriber = Pick<DueDelivery, 'team_id' | 'subscription_id'>;

interface Window {
  size: number;
  fastestMs: number;
  fastestAtMs: number;
}

/** Result of an attempt: with a response, without one, or not made for a reason in the service. */
export type Answered = 'answered' | 'unanswered' | 'not_made';

/**
 * Slots for attempts in flight, shared by all subscriptions of a process. The window of a
 * subscription starts small and grows by one with each response, as in the slow start of TCP, so
 * that a hanging receiver never occupies many slots. It shrinks by one with each response that is
 * much slower than the fastest (as in TCP Vegas). More attempts in flight would only wait, and a
 * process that is killed repeats all of them. A team and a subscription get only a share of the
 * free slots (dynamic thresholds, as in the buffers of a switch), so that others find some.
 */
export function createConcurrencySlots(total: number, now = () => performance.now()) {
  /** Occupied slots, by team and by subscription. */
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
    /** Whether the receiver has responded lately. */
    hasRespondedLately: (subscriptionId: string) => windows.has(subscriptionId),
    /**
     * Number of further attempts that may begin, with at most `most` of the subscription in flight.
     */
    room({ team_id, subscription_id }: Subscriber, most: number): number {
      const window = windows.get(subscription_id);
      const usable = window === undefined ? free - total * shareOfResponsive : free;
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
    /** `tookMs` is the time from the attempt to its response. */
    end({ team_id, subscription_id }: Subscriber, answered: Answered, tookMs = 0): void {
      free += 1;
      change(team_id, -1);
      change(subscription_id, -1);
      if (answered === 'unanswered') windows.delete(subscription_id);
      if (answered !== 'answered') return;
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
