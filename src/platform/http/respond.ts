import { Answer } from './endpoint.ts';
import type { Endpoint } from './endpoint.ts';
import { fail } from './errors.ts';
import type { StoredAnswer } from './idempotency.ts';
import type { Cleaner } from './response-serializer.ts';
import { hidesAnswer, isBlind } from './write-answers.ts';
import type { Principal } from '../auth/principal.ts';

/** Serializers and checks of an endpoint's responses. */
export interface PreparedResponse {
  endpoint: Endpoint;
  clean: Cleaner;
  cleanAccepted: Cleaner;
  /** Violations of the response schema; undefined in production. */
  checkResponse: ((value: unknown) => string[]) | undefined;
  checkAccepted: ((value: unknown) => string[]) | undefined;
}

/** Checks If-Match (RFC 9110 §13.1.1); versions are strong, so a weak tag never matches. */
export function checkPrecondition(header: string | undefined, row: { lock_version: number }): void {
  if (header === undefined || header.trim() === '*') return;
  const current = etagOf(row);
  if (header.split(',').some((tag) => tag.trim() === current)) return;
  throw fail('precondition_failed', {
    detail: 'The resource has another version than If-Match names.',
    meta: { current_etag: current },
  });
}

function etagOf({ lock_version }: { lock_version: number }): string {
  return `"${String(lock_version)}"`;
}

export const answerOf = (result: unknown): Answer<unknown> =>
  result instanceof Answer ? result : new Answer(result);

/**
 * Status, headers and body of an answer, without fields that the response schema does not name. A
 * caller that may not read the resource gets 204 for a change, and no version of it.
 */
export function toStoredAnswer(
  steps: PreparedResponse,
  answer: Answer<unknown>,
  principal: Pick<Principal, 'scopes'>,
): StoredAnswer {
  const { endpoint, clean, checkResponse } = steps;
  if (endpoint.download !== undefined) {
    const [first] = Object.keys(endpoint.download);
    const text = answer.body;
    if (!isText(text)) throw new Error(`${endpoint.id} answers no text`);
    const headers = { 'Content-Type': `${first}; charset=utf-8`, ...answer.headers };
    return { status: endpoint.status, headers, body: null, text };
  }
  if (answer.isAccepted) {
    const shown = steps.cleanAccepted(answer.body);
    checkShape(endpoint, steps.checkAccepted, shown);
    return { status: 202, headers: { ...answer.headers }, body: JSON.stringify(shown), shown };
  }
  const status = (answer.isRepeat ? endpoint.repeatStatus : undefined) ?? endpoint.status;
  const headers: Record<string, string> = { ...answer.headers };
  const row = answer.body;
  if (status === 204 || row === undefined) return { status, headers, body: null };
  const shown = clean(row);
  checkShape(endpoint, checkResponse, shown);
  const isHidden = isBlind(endpoint, principal);
  if (hasVersion(row) && !isHidden) headers['ETag'] = etagOf(row);
  if (endpoint.location !== undefined && hasId(row)) {
    headers['Location'] = endpoint.location.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      String(Reflect.get(row, name)),
    );
  }
  if (isHidden && hidesAnswer(endpoint, status)) return { status: 204, headers, body: null };
  return { status, headers, body: JSON.stringify(shown), shown };
}

/** For tests and development: a response that violates the endpoint's own schema is a bug. */
function checkShape(
  { id }: Endpoint,
  check: PreparedResponse['checkResponse'],
  shown: unknown,
): void {
  const wrong = check?.(shown) ?? [];
  if (wrong.length > 0) throw new Error(`${id} answers against its schema: ${wrong.join('; ')}`);
}

function isText(result: unknown): result is AsyncIterable<string> {
  return typeof result === 'object' && result !== null && Symbol.asyncIterator in result;
}

function hasVersion(row: unknown): row is { lock_version: number } {
  return typeof row === 'object' && row !== null && 'lock_version' in row;
}

function hasId(row: unknown): row is { id: string } {
  return typeof row === 'object' && row !== null && 'id' in row && typeof row.id === 'string';
}
