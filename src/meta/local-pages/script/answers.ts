import { get, isRow, rowsOf, textOf } from './api.ts';
import type { Row } from './api.ts';

/** Entry of an insight in the catalog. */
export interface Insight {
  name: string;
  path: string;
  summary: string;
  definition: string;
}

/** The value of an answer, by what can be drawn of it. */
export interface Answer {
  /** Plain figures, those of groups by the names of both. */
  figures: readonly (readonly [name: string, value: string])[];
  /** Lists and series, the longest first. */
  tables: readonly { name: string; rows: readonly Row[] }[];
  bucket: string | undefined;
}

export interface Question {
  token: string;
  period: string;
  timezone: string;
}

/** Lists all insights of a team; those of a single template are not included. */
export async function listInsights(token: string): Promise<Insight[]> {
  const { data } = await get('/v2/partner/insights', token);
  return rowsOf(data)
    .map((row) => ({
      name: textOf(row['name']),
      path: textOf(row['path']),
      summary: textOf(row['summary']),
      definition: textOf(row['definition']),
    }))
    .filter(({ path }) => !path.includes('{'));
}

export async function ask(
  { path }: Insight,
  { token, period, timezone }: Question,
): Promise<Answer> {
  const query = new URLSearchParams({ period, ...(timezone !== '' && { timezone }) });
  const { value } = await get(`${path}?${query.toString()}`, token);
  return readAnswer(isRow(value) ? value : {});
}

/** Converts the value of an insight of any shape to figures and tables. */
function readAnswer(value: Row): Answer {
  const figures: [string, string][] = [];
  const tables: { name: string; rows: readonly Row[] }[] = [];
  const read = (prefix: string, of: Row) => {
    for (const [key, one] of Object.entries(of)) {
      const name = prefix === '' ? key : `${prefix} ${key}`;
      if (Array.isArray(one)) {
        if (one.length > 0 && one.every(isRow)) tables.push({ name, rows: one.map(flat) });
      } else if (isRow(one)) read(name, one);
      else if (key !== 'bucket' && typeof one !== 'boolean') figures.push([name, shown(key, one)]);
    }
  };
  read('', value);
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

/** A figure as people write it: rates in percent, cents as amounts. */
export function shown(key: string, value: unknown): string {
  if (value === null || value === undefined) return '–';
  if (Array.isArray(value)) return value.map((one) => shown(key, one)).join(' … ');
  if (typeof value !== 'number') return textOf(value);
  if (/(^|_)(rate|share|lift|p25|p50|p75)$/.test(key)) {
    return value.toLocaleString(undefined, { style: 'percent', maximumFractionDigits: 1 });
  }
  if (/cents/.test(key)) {
    return (value / 100).toLocaleString(undefined, { minimumFractionDigits: 2 });
  }
  return value.toLocaleString();
}

/** Words of a name in the API. */
export const words = (name: string) =>
  name
    .replaceAll(/_cents\b/g, '')
    .replaceAll(/[_-]/g, ' ')
    .replace(/^./, (first) => first.toUpperCase());

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
