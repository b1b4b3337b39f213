import type { IncomingMessage } from 'node:http';
import { Type } from 'typebox';
import type { TSchema } from 'typebox';
import { recordContactReads } from './contact-reads.ts';
import { countRead } from './counted-reads.ts';
import { authorize } from './authorize.ts';
import { authorizeRecipient } from './authorize-recipient.ts';
import { checkMediaType, hasBody, parseForm, readBody, streamBody } from './body.ts';
import { createSerializer } from './response-serializer.ts';
import { createConstantAnswer } from './constant-answer.ts';
import { deprecatedEndpoint } from './deprecated-calls.ts';
import { isForRecipients, isScoped, takesKeys } from './endpoint.ts';
import type { Endpoint } from './endpoint.ts';
import { fail } from './errors.ts';
import type { RequestContext } from './request-context.ts';
import { claimOf, keyRequired, readIdempotencyKey } from './idempotency.ts';
import type { StoredAnswer } from './idempotency.ts';
import { parseJsonInTurns } from './json.ts';
import { checkQuery, orNotFound, readParams } from './parameters.ts';
import { answerOf, toStoredAnswer } from './respond.ts';
import type { Match } from './router.ts';
import { createCallRunner } from './run-call.ts';
import type { PendingCall, RunnableEndpoint } from './run-call.ts';
import type { Services } from './services.ts';
import { refuseSuspendedTeam } from './team-states.ts';
import { bodyValidator, shapeChecker } from './validate.ts';
import { isBlind } from './write-answers.ts';

interface PreparedRequest extends RunnableEndpoint {
  validateBody: (value: unknown) => unknown;
}

const defaultBodyLimitBytes = 1_000_000;
/** Body of an action without fields: nothing, or an empty object. */
const noFields = Type.Object({}, { additionalProperties: false });

/**
 * The pipeline of every endpoint. Its order is a promise (ADR 5): a caller without scope
 * never learns whether an id exists, and a body is read only for those who may send it.
 */
export function createPipeline(services: Services, endpoints: readonly Endpoint[]) {
  const prepared = new Map<Endpoint, PreparedRequest>();
  for (const endpoint of endpoints) prepared.set(endpoint, prepare(endpoint, services));
  const run = createCallRunner(services);

  return async ({ endpoint, params }: Match, context: RequestContext): Promise<StoredAnswer> => {
    const steps = prepared.get(endpoint);
    if (!steps) throw new Error(`${endpoint.id} is not prepared`);
    if (isForRecipients(endpoint)) await authorizeRecipient(services, context, endpoint);
    else await authorize(services, context, endpoint, params);
    await refuseSuspendedTeam(services, context.principal.teamId);
    await recordDeprecatedCall(services, endpoint, context);
    checkAccept(endpoint, context);
    if (endpoint.receive) return receive(services, steps, context, params);
    if (endpoint.stream) return run(await stream(services, steps, context, params));
    const bytes = await readRawBody(services, endpoint, context.request);
    if (bytes) context.received = { bytes: bytes.length };
    const json =
      bytes && endpoint.bodyKind !== 'form'
        ? await parseJsonInTurns(bytes, endpoint.bodyLimitKeys)
        : {};
    if (context.received && endpoint.bodyKind !== 'form') context.received.json = json;
    const ids = readParams(endpoint, params);
    const query = checkQuery(endpoint, context.search);
    if (endpoint.bodyKind === 'form') context.form = parseForm(bytes ?? Buffer.alloc(0));
    const readBody = () => context.form ?? steps.validateBody(json);
    const readKey = () => readKeyOf(endpoint, context.request, ids.params);
    // A malformed id is reported in place of every later error.
    const [body, key] = ids.areWellFormed
      ? [readBody(), readKey()]
      : orNotFound(() => [readBody(), readKey()] as const);
    const input = { params: ids.params, query, body };
    const answer = await run(toPending(services, steps, context, input, { key, bytes }));
    if (isScoped(endpoint.scope) && !isForRecipients(endpoint)) {
      await recordContactReads(services.database, endpoint, context, ids.params, answer);
      countRead(services.auditCounter, endpoint, context, answer);
    }
    return answer;
  };
}

async function recordDeprecatedCall(
  { deprecations }: Services,
  endpoint: Endpoint,
  { principal: { teamId } }: RequestContext,
): Promise<void> {
  const item = deprecatedEndpoint(endpoint);
  if (item && teamId) await deprecations.record(teamId, item);
}

/**
 * Responses are JSON, or the media types of a download: 406 if `Accept` excludes all. RFC 6749 gives
 * OAuth one format, and some of its clients ask for others.
 */
function checkAccept({ path, download, receive }: Endpoint, { accepts }: RequestContext): void {
  if (receive || path.startsWith('/oauth2/')) return;
  const available = download ? Object.keys(download) : ['application/json'];
  if (accepts('application/json', ...available)) return;
  throw fail('not_acceptable', {
    detail: `The answer is ${available.join(' or ')}, which the Accept header excludes.`,
    meta: { parameter: 'Accept', available },
  });
}

/** The key of a request, if the endpoint accepts one; 400 if it is malformed or missing. */
function readKeyOf(
  endpoint: Endpoint,
  request: IncomingMessage,
  params: Record<string, string>,
): string | undefined {
  if (endpoint.method === 'GET' || !takesKeys(endpoint)) return undefined;
  const key = readIdempotencyKey(request.headers['idempotency-key']?.toString());
  const needsKey = endpoint.needsKey ?? endpoint.demands?.(params)?.needsKey ?? false;
  if (key === undefined && needsKey) throw keyRequired();
  return key;
}

function prepare(endpoint: Endpoint, { config }: Services): PreparedRequest {
  const checkerOf = (schema: TSchema | undefined) =>
    config.checkResponses && schema ? shapeChecker(schema) : undefined;
  return {
    endpoint,
    constant: createConstantAnswer(),
    clean: createSerializer(endpoint.response),
    cleanAccepted: createSerializer(endpoint.accepted),
    validateBody: bodyValidator(endpoint.body ?? noFields),
    checkResponse: checkerOf(endpoint.response),
    checkAccepted: checkerOf(endpoint.accepted),
  };
}

async function readRawBody({ config }: Services, endpoint: Endpoint, request: IncomingMessage) {
  if (endpoint.method === 'GET') return undefined;
  if (!hasBody(request)) {
    if (endpoint.bodyOptional || !endpoint.body) return undefined;
    if (endpoint.bodyKind !== 'form') throw bodyRequired();
  }
  const kind = endpoint.bodyKind ?? 'json';
  const checkType = () =>
    checkMediaType(
      request,
      kind === 'json' ? 'application/json' : 'application/x-www-form-urlencoded',
    );
  // A body without a type may turn out to be empty, if it comes in chunks.
  const hasType = request.headers['content-type'] !== undefined;
  if (hasType || request.headers['content-length'] !== undefined) checkType();
  const limitBytes = endpoint.bodyLimitBytes ?? defaultBodyLimitBytes;
  const bytes = await readBody(request, limitBytes, config.http.requestTimeoutMs);
  if (bytes.length > 0) {
    checkType();
    return bytes;
  }
  if (!endpoint.body || endpoint.bodyOptional) return undefined;
  if (kind === 'json') throw bodyRequired();
  return bytes;
}

function bodyRequired() {
  return fail('validation_failed', {
    detail: 'The request has no body. Send a JSON object.',
    meta: { pointer: '', rule: 'required' },
  });
}

/** Stores the unparsed body; its hash represents it when requests are compared. */
async function stream(
  services: Services,
  steps: PreparedRequest,
  context: RequestContext,
  sent: Record<string, string>,
): Promise<PendingCall> {
  const { endpoint } = steps;
  const { request, principal } = context;
  if (!endpoint.stream) throw new Error(`${endpoint.id} takes no stream`);
  const mediaType = checkMediaType(request, ...endpoint.stream.mediaTypes);
  const bytes = streamBody(request, endpoint.bodyLimitBytes ?? defaultBodyLimitBytes);
  const { params } = readParams(endpoint, sent);
  const query = checkQuery(endpoint, context.search);
  // Before the body is read, so that no large file is sent in vain.
  const key = readKeyOf(endpoint, request, params);
  const { teamId } = principal;
  const body = await endpoint.stream.store({ services, teamId, mediaType, bytes });
  context.received = { bytes: bytes.sizeBytes };
  const bytesHash = Buffer.from(body.sha256, 'hex');
  return toPending(services, steps, context, { params, query, body }, { key, bytes: bytesHash });
}

/** A call whose parts have been checked. */
function toPending(
  services: Services,
  steps: PreparedRequest,
  context: RequestContext,
  input: Pick<PendingCall['call'], 'params' | 'query' | 'body'>,
  { key, bytes }: { key: string | undefined; bytes: Buffer | undefined },
): PendingCall {
  const { principal, url } = context;
  const { method } = steps.endpoint;
  const claim =
    key === undefined
      ? undefined
      : claimOf(principal, key, {
          ...{ method, url, body: bytes },
          isBlind: isBlind(steps.endpoint, principal),
        });
  const request = requestOf(context);
  const { teamId } = principal;
  return { steps, context, call: { ...input, principal, teamId, services, request }, claim };
}

/** Passes the unread request to the receiver, and builds the response. */
async function receive(
  services: Services,
  steps: PreparedRequest,
  context: RequestContext,
  sent: Record<string, string>,
): Promise<StoredAnswer> {
  const { endpoint } = steps;
  const result = await endpoint.receive?.({
    params: readParams(endpoint, sent).params,
    services,
    request: requestOf(context),
    readBody(mediaTypes, limitBytes) {
      checkMediaType(context.request, ...mediaTypes);
      return readBody(context.request, limitBytes, services.config.http.requestTimeoutMs);
    },
  });
  return toStoredAnswer(steps, answerOf(result), context.principal);
}

const requestOf = ({ id, url, address, budget, trace, request, search }: RequestContext) => ({
  id,
  url,
  address,
  budget,
  trace,
  headers: request.headers,
  search,
});
