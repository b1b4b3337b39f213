import type { Database } from './client.ts';

/**
 * The time of the database: what is due and who holds what is written and compared by one clock,
 * whatever that of this machine says, and however it jumps.
 */
export interface Clock {
  /** Milliseconds since 1970, as the database counts them. */
  now(): number;
}

const compareEveryMs = 30_000;

/** Asks the database for its time now and every half a minute; between, a steady clock goes on. */
export async function openClock(database: Database): Promise<Clock & { stop(): void }> {
  const first = await compare(database);
  let { aheadMs } = first;
  const comparing = setInterval(() => {
    compare(database).then(
      (found) => {
        // What the way there and back may have taken is no reason to move.
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
