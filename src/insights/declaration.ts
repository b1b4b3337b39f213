import { Type } from 'typebox';
import type { TObject, TProperties } from 'typebox';
import type { Sql } from '../platform/database/sql.ts';
import { Timestamp } from '../platform/schema/fields.ts';
import { saturated } from '../platform/schema/rules.ts';
import type { Shown } from '../platform/http/declared-types.ts';
import type { Period } from '../platform/time/period.ts';

/** Input of the computation of an insight; the period is [period.start, period.end). */
export interface Asked {
  sql: Sql;
  teamId: string;
  period: Period;
  /** Where the buckets of the period begin, for `width_bucket`. */
  starts: string[];
  filters: Filters;
  /** Source of the figures, for the response. */
  from: { isRollup: boolean };
}

/** Rows that are left out of an answer; undefined: none. */
export interface Filters {
  templateIds?: string[];
  cohortId?: string;
  channel?: string;
}

export type FilterName = 'template' | 'cohort' | 'channel';

/** A table, or several joined, that an insight is read from. */
export type Dataset =
  | 'accounts'
  | 'contacts'
  | 'engagement_events'
  | 'journeys'
  | 'message_deliveries'
  | 'objective_completions'
  | 'templates';

export interface Insight {
  /** As in the path. */
  name: string;
  summary: string;
  /** Definition of each figure, in words. */
  definition: string;
  datasets: readonly Dataset[];
  /** Rises when a definition changes. */
  version: number;
  filters: readonly FilterName[];
  /** The path names one template. */
  isOfTemplate?: boolean;
  /** Some of its figures may come from sums of hours rather than from rows. */
  isSummed?: boolean;
  value: TObject;
  compute(asked: Asked): Promise<object>;
}

/** Declares an insight: its value, its definition in words and its SQL stand together. */
export function insight<Value extends TObject>(
  declaration: Omit<Insight, 'value' | 'compute'> & {
    value: Value;
    compute(asked: Asked): Promise<Shown<Value>>;
  },
) {
  return declaration;
}

// The vocabulary of values.

/** A share of 1 with four decimals, null where there is nothing to divide by. */
export const Rate = (description?: string) =>
  Type.Union([Type.Number(), Type.Null()], { ...(description && { description }) });

/** Rows of a value; `truncated` is true if there are more than 200. */
export const rowsOf = <Row extends TObject>(row: Row) =>
  Type.Array(row, { maxItems: maxRows, description: 'Most first; 200 at most' });
export const Truncated = Type.Boolean({
  description: 'Whether there are more rows than are shown',
});

/** A point for each bucket of the period, zero where nothing happened. */
export const seriesOf = <Point extends TProperties>(point: Point) =>
  Type.Array(Type.Object({ start: Timestamp('Start of the bucket in UTC'), ...point }));

const maxRows = 200;

/** numerator / denominator as values show it. */
export function rate(numerator: number, denominator: number): number | null {
  return denominator === 0 ? null : Math.round((numerator / denominator) * 10_000) / 10_000;
}

/** Saturated as sums in SQL are. */
export function sum<Row>(rows: readonly Row[], of: (row: Row) => number): number {
  return rows.reduce((total, row) => saturated(total + of(row)), 0);
}

/** The rows with most of something first, ids deciding between equals, as far as they are shown. */
export function top<Row>(
  rows: readonly Row[],
  most: (row: Row) => number,
  id: (row: Row) => string,
) {
  const sorted = rows.toSorted((a, b) => most(b) - most(a) || (id(a) < id(b) ? -1 : 1));
  return { rows: sorted.slice(0, maxRows), truncated: sorted.length > maxRows };
}

/** A point for each bucket; `rows` count buckets from 1, as `width_bucket` does. */
export function filled<Row extends { bucket: number }, Point>(
  { starts }: Asked,
  rows: readonly Row[],
  point: (row: Row | undefined) => Point,
): (Point & { start: string })[] {
  const byBucket = new Map(rows.map((row) => [row.bucket, row]));
  return starts.map((start, at) => ({ start, ...point(byBucket.get(at + 1)) }));
}

/** Reads counts by their key, 0 where there is none. */
export function countsOf(rows: readonly { key: string | null; count: number }[]) {
  const counts = new Map(rows.map(({ key, count }) => [key, count]));
  return (key: string) => counts.get(key) ?? 0;
}
