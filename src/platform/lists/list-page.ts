import type { Sql } from '../database/sql.ts';
import type { Cursors } from './cursor.ts';
import type { ListRequest } from './parse.ts';
import { countLimit, countStatement, pageStatement } from './sql.ts';
import type { Position } from './keyset.ts';
import type { Direction, ListSource } from './sql.ts';
import type { Statement } from './statement.ts';

export interface Page {
  next_cursor: string | null;
  prev_cursor: string | null;
  /** Whether more rows follow in the direction traveled. */
  has_more: boolean;
  /** Page size used, not rows returned. */
  size: number;
}

export interface ListPage<Row> {
  data: Row[];
  page: Page;
  meta?: { count: number; count_is_lower_bound?: true };
}

/** Which list of which team: what the cursors are bound to. */
export interface ListContext {
  operationId: string;
  teamId: string;
  cursors: Cursors;
}

/**
 * Reads one page, and the count if requested. Every page has the same cost, given an index on the
 * columns that `source.where` fixes, followed by the order. Throws 410 `cursor_invalid`.
 */
export async function listPage<Row extends object>(
  sql: Sql,
  source: ListSource,
  request: ListRequest,
  { operationId, teamId, cursors }: ListContext,
): Promise<ListPage<Row>> {
  const scope = { operationId, teamId, order: request.order, filters: request.filters };
  const direction: Direction = request.before === undefined ? 'after' : 'before';
  const cursor = request.before ?? request.after;
  const start =
    cursor === undefined ? undefined : cursors.decode(scope, `page[${direction}]`, cursor);
  const [rows, count] = await Promise.all([
    run<Row>(sql, pageStatement(source, request, start && { ...start, direction })),
    request.count ? run<{ count: number }>(sql, countStatement(source, request)) : undefined,
  ]);

  const hasMore = rows.length > request.size;
  const data = rows.slice(0, request.size);
  if (direction === 'before') data.reverse();
  const cursorOf = (row: Row | undefined) => {
    if (row) return cursors.encode(scope, { position: positionOf(request, row) });
    // An empty page has no row to turn round at, so the way back begins where the page did.
    return start ? cursors.encode(scope, { ...start, isInclusive: !start.isInclusive }) : null;
  };
  const page = {
    next_cursor: hasMore || direction === 'before' ? cursorOf(data.at(-1)) : null,
    prev_cursor: (direction === 'after' ? start : hasMore) ? cursorOf(data[0]) : null,
    has_more: hasMore,
    size: request.size,
  };
  return { data, page, ...(count && { meta: countMeta(count[0]?.count ?? 0) }) };
}

/** Value of the `Link` header (RFC 8288) for a page, if it has neighbors; `url` may be a path. */
export function linkHeader(url: string, page: Page): string | undefined {
  const [path = '', query = ''] = url.split(/\?(.*)/s);
  const link = (relation: string, parameter: string, cursor: string) => {
    const search = new URLSearchParams(query);
    search.delete('page[after]');
    search.delete('page[before]');
    search.set(parameter, cursor);
    return `<${path}?${search.toString()}>; rel="${relation}"`;
  };
  const links = [
    ...(page.next_cursor === null ? [] : [link('next', 'page[after]', page.next_cursor)]),
    ...(page.prev_cursor === null ? [] : [link('prev', 'page[before]', page.prev_cursor)]),
  ];
  return links.length > 0 ? links.join(', ') : undefined;
}

function countMeta(count: number) {
  if (count <= countLimit) return { count };
  return { count: countLimit, count_is_lower_bound: true as const };
}

function positionOf(request: ListRequest, row: object): Position {
  return request.order.map(({ name, field }) => {
    const value: unknown = Reflect.get(row, name);
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
      return value;
    }
    // Either would lose rows between pages.
    if (value !== null) throw new Error(`the list does not select ${name} as it is sorted`);
    if (!field.nullable) throw new Error(`the list does not declare ${name} nullable`);
    return value;
  });
}

// The driver stores every prepared text for the lifetime of a connection, and filters combine
// freely.
const maxPreparedTexts = 200;
const preparedTexts = new Set<string>();

async function run<Row extends object>(sql: Sql, { text, values }: Statement): Promise<Row[]> {
  if (preparedTexts.size < maxPreparedTexts) preparedTexts.add(text);
  return sql.unsafe<Row[]>(text, [...values], { prepare: preparedTexts.has(text) });
}
