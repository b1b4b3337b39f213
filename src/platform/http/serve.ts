import type { IncomingMessage } from 'node:http';
import { Type } from 'typebox';
import type { TSchema } from 'typebox';
import type { Sql } from '../database/sql.ts';
import { auditCall } from './audit.ts';
import { countRead } from './counted-reads.ts';
import { authorize } from './authorize.ts';
import { authorizeRecipient } from './authorize-recipient.ts';
import { checkMediaType, hasBody, readBody, streamBody } from './body.ts';
import { createSerializer } from './response-serializer.ts';
import { createConstantAnswer } from './constant-answer.ts';
import { deprecatedEndpoint } from './deprecated-calls.ts';
import { isForRecipients, isScoped, takesKeys } from './endpoint.ts';
import type { Call, Endpoint } from './endpoint.ts';
import { HttpError, fail } from './errors.ts';
import type { RequestContext } from './request-context.ts';
import { claimKey, claimOf, keyRequired, readIdempotencyKey, storeAnswer } from './idempotency.ts';
import type { StoredAnswer } from './idempotency.ts';
import { parseJsonInTurns } from './json.ts';
import { checkQuery, orNotFound, readParams } from './parameters.ts';
import { answerOf, checkPrecondition, toStoredAnswer } from './respond.ts';
import type { PreparedResponse } from './respond.ts';
import type { Match } from './router.ts';
import type { Services } from './services.ts';
import { bodyValidator, shapeChecker } from './validate.ts';

interface PreparedRequest extends PreparedResponse {
  constant: ReturnType<typeof createConstantAnswer>;
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

  return async ({ endpoint, params }: Match, context: RequestContext): Promise<StoredAnswer> => {
    const steps = prepared.get(endpoint);
    if (!steps) throw new Error(`${endpoint.id} is not prepared`);
    if (isForRecipients(endpoint)) await authorizeRecipient(services, context, endpoint);
    else await authorize(services, context, endpoint, params);
    await noteDeprecatedCall(services, endpoint, context);
    checkAccept(endpoint, context);
    if (endpoint.receive) return receive(services, steps, context, params);
    if (endpoint.stream) return stream(services, steps, context, params);
    const bytes = await readRawBody(services, endpoint, context.request);
    if (bytes) context.received = { bytes: bytes.length };
    const json =
      bytes && endpoint.bodyKind !== 'form'
        ? await parseJsonInTurns(bytes, endpoint.bodyLimitKeys)
        : {};
    if (context.received && endpoint.bodyKind !== 'form') context.received.json = json;
    const ids = readParams(endpoint, params);
    const query = checkQuery(endpoint, context.search);
    if (endpoint.bodyKind === 'form') context.form = readForm(bytes);
    const readBody = () => context.form ?? steps.validateBody(json);
    const readKey = () => readKeyOf(endpoint, context.request, ids.params);
    // A malformed id is reported in place of every later error.
    const [body, key] = ids.areWellFormed
      ? [readBody(), readKey()]
      : orNotFound(() => [readBody(), readKey()] as const);
    const input = { params: ids.params, query, body };
    const answer = await run(services, steps, context, input, { key, bytes });
    if (isScoped(endpoint.scope) && !isForRecipients(endpoint)) {
      countRead(services.auditCounter, endpoint, context, answer);
    }
    return answer;
  };
}

async function noteDeprecatedCall(
  { deprecations }: Services,
  endpoint: Endpoint,
  { principal: { teamId } }: RequestContext,
): Promise<void> {
  const item = deprecatedEndpoint(endpoint);
  if (item && teamId) await deprecations.note(teamId, item);
}

/** Responses are JSON, or the media type of a download: 406 if `Accept` excludes both. */
function checkAccept({ download, receive }: Endpoint, { accepts }: RequestContext): void {
  if (receive || accepts('application/json', ...(download === undefined ? [] : [download]))) return;
  throw fail('not_acceptable', {
    detail: `The answer is ${download ?? 'application/json'}, which the Accept header excludes.`,
    meta: { parameter: 'Accept', available: [download ?? 'application/json'] },
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
  checkMediaType(
    request,
    kind === 'json' ? 'application/json' : 'application/x-www-form-urlencoded',
  );
  const limitBytes = endpoint.bodyLimitBytes ?? defaultBodyLimitBytes;
  const bytes = await readBody(request, limitBytes, config.http.requestTimeoutMs);
  if (bytes.length > 0) return bytes;
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
): Promise<StoredAnswer> {
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
  return run(services, steps, context, { params, query, body }, { key, bytes: bytesHash });
}

function readForm(bytes: Buffer | undefined): URLSearchParams {
  return new URLSearchParams(bytes?.toString('utf8'));
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
  return toStoredAnswer(steps, answerOf(result));
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

type Input = Pick<Call<Record<string, string>, unknown, unknown>, 'params' | 'query' | 'body'>;

/** Runs the handler, with idempotency if a key was sent, and builds the response. */
async function run(
  services: Services,
  steps: PreparedRequest,
  context: RequestContext,
  input: Input,
  { key, bytes }: { key: string | undefined; bytes: Buffer | undefined },
): Promise<StoredAnswer> {
  const { endpoint, clean } = steps;
  const { request, principal } = context;
  const call = {
    ...input,
    principal,
    teamId: principal.teamId,
    services,
    request: requestOf(context),
  };
  let refusal: HttpError | undefined;
  const handle = async (sql: Sql): Promise<StoredAnswer> => {
    // The row of the precondition is the state before the change.
    const seen: { before?: object } = {};
    const result = await endpoint.handle({
      ...call,
      sql,
      checkPrecondition(row) {
        checkPrecondition(request.headers['if-match'], row);
        seen.before = row;
      },
    });
    refusal = result instanceof HttpError ? result : undefined;
    if (refusal) return nothing;
    const { trace } = context;
    const about = { principal, trace, pathId: input.params['id'], body: input.body, ...seen };
    const answer = answerOf(result);
    auditCall(sql, { audit: endpoint.audit, clean, answer, ...about });
    return toStoredAnswer(steps, answer);
  };
  await endpoint.admit?.(call);
  const isGet = endpoint.method === 'GET';
  const { transaction } = endpoint;
  if (endpoint.isConstant) {
    return steps.constant(request.headers, () => services.database.read(handle));
  }
  if (transaction) return services.database.transact(handle, { ...transaction, isSnapshot: true });
  const isWritten = typeof endpoint.audit === 'string';
  if ((isGet && !isWritten) || transaction === false) {
    return services.database.read(handle, { isPipelined: isGet });
  }
  if (key === undefined) {
    const answer = await services.database.transact(handle);
    if (refusal) throw refusal;
    return answer;
  }
  const claim = claimOf(principal, key, {
    method: endpoint.method,
    url: context.url,
    body: bytes,
  });
  return services.database.transact(async (sql) => {
    const done = await claimKey(sql, services.keyring, claim);
    if (done) return { ...done, headers: { ...done.headers, 'Idempotent-Replayed': 'true' } };
    const answer = await handle(sql);
    storeAnswer(sql, services.keyring, claim, answer, endpoint.showsSecret ?? false);
    return answer;
  });
}

/** Response of a request that is rejected after its commit. */
const nothing: StoredAnswer = { status: 204, headers: {}, body: null };
