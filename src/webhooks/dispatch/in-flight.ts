import type { ClaimedDelivery } from './lanes/queries.ts';

/** The receiver of an attempt that is older than this hangs. */
const slowAfterMs = 1_000;
/** Limit of responses of a lane that are not yet stored: a crash would repeat their attempts. */
const maxUnsaved = 512;
/**
 * A lane begins with this many attempts, and each stored one makes room for one more. A worker that
 * has just started is slow, often has a backlog, and is the most likely to be killed again. Later
 * only the receivers limit the attempts, so that some that hang never hold the lane.
 */
const firstAttempts = 16;
const slowStartMs = 1_000;
/**
 * After a fault, stored attempts make no room in this time: a kill amid the backlog would repeat
 * hundreds.
 */
const afterFaultMs = 2_000;

type Claimed = Pick<ClaimedDelivery, 'id' | 'subscription_id' | 'shard'>;

interface Attempt {
  subscriptionId: string;
  shard: number;
  startedAtMs: number;
  state: 'waits' | 'accepted' | 'failed';
}

export type InFlight = ReturnType<typeof createInFlight>;

/**
 * Attempts of a lane that are in flight, or whose response is not yet stored. `isAfterFault` if the
 * previous process of the lane, or Postgres, has just ended.
 */
export function createInFlight(startedAtMs: number, isAfterFault = false) {
  const attempts = new Map<string, Attempt>();
  /** All attempts, and those without a response, by subscription. */
  const openBySubscription = new Map<string, number>();
  const unanswered = new Map<string, number>();
  const startMs = isAfterFault ? afterFaultMs : slowStartMs;
  let window = firstAttempts;
  let unsaved = 0;
  let hanging = new Set<string>();
  const failed = new Set<string>();

  return {
    size: () => attempts.size,
    /** Attempts of the shards that the filter accepts. */
    ids: (isOf: (shard: number) => boolean) =>
      [...attempts].filter(([, { shard }]) => isOf(shard)).map(([id]) => id),
    subscriptions: () => openBySubscription.keys(),
    isFull: (nowMs: number) =>
      unsaved >= maxUnsaved || (attempts.size >= window && nowMs - startedAtMs < startMs),
    /** Whether a subscription has an attempt whose result is not yet stored. */
    hasOpenAttempt: (subscriptionId: string) => openBySubscription.has(subscriptionId),
    /** Number of attempts of a subscription without a response. */
    shareOf: (subscriptionId: string) => unanswered.get(subscriptionId) ?? 0,
    add({ id, subscription_id: subscriptionId, shard }: Claimed, nowMs: number) {
      attempts.set(id, { subscriptionId, shard, startedAtMs: nowMs, state: 'waits' });
      count(openBySubscription, subscriptionId, 1);
      count(unanswered, subscriptionId, 1);
    },
    /** Records the response of an attempt, which stays here until it is stored. */
    recordResponse(id: string, state: 'accepted' | 'failed') {
      const attempt = attempts.get(id);
      if (!attempt) return;
      attempt.state = state;
      unsaved += 1;
      count(unanswered, attempt.subscriptionId, -1);
      if (state === 'failed') failed.add(attempt.subscriptionId);
    },
    /** Removes an attempt that was stored, or whose unknown outcome causes a new one. */
    remove(id: string) {
      const attempt = attempts.get(id);
      if (!attempt) return;
      if (attempt.state === 'waits') count(unanswered, attempt.subscriptionId, -1);
      else {
        unsaved -= 1;
        if (!isAfterFault) window += 1;
      }
      count(openBySubscription, attempt.subscriptionId, -1);
      attempts.delete(id);
    },
    /**
     * Finds attempts that hang, and resets the record of failed ones: a failed attempt belongs to
     * the recovery of its subscription, with all deliveries that wait behind it.
     */
    refreshHealth(nowMs: number) {
      hanging = new Set();
      failed.clear();
      for (const { subscriptionId, startedAtMs, state } of attempts.values()) {
        if (state === 'failed') failed.add(subscriptionId);
        if (state === 'waits' && nowMs - startedAtMs >= slowAfterMs) hanging.add(subscriptionId);
      }
    },
    isHanging: (subscriptionId: string) => hanging.has(subscriptionId),
    /** Subscriptions with attempts that hung at the last refresh, or that have failed since. */
    unhealthy: (): ReadonlySet<string> => new Set([...hanging, ...failed]),
  };
}

function count(counts: Map<string, number>, key: string, change: 1 | -1) {
  const after = (counts.get(key) ?? 0) + change;
  if (after > 0) counts.set(key, after);
  else counts.delete(key);
}
