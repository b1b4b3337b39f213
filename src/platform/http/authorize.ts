import { missingScopes, allowsSurface } from '../auth/principal.ts';
import type { Principal } from '../auth/principal.ts';
import { surfaceOf } from '../auth/scopes.ts';
import { hasSessionCookie } from '../auth/session-secret.ts';
import { isWidgetToken } from '../auth/widget-tokens.ts';
import { isScoped } from './endpoint.ts';
import type { Endpoint } from './endpoint.ts';
import { HttpError, fail } from './errors.ts';
import type { RequestContext } from './request-context.ts';
import { rateLimitHeaders } from './rate-limit.ts';
import type { RateClass } from './rate-limit.ts';
import type { Services } from './services.ts';
import { readScopeOfWrite } from './write-answers.ts';

/**
 * Authenticates and authorizes the caller: token, surface, scopes, budgets, in this order. The path
 * may require more than the scope and budget of the endpoint. Throws 401 and 429.
 */
export async function authorize(
  services: Services,
  context: RequestContext,
  endpoint: Endpoint,
  params: Record<string, string>,
): Promise<void> {
  if (!isScoped(endpoint.scope)) {
    // Receivers of callbacks have budgets of their own.
    if (endpoint.scope !== 'signed') context.budget.take();
    return;
  }
  const surface = surfaceOf(endpoint.scope);
  context.principal = await authenticate(services, context, surface);
  checkSurface(context.principal, surface);
  const demands = endpoint.demands?.(params);
  checkScopes(context.principal, endpoint.scope, ...(demands?.scopes ?? []));
  checkVersionReader(context, endpoint);
  for (const rateClass of new Set([endpoint.rateClass, demands?.rateClass])) {
    if (rateClass) await checkRate(services, context, rateClass);
  }
}

/** A version that matches or not shows whether a resource has changed. Throws 401. */
function checkVersionReader({ principal, request }: RequestContext, endpoint: Endpoint): void {
  const tag = request.headers['if-match']?.trim() ?? '*';
  const scope = tag === '*' ? undefined : readScopeOfWrite(endpoint);
  if (scope !== undefined) checkScopes(principal, scope);
}

async function authenticate(
  services: Services,
  context: RequestContext,
  surface: string,
): Promise<Principal> {
  const token = bearerTokenOf(context);
  if (token !== undefined) return principalOfPartner(services, context, token);
  context.budget.take();
  if (hasSessionCookie(context.request.headers)) {
    const token_kind = 'recipient_session';
    throw fail('token_kind_not_allowed', {
      detail: `A ${token_kind} cookie does not reach the ${surface} surface.`,
      meta: { surface, token_kind },
      headers: challenge('error="invalid_token"'),
    });
  }
  throw fail('token_missing', {
    detail: 'The request has no Authorization header.',
    headers: challenge(),
  });
}

/**
 * A token is verified by its signature, even if the budget of its address is used up. An invalid
 * token costs the address one request.
 */
async function principalOfPartner(
  services: Services,
  { budget, address }: RequestContext,
  token: string,
): Promise<Principal> {
  try {
    return await principalOfToken(services, token, address);
  } catch (error) {
    if (error instanceof HttpError) budget.take();
    throw error;
  }
}

/** The token in the Authorization header; undefined where there is none. Throws 401. */
export function bearerTokenOf(context: RequestContext): string | undefined {
  if (context.search.has('access_token') || context.search.has('token')) {
    throw fail('token_in_query_rejected', {
      detail: 'The query string contains a token.',
      headers: challenge('error="invalid_request"'),
    });
  }
  const header = context.request.headers.authorization;
  if (header === undefined || header.trim() === '') return undefined;
  const token = /^bearer +([\w.~+/-]+=*) *$/i.exec(header)?.[1];
  if (token === undefined) {
    throw fail('token_invalid', {
      detail: 'The Authorization header must be "Bearer <ACCESS_TOKEN>".',
      headers: challenge('error="invalid_token"'),
    });
  }
  return token;
}

/** Returns the principal of a token of any kind, sent from an address. Throws 401. */
export function principalOfToken(
  { tokens, recipients }: Services,
  token: string,
  address: string,
): Promise<Principal> {
  return isWidgetToken(token) ? recipients.ofToken(token) : tokens.verify(token, address);
}

/** WWW-Authenticate of RFC 6750 §3. */
export function challenge(parameters?: string): Record<string, string> {
  const rest = parameters === undefined ? '' : `, ${parameters}`;
  return { 'WWW-Authenticate': `Bearer realm="onward"${rest}` };
}

/** Throws 401 where tokens of this kind do not reach the surface. */
export function checkSurface({ tokenKind }: Principal, surface: string): void {
  if (allowsSurface(tokenKind, surface)) return;
  throw fail('token_kind_not_allowed', {
    detail: `A ${tokenKind} token does not reach the ${surface} surface.`,
    meta: { surface, token_kind: tokenKind },
    headers: challenge('error="invalid_token"'),
  });
}

/** Throws 401 for the first scope that is absent, and names all of them. */
export function checkScopes(principal: Principal, ...scopes: readonly string[]): void {
  const missing = missingScopes({ scopes }, principal);
  const [first] = missing;
  if (first === undefined) return;
  throw fail('scope_missing', {
    detail: `The token lacks the scope ${missing.join(', ')}.`,
    meta: { required_scope: first, missing_scopes: missing },
    headers: challenge(`error="insufficient_scope", scope="${missing.join(' ')}"`),
  });
}

/** Consumes the rate limit of the team, or of the other owner of the class. Throws 429. */
export async function checkRate(
  services: Services,
  { principal, headers }: RequestContext,
  rateClass: RateClass,
  ownerId = principal.teamId,
): Promise<void> {
  const { tier } = principal;
  await consumeRateLimit(services, { ownerId, tier, rateClass }, headers);
}

/** The same where the owner is known late; `headers` are given what is left. Throws 429. */
export async function consumeRateLimit(
  { limiter }: Services,
  { ownerId, tier, rateClass }: { ownerId: string; tier: string; rateClass: RateClass },
  headers: Record<string, string> = {},
): Promise<void> {
  const decision = await limiter.take(ownerId, tier, rateClass);
  if (!decision) return;
  Object.assign(headers, rateLimitHeaders(tier, rateClass, decision));
  if (decision.allowed) return;
  throw fail('rate_limited', {
    detail: `The budget for ${rateClass} requests is used up.`,
    meta: {
      class: rateClass,
      limit: decision.limit,
      window_seconds: 60,
      retry_after_seconds: decision.resetSeconds,
    },
    headers: { 'Retry-After': String(decision.resetSeconds) },
  });
}
