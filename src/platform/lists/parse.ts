import { ProblemList, failAll, type Problem } from '../http/errors.ts';
import { filterNames, findSortField, pageSizes, sortNames } from './declaration.ts';
import type { ListDeclaration, ListField } from './declaration.ts';
import { parseFilters, type Filter } from './parse-filters.ts';
import { quote, suggest } from './suggest.ts';
import { cutText } from '../cut-text.ts';

export interface SortKey {
  name: string;
  field: ListField;
  descending: boolean;
}

export interface ListRequest {
  /** The requested or the default order, with the id at the end, so that it is total. */
  order: readonly SortKey[];
  filters: readonly Filter[];
  /** Rows. */
  size: number;
  after?: string;
  before?: string;
  include: readonly string[];
  count: boolean;
}

const maxSortKeys = 5;
const maxIncludes = 5;
const pageParameters = ['page[size]', 'page[after]', 'page[before]'];
const plainParameters = ['sort', ...pageParameters, 'include', 'meta'];

/**
 * Reads the query string of a list (interface document, "List conventions"). Throws one error with
 * every problem; field problems of filters come before problems of their operators.
 */
export function parseListQuery(list: ListDeclaration, search: URLSearchParams): ListRequest {
  const problems = new ProblemList();
  const filterParameters: [parameter: string, value: string][] = [];
  for (const [parameter, value] of search) {
    if (/^filter(\[|$)/.test(parameter)) filterParameters.push([parameter, value]);
    else if (!plainParameters.includes(parameter) && !problems.isFull) {
      problems.add(unknown(list, parameter));
    }
  }
  const order = parseSort(list, search.getAll('sort'), problems);
  const filters = parseFilters(list, filterParameters, problems);
  const size = parsePageSize(list, search.getAll('page[size]'), problems);
  const cursors = parseCursors(search, problems);
  const include = parseInclude(list, search.getAll('include'), problems);
  const count = parseMeta(search.getAll('meta'), problems);
  if (problems.all.length > 0) throw failAll(inOrder(problems.all));
  return { order, filters, size, ...cursors, include, count };
}

function inOrder(problems: readonly Problem[]): Problem[] {
  const rank = ({ code }: Problem) =>
    code === 'invalid_filter_value' ? 2 : code === 'invalid_filter_op' ? 1 : 0;
  return problems.toSorted((a, b) => rank(a) - rank(b));
}

function unknown(list: ListDeclaration, parameter: string): Problem {
  const filters = filterNames(list);
  const asFilter = filters.includes(parameter) ? ` Did you mean "filter[${parameter}]"?` : '';
  return {
    code: 'invalid_query_parameter',
    detail:
      `${quote(parameter)} is not a parameter of this list.` +
      (asFilter || suggest(parameter, plainParameters)),
    meta: {
      parameter,
      allowed: [...plainParameters, ...filters.map((name) => `filter[${name}]`)],
    },
  };
}

function parseSort(
  list: ListDeclaration,
  sent: readonly string[],
  problems: ProblemList,
): readonly SortKey[] {
  const allowed = sortNames(list);
  const report = (detail: string) =>
    problems.add({ code: 'invalid_sort_field', detail, meta: { parameter: 'sort', allowed } });
  const [text = list.defaultSort] = sent;
  if (sent.length > 1) report('Send sort once, with the fields separated by commas.');
  const parts = text.split(',');
  if (parts.length > maxSortKeys) {
    report(`The sort has ${String(parts.length)} fields; send at most ${String(maxSortKeys)}.`);
    return [];
  }
  const keys = new Map<string, SortKey>();
  for (const part of parts) {
    const descending = part.startsWith('-');
    const name = descending ? part.slice(1) : part;
    const field = findSortField(list, name);
    if (keys.has(name)) report(`The field ${quote(name)} is named twice.`);
    else if (field) keys.set(name, { name, field, descending });
    else if (name === '') report('A field name is missing in the sort.');
    else if (/^[ +]/.test(name)) report(`Ascending order has no sign: ${quote(name.slice(1))}.`);
    else report(`The list cannot be sorted by ${quote(name)}.${suggest(name, allowed)}`);
  }
  return withTieBreak(list, [...keys.values()]);
}

/** The id, in the direction of the last field; fields after an id have no effect. */
function withTieBreak(list: ListDeclaration, keys: readonly SortKey[]): readonly SortKey[] {
  const position = keys.findIndex(({ name }) => name === 'id');
  if (position >= 0) return keys.slice(0, position + 1);
  const field = list.fields.id ?? { type: 'id' };
  return [...keys, { name: 'id', field, descending: keys.at(-1)?.descending ?? false }];
}

function parsePageSize(
  list: ListDeclaration,
  sent: readonly string[],
  problems: ProblemList,
): number {
  const sizes = pageSizes(list);
  const [text] = sent;
  if (text === undefined) return sizes.default;
  const size = /^[1-9]\d{0,8}$/.test(text) ? Number(text) : Number.NaN;
  if (sent.length === 1 && size <= sizes.max) return size;
  problems.add({
    code: 'invalid_page_size',
    detail:
      sent.length > 1
        ? 'Send page[size] once.'
        : `${quote(text)} is not an integer from 1 to ${String(sizes.max)}.`,
    meta: { parameter: 'page[size]', ...sizes, received: cutText(text, 80) },
  });
  return sizes.default;
}

/** The cursors themselves are read when the list is: they are a matter of 410, not 400. */
function parseCursors(search: URLSearchParams, problems: ProblemList) {
  const after = search.getAll('page[after]');
  const before = search.getAll('page[before]');
  const report = (parameter: string, detail: string) =>
    problems.add({ code: 'invalid_page_params', detail, meta: { parameter } });
  if (after.length > 1) report('page[after]', 'Send page[after] once.');
  if (before.length > 1) report('page[before]', 'Send page[before] once.');
  if (after.length > 0 && before.length > 0) {
    report('page[before]', 'Send page[after] or page[before], not both.');
  }
  return {
    ...(after[0] !== undefined && { after: after[0] }),
    ...(before[0] !== undefined && { before: before[0] }),
  };
}

function parseInclude(
  list: ListDeclaration,
  sent: readonly string[],
  problems: ProblemList,
): readonly string[] {
  const allowed = list.includes ?? [];
  const report = (detail: string) =>
    problems.add({ code: 'invalid_include', detail, meta: { parameter: 'include', allowed } });
  if (sent.length > 1) report('Send include once, with the relations separated by commas.');
  const [text = ''] = sent;
  if (text === '') return [];
  const names = [...new Set(text.split(','))];
  if (names.length > maxIncludes) {
    report(`There are ${String(names.length)} relations; send at most ${String(maxIncludes)}.`);
    return [];
  }
  for (const name of names) {
    if (allowed.includes(name)) continue;
    const depth = name.includes('.') ? ' Relations of relations cannot be included.' : '';
    report(`${quote(name)} cannot be included.${depth || suggest(name, allowed)}`);
  }
  return names;
}

function parseMeta(sent: readonly string[], problems: ProblemList): boolean {
  const [text] = sent;
  if (text === undefined) return false;
  if (sent.length === 1 && text === 'count') return true;
  problems.add({
    code: 'invalid_meta',
    detail: sent.length > 1 ? 'Send meta once.' : `${quote(text)} is not "count".`,
    meta: { parameter: 'meta', allowed: ['count'] },
  });
  return false;
}
