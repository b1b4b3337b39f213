import type { Sql } from './sql.ts';

// Work that a transaction defers to its commit, by the handle that it runs on.
const announced = new WeakMap<Sql, Set<string>>();
const sentAhead = new WeakMap<Sql, Promise<unknown>[]>();

/** Records that the transaction created work; a work notification is sent after the commit. */
export function notifyAfterCommit(sql: Sql, work: string): void {
  const known = announced.get(sql);
  if (known) known.add(work);
  else announced.set(sql, new Set([work]));
}

/**
 * Leaves the wait for a statement to the commit, which then travels with it. For statements that
 * nothing depends on; when one fails, the transaction fails.
 */
export function awaitBeforeCommit(sql: Sql, statement: Promise<unknown>): void {
  statement.catch(() => undefined);
  const known = sentAhead.get(sql);
  if (known) known.push(statement);
  else sentAhead.set(sql, [statement]);
}

/** Returns the pending notifications, if any. */
export function pendingNotifications(sql: Sql): ReadonlySet<string> | undefined {
  return announced.get(sql);
}

/** Statements whose outcome decides over the commit. */
export function statementsOf(sql: Sql): readonly Promise<unknown>[] {
  return sentAhead.get(sql) ?? [];
}

/** Waits for the statements sent after the first `count` and forgets them: their work is undone. */
export async function awaitDeferred(sql: Sql, count: number): Promise<void> {
  const undone = sentAhead.get(sql)?.splice(count) ?? [];
  await Promise.allSettled(undone);
}
