import { Type } from 'typebox';
import type { Static } from 'typebox';
import { allowsSurface } from '../platform/auth/principal.ts';
import type { Principal } from '../platform/auth/principal.ts';
import { surfaceOf } from '../platform/auth/scopes.ts';
import { DeprecatedItem } from '../platform/http/deprecation.ts';
import { deprecatedEventTypes } from '../platform/events/registered-types.ts';
import { OneOf } from '../platform/schema/fields.ts';
import { deprecatedEndpoint } from '../platform/http/deprecated-calls.ts';
import { bearerScopeOf, takesKeys } from '../platform/http/endpoint.ts';
import type { EndpointFacts } from '../platform/http/endpoint-facts.ts';
import { docsUrlOf } from '../platform/http/errors.ts';
import { budgetOf, rateBudgets } from '../platform/http/rate-limit.ts';
import type { RateClass } from '../platform/http/rate-limit.ts';

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
  ...DeprecatedItem.properties,
  kind: OneOf(['version', 'endpoint', 'event_type']),
  docs_url: Type.String(),
});
type Deprecation = Static<typeof Deprecation>;

/** Scopes and endpoints of the presented token. */
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
        idempotency: OneOf(
          ['none', 'optional', 'required', 'per_operation'],
          'per_operation: required for operations whose `idempotency_mode` is keyed',
        ),
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
  endpoints: readonly EndpointFacts[],
  publicBaseUrl: string,
) {
  const opens = (scope: string) =>
    principal.scopes.has(scope) && allowsSurface(principal.tokenKind, surfaceOf(scope));
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
    deprecations: deprecationsOf(reachable, publicBaseUrl),
    rate_limits: { class: principal.tier, limits: limitsOf(principal.tier) },
  };
}

function idempotencyOf(
  endpoint: EndpointFacts,
): Static<typeof Capabilities>['endpoints'][number]['idempotency'] {
  if (endpoint.method === 'GET' || !takesKeys(endpoint)) return 'none';
  if (endpoint.demands) return 'per_operation';
  return endpoint.needsKey ? 'required' : 'optional';
}

/** Deprecated parts of the interface that the token can reach; event types by a subscription. */
function deprecationsOf(
  reachable: readonly { endpoint: EndpointFacts }[],
  publicBaseUrl: string,
): Deprecation[] {
  const ofEndpoints = reachable.flatMap(({ endpoint }) => {
    const item = deprecatedEndpoint(endpoint);
    const docs_url = `${publicBaseUrl}/docs/reference#${endpoint.id}`;
    return item ? [{ ...item, docs_url }] : [];
  });
  const canSubscribe = reachable.some(({ endpoint }) => endpoint.id === 'listWebhookEventTypes');
  const docs_url = `${publicBaseUrl}/docs/reference#listWebhookEventTypes`;
  const ofEventTypes = deprecatedEventTypes().map((item) => ({ ...item, docs_url }));
  return [versionOne(publicBaseUrl), ...ofEndpoints, ...(canSubscribe ? ofEventTypes : [])];
}

/** Both dates are the day of the first version of this service, which never offered version 1. */
function versionOne(publicBaseUrl: string): Deprecation {
  return {
    id: 'version-1',
    kind: 'version',
    target: { version: 'v1' },
    status: 'sunset',
    deprecated_at: '2026-11-21T00:00:00.000Z',
    sunset_at: '2026-11-21T00:00:00.000Z',
    replacement: { version: 'v2' },
    reason:
      'Version 1 had endpoints without a scope check. This service has never offered it: every ' +
      'path under /v1/ answers 410.',
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
