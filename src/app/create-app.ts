import { Readable } from 'node:stream';
import Koa from 'koa';
import type { Context } from 'koa';
import { anonymous } from '../platform/auth/principal.ts';
import { isUnavailable } from '../platform/database/failures.ts';
import type { AddressBudget } from '../platform/http/address-budgets.ts';
import { clientAddress } from '../platform/http/client-address.ts';
import { deprecationHeaders } from '../platform/http/deprecated-calls.ts';
import type { Endpoint } from '../platform/http/endpoint.ts';
import { createErrorReport } from '../platform/http/error-report.ts';
import { HttpError, fail, renderErrors } from '../platform/http/errors.ts';
import type { StoredAnswer } from '../platform/http/idempotency.ts';
import { createHosts, misdirected } from '../platform/http/hosts.ts';
import { checkRequestHead, hostOf } from '../platform/http/request-head.ts';
import { startRequestSpan } from '../platform/http/request-span.ts';
import { createRouter } from '../platform/http/router.ts';
import type { Match } from '../platform/http/router.ts';
import { challenge } from '../platform/http/authorize.ts';
import type { RequestContext } from '../platform/http/request-context.ts';
import { securityHeaders } from '../platform/http/security-headers.ts';
import { createPipeline } from '../platform/http/serve.ts';
import type { Services } from '../platform/http/services.ts';
import { idsOf, traceOf } from '../platform/http/trace.ts';
import type { Trace } from '../platform/http/trace.ts';
import { accepts } from '../platform/http/accept.ts';
import { answerTracked, linkOfOtherHost } from '../messaging/tracking/answer.ts';
import type { TrackedAnswer } from '../messaging/tracking/answer.ts';
import { isTrackedPath } from '../messaging/tracking/token.ts';
import { createSite } from '../meta/site.ts';
import type { Log } from '../platform/observability/log.ts';
import { recordResponse } from './record-response.ts';
import type { Call } from './record-response.ts';

/** The API: declared endpoints through the pipeline, and the plain pages. */
export function createApp(services: Services, endpoints: readonly Endpoint[]): Koa {
  const { config, log } = services;
  const app = new Koa();
  app.silent = true;
  const respond = createResponder(services, endpoints);
  const reportErrors = createErrorReport(config.undeclaredErrorsFile);
  const constantHeaders = {
    'Cache-Control': 'no-store',
    ...securityHeaders(config.publicBaseUrl),
  };
  app.use(async (context) => {
    const startedAtMs = performance.now();
    const exchange = exchangeOf(services, context);
    const call: Call = { context, exchange, startedAtMs };
    context.set({ 'X-Request-Id': exchange.id, ...constantHeaders });
    try {
      await respond(call);
    } catch (error) {
      context.set(exchange.headers);
      call.refusal = toHttpError(log, error, exchange.trace);
      if (call.found) reportErrors(call.found.endpoint, error);
      sendError(context, call.refusal, exchange.trace, config.publicBaseUrl);
    } finally {
      if (call.found) announceDeprecation(context, call.found);
      recordResponse(services, call);
    }
  });
  return app;
}

/** Facts of a request before its head is checked. */
function exchangeOf({ config, addressBudgets }: Services, context: Context): RequestContext {
  const { req: request } = context;
  const address = clientAddress(request, config.trustedProxies);
  const trace = traceOf(request, address);
  return {
    id: trace.requestId,
    request,
    url: request.url ?? '/',
    search: new URLSearchParams(),
    accepts: (...mediaTypes) => accepts(context, mediaTypes),
    address,
    budget: addressBudgets.of(address),
    trace,
    headers: {},
    principal: anonymous,
  };
}

/** Responds to requests: with pages and preflights, and with endpoints through the pipeline. */
function createResponder(services: Services, endpoints: readonly Endpoint[]) {
  const { config, log } = services;
  const match = createRouter(endpoints);
  const findHost = createHosts(config.hosts, services.teamStates);
  const pipeline = createPipeline(services, endpoints);
  const site = createSite(services);
  return async (call: Call): Promise<void> => {
    const { context, exchange } = call;
    const { request, trace } = exchange;
    checkRequestHead(request);
    exchange.url = request.url ?? '/';
    const [path, query] = splitUrl(exchange.url);
    const isProbe = probes.has(path);
    const host = isProbe ? undefined : await findHost(hostOf(request));
    // Before any budget: many people share the address of a mail provider's proxy.
    const tracked =
      host && isTrackedPath(path) && (await answerTracked(services, exchange, path, host));
    if (tracked) {
      sendTracked(context, tracked);
      return;
    }
    if (host?.kind !== 'service' && !isProbe) {
      exchange.budget.take();
      if (!host || !isTrackedPath(path)) throw misdirected();
      sendTracked(context, linkOfOtherHost);
      return;
    }
    if (path === '/v1' || path.startsWith('/v1/')) throw retired();
    if (!path.startsWith('/v2/')) exchange.budget.take(isProbe ? 'health' : undefined);
    if (await site(context, path, exchange.address)) return;
    if (await preflight(services, context, path, exchange.budget)) return;
    trace.span = startRequestSpan(request);
    call.found = match(request.method ?? 'GET', path);
    exchange.search = new URLSearchParams(query);
    call.answer = await pipeline(call.found, exchange);
    context.set(exchange.headers);
    send(context, call.answer, (error) => {
      log.warn({ err: error, ...idsOf(trace) }, 'a response was aborted');
    });
  };
}

function toHttpError(log: Log, error: unknown, trace: Trace): HttpError {
  if (error instanceof HttpError) return error;
  if (isUnavailable(error)) {
    log.warn({ err: error, ...idsOf(trace) }, 'the database is unavailable');
    return fail('unavailable', {
      detail: 'The database does not answer; it is unknown whether a running change was saved.',
      headers: { 'Retry-After': '1' },
    });
  }
  log.error({ err: error, ...idsOf(trace) }, 'unexpected error');
  return fail('internal_error', { detail: 'The request could not be finished.' });
}

function sendError(context: Context, error: HttpError, trace: Trace, publicBaseUrl: string): void {
  const { code } = error.problems[0];
  context.status = error.status;
  if (error.status === 401 && code.startsWith('token_')) {
    context.set(challenge('error="invalid_token"'));
  }
  context.set(error.headers);
  const body = renderErrors(error, trace, publicBaseUrl);
  const isOauth = context.path.startsWith('/oauth2/') && error.status < 500;
  context.type = 'application/json; charset=utf-8';
  context.body = JSON.stringify(isOauth ? withOauthError(error, body) : body);
}

/** Responds to a CORS preflight; returns true if the request is one. */
async function preflight(
  { origins }: Services,
  context: Context,
  path: string,
  budget: AddressBudget,
): Promise<boolean> {
  if (context.method !== 'OPTIONS' || !path.startsWith('/v2/widget/')) return false;
  budget.take();
  const headers = await origins.preflight(context.req.headers);
  if (!headers) return false;
  context.set(headers);
  context.status = 204;
  return true;
}

function send(context: Context, answer: StoredAnswer, onBroken: (error: Error) => void) {
  context.status = answer.status;
  if (answer.text) {
    const text = Readable.from(answer.text);
    // The connection is destroyed, so that the client does not accept a partial body as complete.
    text.once('error', (error) => {
      context.res.destroy();
      onBroken(error);
    });
    context.body = text;
  } else if (answer.body === null) {
    context.body = null;
    context.status = answer.status;
  } else {
    context.type = 'application/json; charset=utf-8';
    context.body = answer.body;
  }
  context.set(answer.headers);
}

function sendTracked(context: Context, { status, headers, body }: TrackedAnswer): void {
  context.status = status;
  context.body = body;
  context.set(headers);
}

/**
 * Requested by load balancers, which name an address or nothing as their host, but reachable for
 * everyone.
 */
const probes: ReadonlySet<string> = new Set(['/healthz', '/readyz']);

/** Adds to a Link header that is there, and does not replace it. */
function announceDeprecation(context: Context, { endpoint: { deprecation }, params }: Match): void {
  if (!deprecation) return;
  for (const [name, value] of Object.entries(deprecationHeaders(deprecation, params))) {
    context.append(name, value);
  }
}

function splitUrl(url: string): [path: string, query: string] {
  const at = url.indexOf('?');
  return at < 0 ? [url, ''] : [url.slice(0, at), url.slice(at + 1)];
}

function retired() {
  return fail('version_retired', {
    detail: 'Version 1 is retired; use the endpoints under /v2/.',
    headers: { Link: '</v2/meta/openapi.json>; rel="successor-version"' },
  });
}

const oauthCodes: readonly string[] = [
  'invalid_client',
  'unsupported_grant_type',
  'invalid_scope',
  'invalid_request',
];

/**
 * Adds the error format of RFC 6749 §5.2, so that OAuth clients understand the response. ADR 16.
 */
function withOauthError(error: HttpError, body: object) {
  const [{ code, detail }] = error.problems;
  const known = oauthCodes.includes(code) ? code : 'invalid_request';
  const name = code === 'team_suspended' ? 'unauthorized_client' : known;
  return { error: name, error_description: detail, ...body };
}
