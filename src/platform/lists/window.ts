import { isTimestamp } from '../schema/fields.ts';
import { fail } from '../http/errors.ts';
import { toTimestamp } from '../time/rules.ts';

const maxMs = 30 * 86_400_000;
const usualMs = 86_400_000;

/**
 * The window that `filter[<field>][gte]` and `[lt]` name: its start inclusive, its end exclusive,
 * the last 24 hours by default, and 30 days at most. Throws 400.
 */
export function windowOf(
  query: Readonly<Partial<Record<string, string>>>,
  field: string,
  nowMs: number,
): { start: string; end: string } {
  const startName = `filter[${field}][gte]`;
  const endName = `filter[${field}][lt]`;
  const read = (name: string, fallbackMs: number) => {
    const text = query[name];
    if (text === undefined) return fallbackMs;
    if (isTimestamp(text)) return Date.parse(text.toUpperCase());
    throw refusal(name, `${name} must be an RFC 3339 timestamp.`);
  };
  const endMs = read(endName, nowMs);
  const startMs = read(startName, endMs - usualMs);
  if (startMs >= endMs) throw refusal(startName, 'The window must end after it starts.');
  if (endMs - startMs > maxMs) {
    throw refusal(startName, 'The window may span 30 days at most.');
  }
  return { start: toTimestamp(startMs), end: toTimestamp(endMs) };
}

function refusal(parameter: string, detail: string) {
  return fail('invalid_filter_value', { detail, meta: { parameter } });
}
