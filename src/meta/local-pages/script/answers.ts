import { read, readAt } from './api.ts';
import { mayCall } from './session.ts';
import { words } from './shown.ts';
import { fieldOf, figureOf, unitOf, unitsOf } from './units.ts';
import type { Unit } from './units.ts';
import { isRow, rowsOf, textOf } from './values.ts';
import type { Row } from './values.ts';

/** Entry of an insight in the catalog. */
export interface Insight {
  name: string;
  path: string;
  summary: string;
  definition: string;
  /** JSON Schema of the value. */
  schema: unknown;
}

/** A list or a series. */
export interface Table {
  name: string;
  rows: readonly Row[];
  /** By column. */
  units: ReadonlyMap<string, Unit>;
}

/** The value of an answer, by what can be drawn of it. */
export interface Answer {
  /** Plain figures, those of groups by the names of both. */
  figures: readonly (readonly [name: string, value: string])[];
  /** Lists and series, the longest first. */
  tables: readonly Table[];
  bucket: string | undefined;
}

export interface Question {
  period: string;
  timezone: string;
  /** Currency of the team; undefined where the token may not read it. */
  currency: string | undefined;
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

export async function ask(
  { path, schema }: Insight,
  { period, timezone, currency }: Question,
): Promise<Answer> {
  const { value } = await readAt(path, { period, ...(timezone !== '' && { timezone }) });
  return readAnswer(isRow(value) ? value : {}, schema, currency);
}

/** Converts the value of an insight of any shape to figures and tables. */
function readAnswer(value: Row, schema: unknown, currency: string | undefined): Answer {
  const figures: [string, string][] = [];
  const tables: Table[] = [];
  const read = (prefix: string, of: Row, as: unknown) => {
    for (const [key, one] of Object.entries(of)) {
      const name = prefix === '' ? key : `${prefix} ${key}`;
      const field = fieldOf(as, key);
      if (Array.isArray(one)) {
        if (one.length === 0 || !one.every(isRow)) continue;
        const rows = one.map(flat);
        tables.push({ name, rows, units: unitsOf(field, Object.keys(rows[0] ?? {})) });
      } else if (isRow(one)) read(name, one, field);
      else if (key !== 'bucket' && typeof one !== 'boolean') {
        figures.push([name, figureOf(unitOf(field, key, prefix), one, currency)]);
      }
    }
  };
  read('', value, schema);
  const bucket = typeof value['bucket'] === 'string' ? value['bucket'] : undefined;
  return { figures, tables: tables.sort((a, b) => b.rows.length - a.rows.length), bucket };
}

/** A row whose groups are columns of their own; lists within it are left out. */
function flat(row: Row): Row {
  return Object.fromEntries(
    Object.entries(row).flatMap(([key, one]) =>
      isRow(one)
        ? Object.entries(one).map(([inner, value]) => [`${key} ${inner}`, value])
        : Array.isArray(one) && one.some(isRow)
          ? []
          : [[key, one]],
    ),
  );
}

/** The name of a figure. */
export const titleOf = (name: string) => words(name.replaceAll(/_cents(?=_|\b)/g, ''));

/** The column by which a row is called. */
export const labelOf = (row: Row): string =>
  ['start', 'label', 'name', 'key', 'merchant', 'channel', 'kind', 'factor', 'id']
    .map((name) => textOf(row[name]))
    .find((text) => text !== '') ?? '';

/** Rows as CSV (RFC 4180); a text that a spreadsheet would take for a formula is marked as text. */
export function csvOf(rows: readonly Row[]): string {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cell = (value: unknown) => {
    const text = Array.isArray(value) ? value.map(textOf).join(' ') : textOf(value);
    const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
    return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  const lines = rows.map((row) => columns.map((column) => cell(row[column])).join(','));
  return [columns.join(','), ...lines, ''].join('\r\n');
}
