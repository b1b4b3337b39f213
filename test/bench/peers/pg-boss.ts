import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import PgBoss from 'pg-boss';
import { Agent } from 'undici';
import { answerQuestions } from '../child.ts';

// A solution of one afternoon: a job queue in Postgres from a library, and undici.
// An event is accepted when its jobs are committed. No log of attempts, no limits, no breaker.

interface Delivery {
  target: string;
  body: string;
}

const queue = 'deliver';
// Far more at once than comes in half a second, the shortest interval at which the library polls.
const workers = 8;
const batchSize = 1_000;
const key = randomBytes(32);
const agent = new Agent({ connections: 64, pipelining: 1 });
const boss = new PgBoss({ connectionString: process.env['DATABASE_URL'] ?? '', max: 10 });
boss.on('error', (error) => {
  process.stderr.write(`${error.message}\n`);
});
await boss.start();
await boss.createQueue(queue, { name: queue, retryLimit: 9, retryDelay: 1 });

async function post({ target, body }: Delivery): Promise<void> {
  const id = randomUUID();
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`);
  const { origin, pathname } = new URL(target);
  const answer = await agent.request({
    ...{ origin, path: pathname, method: 'POST', body },
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${signature.digest('base64')}`,
    },
  });
  await answer.body.dump();
  if (answer.statusCode >= 300) throw new Error(String(answer.statusCode));
}

for (let worker = 0; worker < workers; worker += 1) {
  await boss.work<Delivery>(queue, { batchSize, pollingIntervalSeconds: 0.5 }, async (jobs) => {
    await Promise.all(jobs.map(({ data }) => post(data)));
  });
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const { targets, event } = JSON.parse(Buffer.concat(chunks).toString());
    const body = JSON.stringify({ id: randomUUID(), type: 'contact.created', data: event });
    const jobs = targets.map((target: string) => ({ name: queue, data: { target, body } }));
    boss.insert(jobs).then(
      () => response.writeHead(202).end(),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
});
await new Promise<void>((resolve) => {
  server.listen(0, '127.0.0.1', resolve);
});
const address: AddressInfo | string | null = server.address();
const port = typeof address === 'object' ? address?.port : 0;
answerQuestions(async () => ({ url: `http://127.0.0.1:${String(port)}` }));
