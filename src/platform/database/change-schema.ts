import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from './client.ts';
import { isLockTimeout, isRetryable } from './failures.ts';
import type { Sql } from './sql.ts';

/** All later statements on a table wait behind one that waits for its lock. */
const lockTimeout = '500ms';
const pauseMs = 500;
/** Attempts of some ten minutes: a lock that is held for longer needs a person. */
const maxAttempts = 600;
const deadlineMs = 600_000;

/**
 * Changes the schema in one transaction while others write: it waits for a lock for half a second
 * at most. Then it lets the others go on, and begins again.
 */
export async function changeSchema<T>(
  database: Database,
  work: (sql: Sql) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await database.transact(
        async (sql) => {
          await sql`select set_config('lock_timeout', ${lockTimeout}, true)`;
          return work(sql);
        },
        { deadlineMs },
      );
    } catch (error) {
      const mayRepeat = isLockTimeout(error) || isRetryable(error);
      if (!mayRepeat || attempt === maxAttempts) throw error;
      await pause(pauseMs);
    }
  }
}
