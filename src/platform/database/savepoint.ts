import type { Sql } from './sql.ts';
import { isUnavailable, isRetryable } from './failures.ts';
import { awaitDeferred, statementsOf, awaitBeforeCommit } from './transaction-context.ts';
import type { Attempt } from '../batching/bisect.ts';

const unsafe = new WeakSet<Sql>();

/** For a transaction of several calls at once: undoing the work of one would undo that of others. */
export function forbidSavepoints(sql: Sql): void {
  unsafe.add(sql);
}

/**
 * Runs work that may fail: its writes are then rolled back, and the transaction stays usable.
 * Errors that repeat the transaction or end the connection are thrown nevertheless.
 */
export async function withSavepoint<T>(sql: Sql, work: () => Promise<T>): Promise<Attempt<T>> {
  if (unsafe.has(sql)) throw new Error('savepoints need a transaction of one client');
  const sentBefore = statementsOf(sql).length;
  // Not awaited: it travels with the first statement of the work.
  const saving = sql`savepoint attempt`.execute();
  saving.catch(() => undefined);
  try {
    const value = await work();
    // Statements that were left to the commit belong to the work: their failure is its own.
    await Promise.all([saving, ...statementsOf(sql).slice(sentBefore)]);
    // Without it, the name would mean this savepoint if an outer attempt fails.
    awaitBeforeCommit(sql, sql`release savepoint attempt`.execute());
    return { done: true, value };
  } catch (error) {
    if (isRetryable(error) || isUnavailable(error)) throw error;
    await awaitDeferred(sql, sentBefore);
    await undo(sql);
    return { done: false, error };
  }
}

/** Runs work and undoes all that it wrote; its result is what it would have been. */
export async function dryRun<T>(sql: Sql, work: () => Promise<T>): Promise<T> {
  if (unsafe.has(sql)) throw new Error('savepoints need a transaction of one client');
  const sentBefore = statementsOf(sql).length;
  await sql`savepoint attempt`;
  const value = await work();
  await Promise.all(statementsOf(sql).slice(sentBefore));
  await awaitDeferred(sql, sentBefore);
  await undo(sql);
  return value;
}

async function undo(sql: Sql): Promise<void> {
  await sql`rollback to savepoint attempt`;
  awaitBeforeCommit(sql, sql`release savepoint attempt`.execute());
}
