/** A post older than this is one of a receiver that hangs. */
const slowAfterMs = 1_000;
/** Answers of a lane that are not written down yet, at most: what a crash would repeat. */
const unwrittenAtMost = 512;

interface Post {
  subscriptionId: string;
  startedAtMs: number;
  state: 'waits' | 'accepted' | 'failed';
}

/** What a lane has in hand: posts without an answer, and answers that are not written down yet. */
export function createInFlight() {
  const posts = new Map<string, Post>();
  /** Posts in hand, and those without an answer, by subscription. */
  const inHand = new Map<string, number>();
  const waiting = new Map<string, number>();
  let unwritten = 0;
  let hanging = new Set<string>();
  const failed = new Set<string>();

  return {
    size: () => posts.size,
    ids: () => posts.keys(),
    subscriptions: () => inHand.keys(),
    isFull: () => unwritten >= unwrittenAtMost,
    /** Whether a subscription has a post that is not written down yet. */
    isInHand: (subscriptionId: string) => inHand.has(subscriptionId),
    /** Posts of a subscription without an answer. */
    shareOf: (subscriptionId: string) => waiting.get(subscriptionId) ?? 0,
    begin(id: string, subscriptionId: string, nowMs: number) {
      posts.set(id, { subscriptionId, startedAtMs: nowMs, state: 'waits' });
      count(inHand, subscriptionId, 1);
      count(waiting, subscriptionId, 1);
    },
    /** The answer of one that waited; it is in hand until it is forgotten. */
    answer(id: string, state: 'accepted' | 'failed') {
      const post = posts.get(id);
      if (!post) return;
      post.state = state;
      unwritten += 1;
      count(waiting, post.subscriptionId, -1);
      if (state === 'failed') failed.add(post.subscriptionId);
    },
    /** It was written down, or nobody knows what became of it and it is made again. */
    forget(id: string) {
      const post = posts.get(id);
      if (!post) return;
      if (post.state === 'waits') count(waiting, post.subscriptionId, -1);
      else unwritten -= 1;
      count(inHand, post.subscriptionId, -1);
      posts.delete(id);
    },
    /**
     * Finds posts that hang, and resets the record of failed posts: a failed post belongs to the
     * recovery of its subscription, with all deliveries that wait behind it.
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
    /** Subscriptions with posts that hung at the last survey, or that failed since. */
    unhealthy: (): ReadonlySet<string> => new Set([...hanging, ...failed]),
  };
}

function count(counts: Map<string, number>, key: string, change: 1 | -1) {
  const after = (counts.get(key) ?? 0) + change;
  if (after > 0) counts.set(key, after);
  else counts.delete(key);
}
