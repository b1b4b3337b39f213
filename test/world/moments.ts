import { setTimeout as pause } from 'node:timers/promises';

export { pause };

/** Repeats the check until it holds; false if it does not in time. */
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
  everyMs?: number,
): Promise<void> {
  if (await comesTrue(ask, withinMs, everyMs)) return;
  throw new Error(`${what} did not come true within ${String(withinMs / 1_000)} s`);
}

export interface Load {
  perSecond: number;
  /** Calls under way at most. */
  limit: number;
  until: () => boolean;
  /** While true nothing is started, and it is not made up for later. */
  holds?: () => boolean;
}

/** Calls `work` so many times a second until the end is requested; returns the number of calls. */
export async function offer(
  { perSecond, limit, until, holds = () => false }: Load,
  work: (index: number) => Promise<void>,
): Promise<number> {
  const underWay = new Set<Promise<void>>();
  let started = 0;
  let due = 0;
  let atMs = performance.now();
  while (!until()) {
    const now = performance.now();
    // Calls that could not start within a second are skipped.
    if (!holds()) due = Math.min(due + ((now - atMs) / 1_000) * perSecond, perSecond);
    atMs = now;
    while (due >= 1 && underWay.size < limit) {
      const call = work(started).finally(() => underWay.delete(call));
      underWay.add(call);
      started += 1;
      due -= 1;
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
