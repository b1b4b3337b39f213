import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import createClient from 'openapi-fetch';
import { Webhook } from 'standardwebhooks';
import type { paths } from './onward.js';

// The steps of an integrator with a client generated from the OpenAPI document.

const [baseUrl = '', client_id = '', client_secret = ''] = process.argv.slice(2);
// A list is one parameter with commas, while openapi-fetch repeats the parameter unless it is told.
const client = createClient<paths>({
  baseUrl,
  querySerializer: { array: { style: 'form', explode: false } },
});

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

/** Repeats the request until the result exists, for two minutes at most. */
async function poll<Data>(ask: () => Promise<Data>, isOver: (data: Data) => boolean) {
  for (let round = 0; round < 480; round += 1) {
    const data = await ask();
    if (isOver(data)) return data;
    await pause(250);
  }
  throw new Error('It took longer than two minutes');
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

// A file is imported, what it made is listed in every way, and files of both are downloaded.
const names = ['Ada', 'Bo', 'Cy', 'Di', 'Ed', 'Flo', 'Gus'];
const rows = names.map(
  (name, at) =>
    `typescript-file-${String(at)},${name},${name}@example.com,"file;new",${at % 2 === 0 ? 'gold' : 'basic'}`,
);
const csv = [
  'unique_id,last_name,email,tags,attributes.plan',
  ...[...rows, 'typescript-file-bad,Hal,no address,file,gold'],
].join('\n');
const upload = must(
  await client.POST('/v2/batch/uploads', {
    body: csv,
    bodySerializer: (body) => body,
    headers: { 'Content-Type': 'text/csv' },
  }),
);
const importOfFile = must(
  await client.POST('/v2/batch/operations', {
    params: { header: { 'Idempotency-Key': 'typescript-batch-2' } },
    body: { operation_kind: 'contacts.bulk_upsert', upload_id: upload.id },
  }),
);
const path = { id: importOfFile.id };
const imported = await poll(
  async () => must(await client.GET('/v2/batch/operations/{id}', { params: { path } })),
  ({ status }) => [...ended, 'succeeded_with_errors'].includes(status),
);
check(imported.status === 'succeeded_with_errors', 'the last record of the file failed');

/** A column of a file whose cells have no commas up to it. */
function column(file: string, name: string): string {
  const [header = '', ...records] = file.trim().split('\r\n');
  const at = header.split(',').indexOf(name);
  return records
    .map((record) => record.split(',')[at])
    .sort()
    .join();
}
const errors = must(
  await client.GET('/v2/batch/operations/{id}/errors.csv', { params: { path }, parseAs: 'text' }),
);
check(column(errors, 'index') === '7', 'its errors name the record');

/** The last names of all pages, by their cursors. */
async function listed(filter?: Record<string, string>): Promise<string> {
  const found: (string | undefined)[] = [];
  for (let after: string | undefined; ;) {
    const { data, page } = must(
      await client.GET('/v2/partner/contacts', {
        params: {
          query: {
            sort: ['-last_name', 'inserted_at'],
            'filter[tags][contains]': 'file',
            'filter[inserted_at][gte]': new Date(Date.now() - 3_600_000).toISOString(),
            'filter[status][in]': ['active', 'suppressed'],
            ...(filter && { filter }),
            'page[size]': 3,
            ...(after !== undefined && { 'page[after]': after }),
          },
        },
      }),
    );
    found.push(...data.map(({ last_name }) => last_name));
    if (page.next_cursor === null) return found.join();
    after = page.next_cursor;
  }
}
check((await listed()) === [...names].reverse().join(), 'the list has every contact once');
check((await listed({ 'attributes.plan': 'gold' })) === 'Gus,Ed,Cy,Ada', 'an attribute filters');

const asked = must(
  await client.POST('/v2/partner/exports', {
    body: { kind: 'contacts', format: 'ndjson', filters: { 'filter[tags][contains]': 'file' } },
  }),
);
await poll(
  async () =>
    must(await client.GET('/v2/partner/exports/{id}', { params: { path: { id: asked.id } } })),
  ({ status }) => status === 'succeeded',
);
const file = must(
  await client.GET('/v2/partner/exports/{id}/file', {
    params: { path: { id: asked.id } },
    parseAs: 'text',
  }),
);
const exported = String(file)
  .trim()
  .split('\n')
  .map((line) => (JSON.parse(line) as { last_name: string }).last_name);
check(exported.sort().join() === names.join(), 'an export has every contact');

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
