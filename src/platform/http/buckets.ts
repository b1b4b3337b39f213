import { LRUCache } from 'lru-cache';

/** Buckets that are not full. The oldest is forgotten, and is full again, when there are more. */
const maxBuckets = 50_000;

/** Token buckets in the memory of the process, each with room for `burst` tokens. */
export interface Buckets {
  /** Time until the bucket has so many tokens, in ms; 0 if it has them. */
  waitMs(key: string, tokens?: number): number;
  /** Takes tokens; a negative number returns them. */
  take(key: string, tokens?: number): void;
}

export function createBuckets({ burst, perSecond }: { burst: number; perSecond: number }): Buckets {
  /** When each bucket will be full again, in ms. */
  const fullAt = new LRUCache<string, number>({ max: maxBuckets });
  const intervalMs = 1_000 / perSecond;
  return {
    waitMs(key, tokens = 1) {
      const fillingMs = (fullAt.get(key) ?? 0) - performance.now();
      return Math.max(0, fillingMs - (burst - tokens) * intervalMs);
    },
    take(key, tokens = 1) {
      const nowMs = performance.now();
      const atMs = Math.max(fullAt.get(key) ?? 0, nowMs) + tokens * intervalMs;
      if (atMs <= nowMs) fullAt.delete(key);
      else fullAt.set(key, atMs);
    },
  };
}
