import { readFileSync } from 'node:fs';
import { Each } from '../../typescript/src/operations.ts';
import { UsageError } from './failures.ts';

/**
 * Fields of a body: `name=text`, `name:=json`, a dot for a field in a field. Text stays text;
 * `:=` writes numbers, true, null, lists and objects.
 */
export function readFields(pairs: readonly string[]): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const pair of pairs) {
    const [, name, sign, text = ''] = /^([\w.-]+?)(:?=)([\s\S]*)$/.exec(pair) ?? [];
    if (name === undefined)
      throw new UsageError(`A field is name=value or name:=json, not ${pair}.`);
    // It would change every object of this process.
    if (/(^|\.)__proto__(\.|$)/.test(name)) throw new UsageError(`No field is called ${name}.`);
    place(body, name.split('.'), sign === ':=' ? parse(text, name) : text);
  }
  return body;
}

function place(into: Record<string, unknown>, [first = '', ...rest]: string[], value: unknown) {
  if (rest.length === 0) {
    into[first] = value;
    return;
  }
  const known = into[first];
  const inner: Record<string, unknown> = isObject(known) ? known : {};
  into[first] = inner;
  place(inner, rest, value);
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parse(text: string, name: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    throw new UsageError(`${name} is not JSON: ${text}`);
  }
}

/** A body from `--data`: JSON, `@file`, or `-` for standard input. */
export function readData(data: string): string {
  if (data === '-') return readFileSync(0, 'utf8');
  return data.startsWith('@') ? readFileSync(data.slice(1), 'utf8') : data;
}

/** Editors on Windows begin a file with a byte order mark. */
export function readJson(text: string): unknown {
  return parse(text.replace(/^\ufeff/, ''), 'The body');
}

/** `status=active` and `inserted_at[gte]=2026-01-31T00:00:00Z` as the query writes them. */
export function readFilters(pairs: readonly string[]): Record<string, Each> {
  return together(
    pairs.map((pair): [string, string] => {
      const [, field, operator, value] = /^([\w.]+)(?:\[(\w+)\])?=([\s\S]*)$/.exec(pair) ?? [];
      if (field === undefined || value === undefined) {
        throw new UsageError(`A filter is field=value or field[operator]=value, not ${pair}.`);
      }
      return [`filter[${field}]${operator === undefined ? '' : `[${operator}]`}`, value];
    }),
  );
}

/** `name=value` pairs of a query. */
export const readQuery = (pairs: readonly string[]): Record<string, Each> =>
  together(pairs.map((pair) => readPair(pair, '--query')));

/** `name=value` pairs of an option that takes each name once. */
export function readPairs(pairs: readonly string[], option: string): Record<string, string> {
  const values = together(pairs.map((pair) => readPair(pair, option)));
  return Object.fromEntries(
    Object.entries(values).map(
      ([
        name,
        {
          values: [value = '', ...more],
        },
      ]) => {
        if (more.length === 0) return [name, value];
        throw new UsageError(`${option} names ${name} more than once.`);
      },
    ),
  );
}

function readPair(pair: string, option: string): [string, string] {
  // A name of a column may contain the sign; that of a field does not.
  const end = option === '--map' ? pair.lastIndexOf('=') : pair.indexOf('=');
  if (end > 0) return [pair.slice(0, end), pair.slice(end + 1)];
  throw new UsageError(`${option} takes name=value, not ${pair}.`);
}

/** All values of each name, in their order. */
function together(pairs: readonly [string, string][]): Record<string, Each> {
  const values = new Map<string, string[]>();
  for (const [name, value] of pairs) values.set(name, [...(values.get(name) ?? []), value]);
  return Object.fromEntries([...values].map(([name, all]) => [name, new Each(all)]));
}

const units: Readonly<Record<string, number>> = {
  ...{ s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 },
};

/** The time so long before now: `15m`, `2h`, `7d`, or a time as it is. */
export function readSince(text: string, nowMs: number): string {
  const [, count, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  const { [unit]: unitMs } = units;
  if (count !== undefined && unitMs !== undefined) {
    return new Date(nowMs - Number(count) * unitMs).toISOString();
  }
  if (!Number.isNaN(Date.parse(text))) return new Date(text).toISOString();
  throw new UsageError('--since takes 30s, 15m, 2h, 7d or a time.');
}

/** A whole number of at least 1. */
export function readCount(text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count >= 1) return count;
  throw new UsageError(`A number from 1 is expected, not ${text}.`);
}
