// Receives webhooks: verifies each, accepts it once, answers, and works afterwards.
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Webhook } from 'standardwebhooks';

const { WEBHOOK_SECRET = '', PORT = '4000' } = process.env;
const webhook = new Webhook(WEBHOOK_SECRET);
const maxBytes = 1_000_000;
/** In production: a table with a unique key, in the transaction that stores the work. */
const accepted = new Set<string>();

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  const body: AsyncIterable<Buffer> = request;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) throw new Error('The body is too large.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function handle(event: unknown): void {
  console.log(`handled ${JSON.stringify(event)}`);
}

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const id = String(request.headers['webhook-id'] ?? '');
  try {
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    );
    const event = webhook.verify(await readBody(request), headers);
    const isNew = !accepted.has(id);
    accepted.add(id);
    response.writeHead(204).end();
    if (isNew) setImmediate(() => handle(event));
  } catch (error) {
    response.writeHead(400).end();
    console.log(`refused: ${error instanceof Error ? error.message : String(error)}`);
  }
}

const server = createServer((request, response) => void receive(request, response));
server.listen(Number(PORT), '127.0.0.1', () => console.log(`listening on ${PORT}`));
