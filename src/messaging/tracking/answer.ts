import type { IncomingMessage } from 'node:http';
import { endedLinkPage, invalidLink, plainLanguages } from '../../platform/content/plain-page.ts';
import type { KnownHost } from '../../platform/http/hosts.ts';
import { contentPolicy } from '../../platform/http/security-headers.ts';
import type { Services } from '../../platform/http/services.ts';
import { lookUpLanguage } from '../../platform/schema/language.ts';
import { maxLinkDays } from '../../team/team.ts';
import { findLook } from '../preferences/queries.ts';
import { agentClassOf, hasLinkEnded, isFetchedAhead } from './rules.ts';
import { readTrackedPath } from './token.ts';
import { visitsOf } from './visits.ts';

/** A transparent pixel. */
const picture = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

export interface TrackedAnswer {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: Buffer | string;
}

const pageHeaders = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': contentPolicy({ 'style-src': "'unsafe-inline'" }),
};

/** The page at a link that is too old, or whose team is suspended, in a language that its reader has. */
async function endedAnswer(
  { database }: Services,
  request: IncomingMessage,
  teamId: string,
): Promise<TrackedAnswer> {
  const look = await database.read((sql) => findLook(sql, teamId));
  const requested = (request.headers['accept-language'] ?? '')
    .split(',', maxLanguages)
    .flatMap((one) => lookUpLanguage(one.split(';')[0]?.trim() ?? '', plainLanguages) ?? []);
  const body = endedLinkPage(look, requested[0] ?? look?.locale ?? 'en');
  return { status: 410, headers: pageHeaders, body };
}

const maxLanguages = 10;

/** A link at the tracking host of a team that has not made it. */
export const linkOfOtherHost: TrackedAnswer = {
  status: 421,
  headers: pageHeaders,
  body: invalidLink.html,
};

/**
 * Answers a request for a signed link and notes the visit. The signature proves all of it, so no row
 * is read but the look of an ended one. Undefined for every other request, such as one for a link of another host.
 */
export async function answerTracked(
  services: Services,
  { request, address }: { request: IncomingMessage; address: string },
  path: string,
  host: KnownHost,
): Promise<TrackedAnswer | undefined> {
  const { method = '', headers } = request;
  if (method !== 'GET' && method !== 'HEAD') return undefined;
  const link = readTrackedPath(services.keyring, path, host);
  if (!link) return undefined;
  const { suspended, linkDays } = await services.teamStates.current();
  const { team_id: teamId, inserted_at } = link.send;
  const nowMs = Date.now();
  const days = linkDays.get(teamId) ?? maxLinkDays;
  const isOver = hasLinkEnded(Date.parse(inserted_at), nowMs, days);
  if (isOver || suspended.has(teamId)) return endedAnswer(services, request, teamId);
  const purposes = [
    headers.purpose,
    headers['sec-purpose'],
    headers['x-purpose'],
    headers['x-moz'],
  ];
  visitsOf(services).record({
    ...link,
    atMs: nowMs,
    agent: agentClassOf(headers['user-agent']),
    isAhead: isFetchedAhead(method, purposes),
    address,
  });
  const { target } = link;
  return target === null
    ? { status: 200, headers: { 'Content-Type': 'image/gif' }, body: picture }
    : { status: 302, headers: { Location: target, 'Referrer-Policy': 'no-referrer' }, body: '' };
}
