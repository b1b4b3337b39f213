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

/**
 * The origin as browsers send it; undefined for a text that is no origin alone. Its host has only
 * letters, digits, dots and hyphens, or is an IPv6 address, since it becomes part of headers.
 */
export function originOf(text: string): string | undefined {
  if (!/^https?:\/\/[^/?#@\s*\\]+\/?$/i.test(text)) return undefined;
  const origin = parseUrl(text)?.origin ?? '';
  return /^https?:\/\/([a-z0-9.-]+|\[[\da-f:.]+\])(:\d{1,5})?$/.test(origin) ? origin : undefined;
}

/** Whether pages of an origin may embed ours; `allowsLocal` admits pages of the same machine. */
export function mayEmbed(origin: string | undefined, allowsLocal: boolean): boolean {
  if (origin === undefined) return false;
  const { protocol, hostname } = new URL(origin);
  if (/^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)) return allowsLocal;
  return protocol === 'https:';
}
