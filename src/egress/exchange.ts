import type { Dispatcher } from 'undici';
import { watchAbort } from './abort-watch.ts';
import { EgressError, exchangeFailure, isConnectionCut, type EgressFailure } from './failure.ts';

/** What became of one request. Durations are milliseconds, connecting included. */
export type EgressResult =
  | {
      kind: 'answered';
      status: number;
      /** Names in lower case; at most 64, each value cut at 1024 characters. */
      headers: Record<string, string>;
      /** At most 16 KB of the body, as text that Postgres takes: lossy UTF-8 without NUL. */
      bodyExcerpt: string;
      /** The bytes of the excerpt, where they were asked for. */
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
      /** For the partner's eyes: says nothing about addresses that were refused. */
      detail: string;
      durationMs: number;
      remoteIp?: string;
    };

/** One connection of the pool, as far as exchanges care. */
export interface Connection {
  remoteIp: string | undefined;
  /** Requests sent over the socket that is open now. */
  requests: number;
}

/** What an exchange hands to undici: a request that also learns which connection it is given. */
export interface ExchangeOptions extends Dispatcher.DispatchOptions {
  assign: (connection: Connection) => void;
  isSettled: () => boolean;
}

export interface ExchangeRequest {
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
    headers[name] = text.slice(0, MAX_HEADER_LENGTH).replaceAll('\0', '');
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

/**
 * Sends one request and reads its answer, all within `timeoutMs`; when that is over, the
 * connection is closed. Never rejects. Redirects are answers like any other. DECISIONS 29.
 */
export function exchange(
  agent: Dispatcher,
  request: ExchangeRequest,
  signal: AbortSignal | undefined,
): Promise<EgressResult> {
  return new Promise((resolve) => {
    const startedAt = performance.now();
    let connection: Connection | undefined;
    let controller: Dispatcher.DispatchController | undefined;
    let isSettled = false;
    let isSecondTry = false;
    let status = 0;
    let headers: Record<string, string> = {};
    let size = 0;
    const kept: Buffer[] = [];

    const settle = (result: EgressResult) => {
      isSettled = true;
      clearTimeout(deadline);
      unwatch?.();
      resolve(result);
    };
    const elapsed = () => Math.round(performance.now() - startedAt);
    const withIp = (remoteIp: string | undefined) => (remoteIp === undefined ? {} : { remoteIp });
    const answer = () =>
      settle({
        kind: 'answered',
        status,
        headers,
        bodyExcerpt: excerpt(kept),
        ...(request.wantsBytes && { bytes: Buffer.concat(kept).subarray(0, MAX_EXCERPT_BYTES) }),
        truncated: size > MAX_EXCERPT_BYTES,
        durationMs: elapsed(),
        ...withIp(connection?.remoteIp),
      });
    const fail = ({ failure, message, remoteIp }: EgressError) =>
      settle({
        kind: 'failed',
        code: failure,
        detail: message,
        durationMs: elapsed(),
        ...withIp(remoteIp ?? connection?.remoteIp),
      });
    const stop = (reason: EgressError) => {
      if (isSettled) return;
      fail(reason);
      controller?.abort(reason);
    };

    const options: ExchangeOptions = {
      method: request.method,
      origin: request.origin,
      path: request.path,
      headers: request.headers,
      body: request.body,
      assign: (given) => (connection = given),
      isSettled: () => isSettled,
    };
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(given) {
        // Thrown, for an abort would close the connection, which is fit for the next exchange.
        if (isSettled) throw new EgressError('aborted', 'nobody waits any more');
        controller = given;
        if (connection !== undefined) connection.requests += 1;
      },
      onResponseStart(_controller, code, received) {
        if (code < 200) return;
        status = code;
        headers = cappedHeaders(received);
      },
      onResponseData(given, chunk) {
        if (isSettled) return;
        if (size < MAX_EXCERPT_BYTES) kept.push(chunk);
        size += chunk.length;
        if (size <= MAX_READ_BYTES) return;
        answer();
        given.abort(new EgressError('aborted', 'the rest of the body is not read'));
      },
      onResponseEnd() {
        if (!isSettled) answer();
      },
      onResponseError(_controller, error) {
        if (isSettled) return;
        const isReused = connection !== undefined && connection.requests > 1;
        if (isReused && status === 0 && !isSecondTry && isConnectionCut(error)) {
          // The peer had closed an idle connection as we took it up; delivery is at least once.
          isSecondTry = true;
          controller = undefined;
          queueMicrotask(() => agent.dispatch(options, handler));
          return;
        }
        fail(exchangeFailure(error));
      },
    };

    const deadline = setTimeout(
      () =>
        stop(
          new EgressError(
            'timeout',
            lateDetail(controller !== undefined, status, request.timeoutMs),
          ),
        ),
      request.timeoutMs,
    );
    const unwatch =
      signal && watchAbort(signal, () => stop(new EgressError('aborted', 'given up')));
    if (signal?.aborted) stop(new EgressError('aborted', 'given up'));
    else agent.dispatch(options, handler);
  });
}
