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

/** Reads the time of the database now and every 30 s; a monotonic clock advances it in between. */
export async function openClock(database: Database): Promise<Clock & { stop(): void }> {
  const first = await compare(database);
  let { aheadMs } = first;
  const comparing = setInterval(() => {
    compare(database).then(
      (found) => {
        // A difference within the round-trip time is not significant.
        if (Math.abs(found.aheadMs - aheadMs) > found.unsureMs) aheadMs = found.aheadMs;
      },
      // The next one comes; the steady clock is right until then.
      () => undefined,
    );
  }, compareEveryMs);
  comparing.unref();
  return {
    now: () => Math.round(performance.now() + aheadMs),
    stop: () => {
      clearInterval(comparing);
    },
  };
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
