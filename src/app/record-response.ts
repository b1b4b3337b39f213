import type { Context } from 'koa';
import { coarseNetworkOf } from '../platform/http/client-address.ts';
import { isForRecipients } from '../platform/http/endpoint.ts';
import type { Endpoint } from '../platform/http/endpoint.ts';
import type { HttpError, Subject } from '../platform/http/errors.ts';
import type { StoredAnswer } from '../platform/http/idempotency.ts';
import { requestSeconds } from '../platform/http/metrics.ts';
import type { RequestContext } from '../platform/http/request-context.ts';
import { endRequestSpan } from '../platform/http/request-span.ts';
import type { Match } from '../platform/http/router.ts';
import type { Services } from '../platform/http/services.ts';
import { idsOf } from '../platform/http/trace.ts';
import type { Trace } from '../platform/http/trace.ts';

/** A request, and what its response is made of so far. */
export interface Call {
  context: Context;
  exchange: RequestContext;
  startedAtMs: number;
  found?: Match;
  answer?: StoredAnswer;
  refusal?: HttpError;
}

/** Records a response: in metrics, its span, the requests of its team and the log. */
export function recordResponse(services: Services, call: Call): void {
  const { context, exchange, startedAtMs, found, refusal } = call;
  const durationMs = performance.now() - startedAtMs;
  const { status } = context;
  const operation = found?.endpoint.id ?? 'none';
  requestSeconds.observe(
    { operation, status: `${String(Math.floor(status / 100))}xx` },
    durationMs / 1_000,
  );
  const { principal, trace } = exchange;
  const subject = principal.teamId ? principal : refusal?.subject;
  if (refusal) recordRefusal(services, exchange, refusal, subject);
  if (trace.span) {
    const { serverRequestId } = trace;
    const { endpoint } = found ?? {};
    const seen = { endpoint, status, serverRequestId, subject, refusal };
    endRequestSpan(trace.span, seen);
  }
  showAnswer(services, call, status);
  recordRequest(services, call, status, durationMs);
  if (services.log.isLevelEnabled('info'))
    services.log.info(
      {
        ...idsOf(trace),
        operation,
        method: exchange.request.method,
        status,
        ms: Math.round(durationMs),
        ...sourceOf(trace, found?.endpoint),
        ...(subject && { team_id: subject.teamId, client_id: subject.clientId }),
        ...(refusal && { code: refusal.problems[0].code }),
      },
      'request',
    );
}

function recordRefusal(
  { authFailures }: Services,
  exchange: RequestContext,
  { problems }: HttpError,
  subject: Subject | undefined,
) {
  // Tokens and sessions of recipients identify a person, not the client.
  const known = exchange.principal.recipient ? undefined : subject;
  authFailures.record(problems[0].code, known, exchange.trace);
}

function showAnswer({ onAnswer }: Services, call: Call, status: number): void {
  const { exchange, found, answer, refusal } = call;
  if (!onAnswer || !(found ?? refusal)) return;
  const { endpoint, params = {} } = found ?? {};
  const { search, received, form } = exchange;
  const body = form ? Object.fromEntries(form) : received?.json;
  const problems = refusal?.problems ?? [];
  onAnswer({ endpoint, params, search, body, status, shown: answer?.shown, problems });
}

function recordRequest(
  { requestLog }: Services,
  { exchange, found, answer, refusal }: Call,
  status: number,
  durationMs: number,
): void {
  const { principal, request, search, trace, received } = exchange;
  if (!found || !principal.teamId || found.endpoint.isLogged === false) return;
  const atMs = Date.now() - durationMs;
  const problems = refusal?.problems ?? [];
  const method = request.method ?? '';
  requestLog.record({
    ...found,
    ...{ search, trace, method, principal, received, atMs, durationMs, status, problems, answer },
  });
}

/**
 * Where a request comes from, for the log: the address of a client, and for recipients, whose
 * addresses are personal data, its network only. Pages without an endpoint are for recipients.
 */
function sourceOf({ sourceIp, userAgent }: Trace, endpoint: Endpoint | undefined) {
  if (endpoint && !isForRecipients(endpoint)) return { source_ip: sourceIp, user_agent: userAgent };
  return { source_network: coarseNetworkOf(sourceIp ?? '') };
}
