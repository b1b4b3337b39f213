import { isForRecipients, isScoped, takesKeys } from './endpoint.ts';
import type { EndpointFacts } from './endpoint-facts.ts';
import type { ErrorCode } from './error-catalog.ts';

const tokenErrors = [
  'token_missing',
  'token_invalid',
  'token_expired',
  'token_kind_not_allowed',
  'token_in_query_rejected',
  'address_not_allowed',
] as const;

const bodyErrors = [
  'invalid_request',
  'request_timeout',
  'payload_too_large',
  'unsupported_media_type',
  'validation_failed',
] as const;

const listErrors = [
  'invalid_sort_field',
  'invalid_filter_field',
  'invalid_filter_op',
  'invalid_filter_value',
  'invalid_page_size',
  'invalid_page_params',
  'invalid_meta',
  'cursor_invalid',
] as const;

/** Every code that the endpoint may return: those of its form, then those that it declares. */
export function errorsOf(endpoint: EndpointFacts): ErrorCode[] {
  return [
    ...new Set<ErrorCode>([
      'request_head_too_large',
      'misdirected_request',
      ...callerErrors(endpoint),
      ...requestErrors(endpoint),
      ...writeErrors(endpoint),
      ...(endpoint.errors ?? []),
      'internal_error',
      'unavailable',
    ]),
  ];
}

/** Whether a handler compares If-Match with the version of a resource. */
export const takesIfMatch = ({ method, errors, ...rest }: EndpointFacts) =>
  method === 'PATCH' ||
  (method === 'DELETE' && takesKeys({ method, ...rest })) ||
  (errors?.includes('precondition_failed') ?? false);

function* callerErrors(endpoint: EndpointFacts): Iterable<ErrorCode> {
  const { scope, opensSession } = endpoint;
  yield 'rate_limited';
  if (scope === 'open') return;
  yield* tokenErrors;
  yield 'team_suspended';
  if (isScoped(scope)) yield 'scope_missing';
  if (!isForRecipients(endpoint)) return;
  yield* ['session_expired', 'origin_not_allowed'] as const;
  if (endpoint.method !== 'GET' && !opensSession) yield 'csrf_invalid';
}

function* requestErrors(endpoint: EndpointFacts): Iterable<ErrorCode> {
  if (endpoint.scope !== 'signed') yield* ['not_acceptable', 'invalid_query_parameter'] as const;
  if (endpoint.path.includes('{')) yield 'not_found';
  if (endpoint.list) {
    yield* listErrors;
    if (Object.keys(endpoint.list.includeScopes).length > 0) yield 'invalid_include';
  }
  if (endpoint.method === 'GET') return;
  yield* bodyErrors;
  if (endpoint.bodyKind !== 'form' && !endpoint.stream) yield 'invalid_json';
}

function* writeErrors(endpoint: EndpointFacts): Iterable<ErrorCode> {
  if (takesIfMatch(endpoint)) yield 'precondition_failed';
  if (endpoint.method === 'GET' || !takesKeys(endpoint)) return;
  yield* ['idempotency_key_invalid', 'idempotency_in_progress', 'idempotency_key_reused'] as const;
  if (endpoint.needsKey || endpoint.demands) yield 'idempotency_key_required';
}
