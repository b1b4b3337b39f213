/**
 * The URL that a text is; undefined for none. Not by `URL.canParse`: in Node.js 20 it refuses hosts
 * with letters such as ü once it was called often.
 */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

/** A sum, or the nearest integer that every JSON parser reads exactly: ±(2^53−1). */
export function saturated(sum: number): number {
  return Math.min(Math.max(sum, Number.MIN_SAFE_INTEGER), Number.MAX_SAFE_INTEGER);
}
