import type { Sql } from './sql.ts';
import { toTimestamp } from '../time/rules.ts';

/**
 * A day as part of the statement's text, so that Postgres plans for the partitions of that day and
 * opens no others: with a parameter it would open all of them each time. Throws for anything else.
 */
export function dayLiteral(sql: Sql, day: string) {
  if (!/^\d{4}-\d\d-\d\d$/.test(day)) throw new Error(`${day} is not a day`);
  return sql.unsafe(`date '${day}'`);
}

/** The day after, by the calendar. */
export function dayAfter(day: string): string {
  const timestamp = toTimestamp(Date.parse(`${day}T00:00:00Z`) + 86_400_000);
  return timestamp.slice(0, 10);
}
