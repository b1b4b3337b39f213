import { LRUCache } from 'lru-cache';

/** Refused calls of one address at most, at once and per second: guessing is slowed, providers are not. */
const burst = 600;
const perSecond = 20;

/**
 * Counts refused calls by the address that they come from. Calls with a good proof cost nothing:
 * thousands of customers of a provider call from a few of its addresses.
 */
export function createSources() {
  const spent = new LRUCache<string, { refused: number; atMs: number }>({ max: 10_000 });

  function refusedOf(address: string, nowMs: number): number {
    const known = spent.get(address);
    if (!known) return 0;
    return Math.max(0, known.refused - ((nowMs - known.atMs) / 1_000) * perSecond);
  }

  return {
    /** Seconds until calls of the address are looked at again; 0 when they are. */
    waitSeconds(address: string, nowMs: number): number {
      const over = refusedOf(address, nowMs) - burst;
      return over < 0 ? 0 : Math.max(1, Math.ceil(over / perSecond));
    },
    refused(address: string, nowMs: number): void {
      spent.set(address, { refused: refusedOf(address, nowMs) + 1, atMs: nowMs });
    },
  };
}
