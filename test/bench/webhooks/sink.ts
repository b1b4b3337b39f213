import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerQuestions } from '../child.ts';

// A receiver of webhooks of any product, in a process of its own. What it does is said by the first
// part of the path: /ok answers 204, /mute too but notes nothing, /after/<ms> so much later, /flaky
// 500 to one in five, /down 503, /hang nothing at all.

const mark = /mark-[0-9a-z]+-[0-9]+/;

/** Marks that were taken with 204, and when, in the order in which they came. */
let taken: [mark: string, atMs: number][] = [];
/** Without those that came again. */
const seen = new Set<string>();
let requests = 0;
let lastAtMs = 0;

/** The same receivers fail at the same requests in each run. */
let state = 1;
function random(): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return state / 2 ** 32;
}

function statusFor(way: string | undefined): number | undefined {
  if (way === 'hang') return undefined;
  if (way === 'down') return 503;
  return way === 'flaky' && random() < 0.2 ? 500 : 204;
}

async function listen(): Promise<string> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      requests += 1;
      lastAtMs = performance.timeOrigin + performance.now();
      const [, way, afterMs] = request.url?.split('/') ?? [];
      const status = statusFor(way);
      if (status === undefined) return;
      if (status === 204 && way === 'after') {
        setTimeout(() => response.writeHead(status).end(), Number(afterMs));
        return;
      }
      if (status === 204 && way !== 'mute') {
        const [found] = mark.exec(Buffer.concat(chunks).toString('latin1')) ?? [];
        if (found !== undefined) {
          taken.push([found, lastAtMs]);
          seen.add(found);
        }
      }
      response.writeHead(status).end();
    });
  });
  server.keepAliveTimeout = 120_000;
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address: AddressInfo | string | null = server.address();
  return `http://127.0.0.1:${String(typeof address === 'object' ? address?.port : 0)}`;
}

// Two of them, since clients limit their connections to one origin.
const [origin, elsewhere] = [await listen(), await listen()];

answerQuestions(async ({ ask }) => {
  if (ask === 'reset') {
    taken = [];
    seen.clear();
    requests = 0;
  }
  if (ask === 'taken') return { requests, taken };
  return { requests, lastAtMs, count: taken.length, distinct: seen.size, origin, elsewhere };
});
