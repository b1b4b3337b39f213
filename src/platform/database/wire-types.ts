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
function toRfc3339(text: string): string {
  const end = text.indexOf('+', 19);
  const fraction = text.slice(20, end < 0 ? undefined : end);
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction.padEnd(3, '0')}Z`;
}
