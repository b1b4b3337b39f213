import type { Dispatcher } from 'undici';
import { watchAbort } from './abort-watch.ts';
import type { Connection, Connections } from './connections.ts';
import { EgressError, errorCode, exchangeFailure, isConnectionCut } from './failure.ts';
import type { EgressFailure } from './failure.ts';
import { cutText } from '../cut-text.ts';

/** Result of one request. Durations are milliseconds, including the connect. */
export type EgressResult =
  | {
      kind: 'answered';
      status: number;
      /** Names in lower case; at most 64, each value cut at 1024 characters. */
      headers: Record<string, string>;
      /** At most 16 KB of the body, as text that Postgres accepts: lossy UTF-8 without NUL. */
      bodyExcerpt: string;
      /** The bytes of the excerpt, if requested. */
      bytes?: Buffer;
      /** Whether the excerpt is less than the body. */
      truncated: boolean;
      durationMs: number;
      /** Absent behind an egress proxy. */
      remoteIp?: string;
    }
  | {
      kind: 'failed';
      code: EgressFailure;
      /** Shown to the partner: contains nothing about addresses that were rejected. */
      detail: string;
      durationMs: number;
      remoteIp?: string;
    };

export interface ExchangeRequest {
  /** Whose connections are used. */
  owner: string;
  method: 'GET' | 'POST';
  origin: string;
  path: string;
  headers: string[];
  body: string | Uint8Array | null;
  timeoutMs: number;
  wantsBytes: boolean;
}

const MAX_READ_BYTES = 65_536;
const MAX_EXCERPT_BYTES = 16_384;
const MAX_HEADERS = 64;
const MAX_HEADER_LENGTH = 1024;

type Headers = Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseStart']>>[2];

function cappedHeaders(received: Headers): Record<string, string> {
  const headers: Record<string, string> = {};
  let count = 0;
  for (const name in received) {
    const value = received[name];
    if (value === undefined || name === '__proto__') continue;
    count += 1;
    if (count > MAX_HEADERS) break;
    const text = typeof value === 'string' ? value : value.join(', ');
    headers[name] = cutText(text, MAX_HEADER_LENGTH).replaceAll('\0', '');
  }
  return headers;
}

/** A cut may halve a character at the end, and repairs grow the text: hence cut again. */
function excerpt(kept: readonly Buffer[]): string {
  const [first] = kept;
  if (first === undefined) return '';
  const bytes = kept.length === 1 ? first : Buffer.concat(kept);
  const text = bytes.toString('utf8', 0, MAX_EXCERPT_BYTES).replaceAll('\0', '');
  if (Buffer.byteLength(text) <= MAX_EXCERPT_BYTES) return text;
  return Buffer.from(text).toString('utf8', 0, MAX_EXCERPT_BYTES - 3);
}

function lateDetail(isStarted: boolean, status: number, timeoutMs: number): string {
  if (!isStarted) return `no connection could be used within ${timeoutMs} ms`;
  if (status === 0) return `no answer within ${timeoutMs} ms`;
  return `the body of the answer (${status}) did not end within ${timeoutMs} ms`;
}

/** Longest wait for a connection, where half of the time limit is not less. */
const MAX_WAIT_MS = 1_000;

/** Collects the stored part of a response. */
function createAnswer() {
  const kept: Buffer[] = [];
  let status = 0;
  let headers: Record<string, string> = {};
  let size = 0;
  return {
    status: () => status,
    begin(code: number, received: Headers) {
      if (code < 200) return;
      status = code;
      headers = cappedHeaders(received);
    },
    /** False if the response is too long to be read to its end. */
    add(chunk: Buffer): boolean {
      if (size < MAX_EXCERPT_BYTES) kept.push(chunk);
      size += chunk.length;
      return size <= MAX_READ_BYTES;
    },
    content: (wantsBytes: boolean) => ({
      status,
      headers,
      bodyExcerpt: excerpt(kept),
      ...(wantsBytes && { bytes: Buffer.concat(kept).subarray(0, MAX_EXCERPT_BYTES) }),
      truncated: size > MAX_EXCERPT_BYTES,
    }),
  };
}

const failed = ({ failure, message }: EgressError, durationMs: number): EgressResult => ({
  kind: 'failed',
  code: failure,
  detail: message,
  durationMs,
});

/**
 * Answers 204 and 304 end with their head, also where it names a length (RFC 9112 §6.3): undici
 * misses a body of that length.
 */
const isEndOfHead = (status: number, error: unknown) =>
  (status === 204 || status === 304) && errorCode(error) === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH';

/** Sends a request over a connection; the function that it returns ends it. */
function send(
  connection: Connection,
  { method, origin, path, headers, body, timeoutMs, wantsBytes }: ExchangeRequest,
  settle: (result: EgressResult) => void,
): (reason: EgressError) => void {
  const startedAt = performance.now();
  const answer = createAnswer();
  let isStarted = false;
  let isSettled = false;
  let isSecondTry = false;

  const end = (result: EgressResult, remoteIp = connection.remoteIp) => {
    isSettled = true;
    clearTimeout(deadline);
    settle(remoteIp === undefined ? result : { ...result, remoteIp });
  };
  const elapsed = () => Math.round(performance.now() - startedAt);
  const succeed = () =>
    end({ kind: 'answered', ...answer.content(wantsBytes), durationMs: elapsed() });
  const stop = (reason: EgressError) => {
    if (isSettled) return;
    end(failed(reason, elapsed()), reason.remoteIp);
    connection.discard();
  };
  const late = () => new EgressError('timeout', lateDetail(isStarted, answer.status(), timeoutMs));
  const deadline = setTimeout(() => stop(late()), timeoutMs);

  const handler: Dispatcher.DispatchHandler = {
    onRequestStart() {
      isStarted = true;
      connection.requests += 1;
    },
    onResponseStart(_controller, code, received) {
      answer.begin(code, received);
    },
    onResponseData(_controller, chunk) {
      if (isSettled || answer.add(chunk)) return;
      succeed();
      connection.discard();
    },
    onResponseEnd() {
      if (isSettled) return;
      connection.release();
      succeed();
    },
    onResponseError(_controller, error) {
      if (isSettled) return;
      if (isEndOfHead(answer.status(), error)) {
        succeed();
        connection.discard();
        return;
      }
      const isReused = connection.requests > 1;
      if (isReused && answer.status() === 0 && !isSecondTry && isConnectionCut(error)) {
        // The peer had closed an idle connection as we took it up; delivery is at least once.
        isSecondTry = true;
        isStarted = false;
        queueMicrotask(dispatch);
        return;
      }
      stop(exchangeFailure(error));
    },
  };
  const dispatch = () => {
    if (!isSettled) connection.dispatch({ method, origin, path, headers, body }, handler);
  };
  dispatch();
  return stop;
}

/**
 * Sends one request and reads its response within `timeoutMs` of having a connection; after a
 * timeout, the connection is closed. A request that got no connection in half of that time, or in a
 * second, is `aborted`: nothing was sent. Never rejects. Redirects are returned. ADR 29.
 */
export function exchange(
  connections: Connections,
  request: ExchangeRequest,
  signal: AbortSignal | undefined,
): Promise<EgressResult> {
  const givenUp = () => new EgressError('aborted', 'given up');
  if (signal?.aborted) return Promise.resolve(failed(givenUp(), 0));
  return new Promise((resolve) => {
    let stop: ((reason: EgressError) => void) | undefined;
    let waiting: NodeJS.Timeout | undefined = undefined;
    const unwatch = signal && watchAbort(signal, () => stop?.(givenUp()));
    const settle = (result: EgressResult) => {
      unwatch?.();
      resolve(result);
    };
    const leave = connections.acquire(request.owner, request.origin, (connection) => {
      clearTimeout(waiting);
      stop = () => undefined;
      if (connection) stop = send(connection, request, settle);
      else settle(failed(new EgressError('aborted', 'the service is stopping'), 0));
    });
    if (stop) return;
    const waitMs = Math.min(MAX_WAIT_MS, request.timeoutMs / 2);
    stop = (reason) => {
      clearTimeout(waiting);
      leave();
      settle(failed(reason, 0));
    };
    const late = new EgressError('aborted', `no connection was free within ${waitMs} ms`);
    waiting = setTimeout(() => stop?.(late), waitMs);
  });
}
