import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerQuestions } from '../child.ts';

// A collector of traces in a process of its own, which reads exports and drops them.

let exports = 0;
let bytes = 0;

const server = createServer((request, response) => {
  request.on('data', (chunk: Buffer) => (bytes += chunk.length));
  request.on('end', () => {
    exports += 1;
    response.writeHead(200, { 'Content-Type': 'application/x-protobuf' }).end();
  });
});
server.keepAliveTimeout = 120_000;
await new Promise<void>((resolve) => {
  server.listen(0, '127.0.0.1', resolve);
});
const address: AddressInfo | string | null = server.address();
const port = typeof address === 'object' ? address?.port : 0;

answerQuestions(async () => ({ exports, bytes, url: `http://127.0.0.1:${String(port)}` }));
