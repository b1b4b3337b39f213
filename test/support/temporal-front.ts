import { once } from 'node:events';
import { connect, constants, createSecureServer, createServer } from 'node:http2';
import type { Http2Session, IncomingHttpHeaders, SecureServerOptions } from 'node:http2';
import type { ServerHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { environmentNames, required } from './environment.ts';

export interface TemporalFront {
  /** host:port of gRPC. */
  address: string;
  /**
   * Answers signals that start a workflow and contain these words with INVALID_ARGUMENT; without
   * words, none.
   */
  refuseSignals(words?: string): void;
  close(): void;
}

/**
 * A gRPC proxy before the Temporal of the tests. With `tls` it speaks TLS by these options. Calls
 * whose path `refuses` matches get PERMISSION_DENIED, as those of operators do in Temporal Cloud.
 */
export async function startTemporalFront(
  options: { tls?: SecureServerOptions; refuses?: RegExp } = {},
): Promise<TemporalFront> {
  const { tls, refuses } = options;
  let refused: string | undefined;
  const upstream = connect(`http://${required(environmentNames.temporalAddress)}`);
  const sockets = new Set<Socket>();
  const server = tls ? createSecureServer(tls) : createServer();
  // Those that never finish the handshake of TLS are not sessions.
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
  });
  server.on('session', (session: Http2Session) => session.on('error', () => undefined));
  server.on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
    stream.on('error', () => undefined);
    const path = headers[':path'] ?? '';
    if (refuses?.test(path)) {
      refuse(stream, '7', 'Request unauthorized.');
    } else if (refused !== undefined && path.endsWith('/SignalWithStartWorkflowExecution')) {
      const words = refused;
      void buffer(stream).then((body) => {
        if (body.includes(words)) refuse(stream, '3', 'The signal is refused.');
        else forward(upstream, stream, headers, body);
      });
    } else {
      forward(upstream, stream, headers);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const bound = server.address();
  const port = typeof bound === 'object' && bound ? bound.port : 0;
  return {
    address: `127.0.0.1:${String(port)}`,
    refuseSignals(words) {
      refused = words;
    },
    close() {
      upstream.destroy();
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

type Upstream = ReturnType<typeof connect>;

/** Answers a call with an error of gRPC. */
function refuse(stream: ServerHttp2Stream, code: string, message: string): void {
  const status = { 'grpc-status': code, 'grpc-message': message };
  stream.respond({ 'content-type': 'application/grpc', ...status }, { endStream: true });
}

/** Passes a call on, with its body where that has been read already. */
function forward(
  upstream: Upstream,
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  body?: Buffer,
) {
  const { ':method': method, ':path': path, ...rest } = headers;
  const own = Object.entries(rest).filter(([name]) => !name.startsWith(':') && name !== 'host');
  const call = upstream.request({
    ':method': method,
    ':path': path,
    ...Object.fromEntries(own),
  });
  let trailers: IncomingHttpHeaders = {};
  call.on('error', () => stream.close(constants.NGHTTP2_CANCEL));
  call.on('response', (response, flags) => {
    const isEnd = (flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0;
    if (stream.destroyed) return;
    stream.respond(response, isEnd ? { endStream: true } : { waitForTrailers: true });
  });
  call.on('trailers', (received: IncomingHttpHeaders) => (trailers = received));
  stream.on('wantTrailers', () => {
    stream.sendTrailers(trailers);
  });
  stream.on('close', () => {
    call.close();
  });
  if (body) call.end(body);
  else stream.pipe(call);
  call.pipe(stream);
}
