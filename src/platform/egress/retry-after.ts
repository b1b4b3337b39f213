/** Longest wait that a called server can request. */
const maxMs = 24 * 3_600_000;

/** Retry-After in seconds or as a date (RFC 9110 §10.2.3) → ms from now; 0 when there is none. */
export function parseRetryAfter(value: string | undefined, nowMs: number): number {
  if (value === undefined) return 0;
  if (/^\d{1,9}$/.test(value.trim())) return Math.min(maxMs, Number(value) * 1_000);
  const at = Date.parse(value);
  return Number.isNaN(at) ? 0 : Math.min(maxMs, Math.max(0, at - nowMs));
}
