import { toTimestamp } from '../time/rules.ts';

/**
 * Conversions of Postgres values in rows: the same as in JSON of the API, so that a row is the
 * resource. Timestamps are RFC 3339 strings in UTC with milliseconds, since a Date would need two
 * conversions a value. A bigint is a number that must be safe; dates are plain strings.
 */
export const wireTypes = {
  bigint: { to: 20, from: [20], serialize: String, parse: toSafeInteger },
  date: { to: 1184, from: [1114, 1184], serialize: String, parse: toRfc3339 },
  day: { to: 1082, from: [1082], serialize: String, parse: String },
};

function toSafeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new Error('a bigint column left the safe integer range');
  return value;
}

/** "2026-11-21 12:00:00.12+00" (session time zone UTC) → "2026-11-21T12:00:00.120Z". */
function toRfc3339(timestamp: string): string {
  // Years of five digits, years BC and ±infinity have no form in RFC 3339.
  const isEarly = timestamp === '-infinity' || timestamp.endsWith('BC');
  if (isEarly || timestamp[4] !== '-') return toTimestamp(isEarly ? -Infinity : Infinity);
  const end = timestamp.indexOf('+', 19);
  const fraction = timestamp.slice(20, end < 0 ? undefined : end);
  return `${timestamp.slice(0, 10)}T${timestamp.slice(11, 19)}.${fraction.padEnd(3, '0')}Z`;
}
