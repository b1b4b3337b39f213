import type { IncomingMessage } from 'node:http';
import { fail } from './errors.ts';

/** Headers that change their meaning when they occur twice. */
const singleHeaders = new Set([
  'host',
  'authorization',
  'content-type',
  'content-length',
  'idempotency-key',
  'if-match',
  'x-request-id',
]);

/** Refuses what Node lets through but intermediaries read differently. */
export function checkRequestHead(request: IncomingMessage): void {
  const { httpVersion, headers } = request;
  if (httpVersion !== '1.1' && httpVersion !== '1.0') {
    throw refusal('The protocol must be HTTP/1.1.');
  }
  if (!request.url?.startsWith('/')) throw refusal('The request target must be a path.');
  if (headers.host === undefined && httpVersion === '1.1') {
    throw refusal('The request has no Host.');
  }
  const encoding = headers['transfer-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'chunked') {
    throw refusal('The only Transfer-Encoding is chunked.');
  }
  const seen = new Set<string>();
  for (let at = 0; at < request.rawHeaders.length; at += 2) {
    const name = (request.rawHeaders[at] ?? '').toLowerCase();
    if (!singleHeaders.has(name)) continue;
    if (seen.has(name)) throw refusal(`The header ${name} stands twice.`, { parameter: name });
    seen.add(name);
  }
}

/** Closes the connection, since the data after such a request cannot be trusted. */
function refusal(detail: string, meta: Record<string, unknown> = {}) {
  return fail('invalid_request', { detail, meta, headers: { Connection: 'close' } });
}
