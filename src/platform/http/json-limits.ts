import type { Problem } from './errors.ts';
import { isEscaped, turnLength } from './json-pieces.ts';

/** JSON.parse and the schemas are slowest for many keys in one object; lists contain small ones. */
const maxKeysOfObject = 10_000;
/**
 * Items of all lists together, for each key that a body may have: lists are cheaper than objects.
 */
const valuesPerKey = 10;
/** Values of all kinds together: more take too long to parse, however short each is. */
const maxValues = 500_000;
const maxDepth = 32;

export interface JsonLimits {
  /** Keys of all objects together. */
  maxKeys: number;
  /** Whether the digits of a number, which start at a place of the text, are kept. */
  isExact: (digits: string, start: number) => boolean;
  /** Whether a key may stand twice in an object: the last one counts. */
  takesRepeats?: true;
}

type Excess = Pick<Problem, 'detail' | 'meta'>;

/** An object with its keys, or a list. */
interface Scope {
  isObject: boolean;
  /** The keys that were read, as they are after their escapes; an object without any has none. */
  keys: Set<string> | undefined;
  /** Key, as it is sent, or index of the value that is read. */
  place: string | number;
}

/**
 * Finds what JSON text has too much of, in one pass with pauses. Malformed text is left to
 * JSON.parse.
 */
export function* findExcess(
  text: string,
  limits: JsonLimits,
): Generator<undefined, Excess | undefined> {
  const scopes: Scope[] = [];
  const maxValuesOfBody = Math.min(limits.maxKeys * valuesPerKey, maxValues);
  let keys = 0;
  let values = 0;
  let pauseAt = turnLength;
  let isInString = false;
  let stringStart = 0;
  let stringEnd = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (at >= pauseAt) {
      yield;
      pauseAt = at + turnLength;
    }
    if (isInString) {
      at = text.indexOf('"', at);
      if (at < 0) return undefined;
      isInString = isEscaped(text, at, stringStart);
      stringEnd = at + 1;
      continue;
    }
    const char = text.charCodeAt(at);
    if (char === 0x22) {
      isInString = true;
      stringStart = at;
    } else if (char === 0x3a) {
      const scope = scopes.at(-1);
      if (!scope?.isObject) return undefined;
      const excess = addKey(scope, text.slice(stringStart, stringEnd), limits);
      if (excess) return excess;
      keys += 1;
      if (keys > limits.maxKeys) return tooMany('keys', limits.maxKeys);
    } else if (char === 0x7b || char === 0x5b) {
      const isObject = char === 0x7b;
      scopes.push({ isObject, keys: undefined, place: isObject ? '""' : 0 });
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
    } else if (char === 0x2d || (char >= 0x30 && char <= 0x39)) {
      const start = at;
      while (isOfNumber(text.charCodeAt(at + 1))) {
        at += 1;
        if (at < pauseAt) continue;
        yield;
        pauseAt = at + turnLength;
      }
      if (!limits.isExact(text.slice(start, at + 1), start)) return inexact(scopes);
    }
  }
  return undefined;
}

function addKey(scope: Scope, key: string, { takesRepeats }: JsonLimits): Excess | undefined {
  const name = key.includes('\\') ? readString(key) : key;
  // Most objects of a long list have few keys, and a set for each takes most of the time.
  scope.keys ??= new Set();
  if (!takesRepeats && scope.keys.has(name)) return { detail: 'An object has a duplicate key.' };
  scope.keys.add(name);
  scope.place = key;
  return scope.keys.size > maxKeysOfObject
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
    detail: 'A number is too large or too precise to be stored exactly.',
    meta: { pointer: pointerOf(path) },
  };
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

/** RFC 6901. */
export function pointerOf(path: readonly string[]): string {
  return path.map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
