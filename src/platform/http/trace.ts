import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Span } from '../observability/span.ts';
import { cutText } from '../cut-text.ts';

/** Where an action comes from, for logs and the audit trail. */
export interface Trace {
  /** X-Request-Id: the choice of the caller where it sent one. */
  requestId: string;
  /** The choice of the service, which no caller can set; null for work in the background. */
  serverRequestId: string | null;
  sourceIp: string | null;
  userAgent: string | null;
  /** The span of the request, if it is traced. */
  span?: Span | undefined;
}

/** Ids for log lines. */
export const idsOf = ({ requestId, serverRequestId, span }: Trace) => ({
  request_id: requestId,
  server_request_id: serverRequestId,
  ...(span && { trace_id: span.traceId, span_id: span.spanId }),
});

const maxUserAgent = 200;

export function traceOf({ headers }: IncomingMessage, address: string): Trace {
  const { 'user-agent': userAgent } = headers;
  const serverRequestId = randomUUID();
  return {
    requestId: requestIdOf(headers['x-request-id']) ?? serverRequestId,
    serverRequestId,
    sourceIp: address === '' ? null : address,
    userAgent: userAgent === undefined ? null : cutText(userAgent, maxUserAgent),
  };
}

/** The trace of a run; the id of the run stands for the request that started it. */
export function traceOfRun(id: string): Trace {
  return { requestId: id, serverRequestId: null, sourceIp: null, userAgent: null };
}

/** The id that the client sent, if it is sane (ADR 7). */
function requestIdOf(given: string | string[] | undefined): string | undefined {
  return typeof given === 'string' && /^[\w.-]{1,128}$/.test(given) ? given : undefined;
}
