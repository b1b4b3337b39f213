import { endpoints } from '../../src/endpoints.ts';
import { withImplied } from '../../src/auth/scopes.ts';
import { isScoped } from '../../src/http/endpoint.ts';
import type { Endpoint } from '../../src/http/endpoint.ts';

/** Every endpoint that a bearer token opens, with its id first: a row of `test.each`. */
export const scopedEndpoints = endpoints
  .filter(({ scope }) => isScoped(scope))
  .map((endpoint): [id: string, endpoint: Endpoint] => [endpoint.id, endpoint]);

/** Those that take JSON or nothing: what takes a file has tests of its own. */
const sampledEndpoints = scopedEndpoints.filter(([, { stream }]) => !stream);

export const writeEndpoints = sampledEndpoints.filter(([, { method }]) => method !== 'GET');

export const requiredScopes = [...new Set(scopedEndpoints.map(([, { scope }]) => scope))].sort();

/** True when a client with `scope` may call what asks for `required`. */
export function grants(scope: string, required: string): boolean {
  return withImplied([scope]).includes(required);
}
