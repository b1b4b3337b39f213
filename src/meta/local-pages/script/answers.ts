import { read, readAt } from './api.ts';
import type { Source } from './buckets.ts';
import type { Query } from './operations.ts';
import { mayCall } from './session.ts';
import { words } from './shown.ts';
import { baseOf, fieldOf, itemsOf, titleIn, unitOf } from './units.ts';
import type { Unit } from './units.ts';
import { isRow, rowOf, rowsOf, textOf, textsOf } from './values.ts';
import type { Row } from './values.ts';

/** Entry of an insight in the catalog. */
export interface Insight {
  name: string;
  path: string;
  summary: string;
  definition: string;
  filters: readonly string[];
  /** JSON Schema of the value. */
  schema: unknown;
}

export interface Figure {
  /** In the value, with points. */
  path: string;
  /** The name of what it is in, empty at the top. */
  group: string;
  label: string;
  unit: Unit;
  value: unknown;
  /** Counts that a share is of, such as `120 of 231`. */
  base: string;
}

export interface Column {
  key: string;
  label: string;
  unit: Unit;
}

/** Rows with what they are: times, steps in their order, or a list of which the largest comes first. */
export interface Table {
  key: string;
  label: string;
  columns: readonly Column[];
  rows: readonly Row[];
  kind: 'series' | 'steps' | 'list';
}

/** The value of an answer, by what can be drawn of it. */
export interface Answer {
  value: Row;
  source: Source;
  figures: readonly Figure[];
  tables: readonly Table[];
  /** Milliseconds until the next question may be asked, by the rate limit if it is named. */
  pauseMs: number | undefined;
}

/** Lists all insights of a team; those of a single template are not included. */
export async function listInsights(): Promise<Insight[]> {
  const { data } = await read('listInsights');
  return rowsOf(data)
    .map((row) => ({
      name: textOf(row['name']),
      path: textOf(row['path']),
      summary: textOf(row['summary']),
      definition: textOf(row['definition']),
      filters: textsOf(row['filters']),
      schema: row['value_schema'],
    }))
    .filter(({ path }) => !path.includes('{'));
}

/** The currency of the team; undefined where the token may not read it. */
export async function currencyOf(): Promise<string | undefined> {
  if (!mayCall('getTeam')) return undefined;
  const team = await read('getTeam').catch((): Row => ({}));
  return typeof team['currency'] === 'string' ? team['currency'] : undefined;
}

export async function ask({ path, schema }: Insight, query: Query): Promise<Answer> {
  const { body, pauseMs } = await readAt(path, query);
  return { ...readAnswer(rowOf(body['value']), rowOf(body['source']), schema), pauseMs };
}

/** Converts the value of an insight of any shape to figures and tables. */
function readAnswer(value: Row, source: Row, schema: unknown): Omit<Answer, 'pauseMs'> {
  const figures: Figure[] = [];
  const tables: Table[] = [];
  const readGroup = (path: string, group: string, within: Row, as: unknown) => {
    for (const [key, one] of Object.entries(within)) {
      const field = fieldOf(as, key);
      const label = titleIn(field) || words(key);
      const at = path === '' ? key : `${path}.${key}`;
      if (Array.isArray(one)) {
        const rows = rowsOf(one);
        if (rows.length > 0 && rows.length === one.length)
          tables.push(tableOf(at, label, rows, field));
      } else if (isRow(one)) readGroup(at, group === '' ? label : `${group}, ${label}`, one, field);
      else if (key !== 'bucket' && typeof one !== 'boolean') {
        const unit = unitOf(field, key, path);
        figures.push({ path: at, group, label, unit, value: one, base: baseOf(field, within) });
      }
    }
  };
  readGroup('', '', value, schema);
  const within = rowOf(source['window']);
  const [start, end] = [textOf(within['start']), textOf(within['end'])];
  const [zone, bucket] = [textOf(source['timezone']), textOf(source['bucket'])];
  return { value, source: { start, end, zone, bucket }, figures, tables };
}

/** A list with the fields of its groups as columns; lists within it are left out. */
function tableOf(key: string, label: string, rows: readonly Row[], schema: unknown): Table {
  const item = itemsOf(schema);
  const columns: Column[] = [];
  for (const [name, one] of Object.entries(rows[0] ?? {})) {
    const field = fieldOf(item, name);
    const title = titleIn(field) || words(name);
    if (isRow(one)) {
      for (const inner of Object.keys(one)) {
        const innerField = fieldOf(field, inner);
        const innerTitle = titleIn(innerField) || words(inner);
        columns.push({
          key: `${name}.${inner}`,
          label: `${title}: ${innerTitle}`,
          unit: unitOf(innerField, inner, name),
        });
      }
    } else if (!Array.isArray(one) || !one.some(isRow)) {
      columns.push({ key: name, label: title, unit: unitOf(field, name) });
    }
  }
  const isSeries = columns.some((column) => column.key === 'start');
  const common = { key, columns, rows: rows.map(flat) };
  return isSeries
    ? { ...common, label: 'Over time', kind: 'series' }
    : { ...common, label, kind: 'list' };
}

function flat(row: Row): Row {
  return Object.fromEntries(
    Object.entries(row).flatMap(([key, one]) =>
      isRow(one)
        ? Object.entries(one).map(([inner, value]) => [`${key}.${inner}`, value])
        : [[key, one]],
    ),
  );
}

/** The column by which a row is called. */
export const nameIn = (row: Row): string =>
  ['start', 'label', 'name', 'key', 'merchant', 'channel', 'kind', 'factor', 'id']
    .map((name) => textOf(row[name]))
    .find((text) => text !== '') ?? '';

/** Rows as CSV (RFC 4180); a text that a spreadsheet would take for a formula is marked as text. */
export function csvOf(columns: readonly string[], rows: readonly Row[]): string {
  const cell = (value: unknown) => {
    const text = Array.isArray(value) ? value.map(textOf).join(' ') : textOf(value);
    const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
    return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  const lines = rows.map((row) => columns.map((column) => cell(row[column])).join(','));
  return [columns.join(','), ...lines, ''].join('\r\n');
}
