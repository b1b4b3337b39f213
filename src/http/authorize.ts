import { missingScopes, reaches } from '../auth/principal.ts';
import type { Principal } from '../auth/principal.ts';
import { surfaceOf } from '../auth/scopes.ts';
import { isScoped } from './endpoint.ts';
import type { Endpoint, RateClass } from './endpoint.ts';
import { fail } from './errors.ts';
import type { Exchange } from './exchange.ts';
import { rateLimitHeaders } from './rate-limit.ts';
import type { Services } from './services.ts';

/**
 * Who calls, and whether that may: token, surface, scopes, budgets, in this order. What the endpoint
 * demands beyond its own scope and budget depends on its path. Throws 401 and 429.
 */
export async function authorize(
  services: Services,
  exchange: Exchange,
  endpoint: Endpoint,
  params: Record<string, string>,
): Promise<void> {
  if (!isScoped(endpoint.scope)) return;
  exchange.principal = await authenticate(services, exchange);
  checkSurface(exchange.principal, endpoint.scope);
  const demands = endpoint.demands?.(params);
  checkScopes(exchange.principal, endpoint.scope, ...(demands?.scopes ?? []));
  for (const rateClass of new Set([endpoint.rateClass, demands?.rateClass])) {
    if (rateClass) await checkRate(services, exchange, rateClass);
  }
}

async function authenticate(services: Services, exchange: Exchange): Promise<Principal> {
  if (exchange.search.has('access_token') || exchange.search.has('token')) {
    throw fail('token_in_query_rejected', {
      detail: 'A token stands in the query string.',
      headers: challenge('error="invalid_request"'),
    });
  }
  const header = exchange.request.headers.authorization;
  if (header === undefined || header.trim() === '') {
    throw fail('token_missing', {
      detail: 'The request has no Authorization header.',
      headers: challenge(),
    });
  }
  const token = /^bearer +([\w.~+/-]+=*) *$/i.exec(header)?.[1];
  if (token === undefined) {
    throw fail('token_invalid', {
      detail: 'The Authorization header must be "Bearer <ACCESS_TOKEN>".',
      headers: challenge('error="invalid_token"'),
    });
  }
  return services.tokens.verify(token);
}

/** WWW-Authenticate of RFC 6750 §3. */
export function challenge(parameters?: string): Record<string, string> {
  const rest = parameters === undefined ? '' : `, ${parameters}`;
  return { 'WWW-Authenticate': `Bearer realm="onward"${rest}` };
}

function checkSurface({ tokenKind }: Principal, scope: string): void {
  const surface = surfaceOf(scope);
  if (reaches(tokenKind, surface)) return;
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

async function checkRate(services: Services, exchange: Exchange, rateClass: RateClass) {
  const { teamId, tier } = exchange.principal;
  const verdict = await services.limiter.take(teamId, tier, rateClass);
  if (!verdict) return;
  Object.assign(exchange.headers, rateLimitHeaders(tier, rateClass, verdict));
  if (verdict.allowed) return;
  throw fail('rate_limited', {
    detail: `The team's budget for ${rateClass} requests is used up.`,
    meta: {
      class: rateClass,
      limit: verdict.limit,
      window_seconds: 60,
      retry_after_seconds: verdict.resetSeconds,
    },
    headers: { 'Retry-After': String(verdict.resetSeconds) },
  });
}
