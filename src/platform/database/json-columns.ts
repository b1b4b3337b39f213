import type postgres from 'postgres';
import type { Sql } from './sql.ts';

export type Writable = string | number | boolean | null | string[] | postgres.Parameter;

/** A row to write, with these columns as JSON; null stays null. */
export function withJson(
  sql: Sql,
  row: object,
  columns: readonly string[],
): Record<string, Writable>;
export function withJson(sql: Sql, row: object, columns: readonly string[]): object {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]: [string, unknown]) => [
      name,
      // The driver would take an array for one of Postgres.
      columns.includes(name) && isJson(value) ? sql.json(value) : value,
    ]),
  );
}

// Rows come from JSON bodies and from jsonb columns.
const isJson = (value: unknown): value is postgres.JSONValue =>
  value !== null && value !== undefined;
