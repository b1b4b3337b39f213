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
export async function readData(data: string, signal: AbortSignal): Promise<string> {
  if (data === '-') return readInput(signal);
  return data.startsWith('@') ? readFileSync(data.slice(1), 'utf8') : data;
}

/**
 * Standard input to its end. Asynchronous: a read of a pipe that another process made non-blocking
 * would fail with EAGAIN, and Ctrl-C would wait for it.
 */
export async function readInput(signal: AbortSignal): Promise<string> {
  const stop = () => process.stdin.destroy(new UsageError('Ended before the input did.'));
  signal.addEventListener('abort', stop, { once: true });
  try {
    const pieces: string[] = [];
    process.stdin.setEncoding('utf8');
    for await (const piece of process.stdin) pieces.push(String(piece));
    return pieces.join('');
  } finally {
    signal.removeEventListener('abort', stop);
  }
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

/** `column=field` of `--map`; without a field, or with `null`, the column is left out. */
export function readMapping(pairs: readonly string[]): Record<string, string | null> {
  const mapping = readPairs(pairs, '--map');
  return Object.fromEntries(
    Object.entries(mapping).map(([name, field]) => [
      name,
      field === '' || field === 'null' ? null : field,
    ]),
  );
}

const channels = ['email', 'sms', 'push'] as const;

/** `column=channel` of `--consent`, with the source that all of them have. */
export function readConsents(pairs: readonly string[], source: string | undefined) {
  if (source === undefined) {
    throw new UsageError('--consent needs --consent-source: where the consents were given.');
  }
  return Object.fromEntries(
    Object.entries(readPairs(pairs, '--consent')).map(([name, text]) => {
      const channel = channels.find((known) => known === text);
      if (channel !== undefined) return [name, { channel, source }];
      throw new UsageError(`--consent takes column=channel with ${channels.join(', ')}.`);
    }),
  );
}

function readPair(pair: string, option: string): [string, string] {
  // A name of a column may contain the sign; that of a field does not.
  const end =
    option === '--map' || option === '--consent' ? pair.lastIndexOf('=') : pair.indexOf('=');
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
