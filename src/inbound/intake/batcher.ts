import { isUnavailable } from '../../platform/database/failures.ts';

interface Waiting<Item, Result> {
  item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/**
 * Runs what comes for one key at once while little of it is under way; what comes meanwhile waits
 * and runs together. So one commit serves many under load, and nobody waits without it. When a run
 * of several fails, each is run by itself: a bad one harms no other.
 */
export function createBatcher<Item, Result>(
  run: (key: string, items: readonly Item[]) => Promise<readonly Result[]>,
  { atOnce, most }: { atOnce: number; most: number },
) {
  const keys = new Map<string, { running: number; waiting: Waiting<Item, Result>[] }>();

  async function runTogether(key: string, group: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await run(
        key,
        group.map(({ item }) => item),
      );
      group.forEach(({ resolve, reject }, at) => {
        const result = results[at];
        if (result === undefined) reject(new Error('a run gave too few results'));
        else resolve(result);
      });
    } catch (error) {
      const [only, ...others] = group;
      if (others.length === 0) only?.reject(error);
      else if (isUnavailable(error)) for (const { reject } of group) reject(error);
      else for (const one of group) await runTogether(key, [one]);
    }
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
    void runTogether(key, state.waiting.splice(0, most)).finally(() => {
      state.running -= 1;
      start(key);
    });
    start(key);
  }

  return (key: string, item: Item): Promise<Result> =>
    new Promise((resolve, reject) => {
      const state = keys.get(key) ?? { running: 0, waiting: [] };
      keys.set(key, state);
      state.waiting.push({ item, resolve, reject });
      start(key);
    });
}
