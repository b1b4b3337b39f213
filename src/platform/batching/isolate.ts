import type { Database } from '../database/client.ts';
import { codeOf, isRetryable, isUnavailable } from '../database/failures.ts';
import { listParked, parkRow, unparkRow } from '../database/parked-rows.ts';
import type { RowKey } from '../database/parked-rows.ts';
import { withSavepoint } from '../database/savepoint.ts';
import type { Sql } from '../database/sql.ts';
import { isolatedRows } from '../http/metrics.ts';
import type { Log } from '../observability/log.ts';
import { bisectParts } from './bisect.ts';
import type { Attempt } from './bisect.ts';

/** A background loop over rows of several owners, in which a row that cannot be processed fails alone. */
export interface RowLoop<Row> {
  /** As in docs/faults.md, the metrics and the log. */
  name: string;
  keyOf(row: Row): RowKey;
  /** Gives the row its failed state, with its event. A row without one is parked. */
  fail?(sql: Sql, row: Row, reason: string): Promise<unknown>;
  /** Whether any error is final: a further attempt would reach somebody outside a second time. */
  isFinalAtOnce?: true;
  /** Leaves a parked row in its queue, until then. */
  putBack?(sql: Sql, row: Row, until: string): Promise<unknown>;
  /** Errors that concern more than the row; the caller handles them. */
  isOfAll?(error: unknown): boolean;
}

/** A loop whose rows are teams: one that fails waits, and the others go on. */
export const teamLoop = (name: string): RowLoop<{ id: string }> => ({
  name,
  keyOf: ({ id }) => ({ team_id: id, id }),
});

/** A row whose error may be temporary is parked so often before it fails. */
const maxParked = 5;

/**
 * Processes rows in the caller's transaction, together where that is possible. A row that fails for
 * a reason of its own is found by bisection; it gets its failed state or is parked, and the others
 * are processed. Returns the result of each part. Throws errors that repeat the transaction, end
 * the connection, or come from the service itself.
 */
export async function isolate<Row, Value>(
  sql: Sql,
  log: Log,
  loop: RowLoop<NoInfer<Row>>,
  rows: readonly Row[],
  work: (rows: readonly Row[]) => Promise<Value>,
): Promise<Value[]> {
  const parts = await bisectParts(rows, async (some) => {
    const attempt = await withSavepoint(sql, () => work(some));
    if (!attempt.done && concernsAll(loop, attempt.error)) throw attempt.error;
    return attempt;
  });
  const values: Value[] = [];
  for (const { items, attempt } of parts) {
    if (attempt.done) values.push(attempt.value);
    else for (const row of items) await setAside(sql, log, loop, row, attempt.error);
  }
  return values;
}

/** The tools of loops whose work has transactions of its own. */
export interface IsolationTools {
  database: Pick<Database, 'read' | 'transact'>;
  log: Log;
}

/**
 * Does the same in transactions or reads of the work's own, which may be repeated for smaller parts.
 */
export async function isolateApart<Row, Value>(
  { database, log }: IsolationTools,
  loop: RowLoop<NoInfer<Row>>,
  rows: readonly Row[],
  work: (rows: readonly Row[]) => Promise<Value>,
): Promise<Value[]> {
  const parts = await bisectParts(rows, async (some): Promise<Attempt<Value>> => {
    try {
      return { done: true, value: await work(some) };
    } catch (error) {
      if (isUnavailable(error) || isRetryable(error) || concernsAll(loop, error)) throw error;
      return { done: false, error };
    }
  });
  const values: Value[] = [];
  for (const { items, attempt } of parts) {
    if (attempt.done) values.push(attempt.value);
    else {
      await database.transact(async (sql) => {
        for (const row of items) await setAside(sql, log, loop, row, attempt.error);
      });
    }
  }
  return values;
}

/**
 * Does some work for each row, one after the other. A row that fails for a reason of its own is set
 * aside; the others are processed. Leaves out rows that are parked.
 */
export async function forEachAlone<Row>(
  tools: IsolationTools,
  loop: RowLoop<NoInfer<Row>>,
  rows: readonly Row[],
  work: (row: Row) => Promise<unknown>,
): Promise<void> {
  if (rows.length === 0) return;
  const parked = await tools.database.read((sql) => listParked(sql, loop.name));
  const left = new Set(parked.map(textOf));
  for (const row of rows) {
    if (left.has(textOf(loop.keyOf(row)))) continue;
    try {
      await work(row);
    } catch (error) {
      await setAsideAlone(tools, loop, row, error);
    }
  }
}

/**
 * Sets a row aside, in a transaction of its own, whose processing has failed. Throws the error where
 * it is not the row's own.
 */
export async function setAsideAlone<Row>(
  { database, log }: IsolationTools,
  loop: RowLoop<Row>,
  row: Row,
  error: unknown,
): Promise<void> {
  if (isUnavailable(error) || isRetryable(error) || concernsAll(loop, error)) throw error;
  await database.transact((sql) => setAside(sql, log, loop, row, error));
}

/** Gives a row its failed state, or parks it where it has none or its error may be temporary. */
async function setAside<Row>(
  sql: Sql,
  log: Log,
  loop: RowLoop<Row>,
  row: Row,
  error: unknown,
): Promise<void> {
  const reason = reasonOf(error);
  const key = loop.keyOf(row);
  const { attempts, parked_until } = await parkRow(sql, loop.name, key, reason);
  const { fail, putBack } = loop;
  const isFinal = loop.isFinalAtOnce ?? (isOfValue(error) || attempts >= maxParked);
  const failing =
    fail && isFinal
      ? await withSavepoint(sql, async () => {
          await fail(sql, row, reason);
          await unparkRow(sql, loop.name, key);
        })
      : undefined;
  const outcome = failing?.done ? 'failed' : 'parked';
  if (putBack && outcome === 'parked')
    await withSavepoint(sql, () => putBack(sql, row, parked_until));
  isolatedRows.inc({ loop: loop.name, outcome });
  const about = { loop: loop.name, team_id: key.team_id, row_id: key.id, outcome, attempts };
  log.error({ err: error, ...about }, 'a row cannot be processed');
}

const textOf = ({ team_id, id }: RowKey) => `${team_id} ${id}`;

/** A statement that is wrong, or a right that is missing: every row would fail. */
function concernsAll<Row>({ isOfAll }: RowLoop<Row>, error: unknown): boolean {
  return codeOf(error).startsWith('42') || (isOfAll?.(error) ?? false);
}

/** A value that cannot be stored, a violated constraint, or an exception of a trigger. */
function isOfValue(error: unknown): boolean {
  return /^(22|23|P0)/.test(codeOf(error)) || error instanceof RangeError;
}

/** SQLSTATE or class of an error; its message may quote values. */
function reasonOf(error: unknown): string {
  const code = codeOf(error);
  if (code !== '') return code;
  return error instanceof Error && /^\w{1,80}$/.test(error.name) ? error.name : 'Error';
}
