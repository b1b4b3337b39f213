import type { Database } from '../database/client.ts';
import type { Sql } from '../database/sql.ts';
import type { Keyring } from './keyring.ts';

type Value = string | Uint8Array;
type Row = Readonly<Record<string, Value>>;

/** A column whose values are sealed, and the seal context that each row is bound to. */
export interface SealedColumn {
  table: string;
  column: string;
  /** The primary key, by which the table is walked. */
  key: readonly [string, ...string[]];
  /** Further columns that the seal context needs. */
  also?: readonly string[];
  /** A boolean column: values are sealed only where it is true. */
  onlyWhere?: string;
  /** The context with which the value was sealed. */
  sealContextOf(row: Row): string[];
}

const chunk = 200;

/**
 * Reseals every value of a column with the current envelope key, so that older keys can be removed.
 * Values are compared again when they are written: one that changed meanwhile is current already.
 * Returns the number of resealed values.
 */
export async function rewrapColumn(
  database: Database,
  keyring: Keyring,
  column: SealedColumn,
): Promise<number> {
  let after: Row | undefined;
  let rewrapped = 0;
  for (;;) {
    const rows = await database.read((sql) => listSealed(sql, column, after));
    const old = rows.filter(
      (row) => keyring.sealedWith(textOf(row[column.column])) !== keyring.envelopeKeyId,
    );
    rewrapped += await database.transact((sql) => rewrapRows(sql, keyring, column, old));
    after = rows.at(-1);
    if (rows.length < chunk) return rewrapped;
  }
}

async function listSealed(sql: Sql, sealed: SealedColumn, after: Row | undefined): Promise<Row[]> {
  const { table, column, key, also = [], onlyWhere } = sealed;
  const names = [...new Set([...key, ...also, column])];
  return sql<Row[]>`
    select ${sql(names)} from ${sql(table)}
    where ${sql(column)} is not null
      ${onlyWhere === undefined ? sql`` : sql`and ${sql(onlyWhere)}`}
      ${after ? sql`and (${sql([...key])}) > (${valuesOf(sql, after, key)})` : sql``}
    order by ${sql([...key])}
    limit ${chunk}`;
}

async function rewrapRows(
  sql: Sql,
  keyring: Keyring,
  { table, column, key, sealContextOf }: SealedColumn,
  rows: readonly Row[],
): Promise<number> {
  let count = 0;
  for (const row of rows) {
    const was = textOf(row[column]);
    const context = sealContextOf(row);
    const is = keyring.seal(keyring.open(was, context), context);
    const changed = await sql`
      update ${sql(table)} set ${sql(column)} = ${is}
      where (${sql([...key])}) = (${valuesOf(sql, row, key)}) and ${sql(column)} = ${was}`;
    count += changed.count;
  }
  return count;
}

function valuesOf(sql: Sql, row: Row, key: readonly string[]) {
  const [first = '', ...rest] = key;
  return rest.reduce((list, name) => sql`${list}, ${row[name] ?? ''}`, sql`${row[first] ?? ''}`);
}

function textOf(value: Value | undefined): string {
  return typeof value === 'string' ? value : '';
}
