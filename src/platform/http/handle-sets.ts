import { codeOf, isLockTimeout, isRetryable, isUnavailable } from '../database/failures.ts';
import { forbidSavepoints } from '../database/savepoint.ts';
import type { Sql } from '../database/sql.ts';
import { statementsOf } from '../database/transaction-context.ts';
import { groupBy } from '../group-by.ts';

/** Sets failed for reasons of their own; the transaction that they shared with others is undone. */
export class SetsFailed extends Error {
  readonly owners: ReadonlySet<string>;

  constructor(owners: readonly string[], cause: unknown) {
    super('some of the sets of a transaction have failed', { cause });
    this.name = 'SetsFailed';
    this.owners = new Set(owners);
  }
}

/**
 * Handles items in one transaction, as a set of each owner, whose statements are sent without waiting
 * for those of the others. Returns a result per item, in their order. Throws SetsFailed where a set
 * fails; each must then be handled without the others.
 */
export async function handleSets<Item, Result>(
  sql: Sql,
  items: readonly Item[],
  ownerOf: (item: Item) => string,
  handle: (set: readonly Item[]) => Promise<readonly Result[]>,
): Promise<readonly Result[]> {
  const sets = [...groupBy(items, ownerOf)];
  if (sets.length === 1) return handle(items);
  forbidSavepoints(sql);
  const results = new Map<Item, Result>();
  const failed: string[] = [];
  let reason: unknown;
  // All are awaited: a statement that came after the rollback would run outside the transaction.
  const settled = await Promise.allSettled(sets.map(([, set]) => handle(set)));
  for (const [index, [owner, set]] of sets.entries()) {
    const attempt = settled[index];
    if (attempt?.status === 'fulfilled') {
      attempt.value.forEach((result, at) => {
        const item = set[at];
        if (item !== undefined) results.set(item, result);
      });
      continue;
    }
    const error: unknown = attempt?.reason;
    if (concernsAll(error)) throw error;
    if (!isAborted(error)) failed.push(owner);
    reason ??= error;
  }
  if (failed.length > 0) throw new SetsFailed(failed, reason);
  if (reason !== undefined) {
    // The error is that of a statement that was left to the commit.
    await Promise.all(statementsOf(sql));
    throw new Error('the transaction was aborted', { cause: reason });
  }
  return items.map((item) => {
    const result = results.get(item);
    if (result === undefined) throw new Error('a set needs a result per item');
    return result;
  });
}

/** An error after which the whole transaction is repeated, or given up. */
export const concernsAll = (error: unknown) =>
  isRetryable(error) || (isUnavailable(error) && !isLockTimeout(error));

/** The statement came after one of another set had failed. */
const isAborted = (error: unknown) => codeOf(error) === '25P02';
