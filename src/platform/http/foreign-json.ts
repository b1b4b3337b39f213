import { isKeptNumber } from './exact-number.ts';
import { findExcess } from './json-limits.ts';
import type { JsonLimits } from './json-limits.ts';
import { finish, finishInTurns } from './json.ts';

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });

/** More than any envelope has. */
const maxKeys = 60_000;

/**
 * Parses a body of another service, without any expectations; undefined if it is no object or list of
 * JSON, or deeper or of more keys than any envelope. A number that JSON.parse would change is the
 * text of its digits: different ids stay different. `isKept` decides which numbers stay numbers.
 */
export function readForeignJson(bytes: Uint8Array, isKept = isKeptNumber): unknown {
  return finish(readBytes(bytes, isKept));
}

/** The same in steps that let other work run in between. */
export async function readForeignJsonInTurns(bytes: Uint8Array): Promise<unknown> {
  return finishInTurns(readBytes(bytes, isKeptNumber), bytes.length);
}

/** The same for text. */
export function readForeignText(text: string, isKept = isKeptNumber): unknown {
  return finish(readText(text, isKept));
}

type NumberRule = typeof isKeptNumber;

function* readBytes(bytes: Uint8Array, isKept: NumberRule): Generator<undefined, unknown> {
  let text;
  try {
    text = decoder.decode(bytes);
  } catch {
    return undefined;
  }
  yield;
  return yield* readText(text, isKept);
}

function* readText(text: string, isKept: NumberRule): Generator<undefined, unknown> {
  if (!/^\s*[[{]/.test(text)) return undefined;
  const changed: { start: number; end: number }[] = [];
  const limits: JsonLimits = {
    maxKeys,
    takesRepeats: true,
    isExact(digits, start) {
      if (!isKept(digits)) changed.push({ start, end: start + digits.length });
      return true;
    },
  };
  if ((yield* findExcess(text, limits)) !== undefined) return undefined;
  yield;
  try {
    const value: unknown = JSON.parse(text);
    if (changed.length === 0) return value;
  } catch {
    return undefined;
  }
  yield;
  // Quotes could make malformed text valid, so only valid text gets them.
  const exact: unknown = JSON.parse(withQuotes(text, changed));
  return exact;
}

function withQuotes(text: string, parts: readonly { start: number; end: number }[]): string {
  let at = 0;
  const quoted = parts.map(({ start, end }) => {
    const before = text.slice(at, start);
    at = end;
    return `${before}"${text.slice(start, end)}"`;
  });
  return quoted.join('') + text.slice(at);
}
