import { ProblemList, fail } from './errors.ts';
import type { Problem } from './errors.ts';
import { nextTurn } from './event-loop.ts';
import { isExactInteger, isExactNumber } from './exact-number.ts';

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });
const maxDepth = 32;
const defaultMaxKeys = 10_000;
/** JSON.parse and the schemas are slowest for many keys in one object; lists contain small ones. */
const maxKeysOfObject = 10_000;
/**
 * Items of all lists together, for each key that a body may have: lists are cheaper than objects.
 */
const valuesPerKey = 10;
/** Values of all kinds together: more take too long to parse, however short each is. */
const maxValues = 500_000;

/**
 * Parses a JSON body. It rejects what JSON.parse would change or lose silently: invalid UTF-8,
 * repeated keys, and numbers that a double cannot represent. It also rejects what would fail later:
 * more than 32 levels, more than 10,000 keys, NUL and lone surrogates in strings.
 */
export function parseJson(bytes: Uint8Array): unknown {
  return finish(parse(bytes, { maxKeys: defaultMaxKeys, isExact: isExactNumber }));
}

/**
 * The same for a body of a provider, with rounded fractions: some programs print more digits than a
 * number keeps, and the body is stored as it came.
 */
export function parseProviderJson(bytes: Uint8Array): unknown {
  return finish(parse(bytes, { maxKeys: defaultMaxKeys, isExact: isExactInteger }));
}

interface Limits {
  /** Keys of all objects together. */
  maxKeys: number;
  /** Whether the digits of a number are kept. */
  isExact: (digits: string) => boolean;
}

function finish(steps: Generator<undefined, unknown>): unknown {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** The same for a value within a file. */
export function parseJsonText(text: string): unknown {
  return finish(parseText(text, { maxKeys: defaultMaxKeys, isExact: isExactNumber }));
}

/** Parses in steps that let other work run in between: a large body needs some 100 ms. */
export async function parseJsonInTurns(
  bytes: Uint8Array,
  maxKeys = defaultMaxKeys,
): Promise<unknown> {
  const steps = parse(bytes, { maxKeys, isExact: isExactNumber });
  if (bytes.length < turnLength) return finish(steps);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    await nextTurn();
  }
}

/** Characters that are parsed in one turn. */
const turnLength = 500_000;

function* parse(bytes: Uint8Array, limits: Limits): Generator<undefined, unknown> {
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    throw fail('invalid_json', { detail: 'The body is not valid UTF-8.' });
  }
  return yield* parseText(text, limits);
}

function* parseText(text: string, limits: Limits): Generator<undefined, unknown> {
  const excess = yield* findExcess(text, limits);
  if (excess) throw fail('invalid_json', excess);
  yield;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The parser's message would quote the body.
    throw fail('invalid_json', { detail: 'The body is not valid JSON.' });
  }
  // Only escapes bring them into text that is valid UTF-8 and JSON.
  if (!/\\u(0000|d[89a-f])/i.test(text)) return value;
  yield;
  const problems = new ProblemList();
  findBadText(value, [], problems);
  problems.check();
  return value;
}

/**
 * Parses a body of another service, without any expectations; undefined if it is not JSON, or
 * deeper than any envelope.
 */
export function readForeignJson(bytes: Uint8Array): unknown {
  try {
    const text = decoder.decode(bytes);
    return isDeeperThan(text, maxForeignDepth) ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

const maxForeignDepth = 64;

function isDeeperThan(text: string, limit: number): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charCodeAt(at);
    if (char === 0x22) {
      at = endOfString(text, at + 1);
    } else if (char === 0x7b || char === 0x5b) {
      depth += 1;
      if (depth > limit) return true;
    } else if (char === 0x7d || char === 0x5d) {
      depth -= 1;
    }
  }
  return false;
}

/** The place of the quote that ends a string; the end of the text where there is none. */
function endOfString(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text.charCodeAt(at - 1 - slashes) === 0x5c) slashes += 1;
    if (slashes % 2 === 0) return at;
  }
  return text.length;
}

/** Replaces what Postgres cannot store: NUL and lone surrogates become U+FFFD. */
export function storable(value: unknown): unknown {
  if (typeof value === 'string') {
    return isStorable(value) ? value : value.toWellFormed().replaceAll('\0', '\uFFFD');
  }
  if (Array.isArray(value)) return value.map(storable);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [String(storable(key)), storable(item)]),
  );
}

type Excess = Pick<Problem, 'detail' | 'meta'>;

/** An object with its keys, or a list. */
interface Scope {
  keys: Set<string> | undefined;
  /** Key, as it is sent, or index of the value that is read. */
  place: string | number;
}

/** One pass over the text, with pauses; malformed input is left to JSON.parse. */
function* findExcess(text: string, limits: Limits): Generator<undefined, Excess | undefined> {
  const scopes: Scope[] = [];
  const maxValuesOfBody = Math.min(limits.maxKeys * valuesPerKey, maxValues);
  let keys = 0;
  let values = 0;
  let pauseAt = turnLength;
  for (let at = 0; at < text.length; at += 1) {
    if (at >= pauseAt) {
      yield;
      pauseAt = at + turnLength;
    }
    const char = text.charCodeAt(at);
    if (char === 0x7b || char === 0x5b) {
      scopes.push(char === 0x7b ? { keys: new Set(), place: '""' } : { keys: undefined, place: 0 });
      values += 1;
      if (scopes.length > maxDepth)
        return { detail: `The JSON is deeper than ${String(maxDepth)} levels.` };
    } else if (char === 0x7d || char === 0x5d) {
      scopes.pop();
    } else if (char === 0x2c) {
      const scope = scopes.at(-1);
      if (typeof scope?.place === 'number') scope.place += 1;
      values += 1;
      if (values > maxValuesOfBody) return tooMany('values', maxValuesOfBody);
    } else if (char === 0x22) {
      const start = at;
      at = endOfString(text, at + 1);
      const scope = scopes.at(-1);
      if (scope?.keys && isKey(text, at + 1)) {
        const excess = addKey(scope, scope.keys, text.slice(start, at + 1));
        if (excess) return excess;
        keys += 1;
        if (keys > limits.maxKeys) return tooMany('keys', limits.maxKeys);
      }
    } else if (char === 0x2d || (char >= 0x30 && char <= 0x39)) {
      const start = at;
      while (isOfNumber(text.charCodeAt(at + 1))) at += 1;
      if (!limits.isExact(text.slice(start, at + 1))) return inexact(scopes);
    }
  }
  return undefined;
}

function addKey(scope: Scope, keys: Set<string>, key: string): Excess | undefined {
  const name = key.includes('\\') ? readString(key) : key;
  if (keys.has(name)) return { detail: 'A key stands twice in one object.' };
  keys.add(name);
  scope.place = key;
  return keys.size > maxKeysOfObject
    ? { detail: `An object has more than ${String(maxKeysOfObject)} keys.` }
    : undefined;
}

const tooMany = (what: 'keys' | 'values', limit: number): Excess => ({
  detail: `The JSON has more than ${String(limit)} ${what}.`,
});

function inexact(scopes: readonly Scope[]): Excess {
  const path = scopes.map(({ place }) =>
    typeof place === 'number' ? String(place) : readString(place).slice(1, -1),
  );
  return {
    detail: 'A number is too large or too fine to be kept exactly.',
    meta: { pointer: pointerOf(path) },
  };
}

function isKey(text: string, from: number): boolean {
  let at = from;
  while (/\s/.test(text.charAt(at))) at += 1;
  return text.charAt(at) === ':';
}

function readString(quoted: string): string {
  try {
    return `"${String(JSON.parse(quoted))}"`;
  } catch {
    return quoted;
  }
}

/** Digits, `.`, `e`, `E`, `+` and `-`; the end of the text is NaN. */
function isOfNumber(char: number): boolean {
  if (char >= 0x30 && char <= 0x39) return true;
  return char === 0x2e || char === 0x65 || char === 0x45 || char === 0x2b || char === 0x2d;
}

function findBadText(value: unknown, path: string[], problems: ProblemList): void {
  if (typeof value === 'string') {
    if (!isStorable(value)) problems.add(badText(path));
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      if (problems.isFull) return;
      findWithin(item, String(index), path, problems);
    }
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      if (problems.isFull) return;
      if (isStorable(key)) findWithin(item, key, path, problems);
      else problems.add(badText(path));
    }
  }
}

function findWithin(value: unknown, name: string, path: string[], problems: ProblemList): void {
  if (typeof value !== 'string' && typeof value !== 'object') return;
  path.push(name);
  findBadText(value, path, problems);
  path.pop();
}

function badText(path: readonly string[]): Problem {
  return {
    code: 'validation_failed',
    detail: 'Text must not contain NUL or lone surrogates.',
    meta: { pointer: pointerOf(path), rule: 'format' },
  };
}

function pointerOf(path: readonly string[]): string {
  return path.map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** Postgres can neither store NUL nor distinguish a lone surrogate from U+FFFD. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}
