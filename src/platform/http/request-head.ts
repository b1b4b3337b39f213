import type { IncomingMessage } from 'node:http';
import { canonicalHost } from '../config/hosts.ts';
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
  if (headers.host === undefined && httpVersion === '1.1') {
    throw refusal('The request has no Host.');
  }
  if (!request.url?.startsWith('/')) toOriginForm(request);
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

/**
 * Replaces a whole address as request target by its path, and the header Host by its host, which
 * RFC 9112 §3.2.2 demands of a server.
 */
function toOriginForm(request: IncomingMessage): void {
  const [target, host = '', rest = ''] =
    /^https?:\/\/([^/?#@\\]+)([/?][^#]*)?$/i.exec(request.url ?? '') ?? [];
  if (target === undefined) throw refusal('The request target must be a path or an http address.');
  request.url = rest.startsWith('/') ? rest : `/${rest}`;
  request.headers.host = host;
}

/**
 * The host that a request names, without its port; undefined where it names none. Proxies pass it on
 * in the header Host: X-Forwarded-Host is the choice of the caller.
 */
export function hostOf({ headers: { host = '' } }: IncomingMessage): string | undefined {
  if (host === '') return undefined;
  const [, name = ''] = /^(\[[^\]]*\]|[^:]*)(?::\d{0,5})?$/.exec(host) ?? [];
  const canonical = canonicalHost(name);
  if (canonical !== undefined) return canonical;
  throw refusal('The header Host is no host name.', { parameter: 'host' });
}

/** Closes the connection, since the data after such a request cannot be trusted. */
function refusal(detail: string, meta: Record<string, unknown> = {}) {
  return fail('invalid_request', { detail, meta, headers: { Connection: 'close' } });
}
