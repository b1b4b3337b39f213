import { endpoints } from '../../src/app/endpoints.ts';
import { withImplied } from '../../src/platform/auth/scopes.ts';
import { isForRecipients, isScoped } from '../../src/platform/http/endpoint.ts';
import type { Endpoint } from '../../src/platform/http/endpoint.ts';
import type { Operation } from '../../src/operations/operation-type.ts';
import { operations } from '../../src/operations/catalog.ts';

/** Every endpoint that a partner's token opens, with its id first: a row of `test.each`. */
export const scopedEndpoints = endpoints
  .filter((endpoint) => isScoped(endpoint.scope) && !isForRecipients(endpoint))
  .map((endpoint): [id: string, endpoint: Endpoint] => [endpoint.id, endpoint]);

/** Every endpoint of the widget surface, which a recipient's token or session opens. */
export const recipientEndpoints = endpoints
  .filter(isForRecipients)
  .map((endpoint): [id: string, endpoint: Endpoint] => [endpoint.id, endpoint]);

/** Those of partners, and each operation of the catalog as if it were an endpoint of its own. */
export const isolatedEndpoints = scopedEndpoints.flatMap(([name, endpoint]) =>
  name === 'executeOperation'
    ? [
        [name, endpoint] as const,
        ...operations.map((operation) => executionOf(endpoint, operation)),
      ]
    : [[name, endpoint] as const],
);

function executionOf(endpoint: Endpoint, { kind, executionMode }: Operation) {
  const id = `${endpoint.id} ${kind}`;
  const path = endpoint.path.replace('{operation_kind}', kind);
  const demands = () => endpoint.demands?.({ operation_kind: kind });
  const status = executionMode === 'async' ? 202 : endpoint.status;
  return [id, { ...endpoint, id, path, status, demands }] as const;
}

/** Those that take JSON or nothing: what takes a file has tests of its own. */
const sampledEndpoints = scopedEndpoints.filter(([, { stream }]) => !stream);

export const writeEndpoints = sampledEndpoints.filter(([, { method }]) => method !== 'GET');

export const requiredScopes = [...new Set(scopedEndpoints.map(([, { scope }]) => scope))].sort();

/** True when a client with `scope` may call an endpoint of the scope `required`. */
export function grants(scope: string, required: string): boolean {
  return withImplied([scope]).includes(required);
}
