import type { IncomingMessage } from 'node:http';
import type { Services } from '../../platform/http/services.ts';
import { agentClassOf, isFetchedAhead } from './rules.ts';
import { readTrackedPath } from './token.ts';
import { visitsOf } from './visits.ts';

/** A transparent pixel. */
const picture = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

export interface TrackedAnswer {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: Buffer | string;
}

/**
 * Answers a request for a signed link at once and notes the visit. The signature proves all of it, so
 * nothing is looked up. Undefined for every other request.
 */
export function answerTracked(
  services: Services,
  { request, address }: { request: IncomingMessage; address: string },
  path: string,
): TrackedAnswer | undefined {
  const { method = '', headers } = request;
  if (method !== 'GET' && method !== 'HEAD') return undefined;
  const link = readTrackedPath(services.keyring, path);
  if (!link) return undefined;
  const purposes = [
    headers.purpose,
    headers['sec-purpose'],
    headers['x-purpose'],
    headers['x-moz'],
  ];
  visitsOf(services).note({
    ...link,
    atMs: Date.now(),
    agent: agentClassOf(headers['user-agent']),
    isAhead: isFetchedAhead(method, purposes),
    address,
  });
  const { target } = link;
  return target === null
    ? { status: 200, headers: { 'Content-Type': 'image/gif' }, body: picture }
    : { status: 302, headers: { Location: target, 'Referrer-Policy': 'no-referrer' }, body: '' };
}
