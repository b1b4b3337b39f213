import { randomUUID } from 'node:crypto';
import { STATUS_CODES, createServer } from 'node:http';
import { Server as TlsServer, createServer as createTlsServer } from 'node:https';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { HttpLimits } from '../config/http.ts';
import type { ErrorCode } from './error-catalog.ts';
import { fail, renderErrors } from './errors.ts';
import { connectionRefusals, connectionResets } from './metrics.ts';
import { securityHeaders } from './security-headers.ts';
import { followRenewals, secureContext } from './server-tls.ts';
import type { ServerTls } from './server-tls.ts';
import { networkOf } from './client-address.ts';

/** Closes connections beyond those that a process, or one address, may have open. */
function limitConnections(
  server: Server,
  { maxConnections, maxConnectionsPerAddress }: HttpLimits,
): void {
  const open = new Map<string, number>();
  server.maxConnections = maxConnections;
  server.on('drop', () => connectionRefusals.inc({ limit: 'process' }));
  server.on('connection', (socket: Socket) => {
    const network = networkOf(socket.remoteAddress ?? '');
    const count = (open.get(network) ?? 0) + 1;
    if (count > maxConnectionsPerAddress) {
      connectionRefusals.inc({ limit: 'address' });
      socket.destroy();
      return;
    }
    open.set(network, count);
    socket.once('close', () => {
      const left = (open.get(network) ?? 1) - 1;
      if (left > 0) open.set(network, left);
      else open.delete(network);
    });
  });
}

/**
 * Limits of time and bytes for reading and discarding the rest of a rejected body: a client that is
 * still sending could not read the response otherwise.
 */
const discardMs = 10_000;
const discardBytes = 64 * 1_048_576;

const checkingIntervalMs = 2_000;

const serverOptions = ({ headersTimeoutMs, uploadTimeoutMs }: HttpLimits) => ({
  keepAliveTimeout: 65_000,
  headersTimeout: headersTimeoutMs,
  // From the first byte of a request to its last. A body that is no file has less (body.ts).
  requestTimeout: uploadTimeoutMs,
  connectionsCheckingInterval: Math.min(checkingIntervalMs, headersTimeoutMs),
  maxHeaderSize: 16_384,
  // Node would respond without a body; the handler rejects it in the standard form.
  requireHostHeader: false,
});

export interface Listener {
  port: number;
  /**
   * Finishes requests in flight, ends idle keep-alive connections, then closes; at most `graceMs`.
   */
  close(graceMs?: number): Promise<void>;
}

export interface Place {
  host: string;
  port: number;
  /** Absent: plain HTTP, for a proxy in front. */
  tls?: ServerTls | undefined;
  http: HttpLimits;
}

/**
 * Listens with limits for slow clients, and ends without cutting off a request. `docsBase` is the
 * address of the error pages, for what is refused before the handler sees it.
 */
export async function listen(
  handler: (request: IncomingMessage, response: ServerResponse) => void,
  { host, port, tls, http: limits }: Place,
  docsBase = '',
): Promise<Listener> {
  let closing = false;
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    if (closing) response.setHeader('Connection', 'close');
    // Before Node's own listener, which ends the connection of a last request.
    response.prependOnceListener('finish', () => {
      if (!request.complete) discardRest(request);
    });
    handler(request, response);
  };
  const options = serverOptions(limits);
  const server = tls
    ? createTlsServer({ ...options, ...secureContext(tls), handshakeTimeout: 10_000 }, handle)
    : createServer(options, handle);
  // A client that does not read its response occupies a connection no longer than this.
  server.timeout = limits.stalledMs;
  limitConnections(server, limits);
  const unfollow = tls && server instanceof TlsServer ? followRenewals(server, tls) : undefined;
  // An expectation that is not known may be ignored (RFC 9110 §10.1.1).
  server.on('checkExpectation', handle);
  server.on('connect', (_, socket) => {
    refuse(socket, 'invalid_request', 'The method CONNECT is not available.', docsBase);
  });
  server.on('clientError', ({ code = '' }: NodeJS.ErrnoException, socket) => {
    if (code === 'ECONNRESET') connectionResets.inc({ protocol: 'http' });
    // A reset or a failed handshake: there is no client that could read a response.
    if (code === 'ECONNRESET' || code === 'EPIPE' || /^ERR_(SSL|TLS)/.test(code)) {
      socket.destroy();
      return;
    }
    const [known, detail]: Refusal = refusals[code] ?? [
      'invalid_request',
      'The request is not valid HTTP.',
    ];
    refuse(socket, known, detail, docsBase);
  });
  await new Promise<void>((resolve, reject) => {
    server.on('error', (error) => {
      // Later ones are of connections for which the process has no file descriptor.
      if (server.listening) connectionRefusals.inc({ limit: 'process' });
      reject(error);
    });
    server.listen(port, host, resolve);
  });
  return {
    port: portOf(server),
    async close(graceMs = 10_000) {
      closing = true;
      unfollow?.();
      const closed = new Promise<void>((resolve) => {
        server.close(() => {
          resolve();
        });
      });
      server.closeIdleConnections();
      const timer = setTimeout(() => {
        server.closeAllConnections();
      }, graceMs);
      await closed;
      clearTimeout(timer);
    },
  };
}

/**
 * Reads the rest of a body after its response was sent, within the limits. To close a connection
 * with unread bytes resets it, which takes the response from a client that is still sending: where
 * it is the last request, only our side ends until the rest is read (RFC 9112 §9.6).
 */
function discardRest(request: IncomingMessage): void {
  const { socket } = request;
  const stop = () => socket.destroy();
  const timer = setTimeout(stop, discardMs).unref();
  let discarded = 0;
  request.on('data', (chunk: Buffer) => {
    discarded += chunk.length;
    if (discarded > discardBytes) stop();
  });
  let isLast = false;
  socket.destroySoon = () => {
    isLast = true;
    socket.end();
  };
  request.once('close', () => {
    clearTimeout(timer);
    Reflect.deleteProperty(socket, 'destroySoon');
    if (isLast) stop();
  });
}

function portOf(server: Server): number {
  const address: AddressInfo | string | null = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** Errors of the HTTP parser that have a code of their own. */
type Refusal = [code: ErrorCode, detail: string];
const refusals: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: ['request_head_too_large', 'The address and the headers exceed 16 KB.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['request_timeout', 'The request came too slowly.'],
};

/** Requests that the HTTP parser rejects get the standard error form too. */
function refuse(socket: Duplex, code: ErrorCode, detail: string, docsBase: string): void {
  if (!socket.writable) return;
  const requestId = randomUUID();
  const error = fail(code, { detail });
  const line = `${String(error.status)} ${STATUS_CODES[error.status] ?? ''}`;
  const ids = { requestId, serverRequestId: requestId };
  const body = JSON.stringify(renderErrors(error, ids, docsBase));
  const headers = [
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${String(Buffer.byteLength(body))}`,
    `X-Request-Id: ${requestId}`,
    'Cache-Control: no-store',
    ...Object.entries(securityHeaders(docsBase)).map(([name, value]) => `${name}: ${value}`),
    'Connection: close',
  ];
  socket.end(`HTTP/1.1 ${line}\r\n${headers.join('\r\n')}\r\n\r\n${body}`);
  // A client may leave its own side open.
  const timer = setTimeout(() => socket.destroy(), discardMs).unref();
  socket.once('close', () => {
    clearTimeout(timer);
  });
}
