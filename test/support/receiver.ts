import { createServer } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  /** Parsed body. */
  event: any;
  atMs: number;
}

type Answer = { status: number; headers?: Record<string, string>; body?: string } | 'hang';

export interface Receiver {
  url: string;
  received: Received[];
  /** Sets the response to the next requests; the default is 204. */
  answer(how: (request: Received, index: number) => Answer | Promise<Answer>): void;
  /** Resolves once `count` requests have come; fails after `withinMs`. */
  waitFor(count: number, withinMs?: number): Promise<Received[]>;
  stop(): Promise<void>;
}

/** A webhook receiver on loopback that keeps what it got. */
export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  let answer: Parameters<Receiver['answer']>[0] = () => ({ status: 204 });
  let arrived: () => void = () => undefined;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      const { url: path = '', headers } = request;
      const entry = { path, headers, body, event: JSON.parse(body), atMs: Date.now() };
      received.push(entry);
      void Promise.resolve(answer(entry, received.length - 1)).then((how) => {
        if (how === 'hang') return;
        response.writeHead(how.status, how.headers);
        response.end(how.body);
      });
      arrived();
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address: AddressInfo | string | null = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  return {
    url: `http://127.0.0.1:${String(port)}/hook`,
    received,
    answer(how) {
      answer = how;
    },
    async waitFor(count, withinMs = 120_000) {
      const until = Date.now() + withinMs;
      while (received.length < count) {
        const left = until - Date.now();
        if (left <= 0) {
          throw new Error(`${String(received.length)} of ${String(count)} requests came in time`);
        }
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, left);
          arrived = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      return received;
    },
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => {
          resolve();
        });
      }),
  };
}
