import { currentTraceparent } from '../observability/tracing.ts';
import type { Sql } from './sql.ts';

// Contexts of the requests that a transaction serves, by the handle that it runs on. Requests that
// share one are distinguished by the rows that are theirs.
const ofTransactions = new WeakMap<Sql, string>();
const ofRows = new WeakMap<Sql, Map<string, string>>();

interface Traced {
  traceparent: string;
}

/** Records which request the transaction serves from now on, if that one is traced. */
export function traceTransaction(sql: Sql, span: Traced | undefined): void {
  ofRows.delete(sql);
  if (span) ofTransactions.set(sql, span.traceparent);
  else ofTransactions.delete(sql);
}

/** Records whose row it is, where requests share the transaction. */
export function traceRow(sql: Sql, id: string, span: Traced | undefined): void {
  if (!span) return;
  const known = ofRows.get(sql);
  if (known) known.set(id, span.traceparent);
  else ofRows.set(sql, new Map([[id, span.traceparent]]));
}

/** The context to store with work that the transaction creates for a row; null if it has none. */
export function traceparentFor(sql: Sql, rowId?: string): string | null {
  const ofRow = rowId === undefined ? undefined : ofRows.get(sql)?.get(rowId);
  return ofRow ?? ofTransactions.get(sql) ?? currentTraceparent() ?? null;
}
