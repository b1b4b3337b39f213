import { fieldTypes } from './declaration.ts';
import { rangesBehind, type OrderKey, type PageStart } from './keyset.ts';
import type { ListRequest, SortKey } from './parse.ts';
import { filterPredicate } from './predicates.ts';
import { collectValues, type Bind, type Statement } from './statement.ts';

/** Source of a list. The table whose fields are declared without a column has the alias `t`. */
export interface ListSource {
  /** "contacts t", or with joins that yield one row per id. */
  from: string;
  /** Yields every sortable field under its own name, unformatted. */
  select: string;
  /**
   * Always contains the predicate on the team; `select` and `from` may use its placeholders too.
   */
  where: Statement;
  /** Hides rows (of archived things), unless a filter names one of these fields. */
  defaultHidden?: { text: string; unless: readonly string[] };
}

export type Direction = 'after' | 'before';

/** Counts are exact up to here. */
export const countLimit = 100_000;

/**
 * The statement of one page and one row more. Travelling back, the rows come nearest first. The
 * page size is part of the text, since the planner guesses badly at a bound limit.
 */
export function pageStatement(
  source: ListSource,
  request: ListRequest,
  start?: PageStart & { direction: Direction },
): Statement {
  const { values, bind } = collectValues(source.where.values);
  const conditions = rowConditions(source, request, bind);
  const keys = request.order.map((key) => orderKey(key, start?.direction === 'before'));
  const limit = String(request.size + 1);
  const select = (...range: readonly string[]) =>
    `select ${source.select} from ${source.from} where ` +
    `${[...conditions, ...range].join(' and ')} order by ${orderBy(keys)} limit ${limit}`;
  if (!start) return { text: select(), values };

  const ranges = rangesBehind(keys, start, bind);
  if (ranges.length === 1) return { text: select(...ranges), values };
  // A range is read only if those before it leave the page unfilled: Postgres checks a condition
  // without columns once, before it starts. The outer order merges the few rows there are.
  const names = ranges.map((_, index) => `range_${String(index)}`);
  const parts = ranges.map((range, index) => {
    const found = names.slice(0, index).map((name) => `(select count(*) from ${name})`);
    const gate = found.length > 0 ? [`${found.join(' + ')} < ${limit}`] : [];
    return `range_${String(index)} as materialized (${select(range, ...gate)})`;
  });
  const union = names.map((name) => `select * from ${name}`).join(' union all ');
  const outerKeys = keys.map((key) => ({ ...key, expression: key.outerExpression }));
  return {
    text:
      `with ${parts.join(', ')} select * from (${union}) as page ` +
      `order by ${orderBy(outerKeys)} limit ${limit}`,
    values,
  };
}

/** Counts the rows of all pages, one more than `countLimit` at most. */
export function countStatement(source: ListSource, request: ListRequest): Statement {
  const { values, bind } = collectValues(source.where.values);
  const where = rowConditions(source, request, bind).join(' and ');
  const rows = `select from ${source.from} where ${where} limit ${String(countLimit + 1)}`;
  return { text: `select count(*)::int as count from (${rows}) as rows`, values };
}

// Teams differ in size by orders of magnitude, so each needs its own plan. After five runs Postgres
// may choose one generic plan for all values. With the value known to be true, the planner removes
// this term; without it, the generic plan looks too expensive.
const costly = '(select count(*) from generate_series(1, 1000000000)) > 0';

function rowConditions(source: ListSource, request: ListRequest, bind: Bind): string[] {
  const { where, defaultHidden } = source;
  const isNamed = request.filters.some(({ name }) => defaultHidden?.unless.includes(name));
  return [
    `(${where.text})`,
    `(${bind(true, 'boolean')} or ${costly})`,
    ...(defaultHidden && !isNamed ? [`not (${defaultHidden.text})`] : []),
    ...request.filters.map((filter) => filterPredicate(filter, bind)),
  ];
}

interface PageKey extends OrderKey {
  /** The same key in the output of the ranges. */
  outerExpression: string;
}

function orderKey({ name, field, descending }: SortKey, isReversed: boolean): PageKey {
  const { sqlType } = fieldTypes[field.type];
  // Collation "C" is the same on every system and version, and the one the indexes have.
  const collation = sqlType === 'text' ? ' collate "C"' : '';
  const expression = field.column === undefined ? `t.${name}` : `(${field.column})`;
  return {
    expression: `${expression}${collation}`,
    outerExpression: `page.${name}${collation}`,
    sqlType,
    descending: descending !== isReversed,
    nullable: field.nullable ?? false,
  };
}

function orderBy(keys: readonly OrderKey[]): string {
  return keys
    .map(({ expression, descending }) => (descending ? `${expression} desc` : expression))
    .join(', ');
}
