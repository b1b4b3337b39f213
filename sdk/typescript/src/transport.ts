import { createAccessTokens, missingCredentials } from './access-token.ts';
import type { AccessTokens } from './access-token.ts';
import { writeBody } from './body.ts';
import type { OutgoingBody } from './body.ts';
import { OnwardError, isOnwardError, readFailure } from './errors.ts';
import type { TokenResponse } from './generated/schemas.ts';
import { readJson, trust } from './json.ts';
import { operations } from './operations.ts';
import type { Operation } from './operations.ts';
import { writePath, writeQuery } from './query.ts';
import { delayBefore, isWorthRepeating, pause, readRetryAfter, reasonOf } from './retries.ts';
import type { ClientOptions, RequestOptions } from './types.ts';
import { version } from './version.ts';

/** One call of an operation. */
export interface Call {
  operation: Operation;
  path?: readonly string[];
  query?: object | undefined;
  body?: unknown;
  options?: RequestOptions;
}

/** An answer; `data` is its JSON, or undefined for none and for a file. */
export interface Received {
  response: Response;
  data: unknown;
}

export type Transport = (call: Call) => Promise<Received>;

/** The parts of a call that are the same for all its tries. */
interface Prepared {
  operation: Operation;
  url: string;
  headers: Headers;
  body: OutgoingBody | undefined;
  signal: AbortSignal | undefined;
  timeoutMs: number;
  maxRetries: number;
  isSafe: boolean;
  ownToken: string | undefined;
}

const safeVerbs: ReadonlySet<string> = new Set(['GET', 'PUT', 'DELETE']);
const renewable: ReadonlySet<string> = new Set(['token_expired', 'token_invalid', 'token_missing']);

/** Sends calls, again where that helps and does no harm; throws what stays refused. */
export function createTransport(client: ClientOptions): Transport {
  checkAddress(client);
  const send = client.fetch ?? ((input, init) => fetch(input, init));
  const tokens = createAccessTokens(client, requestToken);

  async function requestToken(grant: object): Promise<TokenResponse> {
    const operation = operations.find(({ id }) => id === 'createToken');
    if (!operation) throw new Error('The table of operations is incomplete.');
    const prepared = prepare(client, { operation, body: grant });
    const { data } = await repeat(prepared, () => attempt(send, prepared, undefined));
    trust<TokenResponse>(data);
    return data;
  }

  return async (call) => {
    const prepared = prepare(client, call);
    const { operation, ownToken } = prepared;
    let isRenewed = false;
    const once = async (): Promise<Received> => {
      const cached = ownToken === undefined ? await tokenFor(operation, tokens) : undefined;
      try {
        return await attempt(send, prepared, ownToken ?? cached);
      } catch (error) {
        if (isRenewed || cached === undefined || !isRefusedToken(error)) throw error;
        if (!tokens.discard(cached) || !isOpen(prepared)) throw error;
        isRenewed = true;
        return once();
      }
    };
    return repeat(prepared, once);
  };
}

const loopback = /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/;

/** Throws for an address to which a secret would travel in the clear. */
function checkAddress({ baseUrl, allowHttp = false }: ClientOptions): void {
  const { protocol, hostname } = new URL(baseUrl);
  if (protocol !== 'http:' || allowHttp || loopback.test(hostname)) return;
  throw new TypeError(
    `${protocol}//${hostname} would get the secret without TLS. Use https://, or set allowHttp in a private network.`,
  );
}

function prepare(client: ClientOptions, call: Call): Prepared {
  const { operation, path = [], query = {}, options = {} } = call;
  const body = writeBody(operation, withCredentials(client, call), options);
  const search = writeQuery(query);
  const base = client.baseUrl.replace(/\/+$/, '');
  const isUpload = operation.body === 'file';
  const isRepeatable = body?.isRepeatable ?? true;
  return {
    operation,
    url: `${base}${writePath(operation.path, path)}${search === '' ? '' : `?${search}`}`,
    headers: headersOf(operation, body, options),
    body,
    signal: options.signal,
    timeoutMs: options.timeoutMs ?? (isUpload ? Infinity : (client.timeoutMs ?? 30_000)),
    maxRetries: isRepeatable ? (options.maxRetries ?? client.maxRetries ?? 4) : 0,
    isSafe:
      safeVerbs.has(operation.verb) ||
      operation.acceptsIdempotencyKey ||
      // Requests for tokens and their revocation.
      operation.body === 'form',
    ownToken: operation.token === 'none' ? undefined : options.accessToken,
  };
}

/** Forms of the authorization server name the client. */
function withCredentials({ clientId, clientSecret }: ClientOptions, call: Call): unknown {
  const { operation, body } = call;
  const isForm = operation.body === 'form' && clientId !== undefined;
  if (!isForm || typeof body !== 'object') return body;
  return { client_id: clientId, client_secret: clientSecret, ...body };
}

function headersOf(
  operation: Operation,
  body: OutgoingBody | undefined,
  { idempotencyKey, ifMatch, headers }: RequestOptions,
): Headers {
  const all = new Headers(headers);
  if (!all.has('accept')) {
    all.set('accept', operation.answersFile ? 'text/csv, application/json' : 'application/json');
  }
  if (!isBrowser()) all.set('user-agent', `onward-typescript/${version}`);
  if (body) all.set('content-type', body.contentType);
  if (ifMatch !== undefined) all.set('if-match', ifMatch);
  if (operation.acceptsIdempotencyKey) {
    all.set('idempotency-key', idempotencyKey ?? crypto.randomUUID());
  }
  return all;
}

/** A page or a worker of one: it names itself, and would ask the service for leave to do otherwise. */
const isBrowser = () => 'document' in globalThis || 'importScripts' in globalThis;

async function tokenFor({ id, token }: Operation, tokens: AccessTokens) {
  if (token === 'none') return undefined;
  const found = await tokens.get();
  if (found === undefined && token === 'needed') throw missingCredentials(id);
  return found;
}

function isRefusedToken(error: unknown): boolean {
  return isOnwardError(error) && error.status === 401 && renewable.has(error.code);
}

/** Whether the body can be sent again. */
const isOpen = ({ body }: Prepared) => body?.isRepeatable ?? true;

/** Tries until the answer is good, or another try would not help. */
async function repeat(prepared: Prepared, once: () => Promise<Received>): Promise<Received> {
  const { signal, maxRetries, isSafe } = prepared;
  for (let retry = 1; ; retry += 1) {
    try {
      return await once();
    } catch (error) {
      if (signal?.aborted) throw reasonOf(signal);
      if (!isOnwardError(error) || retry > maxRetries) throw error;
      const { status, code, headers = new Headers() } = error;
      const helps =
        status === undefined
          ? isSafe && (code === 'connection_failed' || code === 'timed_out')
          : isWorthRepeating(status, code, isSafe);
      if (!helps) throw error;
      const askedMs = readRetryAfter(headers, Date.now());
      const delayMs = delayBefore(retry, askedMs, Math.random());
      if (delayMs === undefined) throw error;
      await pause(delayMs, signal);
    }
  }
}

/** One request, and its answer as far as it is no file. */
async function attempt(
  send: typeof fetch,
  { operation, url, headers, body, signal, timeoutMs }: Prepared,
  token: string | undefined,
): Promise<Received> {
  const { id, verb, answersFile } = operation;
  if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
  const limit = new AbortController();
  const timer = Number.isFinite(timeoutMs) ? setTimeout(() => limit.abort(), timeoutMs) : undefined;
  const cancel = () => limit.abort();
  if (signal?.aborted) throw reasonOf(signal);
  signal?.addEventListener('abort', cancel, { once: true });
  try {
    // Credentials must not follow a redirect to another place.
    const init: RequestInit & { duplex?: 'half' } = {
      ...{ method: verb, headers, redirect: 'error', signal: limit.signal },
    };
    if (body) Object.assign(init, { body: body.open(), duplex: 'half' });
    const response = await send(url, init);
    if (!response.ok && response.status !== 304) throw await readFailure(response, id);
    const text = answersFile ? '' : await response.text();
    return { response, data: parse(text, response, id) };
  } catch (error) {
    if (isOnwardError(error)) throw error;
    if (signal?.aborted) throw reasonOf(signal);
    const code = limit.signal.aborted ? 'timed_out' : 'connection_failed';
    const why = code === 'timed_out' ? `no answer in ${String(timeoutMs)} ms` : innermost(error);
    throw new OnwardError(code, `${id} at ${url}: ${why}`, { operationId: id, cause: error });
  } finally {
    clearTimeout(timer);
    if (!answersFile) signal?.removeEventListener('abort', cancel);
  }
}

function parse(text: string, { status }: Response, operationId: string): unknown {
  try {
    return text === '' ? undefined : readJson(text);
  } catch (cause) {
    const message = `${operationId} was answered ${String(status)} without JSON.`;
    throw new OnwardError('unexpected_answer', message, { status, operationId, cause });
  }
}

/** The first cause, which says what the connection did. */
function innermost(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? innermost(error.cause) : error.message;
}
