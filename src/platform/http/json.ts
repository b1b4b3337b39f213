import { ProblemList, fail } from './errors.ts';
import type { Problem } from './errors.ts';
import { nextTurn } from './event-loop.ts';

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
 * more than 32 levels, more than `maxKeys` keys, more than 10,000 keys in one object, NUL and lone
 * surrogates in strings.
 */
export function parseJson(bytes: Uint8Array, maxKeys = defaultMaxKeys): unknown {
  return finish(parse(bytes, maxKeys));
}

function finish(steps: Generator<undefined, unknown>): unknown {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** The same for a value within a file. */
export function parseJsonText(text: string): unknown {
  return finish(parseText(text, defaultMaxKeys));
}

/** Parses in steps that let other work run in between: a large body needs some 100 ms. */
export async function parseJsonInTurns(bytes: Uint8Array, maxKeys?: number): Promise<unknown> {
  if (bytes.length < turnLength) return parseJson(bytes, maxKeys);
  const steps = parse(bytes, maxKeys ?? defaultMaxKeys);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    await nextTurn();
  }
}

/** Characters that are parsed in one turn. */
const turnLength = 500_000;

function* parse(bytes: Uint8Array, maxKeys: number): Generator<undefined, unknown> {
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    throw fail('invalid_json', { detail: 'The body is not valid UTF-8.' });
  }
  return yield* parseText(text, maxKeys);
}

function* parseText(text: string, maxKeys: number): Generator<undefined, unknown> {
  const excess = yield* findExcess(text, maxKeys);
  if (excess) throw fail('invalid_json', { detail: excess });
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

/** One pass over the text, with pauses; malformed input is left to JSON.parse. */
function* findExcess(text: string, maxKeys: number): Generator<undefined, string | undefined> {
  const scopes: (Set<string> | undefined)[] = [];
  const maxValuesOfBody = Math.min(maxKeys * valuesPerKey, maxValues);
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
      scopes.push(char === 0x7b ? new Set() : undefined);
      values += 1;
      if (scopes.length > maxDepth) return `The JSON is deeper than ${String(maxDepth)} levels.`;
    } else if (char === 0x7d || char === 0x5d) {
      scopes.pop();
    } else if (char === 0x2c) {
      values += 1;
      if (values > maxValuesOfBody)
        return `The JSON has more than ${String(maxValuesOfBody)} values.`;
    } else if (char === 0x22) {
      const start = at;
      at = endOfString(text, at + 1);
      const scope = scopes.at(-1);
      if (scope && isKey(text, at + 1)) {
        const key = text.slice(start, at + 1);
        const name = key.includes('\\') ? readString(key) : key;
        if (scope.has(name)) return 'A key stands twice in one object.';
        scope.add(name);
        if (scope.size > maxKeysOfObject) {
          return `An object has more than ${String(maxKeysOfObject)} keys.`;
        }
        keys += 1;
        if (keys > maxKeys) return `The JSON has more than ${String(maxKeys)} keys.`;
      }
    } else if (char === 0x2d || (char >= 0x30 && char <= 0x39)) {
      const start = at;
      while (isOfNumber(text.charCodeAt(at + 1))) at += 1;
      if (at - start >= 15 && !isExact(text.slice(start, at + 1))) {
        return 'A number is too large or too fine to be kept exactly.';
      }
    }
  }
  return undefined;
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

/** Only integers matter: a fraction that rounds to an integer would pass for an amount. */
function isExact(token: string): boolean {
  const value = Number(token);
  if (/^-?\d+$/.test(token)) return Number.isSafeInteger(value);
  return Number.isFinite(value) && !Number.isInteger(value);
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
  const pointer = path
    .map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');
  return {
    code: 'validation_failed',
    detail: 'Text must not contain NUL or lone surrogates.',
    meta: { pointer, rule: 'format' },
  };
}

/** Postgres can neither store NUL nor distinguish a lone surrogate from U+FFFD. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}
