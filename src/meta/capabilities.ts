import { Type } from 'typebox';
import type { Static } from 'typebox';
import { reaches } from '../auth/principal.ts';
import type { Principal } from '../auth/principal.ts';
import { surfaceOf } from '../auth/scopes.ts';
import { OneOf, Timestamp } from '../fields.ts';
import { bearerScopeOf, takesKeys } from '../http/endpoint.ts';
import type { Endpoint } from '../http/endpoint.ts';
import { docsUrlOf } from '../http/errors.ts';
import { budgetOf, rateBudgets } from '../http/rate-limit.ts';
import type { RateClass } from '../http/rate-limit.ts';

const RateLimit = Type.Object({
  class: Type.String(),
  limit: Type.Integer({ description: 'Requests per window' }),
  window_seconds: Type.Integer(),
  burst: Type.Integer({ description: 'Requests per burst window' }),
  burst_window_seconds: Type.Integer(),
  scope: OneOf(
    ['team', 'receiver', 'widget_instance', 'session', 'client_and_address'],
    'Whose budget it is',
  ),
});

const Deprecation = Type.Object({
  id: Type.String(),
  kind: OneOf(['version', 'endpoint', 'field', 'scope', 'event_type', 'enum_value']),
  target: Type.Record(Type.String(), Type.String()),
  status: OneOf(['deprecated', 'sunset']),
  deprecated_at: Timestamp(),
  sunset_at: Timestamp(),
  replacement: Type.Record(Type.String(), Type.String()),
  reason: Type.String(),
  docs_url: Type.String(),
});

/** What the presented token can reach. */
export const Capabilities = Type.Object(
  {
    surfaces: Type.Array(Type.String()),
    scopes: Type.Array(Type.String(), { description: 'Effective scopes, implied ones included' }),
    endpoints: Type.Array(
      Type.Object({
        method: Type.String(),
        path: Type.String(),
        required_scope: Type.String(),
        operation_id: Type.String(),
        rate_limit_class: Type.String(),
        idempotency: OneOf(['none', 'optional', 'required']),
      }),
    ),
    deprecations: Type.Array(Deprecation),
    rate_limits: Type.Object({
      class: Type.String({ description: 'Contract tier' }),
      limits: Type.Array(RateLimit),
    }),
  },
  { title: 'capabilities' },
);

export function capabilitiesOf(
  principal: Principal,
  endpoints: readonly Endpoint[],
  publicBaseUrl: string,
) {
  const opens = (scope: string) =>
    principal.scopes.has(scope) && reaches(principal.tokenKind, surfaceOf(scope));
  const reachable = endpoints.flatMap((endpoint) => {
    const scope = bearerScopeOf(endpoint);
    return scope !== undefined && opens(scope) ? [{ endpoint, scope }] : [];
  });
  return {
    surfaces: [...new Set(reachable.map(({ scope }) => surfaceOf(scope)))].sort(),
    scopes: [...principal.scopes].filter(opens).sort(),
    endpoints: reachable.map(({ endpoint, scope }) => ({
      method: endpoint.method,
      path: endpoint.path,
      required_scope: scope,
      operation_id: endpoint.id,
      rate_limit_class: endpoint.rateClass,
      idempotency: idempotencyOf(endpoint),
    })),
    deprecations: [versionOne(publicBaseUrl)],
    rate_limits: { class: principal.tier, limits: limitsOf(principal.tier) },
  };
}

function idempotencyOf(endpoint: Endpoint): 'none' | 'optional' | 'required' {
  if (endpoint.method === 'GET' || !takesKeys(endpoint)) return 'none';
  return endpoint.needsKey ? 'required' : 'optional';
}

/** Version 1 had no scope checks and was never brought back; every /v1 path answers 410. */
function versionOne(publicBaseUrl: string) {
  return {
    id: 'version-1',
    kind: 'version' as const,
    target: { version: 'v1' },
    status: 'sunset' as const,
    deprecated_at: '2025-01-01T00:00:00.000Z',
    sunset_at: '2026-01-01T00:00:00.000Z',
    replacement: { version: 'v2' },
    reason: 'Version 1 exposed endpoints without a scope check.',
    docs_url: docsUrlOf('version_retired', publicBaseUrl),
  };
}

function limitsOf(tier: string) {
  const classes = Object.keys(rateBudgets).filter(isRateClass);
  return classes.flatMap((rateClass) => {
    const { burst, steady } = budgetOf(tier, rateClass);
    if (burst === Infinity) return [];
    return [
      {
        class: rateClass,
        limit: steady,
        window_seconds: 60,
        burst,
        burst_window_seconds: 1,
        scope: ownerOf(rateClass),
      },
    ];
  });
}

function ownerOf(rateClass: RateClass): Static<typeof RateLimit>['scope'] {
  switch (rateClass) {
    case 'inbound':
      return 'receiver';
    case 'widget':
      return 'widget_instance';
    case 'session':
      return 'session';
    case 'token':
      return 'client_and_address';
    default:
      return 'team';
  }
}

function isRateClass(name: string): name is keyof typeof rateBudgets {
  return Object.hasOwn(rateBudgets, name);
}
