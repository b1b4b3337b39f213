import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** ETag of a text that is served as it is. */
export function contentTag(text: string): string {
  return `"${createHash('sha256').update(text).digest('base64url')}"`;
}

/** Whether the client has the text (RFC 9110 §13.1.2); compressing proxies make the tag weak. */
export function hasText(
  { 'if-none-match': known = '' }: IncomingHttpHeaders,
  tag: string,
): boolean {
  return known.split(',').some((one) => one.trim().replace(/^W\//, '') === tag);
}
