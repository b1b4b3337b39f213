import type { Database } from './client.ts';
import { avoidSorts } from './planner-settings.ts';
import type { Sql } from './sql.ts';
import { awaitBeforeCommit } from './transaction-context.ts';

/**
 * Runs statements in a transaction whose commit travels with them, so that all take one trip to
 * Postgres. The work sends them without waiting for one, and returns the last.
 */
export async function transactInOneTrip<T>(
  database: Database,
  work: (sql: Sql) => Promise<T>,
): Promise<T> {
  const { last } = await database.transact((sql) => {
    const statement = work(sql);
    awaitBeforeCommit(sql, statement);
    return Promise.resolve({ last: statement });
  });
  return last;
}

/** Runs a statement on the first of what waits in the order of its index, however much waits. */
export const readInOrder = <T>(
  database: Database,
  statement: (sql: Sql) => Promise<T>,
): Promise<T> =>
  transactInOneTrip(database, (sql) => {
    awaitBeforeCommit(sql, avoidSorts(sql));
    return statement(sql);
  });
