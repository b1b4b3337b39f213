import { setTimeout as pause } from 'node:timers/promises';

export { pause };

/** Asks until the answer is yes; false when that did not happen in time. */
export async function comesTrue(
  ask: () => boolean | Promise<boolean>,
  withinMs: number,
  everyMs = 50,
): Promise<boolean> {
  const until = performance.now() + withinMs;
  for (;;) {
    if (await ask()) return true;
    if (performance.now() > until) return false;
    await pause(everyMs);
  }
}

/** The same where everything after it would be meaningless without it. */
export async function mustComeTrue(
  what: string,
  ask: () => boolean | Promise<boolean>,
  withinMs: number,
): Promise<void> {
  if (await comesTrue(ask, withinMs)) return;
  throw new Error(`${what} did not come true within ${String(withinMs / 1_000)} s`);
}

/** Calls `work` so many times a second until told to end; waits while `limit` calls are under way. */
export async function offer(
  options: { perSecond: number; limit: number; until: () => boolean },
  work: (index: number) => Promise<void>,
): Promise<number> {
  const startedAt = performance.now();
  const underWay = new Set<Promise<void>>();
  let started = 0;
  while (!options.until()) {
    const due = ((performance.now() - startedAt) / 1_000) * options.perSecond;
    while (started < due && underWay.size < options.limit) {
      const call = work(started).finally(() => underWay.delete(call));
      underWay.add(call);
      started += 1;
    }
    await pause(5);
  }
  await Promise.all(underWay);
  return started;
}

/** The value below which a share of the values lies; 0 of none. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
