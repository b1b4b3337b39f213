import type { Sql } from '../database/sql.ts';
import { withSavepoint } from '../database/savepoint.ts';
import { traceRow, traceTransaction } from '../database/transaction-trace.ts';
import type { Call } from './endpoint.ts';
import { refusalOf } from './errors.ts';
import type { HttpError } from './errors.ts';

type Patch = Pick<
  Call<{ id: string }, unknown, unknown>,
  'params' | 'request' | 'checkPrecondition'
>;

interface Steps<One extends Patch, Row, Plan> {
  /** Whether the call names its row by id, and may be part of the set. */
  admits(call: One): boolean;
  /** Locks rows in the order of their ids. */
  lock(ids: readonly string[]): Promise<readonly Row[]>;
  /** The change of a row; undefined where nothing changes. Throws the problems of the call. */
  plan(before: Row, call: One): Plan | undefined;
  /** Writes the changes and returns the rows. */
  write(changes: readonly { before: Row; plan: Plan }[]): Promise<readonly Row[]>;
  /** Handles a call that is not part of the set. Throws its error. */
  alone(call: One): Promise<Row>;
}

/**
 * Handles calls that change rows, in one transaction: as one set in which each row stands once. Any
 * other call is handled after the set by itself, and is undone where it fails. Returns for each call
 * the row or the error.
 */
export async function changeTogether<
  One extends Patch,
  Row extends { id: string; lock_version: number },
  Plan,
>(
  sql: Sql,
  calls: readonly One[],
  { admits, lock, plan, write, alone }: Steps<One, Row, Plan>,
): Promise<{ call: One; outcome: Row | HttpError }[]> {
  const ids = calls.filter(admits).map(({ params }) => params.id);
  const open = new Map((await lock(ids)).map((row) => [row.id, row]));
  const outcomes = new Map<One, Row | HttpError>();
  const planned = new Map<One, { before: Row; plan: Plan }>();
  const others: One[] = [];
  for (const call of calls) {
    const before = admits(call) ? open.get(call.params.id) : undefined;
    if (!before) {
      others.push(call);
      continue;
    }
    open.delete(before.id);
    traceRow(sql, before.id, call.request.trace.span);
    try {
      call.checkPrecondition(before);
      const change = plan(before, call);
      if (change === undefined) outcomes.set(call, before);
      else planned.set(call, { before, plan: change });
    } catch (error) {
      outcomes.set(call, refusalOf(error));
    }
  }
  const written = planned.size > 0 ? await write([...planned.values()]) : [];
  const after = new Map(written.map((row) => [row.id, row]));
  for (const [call, { before }] of planned) outcomes.set(call, after.get(before.id) ?? before);
  for (const call of others) {
    traceTransaction(sql, call.request.trace.span);
    const attempt = await withSavepoint(sql, () => alone(call));
    outcomes.set(call, attempt.done ? attempt.value : refusalOf(attempt.error));
  }
  return calls.map((call) => {
    const outcome = outcomes.get(call);
    if (!outcome) throw new Error('a call has no outcome');
    return { call, outcome };
  });
}
