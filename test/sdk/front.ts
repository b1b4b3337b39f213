import { createServer, request as forward } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { once } from 'node:events';

/** A request that a client sent. */
export interface Seen {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  /** Status of the answer; undefined where the connection was cut. */
  status?: number;
}

/** In place of passing a request on: an answer, or a connection that ends before or after it. */
export type Fault =
  | { status: number; headers?: Record<string, string>; code?: string }
  | { cut: 'before' | 'after' }
  | undefined;

export interface Front {
  url: string;
  seen: Seen[];
  /** Decides about each request from now on. */
  setFaults(decide: (request: Seen, count: number) => Fault): void;
  close(): Promise<void>;
}

/** A server between a client and the service, which fails on purpose. */
export async function startFront(target: string): Promise<Front> {
  const seen: Seen[] = [];
  let faultOf: (request: Seen, count: number) => Fault = () => undefined;
  let count = 0;
  const server = createServer((request, response) => {
    const { method = '', url = '', headers } = request;
    const entry: Seen = { method, path: url, headers };
    seen.push(entry);
    // Tokens are not what the tests are about.
    const fault = url === '/oauth2/token' ? undefined : faultOf(entry, (count += 1));
    if (fault && 'status' in fault) {
      entry.status = fault.status;
      const errors = [{ code: fault.code ?? 'unavailable', title: '', detail: '', meta: {} }];
      request.resume().on('end', () => {
        response.writeHead(fault.status, fault.headers).end(JSON.stringify({ errors }));
      });
      return;
    }
    if (fault?.cut === 'before') response.destroy();
    else pass(target, request, response, entry, fault !== undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    setFaults(decide) {
      faultOf = decide;
      count = 0;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function pass(
  target: string,
  request: IncomingMessage,
  response: ServerResponse,
  entry: Seen,
  cutsAfter: boolean,
): void {
  const { method, url = '', headers } = request;
  const upstream = forward(`${target}${url}`, { method, headers }, (answer) => {
    if (cutsAfter) {
      answer.resume().on('end', () => response.destroy());
      return;
    }
    entry.status = answer.statusCode ?? 0;
    response.writeHead(entry.status, answer.headers);
    answer.pipe(response);
  });
  upstream.on('error', () => response.destroy());
  request.pipe(upstream);
}
