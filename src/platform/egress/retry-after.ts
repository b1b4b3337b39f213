/** Longest wait that a called server can request. */
const maxMs = 24 * 3_600_000;

/** Retry-After in seconds or as a date (RFC 9110 §10.2.3) → ms from now; 0 when there is none. */
export function parseRetryAfter(value: string | undefined, nowMs: number): number {
  const text = value?.trim() ?? '';
  // A proxy may add a header of its own, and some servers write fractions.
  const seconds = text.split(',').map((part) => part.trim());
  if (seconds.every((part) => /^\d{1,9}(\.\d{1,9})?$/.test(part))) {
    return Math.min(maxMs, Math.ceil(Math.max(...seconds.map(Number)) * 1_000));
  }
  // Without a time of day any text with a number is a date for JavaScript.
  if (!/\d\d:\d\d:\d\d/.test(text)) return 0;
  // The oldest of the three forms has no zone, and means UTC.
  const hasZone = /(GMT|UTC?|Z|[+-]\d\d:?\d\d)$/i.test(text);
  const at = Date.parse(hasZone ? text : `${text}Z`);
  return Number.isNaN(at) ? 0 : Math.min(maxMs, Math.max(0, at - nowMs));
}
