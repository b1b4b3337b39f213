import type { ClaimedDelivery } from './lanes/queries.ts';

/** The receiver of an attempt that is older than this hangs. */
const slowAfterMs = 1_000;
/** Limit of responses of a lane that are not yet stored: a crash would repeat their attempts. */
const unwrittenAtMost = 512;
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

interface Post {
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
  const posts = new Map<string, Post>();
  /** All attempts, and those without a response, by subscription. */
  const inHand = new Map<string, number>();
  const waiting = new Map<string, number>();
  const startMs = isAfterFault ? afterFaultMs : slowStartMs;
  let window = firstAttempts;
  let unwritten = 0;
  let hanging = new Set<string>();
  const failed = new Set<string>();

  return {
    size: () => posts.size,
    /** Attempts of the shards that the filter accepts. */
    ids: (isOf: (shard: number) => boolean) =>
      [...posts].filter(([, { shard }]) => isOf(shard)).map(([id]) => id),
    subscriptions: () => inHand.keys(),
    isFull: (nowMs: number) =>
      unwritten >= unwrittenAtMost || (posts.size >= window && nowMs - startedAtMs < startMs),
    /** Whether a subscription has an attempt whose result is not yet stored. */
    isInHand: (subscriptionId: string) => inHand.has(subscriptionId),
    /** Number of attempts of a subscription without a response. */
    shareOf: (subscriptionId: string) => waiting.get(subscriptionId) ?? 0,
    begin({ id, subscription_id: subscriptionId, shard }: Claimed, nowMs: number) {
      posts.set(id, { subscriptionId, shard, startedAtMs: nowMs, state: 'waits' });
      count(inHand, subscriptionId, 1);
      count(waiting, subscriptionId, 1);
    },
    /** Records the response of an attempt, which stays here until `forget`. */
    answer(id: string, state: 'accepted' | 'failed') {
      const post = posts.get(id);
      if (!post) return;
      post.state = state;
      unwritten += 1;
      count(waiting, post.subscriptionId, -1);
      if (state === 'failed') failed.add(post.subscriptionId);
    },
    /** Removes an attempt that was stored, or whose unknown outcome causes a new one. */
    forget(id: string) {
      const post = posts.get(id);
      if (!post) return;
      if (post.state === 'waits') count(waiting, post.subscriptionId, -1);
      else {
        unwritten -= 1;
        if (!isAfterFault) window += 1;
      }
      count(inHand, post.subscriptionId, -1);
      posts.delete(id);
    },
    /**
     * Finds attempts that hang, and resets the record of failed ones: a failed attempt belongs to
     * the recovery of its subscription, with all deliveries that wait behind it.
     */
    survey(nowMs: number) {
      hanging = new Set();
      failed.clear();
      for (const { subscriptionId, startedAtMs, state } of posts.values()) {
        if (state === 'failed') failed.add(subscriptionId);
        if (state === 'waits' && nowMs - startedAtMs >= slowAfterMs) hanging.add(subscriptionId);
      }
    },
    isHanging: (subscriptionId: string) => hanging.has(subscriptionId),
    /** Subscriptions with attempts that hung at the last survey, or that have failed since. */
    unhealthy: (): ReadonlySet<string> => new Set([...hanging, ...failed]),
  };
}

function count(counts: Map<string, number>, key: string, change: 1 | -1) {
  const after = (counts.get(key) ?? 0) + change;
  if (after > 0) counts.set(key, after);
  else counts.delete(key);
}
