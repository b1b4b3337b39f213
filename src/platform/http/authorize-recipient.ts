import type { IncomingHttpHeaders } from 'node:http';
import type { Principal } from '../auth/principal.ts';
import { isCsrfToken, readSessionCookie } from '../auth/session-secret.ts';
import {
  bearerTokenOf,
  challenge,
  checkRate,
  checkScopes,
  checkSurface,
  principalOfToken,
} from './authorize.ts';
import { isScoped } from './endpoint.ts';
import type { Endpoint } from './endpoint.ts';
import { fail } from './errors.ts';
import type { RequestContext } from './request-context.ts';
import type { Services } from './services.ts';

/**
 * Authenticates a widget token or the cookie of a session, and authorizes the calling page. Checks
 * the budget of the address, credential, surface, scope, origin and CSRF, and budgets. Throws 401,
 * 422 and 429.
 */
export async function authorizeRecipient(
  services: Services,
  context: RequestContext,
  endpoint: Endpoint,
): Promise<void> {
  const { headers } = context.request;
  const { origins } = services;
  context.budget.take();
  const token = bearerTokenOf(context);
  const secret = token === undefined ? readSessionCookie(headers) : undefined;
  // The caller is not authenticated yet, so these headers allow reading a rejection only.
  Object.assign(context.headers, await origins.headersFor(headers));
  if (token === undefined && endpoint.opensSession) return;
  const principal =
    token === undefined
      ? await principalOfCookie(services, secret)
      : await principalOfToken(services, token, context.address);
  context.principal = principal;
  context.budget.giveBack();
  const admitted = principal.recipient?.origins ?? [];
  origins.restrict(context.headers, headers, admitted);
  checkSurface(principal, 'widget');
  if (isScoped(endpoint.scope)) checkScopes(principal, endpoint.scope);
  if (secret !== undefined && endpoint.method !== 'GET') {
    checkIntent(services, headers, principal, secret);
  } else checkOrigin(services, headers, principal);
  if (secret !== undefined) checkFetchSite(headers);
  await checkRates(services, context);
  // Recorded last: a page of another site must not extend a session that its recipient has left.
  await services.recipients.recordRequest(principal);
}

async function principalOfCookie(
  { recipients }: Services,
  secret: string | undefined,
): Promise<Principal> {
  if (secret !== undefined) return recipients.ofSession(secret);
  throw fail('token_missing', {
    detail: 'The request has neither a widget token nor the cookie of a session.',
    headers: challenge(),
  });
}

/** A token or a cookie that a page uses elsewhere is of no use there. */
function checkOrigin(
  { origins }: Services,
  headers: IncomingHttpHeaders,
  { recipient }: Principal,
): void {
  const { origin } = headers;
  if (origin === undefined || origins.isOwn(headers)) return;
  if (recipient?.origins.includes(origin)) return;
  throw fail('origin_not_allowed', {
    detail: 'The widget does not allow the calling page, or its token is for another page.',
    meta: { origin },
  });
}

/**
 * Browsers name the page of a call to another site by its Origin. Without one, a request from
 * another site is no call, but an image, a frame or a link of a page that the widget does not
 * admit.
 */
function checkFetchSite(headers: IncomingHttpHeaders): void {
  const site = headers['sec-fetch-site'];
  if (headers.origin !== undefined || (site !== 'cross-site' && site !== 'same-site')) return;
  throw fail('origin_not_allowed', {
    detail: 'The request comes from a page of another site, without the header Origin.',
    meta: { parameter: 'Sec-Fetch-Site' },
  });
}

/**
 * Browsers send cookies for any page: it must be admitted, and prove that it can read responses.
 */
function checkIntent(
  { origins }: Services,
  headers: IncomingHttpHeaders,
  { recipient }: Principal,
  secret: string,
): void {
  const { origin = '' } = headers;
  const isAdmitted = origins.isOwn(headers) || recipient?.origins.includes(origin);
  if (!isAdmitted) {
    throw fail('csrf_invalid', {
      detail: 'The header Origin is missing, or the widget does not allow that page.',
      meta: { parameter: 'Origin' },
    });
  }
  const given = headers['x-csrf-token']?.toString();
  if (given !== undefined && isCsrfToken(secret, given)) return;
  throw fail('csrf_invalid', {
    detail: 'The header X-CSRF-Token is missing or belongs to another session.',
    meta: { parameter: 'X-CSRF-Token' },
  });
}

/** Budgets of the widget, or of the journey where a link opened it, and of the session. */
async function checkRates(services: Services, context: RequestContext): Promise<void> {
  const { recipient, teamId } = context.principal;
  if (!recipient) return;
  const { widgetInstanceId, journeyId, sessionId, tokenId } = recipient;
  await checkRate(services, context, 'widget', widgetInstanceId ?? journeyId ?? teamId);
  await checkRate(services, context, 'session', sessionId ?? tokenId ?? teamId);
}
