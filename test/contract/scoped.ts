import { endpoints } from '../../src/endpoints.ts';
import { withImplied } from '../../src/auth/scopes.ts';
import { isScoped } from '../../src/http/endpoint.ts';
import type { Endpoint } from '../../src/http/endpoint.ts';
import type { Reply, TestTeam } from '../support/api.ts';

/** Every endpoint that a bearer token opens, with its id first: a row of `test.each`. */
export const scopedEndpoints = endpoints
  .filter(({ scope }) => isScoped(scope))
  .map((endpoint): [id: string, endpoint: Endpoint] => [endpoint.id, endpoint]);

export const writeEndpoints = scopedEndpoints.filter(([, { method }]) => method !== 'GET');

export const requiredScopes = [...new Set(scopedEndpoints.map(([, { scope }]) => scope))].sort();

/** True when a client with `scope` may call what asks for `required`. */
export function grants(scope: string, required: string): boolean {
  return withImplied([scope]).includes(required);
}

/** Body of an error answer without what differs between two requests. */
export function errorsOf(reply: Reply): unknown {
  const text = JSON.stringify(reply.body);
  const id = reply.headers.get('x-request-id');
  return JSON.parse(id === null ? text : text.replaceAll(id, '<request id>'));
}

export function codesOf(reply: Reply): string[] {
  const errors: unknown = reply.body?.errors;
  return Array.isArray(errors) ? errors.map(({ code }: { code: string }) => code) : [];
}

/** Status and first code, the shortest way to say which refusal an answer is. */
export function verdictOf(reply: Reply): string {
  return `${String(reply.status)} ${codesOf(reply)[0] ?? ''}`.trim();
}

export type Caller = Pick<TestTeam, 'call'>;
