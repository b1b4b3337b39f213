import { ProblemList, fail } from './errors.ts';
import type { Problem } from './errors.ts';
import { nextTurn } from './event-loop.ts';
import { isExactNumber } from './exact-number.ts';
import { findExcess, pointerOf } from './json-limits.ts';
import type { JsonLimits } from './json-limits.ts';
import { parsePieces, turnLength } from './json-pieces.ts';

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });
const defaultMaxKeys = 10_000;

/**
 * Parses a JSON body. It rejects what JSON.parse would change or lose silently: invalid UTF-8,
 * repeated keys, and numbers that a double cannot represent. It also rejects what would fail later:
 * more than 32 levels, more than 10,000 keys, NUL and lone surrogates in strings.
 */
export function parseJson(bytes: Uint8Array): unknown {
  return finish(parse(bytes, { maxKeys: defaultMaxKeys, isExact: isExactNumber }));
}

/** Runs the steps of a reader without pauses. */
export function finish<Value>(steps: Generator<undefined, Value>): Value {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** Runs the steps of a reader of so many characters with turns of other work in between. */
export async function finishInTurns<Value>(
  steps: Generator<undefined, Value>,
  length: number,
): Promise<Value> {
  if (length < turnLength) return finish(steps);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    await nextTurn();
  }
}

/** Parses a value within a file in the same way. */
export function parseJsonText(text: string): unknown {
  return finish(parseText(text, { maxKeys: defaultMaxKeys, isExact: isExactNumber }));
}

/** Parses in steps that let other work run in between: a large body needs some 100 ms. */
export async function parseJsonInTurns(
  bytes: Uint8Array,
  maxKeys = defaultMaxKeys,
): Promise<unknown> {
  return finishInTurns(parse(bytes, { maxKeys, isExact: isExactNumber }), bytes.length);
}

function* parse(bytes: Uint8Array, limits: JsonLimits): Generator<undefined, unknown> {
  return yield* parseText(yield* decode(bytes), limits);
}

function* decode(bytes: Uint8Array): Generator<undefined, string> {
  try {
    if (bytes.length <= turnLength) return decoder.decode(bytes);
    const partly = new TextDecoder('utf-8', { fatal: true });
    const parts: string[] = [];
    for (let at = 0; at < bytes.length; at += turnLength) {
      parts.push(partly.decode(bytes.subarray(at, at + turnLength), { stream: true }));
      yield;
    }
    parts.push(partly.decode());
    return parts.join('');
  } catch {
    throw fail('invalid_json', { detail: 'The body is not valid UTF-8.' });
  }
}

function* parseText(text: string, limits: JsonLimits): Generator<undefined, unknown> {
  const excess = yield* findExcess(text, limits);
  if (excess) throw fail('invalid_json', excess);
  const problems = new ProblemList();
  let value: unknown;
  try {
    value = yield* parsePieces(text, (piece, path, first) => {
      findBadPiece(piece, path, first, problems);
    });
  } catch {
    // The parser's message would quote the body.
    throw fail('invalid_json', { detail: 'The body is not valid JSON.' });
  }
  problems.check();
  return value;
}

/** Replaces what Postgres cannot store: NUL and lone surrogates become U+FFFD. */
export const storableText = (text: string): string =>
  isStorable(text) ? text : text.toWellFormed().replaceAll('\0', '\uFFFD');

/** A value of JSON with all its texts as `storableText`. */
export function storable(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value);
  if (Array.isArray(value)) return value.map(storable);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [String(storable(key)), storable(item)]),
  );
}

/** A piece of a list begins at the index `first`. */
function findBadPiece(
  piece: unknown,
  path: readonly string[],
  first: number | undefined,
  problems: ProblemList,
): void {
  if (first === undefined || !Array.isArray(piece)) {
    findBadText(piece, [...path], problems);
    return;
  }
  for (const [index, item] of piece.entries()) {
    if (problems.isFull) return;
    findWithin(item, String(first + index), [...path], problems);
  }
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

/** Postgres can neither store NUL nor distinguish a lone surrogate from U+FFFD. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}
