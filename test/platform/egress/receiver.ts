import diagnostics from 'node:diagnostics_channel';
import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import { createEgress, type EgressOptions } from '../../../src/platform/egress/client.ts';
import { developmentRules } from './rules.ts';

const closers: (() => unknown)[] = [];

/** For what else is closed with the test file. */
export const whenClosing = (close: () => unknown) => closers.push(close);

/** Closes every server and client that the test file started. */
export async function closeAll(): Promise<void> {
  await Promise.all(closers.splice(0).map((close) => close()));
}

async function listening<S extends net.Server>(server: S) {
  const sockets = new Set<net.Socket>();
  let connections = 0;
  server.on('connection', (socket: net.Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => server.close(resolve));
  };
  closers.push(close);
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return { port: address.port, connections: () => connections, close };
}

export interface Received {
  method: string | undefined;
  path: string | undefined;
  headers: http.IncomingHttpHeaders;
  body: string;
}
type Answer = (response: http.ServerResponse, received: Received) => void;

/** An HTTP(S) server on loopback that remembers what it got. */
export async function startReceiver(answer: Answer, secure?: https.ServerOptions) {
  const received: Received[] = [];
  const listener: http.RequestListener = (request, response) => {
    let body = '';
    request.setEncoding('latin1').on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      const { method, url: path, headers } = request;
      const entry = { method, path, headers, body };
      received.push(entry);
      answer(response, entry);
    });
  };
  const server =
    secure === undefined ? http.createServer(listener) : https.createServer(secure, listener);
  const { port, connections, close } = await listening(server);
  return { port, url: `http://127.0.0.1:${port}/hook`, received, connections, close, server };
}

/** A TCP server on loopback with answers set by the test, request by request. */
export async function startRaw(
  onRequest: (socket: net.Socket, count: number, bytes: Buffer) => void,
) {
  let requests = 0;
  const server = net.createServer((socket) =>
    socket.on('data', (bytes) => {
      requests += 1;
      onRequest(socket, requests, bytes);
    }),
  );
  const { port, connections, close } = await listening(server);
  return {
    port,
    url: `http://127.0.0.1:${port}/hook`,
    requests: () => requests,
    connections,
    close,
  };
}

/**
 * A proxy that sends every tunnel to one port, or refuses with a status. `inside` is its answer to
 * requests for its own machine, which `asked` does not list.
 */
export async function startProxy(outcome: { port: number } | { status: number }, inside = 403) {
  const asked: { authority: string | undefined; authorization: string | undefined }[] = [];
  const receiver = await startReceiver((response) => response.end());
  receiver.server.on('connect', (request: http.IncomingMessage, socket: net.Socket) => {
    if (request.url === '127.0.0.1:1') {
      socket.end(`HTTP/1.1 ${inside} Inside\r\n\r\n`);
      return;
    }
    asked.push({
      authority: request.url,
      authorization: request.headers['proxy-authorization'],
    });
    if ('status' in outcome) {
      socket.end(`HTTP/1.1 ${outcome.status} No\r\n\r\n`);
      return;
    }
    const upstream = net.connect(outcome.port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connected\r\n\r\n');
      socket.pipe(upstream).pipe(socket);
    });
    socket.on('close', () => upstream.destroy());
  });
  return { asked, proxyUrl: `http://me:p%40ss@127.0.0.1:${receiver.port}` };
}

/** A port on loopback without a listener. */
export async function closedPort(): Promise<number> {
  const { port, close } = await startRaw(() => undefined);
  await close();
  return port;
}

/** A client that may call loopback; an unknown name does not resolve. */
export function startEgress(options: Partial<EgressOptions> = {}) {
  const egress = createEgress({
    rules: developmentRules,
    lookup: () => Promise.reject(Object.assign(new Error('unknown'), { code: 'ENOTFOUND' })),
    ...options,
  });
  closers.push(() => egress.close());
  return egress;
}

/** Counts the outgoing TCP connections that this process begins while `run` runs. */
export async function countConnects(run: () => Promise<unknown>): Promise<number> {
  let count = 0;
  const onSocket = () => (count += 1);
  diagnostics.subscribe('net.client.socket', onSocket);
  try {
    await run();
  } finally {
    diagnostics.unsubscribe('net.client.socket', onSocket);
  }
  return count;
}
