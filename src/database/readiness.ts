import type { Database, Sql } from './client.ts';
import { appliedMigration, newestMigration } from './migrate.ts';

export interface Readiness {
  status: 'ok' | 'degraded' | 'unavailable';
  checks: Record<string, string>;
}

/** Age from which waiting work says that the workers or Temporal are away. */
const oldAfterSeconds = 60;

/**
 * Postgres and migrations decide; work that grows old only degrades the API, since every request
 * can still be kept. DECISIONS 46.
 */
export async function readiness(database: Database): Promise<Readiness> {
  try {
    const [applied, age, newest] = await database.read(
      async (sql) =>
        [
          await appliedMigration(sql),
          await outboxAgeSeconds(sql),
          await newestMigration(),
        ] as const,
      { deadlineMs: 2_000 },
    );
    const isCurrent = applied >= newest;
    const isOld = age > oldAfterSeconds;
    return {
      status: !isCurrent ? 'unavailable' : isOld ? 'degraded' : 'ok',
      checks: {
        postgres: 'ok',
        migrations: isCurrent ? 'ok' : `at ${applied || 'none'}, needs ${newest}: npm run migrate`,
        outbox: isOld
          ? `oldest work waits ${String(Math.round(age))} s: is a worker running?`
          : 'ok',
      },
    };
  } catch {
    return { status: 'unavailable', checks: { postgres: 'does not answer' } };
  }
}

/** Age of the oldest wake or first delivery that nobody has taken up. */
export async function outboxAgeSeconds(sql: Sql): Promise<number> {
  const [row] = await sql<{ age: number }[]>`
    select coalesce(extract(epoch from now() - min(inserted_at)), 0)::float8 as age from wakes`;
  return row?.age ?? 0;
}
