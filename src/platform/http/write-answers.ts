import type { Principal } from '../auth/principal.ts';
import { isForRecipients, isScoped } from './endpoint.ts';
import type { EndpointFacts } from './endpoint-facts.ts';

/** Resources whose scopes for writing have another name than the one for reading. */
const readName: Readonly<Record<string, string>> = { message_sends: 'messages' };

/**
 * The scope that reads the resource of a write; undefined for a read, and for a write that shows its
 * resource to each client by the interface document.
 */
export function readScopeOfWrite(endpoint: EndpointFacts): string | undefined {
  const { method, scope, response, showsWriters } = endpoint;
  if (method === 'GET' || showsWriters || !isScoped(scope) || isForRecipients(endpoint)) {
    return undefined;
  }
  const [surface = '', name = '', action] = scope.split(':');
  const isOfResource = method === 'DELETE' || endpoint.showsResource || hasType(response);
  if (action === 'read' || !isOfResource) return undefined;
  return `${surface}:${readName[name] ?? name}:read`;
}

/**
 * Whether an answer of this status is left out for a client that may not read the resource. That of
 * a new resource shows only content of the call, unless it might be one that existed before.
 */
export const hidesAnswer = ({ repeatStatus }: EndpointFacts, status: number) =>
  status === 200 || (status === 201 && repeatStatus === 200);

/** Whether an endpoint has such answers. */
export const mayHideAnswer = (endpoint: EndpointFacts) =>
  readScopeOfWrite(endpoint) !== undefined &&
  endpoint.response !== undefined &&
  [endpoint.status, endpoint.repeatStatus ?? 0].some((status) => hidesAnswer(endpoint, status));

/** Whether the caller of a write may not read its resource. */
export function isBlind(endpoint: EndpointFacts, { scopes }: Pick<Principal, 'scopes'>): boolean {
  const scope = readScopeOfWrite(endpoint);
  return scope !== undefined && !scopes.has(scope);
}

function hasType(schema: object | undefined): boolean {
  if (!schema || !('properties' in schema)) return false;
  const { properties } = schema;
  return (
    typeof properties === 'object' &&
    properties !== null &&
    'type' in properties &&
    typeof properties.type === 'object' &&
    properties.type !== null &&
    'const' in properties.type
  );
}
