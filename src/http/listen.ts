import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export interface Listener {
  port: number;
  /** Finishes what is under way, tells keep-alive clients to go, then closes; at most `graceMs`. */
  close(graceMs?: number): Promise<void>;
}

/** Listens with limits for slow clients, and ends without cutting off a request. */
export async function listen(
  handler: (request: IncomingMessage, response: ServerResponse) => void,
  host: string,
  port: number,
): Promise<Listener> {
  let closing = false;
  const server = createServer(
    {
      keepAliveTimeout: 65_000,
      headersTimeout: 15_000,
      requestTimeout: 30_000,
      connectionsCheckingInterval: 2_000,
      maxHeaderSize: 16_384,
    },
    (request, response) => {
      if (closing) response.setHeader('Connection', 'close');
      handler(request, response);
    },
  );
  server.on('clientError', refuse);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.removeListener('error', reject);
      resolve();
    });
  });
  return {
    port: portOf(server),
    async close(graceMs = 10_000) {
      closing = true;
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

function portOf(server: Server): number {
  const address: AddressInfo | string | null = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

const statusLines: Readonly<Record<string, [line: string, code: string, title: string]>> = {
  HPE_HEADER_OVERFLOW: [
    '431 Request Header Fields Too Large',
    'invalid_request',
    'The headers are larger than 16 KB',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: [
    '408 Request Timeout',
    'invalid_request',
    'The request came too slowly',
  ],
};

/** What the HTTP parser refuses is answered in the house form too. */
function refuse(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable) return;
  const [line, code, title] = statusLines[error.code ?? ''] ?? [
    '400 Bad Request',
    'invalid_request',
    'The request is not valid HTTP',
  ];
  const body = JSON.stringify({ errors: [{ code, title, detail: `${title}.`, meta: {} }] });
  socket.end(
    `HTTP/1.1 ${line}\r\nContent-Type: application/json; charset=utf-8\r\nConnection: close\r\n` +
      `Content-Length: ${String(Buffer.byteLength(body))}\r\n\r\n${body}`,
  );
}
