import { setTimeout as pause } from 'node:timers/promises';
import { DatabaseUnavailable, isUnavailable } from '../database/failures.ts';
import { bisect } from './bisect.ts';
import type { Attempt } from './bisect.ts';

interface Waiting<Item, Result> {
  item: Item;
  sinceMs: number;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

export interface BatchLimits<Item> {
  /** Concurrent batches of one key. */
  atOnce: number;
  /** Items of one batch. */
  maxItems: number;
  /** Pause before a batch, in which more items arrive. */
  gatherMs?: number;
  /** Longest wait of an item for its batch; it is rejected as unavailable after it. */
  maxWaitMs?: number;
  /**
   * Whose the item is, where a key has items of several owners. When not all fit into a batch, each
   * owner gets one place of it, then a second, and so on.
   */
  ownerOf?: (item: Item) => string;
  /** Clock of the waits, in ms. */
  now?: () => number;
}

/**
 * Runs concurrent calls for one key in batches: the items that arrive while `atOnce` batches are in
 * progress wait, and run together. So one commit serves many under load. An item that fails affects
 * no other, except while Postgres is unavailable.
 */
export function createBatcher<Item, Result>(
  run: (key: string, items: readonly Item[]) => Promise<readonly Result[]>,
  {
    atOnce,
    maxItems,
    gatherMs = 0,
    maxWaitMs = Infinity,
    ownerOf,
    now = () => performance.now(),
  }: BatchLimits<Item>,
) {
  const keys = new Map<string, { running: number; waiting: Waiting<Item, Result>[] }>();

  async function attempt(key: string, items: readonly Item[]): Promise<Attempt<readonly Result[]>> {
    try {
      return { done: true, value: await run(key, items) };
    } catch (error) {
      return { done: false, error };
    }
  }

  async function runTogether(key: string, group: readonly Waiting<Item, Result>[]): Promise<void> {
    const items = group.map(({ item }) => item);
    try {
      const results = await bisect(items, (some) => attempt(key, some), isUnavailable);
      results.forEach((result, at) => {
        if (result.done) group[at]?.resolve(result.value);
        else group[at]?.reject(result.error);
      });
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }

  async function runNext(key: string, waiting: Waiting<Item, Result>[]): Promise<void> {
    if (gatherMs > 0) await pause(gatherMs);
    rejectLate(waiting);
    await runTogether(key, takeNext(waiting));
  }

  function takeNext(waiting: Waiting<Item, Result>[]): Waiting<Item, Result>[] {
    if (!ownerOf || waiting.length <= maxItems) return waiting.splice(0, maxItems);
    const taken = new Set(inTurn(waiting, ({ item }) => ownerOf(item)).slice(0, maxItems));
    const rest = waiting.filter((one) => !taken.has(one));
    waiting.splice(0, waiting.length, ...rest);
    return [...taken];
  }

  function rejectLate(waiting: Waiting<Item, Result>[]): void {
    const earliestMs = now() - maxWaitMs;
    const firstInTime = waiting.findIndex(({ sinceMs }) => sinceMs >= earliestMs);
    const late = waiting.splice(0, firstInTime === -1 ? waiting.length : firstInTime);
    for (const { reject } of late) reject(new DatabaseUnavailable('earlier batches take too long'));
  }

  function start(key: string): void {
    const state = keys.get(key);
    if (!state) return;
    if (state.waiting.length === 0) {
      if (state.running === 0) keys.delete(key);
      return;
    }
    if (state.running >= atOnce) return;
    state.running += 1;
    const next = () => {
      state.running -= 1;
      start(key);
    };
    runNext(key, state.waiting).then(next, next);
    start(key);
  }

  return (key: string, item: Item): Promise<Result> =>
    new Promise((resolve, reject) => {
      const state = keys.get(key) ?? { running: 0, waiting: [] };
      keys.set(key, state);
      state.waiting.push({ item, sinceMs: now(), resolve, reject });
      start(key);
    });
}

/** The first of each owner, then the second of each, and so on; otherwise in their order. */
function inTurn<One>(ones: readonly One[], ownerOf: (one: One) => string): One[] {
  const counts = new Map<string, number>();
  const placed = ones.map((one) => {
    const owner = ownerOf(one);
    const turn = counts.get(owner) ?? 0;
    counts.set(owner, turn + 1);
    return { one, turn };
  });
  return placed.sort((a, b) => a.turn - b.turn).map(({ one }) => one);
}
