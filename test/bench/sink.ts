import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerQuestions } from './child.ts';

// A bare receiver of webhooks in a process of its own: answers 204 and notes when each came.

/** By the id of the resource that the event is about. */
const arrivals = new Map<string, number>();
let requests = 0;
let firstAtMs = 0;
let lastAtMs = 0;
let wantsIds = false;

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    lastAtMs = performance.timeOrigin + performance.now();
    if (requests === 0) firstAtMs = lastAtMs;
    requests += 1;
    if (wantsIds) {
      const { data } = JSON.parse(Buffer.concat(chunks).toString());
      if (!arrivals.has(data.id)) arrivals.set(data.id, lastAtMs);
    }
    response.writeHead(204).end();
  });
});
server.keepAliveTimeout = 120_000;
await new Promise<void>((resolve) => {
  server.listen(0, '127.0.0.1', resolve);
});
const address: AddressInfo | string | null = server.address();
const port = typeof address === 'object' ? address?.port : 0;

answerQuestions(async ({ ask, ids }) => {
  if (ask === 'reset') {
    arrivals.clear();
    requests = 0;
    wantsIds = ids === true;
  }
  if (ask === 'arrivals') return { requests, lastAtMs, arrivals };
  return { requests, firstAtMs, lastAtMs, url: `http://127.0.0.1:${String(port)}/hook` };
});
