import type { Sql } from './client.ts';
import { isAway, isRepeatable } from './failures.ts';
import { settleSince, statementsOf, waitAtCommit } from './work.ts';

export type Attempt<T> = { done: true; value: T } | { done: false; error: unknown };

/**
 * Runs work that may fail: what it wrote is then undone, and the transaction is as usable as before.
 * What repeats the transaction or ends the connection is thrown all the same.
 */
export async function attempt<T>(sql: Sql, work: () => Promise<T>): Promise<Attempt<T>> {
  const sentBefore = statementsOf(sql).length;
  // Not awaited: it travels with the first statement of the work.
  const saving = sql`savepoint attempt`.execute();
  saving.catch(() => undefined);
  try {
    const value = await work();
    // Statements that were left to the commit belong to the work: their failure is its own.
    await Promise.all([saving, ...statementsOf(sql).slice(sentBefore)]);
    // Else the name would stand for this savepoint where an attempt around it fails.
    waitAtCommit(sql, sql`release savepoint attempt`.execute());
    return { done: true, value };
  } catch (error) {
    if (isRepeatable(error) || isAway(error)) throw error;
    await settleSince(sql, sentBefore);
    await undo(sql);
    return { done: false, error };
  }
}

/** Runs work and undoes all that it wrote; its result is what it would have been. */
export async function pretend<T>(sql: Sql, work: () => Promise<T>): Promise<T> {
  const sentBefore = statementsOf(sql).length;
  await sql`savepoint attempt`;
  const value = await work();
  await Promise.all(statementsOf(sql).slice(sentBefore));
  await settleSince(sql, sentBefore);
  await undo(sql);
  return value;
}

async function undo(sql: Sql): Promise<void> {
  await sql`rollback to savepoint attempt`;
  waitAtCommit(sql, sql`release savepoint attempt`.execute());
}
