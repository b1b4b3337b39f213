/**
 * Bounds of times, without I/O or clock. RFC 3339, Postgres and most clients have no form in common
 * for other years than 0001 to 9999, so no time outside of them is stored or shown.
 */

/** 0001-01-01T00:00:00.000Z */
export const earliestMs = -62_135_596_800_000;
/** 9999-12-31T23:59:59.999Z */
export const latestMs = 253_402_300_799_999;

/** The instant, or the nearest one within the bounds. Milliseconds since 1970. */
export function clampInstant(ms: number): number {
  return Math.min(Math.max(ms, earliestMs), latestMs);
}

/** RFC 3339 in UTC with milliseconds of an instant, which is clamped to the bounds. */
export function toTimestamp(ms: number): string {
  return new Date(clampInstant(ms)).toISOString();
}

/** A timestamp of any zone in UTC; finer fractions than milliseconds are cut off. */
export function inUtc(timestamp: string): string;
export function inUtc<Absent extends null | undefined>(timestamp: string | Absent): string | Absent;
export function inUtc(timestamp: string | null | undefined): string | null | undefined {
  return timestamp == null ? timestamp : toTimestamp(Date.parse(timestamp.toUpperCase()));
}
