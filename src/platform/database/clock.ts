import type { Database } from './client.ts';

/**
 * The time of the database. Due times and leases are written and compared by this one clock, since
 * the clock of a machine may be wrong or jump.
 */
export interface Clock {
  /** Milliseconds since 1970, as the database counts them. */
  now(): number;
}

const compareEveryMs = 30_000;

/**
 * Reads the time of the database when it is started and every 30 s; a monotonic clock advances it in
 * between.
 */
export function createClock(database: Database) {
  let aheadMs: number | undefined;
  let comparing: NodeJS.Timeout | undefined;

  async function adjust(): Promise<void> {
    const found = await compare(database);
    // A difference within the round-trip time is not significant.
    const isOff = aheadMs === undefined || Math.abs(found.aheadMs - aheadMs) > found.unsureMs;
    if (isOff) aheadMs = found.aheadMs;
  }

  return {
    async start(): Promise<void> {
      await adjust();
      // After a failure the next one comes; the steady clock is right until then.
      comparing = setInterval(() => {
        adjust().catch(() => undefined);
      }, compareEveryMs);
      comparing.unref();
    },
    now(): number {
      if (aheadMs === undefined) throw new Error('the clock was not started');
      return Math.round(performance.now() + aheadMs);
    },
    stop(): void {
      clearInterval(comparing);
    },
  } satisfies Clock & { start(): Promise<void>; stop(): void };
}

/** By how much the database's clock is ahead of the steady one of this process. */
async function compare(database: Database) {
  const askedAtMs = performance.now();
  const [{ ms }] = await database.read(
    (sql) => sql<[{ ms: number }]>`
      select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`,
  );
  const answeredAtMs = performance.now();
  const unsureMs = (answeredAtMs - askedAtMs) / 2;
  return { aheadMs: ms - askedAtMs - unsureMs, unsureMs };
}
