import { LRUCache } from 'lru-cache';
import type { DueDelivery } from '../src/partner/webhook-subscriptions/sending/queries.ts';

/** Posts at most under way, and how many of one subscription. */
const places = 64;
const placesPerSubscription = 24;
/** The same while nobody else waits: room for a newcomer stays free. */
const placesAlone = 48;
/** A post older than this leaves its place to others, so that a hanging receiver delays nobody. */
const slowAfterMs = 1_000;
const slowPlaces = 192;
/**
 * With so many slow ones, a receiver that has not answered for a second has one place to show itself,
 * and all of these together half of the places: those that answer go on however many hang.
 */
const manySlow = places;
/** Posted and not yet written down, at most: what a crash would repeat. */
const inHandAtMost = 512;

interface Post {
  subscriptionId: string;
  startedAtMs: number;
  state: 'waits' | 'accepted' | 'failed';
}

/** What a lane has in hand: posts without an answer, and answers that are not written down yet. */
export function createLanePosts() {
  const posts = new Map<string, Post>();
  /** Posts without an answer, by subscription, and in all. */
  const shares = new Map<string, number>();
  let waiting = 0;
  let hanging = { subscriptions: new Set<string>(), posts: 0 };
  const failed = new Set<string>();
  /** When a subscription answered last; a few thousand, the oldest forgotten first. */
  const answeredAtMs = new LRUCache<string, number>({ max: 4_096 });

  function count(subscriptionId: string, change: 1 | -1) {
    waiting += change;
    const share = shareOf(subscriptionId) + change;
    if (share > 0) shares.set(subscriptionId, share);
    else shares.delete(subscriptionId);
  }

  /** Posts of a subscription without an answer. */
  const shareOf = (subscriptionId: string) => shares.get(subscriptionId) ?? 0;

  /** Whether a subscription has a post that is not written down yet. */
  const isInHand = (subscriptionId: string) =>
    [...posts.values()].some((post) => post.subscriptionId === subscriptionId);

  const inUse = () => waiting - Math.min(hanging.posts, slowPlaces);
  const isFull = () => inUse() >= places || posts.size >= inHandAtMost;

  return {
    size: () => posts.size,
    ids: () => posts.keys(),
    isFull,
    /** Whether one more may be posted; `isAlone` when no other subscription has one waiting. */
    admits(delivery: DueDelivery, isAlone: boolean, nowMs: number): boolean {
      const { subscription_id, max_concurrency, ordering } = delivery;
      if (isFull() || hanging.subscriptions.has(subscription_id)) return false;
      if (ordering === 'fifo' && isInHand(subscription_id)) return false;
      const isProven = nowMs - (answeredAtMs.get(subscription_id) ?? -Infinity) < slowAfterMs;
      const isSuspect = hanging.posts >= manySlow && !isProven;
      if (isSuspect && inUse() >= places / 2) return false;
      const share = isSuspect ? 1 : isAlone ? placesAlone : placesPerSubscription;
      return shareOf(subscription_id) < Math.min(share, max_concurrency ?? share);
    },
    shareOf,
    begin({ id, subscription_id: subscriptionId }: DueDelivery, nowMs: number) {
      posts.set(id, { subscriptionId, startedAtMs: nowMs, state: 'waits' });
      count(subscriptionId, 1);
    },
    /** The answer of one that waited; it is in hand until it is forgotten. */
    answer(id: string, state: 'accepted' | 'failed', nowMs: number) {
      const post = posts.get(id);
      if (!post) return;
      post.state = state;
      count(post.subscriptionId, -1);
      if (state === 'failed') failed.add(post.subscriptionId);
      else answeredAtMs.set(post.subscriptionId, nowMs);
    },
    /** It was written down, or nobody knows what became of it and it is made again. */
    forget(id: string) {
      const post = posts.get(id);
      if (post?.state === 'waits') count(post.subscriptionId, -1);
      posts.delete(id);
    },
    /**
     * Looks for posts that hang, and begins anew to note whose posts fail: what fails belongs to
     * the recovery of its subscription, and all that waits behind it.
     */
    survey(nowMs: number) {
      hanging = { subscriptions: new Set(), posts: 0 };
      failed.clear();
      for (const { subscriptionId, startedAtMs, state } of posts.values()) {
        if (state === 'failed') failed.add(subscriptionId);
        if (state !== 'waits' || nowMs - startedAtMs < slowAfterMs) continue;
        hanging.subscriptions.add(subscriptionId);
        hanging.posts += 1;
      }
    },
    /** Subscriptions with posts that hung at the last survey, or that failed since. */
    troubled: (): ReadonlySet<string> => new Set([...hanging.subscriptions, ...failed]),
  };
}
