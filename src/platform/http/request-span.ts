import type { IncomingMessage } from 'node:http';
import { continueTrace, startSpan } from '../observability/tracing.ts';
import type { Span } from '../observability/span.ts';
import type { Endpoint } from './endpoint.ts';
import type { HttpError, Subject } from './errors.ts';
import type { Trace } from './trace.ts';

/** Every other one is the choice of a caller, and would be a name of its own. */
const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']);

const methodOf = ({ method = '' }: IncomingMessage) => (methods.has(method) ? method : '_OTHER');

/** Starts the span of a request, if it is traced. */
export function startRequestSpan(request: IncomingMessage): Span | undefined {
  return startSpan(methodOf(request), () => ({
    kind: 'server',
    caller: request.headers['traceparent']?.toString(),
    attributes: { 'http.request.method': methodOf(request) },
  }));
}

/**
 * The part of a write that waits for a connection and is in its transaction. Reads have none: it
 * would cost as much as the span of the request, and show the same.
 */
export function startTransactionSpan(
  { method }: Endpoint,
  { span: request }: Trace,
): Span | undefined {
  if (method === 'GET') return undefined;
  return continueTrace('database transaction', request?.traceparent, () => ({
    attributes: { 'db.system.name': 'postgresql' },
  }));
}

/**
 * Ends the span of a request, with ids and codes only: paths, queries and bodies contain names,
 * addresses and keys of partners.
 */
export function endRequestSpan(
  span: Span,
  answer: {
    endpoint: Endpoint | undefined;
    status: number;
    serverRequestId: string | null;
    subject: Partial<Subject> | undefined;
    refusal: HttpError | undefined;
  },
): void {
  const { endpoint, status, serverRequestId, subject, refusal } = answer;
  if (endpoint) span.rename(`${endpoint.method} ${endpoint.path}`);
  const code = refusal?.problems[0].code;
  span.set({
    'http.route': endpoint?.path,
    'http.response.status_code': status,
    'onward.operation': endpoint?.id,
    'onward.request_id': serverRequestId ?? undefined,
    'onward.team_id': subject?.teamId,
    'onward.client_id': subject?.clientId,
    // Refusals are the caller's errors, and none of the span.
    ...(status < 500 && { 'error.type': code }),
  });
  span.end(status < 500 ? undefined : (code ?? String(status)));
}
