import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import createClient from 'openapi-fetch';
import { Webhook } from 'standardwebhooks';
import type { paths } from './onward.js';

// The steps of an integrator with a client generated from the OpenAPI document.

const [baseUrl = '', client_id = '', client_secret = ''] = process.argv.slice(2);
const client = createClient<paths>({ baseUrl });

interface Answer<Data> {
  data?: Data;
  error?: unknown;
  response: Response;
}
function must<Data>({ data, error, response }: Answer<Data>): Data {
  if (data !== undefined) return data;
  throw new Error(`${response.url}: ${String(response.status)} ${JSON.stringify(error)}`);
}
function check(isTrue: boolean, promise: string): void {
  if (!isTrue) throw new Error(`Not true: ${promise}`);
}

// A receiver of webhooks that keeps what was sent to it.
const received: { headers: Record<string, string>; body: string }[] = [];
const receiver = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk: Buffer) => (body += chunk.toString()));
  request.on('end', () => {
    received.push({ headers: request.headers as Record<string, string>, body });
    response.writeHead(204).end();
  });
}).listen(0, '127.0.0.1');
await once(receiver, 'listening');
const address = receiver.address();
const port = typeof address === 'object' && address ? address.port : 0;

const { access_token } = must(
  await client.POST('/oauth2/token', {
    body: { grant_type: 'client_credentials', client_id, client_secret },
    bodySerializer: (body) => new URLSearchParams(body as Record<string, string>),
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  }),
);
client.use({
  onRequest({ request }) {
    request.headers.set('Authorization', `Bearer ${access_token}`);
    return request;
  },
});

const subscription = must(
  await client.POST('/v2/partner/webhook-subscriptions', {
    body: { target_url: `http://127.0.0.1:${String(port)}/hook`, event_types: ['contact.created'] },
  }),
);
const contact = must(
  await client.POST('/v2/partner/contacts', {
    body: { unique_id: 'typescript-1', email: 'ada@example.com', first_name: 'Ada' },
  }),
);
const account = must(
  await client.POST('/v2/partner/contacts/{id}/accounts', {
    params: { path: { id: contact.id } },
    body: { kind: 'deposit', unique_id: 'typescript-account-1', balance_cents: 1250 },
  }),
);
check(account.contact_id === contact.id, 'the account belongs to the contact');

const deadline_at = new Date(Date.now() + 30 * 86_400_000).toISOString();
const template = must(
  await client.POST('/v2/partner/templates', { body: { name: 'Welcome', deadline_at } }),
);
check(template.deadline_at === deadline_at, 'the template has its deadline');

const batch = must(
  await client.POST('/v2/batch/operations', {
    params: { header: { 'Idempotency-Key': 'typescript-batch-1' } },
    body: {
      operation_kind: 'contacts.bulk_upsert',
      items: [{ unique_id: 'typescript-2' }, { unique_id: 'typescript-3' }],
    },
  }),
);
const execution = must(
  await client.POST('/v2/ipaas/operations/{operation_kind}/execute', {
    params: {
      path: { operation_kind: 'contacts.upsert' },
      header: { 'Idempotency-Key': 'typescript-execution-1', Prefer: 'respond-async' },
    },
    body: { input: { unique_id: 'typescript-4' } },
  }),
);

/** Repeats the request until the result exists, for half a minute at most. */
async function poll<Data>(ask: () => Promise<Data>, isOver: (data: Data) => boolean) {
  for (let round = 0; round < 120; round += 1) {
    const data = await ask();
    if (isOver(data)) return data;
    await pause(250);
  }
  throw new Error('It took longer than half a minute');
}
const ended = ['succeeded', 'partially_succeeded', 'failed', 'canceled'];
const batchId = batch.id;
const done = await poll(
  async () =>
    must(await client.GET('/v2/batch/operations/{id}', { params: { path: { id: batchId } } })),
  ({ status }) => ended.includes(status),
);
check(done.status === 'succeeded', 'the batch succeeded');
const executionId = 'id' in execution ? String(execution.id) : '';
const executed = await poll(
  async () =>
    must(await client.GET('/v2/ipaas/executions/{id}', { params: { path: { id: executionId } } })),
  ({ status }) => ended.includes(status),
);
check(executed.status === 'succeeded', 'the execution succeeded');

await poll(
  () => Promise.resolve(received.length),
  (count) => count > 0,
);
const [first] = received;
const event = new Webhook(subscription.signing_secret ?? '').verify(
  first?.body ?? '',
  first?.headers ?? {},
) as { type: string; data: { id: string } };
check(event.type === 'contact.created', 'the event is about a new contact');
receiver.close();
console.log('The story ends well.');
