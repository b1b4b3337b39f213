import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { Onward, isCode, verifyWebhook } from '../../../sdk/typescript/src/index.ts';
import type { WebhookEvent } from '../../../sdk/typescript/src/index.ts';
import { openFile } from '../../../sdk/typescript/src/node.ts';
import { scratchDirectory } from '../../local/scratch.ts';
import { closeAll, startReceiver } from '../../platform/egress/receiver.ts';
import { startTestApi } from '../../support/api.ts';
import type { TestApi, TestTeam } from '../../support/api.ts';
import { eventually } from '../../support/eventually.ts';
import { startTestWorker } from '../../support/worker.ts';
import type { TestWorker } from '../../support/worker.ts';
import { startFront } from '../front.ts';
import type { Front } from '../front.ts';

let api: TestApi;
let worker: TestWorker;
let front: Front;
let team: TestTeam;
let onward: Onward;

const directory = scratchDirectory();

beforeAll(async () => {
  api = await startTestApi();
  worker = await startTestWorker(api);
  front = await startFront(api.url);
  team = await api.newTeam();
});
afterAll(async () => {
  await closeAll();
  await front.close();
  await worker.close();
  await api.stop();
});
beforeEach(() => {
  front.setFaults(() => undefined);
  front.seen.length = 0;
  onward = newClient();
});

const newClient = () =>
  new Onward({ baseUrl: front.url, clientId: team.clientId, clientSecret: team.clientSecret });
const calls = () => front.seen.filter(({ path }) => path !== '/oauth2/token');
const tokens = () => front.seen.filter(({ path }) => path === '/oauth2/token');
const failureOf = (error: any) => error;
const keys = () => calls().map(({ headers }) => headers['idempotency-key']);
const countOf = async (unique_id: string) =>
  (await onward.contacts.list({ filter: { unique_id }, meta: 'count' })).meta?.count;

test('calls at the same time share one token, and renew an expired one once', async () => {
  const readAtOnce = () => Promise.all(Array.from({ length: 8 }, () => onward.team.get()));
  await readAtOnce();
  expect(tokens()).toHaveLength(1);
  const { authorization } = calls()[0]?.headers ?? {};
  front.setFaults(({ headers }) =>
    headers.authorization === authorization ? { status: 401, code: 'token_expired' } : undefined,
  );
  front.seen.length = 0;
  const teams = await readAtOnce();
  expect(teams.map(({ id }) => id)).toEqual(Array.from({ length: 8 }, () => team.id));
  expect(tokens()).toHaveLength(1);
  expect(calls().filter(({ status }) => status === 401)).toHaveLength(8);
});

test('a revoked token is replaced, and a missing scope is no reason for another one', async () => {
  const grant = { client_id: team.clientId, client_secret: team.clientSecret };
  const newToken = async () => {
    const made = await onward.access.createToken({ grant_type: 'client_credentials', ...grant });
    return made.access_token;
  };
  const given = [await newToken(), await newToken()];
  await onward.access.revokeAccessToken({ token: given[0] ?? '' });
  const taken: string[] = [];
  const accessToken = () => {
    taken.push(given.shift() ?? '');
    return taken.at(-1) ?? '';
  };
  expect(await new Onward({ baseUrl: front.url, accessToken }).team.get()).toMatchObject({
    id: team.id,
  });
  expect(taken).toHaveLength(2);
  const { clientId, clientSecret } = await team.withScopes('partner:contacts:read');
  const reader = new Onward({ baseUrl: front.url, clientId, clientSecret });
  front.seen.length = 0;
  await expect(reader.team.get()).rejects.toMatchObject({ code: 'scope_missing' });
  expect(tokens()).toHaveLength(1);
});

test.each([429, 503])('a call refused with %i is sent again after Retry-After', async (status) => {
  front.setFaults((_, count) =>
    count === 1 ? { status, headers: { 'retry-after': '1' } } : undefined,
  );
  const unique_id = randomUUID();
  const startedAtMs = Date.now();
  await onward.contacts.create({ unique_id });
  expect(Date.now() - startedAtMs).toBeGreaterThanOrEqual(1_000);
  expect(calls().map((call) => call.status)).toEqual([status, 201]);
  expect(new Set(keys()).size).toBe(1);
});

test('a call whose connection is cut after it was sent has one effect', async () => {
  front.setFaults((_, count) => (count <= 2 ? { cut: 'after' } : undefined));
  const unique_id = randomUUID();
  const { data, response } = await onward.contacts.create({ unique_id }).withResponse();
  expect(data.unique_id).toBe(unique_id);
  expect(response.headers.get('idempotent-replayed')).toBe('true');
  expect(keys()).toHaveLength(3);
  expect(new Set(keys()).size).toBe(1);
  expect(await countOf(unique_id)).toBe(1);
});

test('a connection that stays cut is an error with the cause', async () => {
  front.setFaults(() => ({ cut: 'before' }));
  const failure = await onward.contacts.create({}, { maxRetries: 1 }).catch(failureOf);
  expect(isCode(failure, 'connection_failed')).toBe(true);
  expect(failure).toMatchObject({ status: undefined, operationId: 'createContact' });
  expect(calls()).toHaveLength(2);
});

test('a list is one page when awaited, and every item once while others are written', async () => {
  const writer = await api.newTeam();
  const { clientId, clientSecret } = writer;
  const client = new Onward({ baseUrl: front.url, clientId, clientSecret });
  const made: string[] = [];
  const createOne = async () => (await client.contacts.create({ unique_id: randomUUID() })).id;
  for (let at = 0; at < 7; at += 1) made.push(await createOne());
  const query = { sort: 'inserted_at', page: { size: 2 } } as const;
  const first = await client.contacts.list(query);
  expect(first.data.map(({ id }) => id)).toEqual(made.slice(0, 2));
  expect(first.page.has_more).toBe(true);
  const seen: string[] = [];
  for await (const { id } of client.contacts.list(query)) {
    seen.push(id);
    if (seen.length === 3) made.push(await createOne());
    if (seen.length === 4) await client.contacts.delete(made.splice(5, 1)[0] ?? '');
  }
  expect(seen).toEqual(made);
  const sizes = [];
  for await (const { data } of client.contacts.list(query).pages()) sizes.push(data.length);
  expect(sizes).toEqual([2, 2, 2, 1]);

  const fourth = await client.contacts.list({ ...query, page: { size: 4 } });
  const { data, page } = await client.contacts.list({
    ...query,
    page: { size: 1, after: fourth.page.next_cursor ?? '' },
  });
  expect(data.map(({ id }) => id)).toEqual(made.slice(4, 5));
  const back: string[] = [];
  const before = page.prev_cursor ?? '';
  for await (const { id } of client.contacts.list({ ...query, page: { size: 1, before } })) {
    back.push(id);
  }
  expect(back).toEqual(made.slice(0, 4).reverse());
});

test('filters are written as the service reads them', async () => {
  const tag = 'a,b\\c';
  const attributes = { plan: 'gold' };
  const { id } = await onward.contacts.create({ unique_id: randomUUID(), tags: [tag], attributes });
  const found = await onward.contacts.list({
    filter: {
      tags: { contains: tag },
      'attributes.plan': { in: ['gold', 'a,b'] },
      inserted_at: { gte: new Date(Date.now() - 60_000) },
    },
    sort: ['-inserted_at', 'email'],
    include: ['accounts'],
  });
  expect(found.data.map((contact) => contact.id)).toEqual([id]);
  expect(found.data[0]?.relationships?.accounts).toEqual([]);
});

test('a refusal is an error with its code, its problems and the id of the request', async () => {
  const unknown = await onward.contacts.get(randomUUID()).catch(failureOf);
  expect(isCode(unknown, 'not_found')).toBe(true);
  expect(isCode(unknown, 'unique_id_taken', 'rate_limited')).toBe(false);
  const untyped: any = { first_name: 7, birthday: 'today' };
  const failure = await onward.contacts.create(untyped).catch(failureOf);
  expect(failure).toMatchObject({ name: 'OnwardError', code: 'validation_failed', status: 422 });
  expect(failure.problems.map(({ meta }: any) => meta.pointer).sort()).toEqual([
    '/birthday',
    '/first_name',
  ]);
  expect(failure.requestId).toMatch(/^[\w-]{8,}$/);
  expect(failure.message).toContain(failure.requestId);
  const wrong = new Onward({ baseUrl: api.url, clientId: team.clientId, clientSecret: 'wrong' });
  await expect(wrong.team.get()).rejects.toMatchObject({ code: 'invalid_client', status: 401 });
  const nobody = new Onward({ baseUrl: api.url });
  await expect(nobody.team.get()).rejects.toMatchObject({ code: 'credentials_missing' });
  expect(await nobody.meta.getTime()).toHaveProperty('now');
});

test('an outdated version is refused, and the current one is changed', async () => {
  const { data, response } = await onward.templates.create({ name: 'Welcome' }).withResponse();
  const ifMatch = response.headers.get('etag') ?? '';
  await onward.templates.update(data.id, { name: 'Hello' }, { ifMatch });
  await expect(onward.templates.update(data.id, { name: 'Hi' }, { ifMatch })).rejects.toMatchObject(
    { code: 'precondition_failed' },
  );
});

test('a call ends with its signal, and after its time limit', async () => {
  const stop = new AbortController();
  front.setFaults(() => ({ status: 503, headers: { 'retry-after': '30' } }));
  const call = onward.team.get({ signal: stop.signal }).catch(failureOf);
  await eventually(async () => calls().length, Boolean);
  stop.abort(new Error('enough'));
  expect(await call).toMatchObject({ message: 'enough' });
  front.setFaults(() => undefined);
  const late = onward.team.get({ timeoutMs: 0, maxRetries: 0 });
  await expect(late).rejects.toMatchObject({ code: 'timed_out' });
});

test('a file becomes a batch, whose end is awaited and learned from a webhook', async () => {
  const events: WebhookEvent[] = [];
  const receiver = await startReceiver((response, { headers, body }) => {
    void verifyWebhook(Uint8Array.from(Buffer.from(body, 'latin1')), headers, secret).then(
      (event) => {
        events.push(event);
        onward.notify(event);
        response.writeHead(204).end();
      },
      () => response.writeHead(400).end(),
    );
  });
  const subscription = await onward.webhookSubscriptions.create({
    target_url: `http://127.0.0.1:${receiver.port}/hook`,
    event_types: ['batch_operation.succeeded'],
  });
  const secret = subscription.signing_secret;
  const path = join(directory, 'contacts.csv');
  writeFileSync(path, 'unique_id,first_name\nfile-1,Ada\nfile-2,Grace\n');
  front.setFaults(({ path: called }, count) =>
    called === '/v2/batch/uploads' && count === 1 ? { cut: 'after' } : undefined,
  );
  const batch = await onward.runFile(await openFile(path), {
    operation_kind: 'contacts.bulk_upsert',
    options: { notify_webhook: true },
  });
  const states: string[] = [];
  const done = await onward.waitFor(batch, { onProgress: ({ status }) => states.push(status) });
  expect(done).toMatchObject({ status: 'succeeded', total_count: 2 });
  expect(states.at(-1)).toBe('succeeded');
  const [event] = await eventually(
    async () => events,
    (all) => all.length > 0,
  );
  expect(event).toMatchObject({ type: 'batch_operation.succeeded', data: { id: batch.id } });
  const errors = await onward.batchOperations.getErrors(batch.id);
  expect(await errors.text()).toContain('index');
});

test('an execution in the background is awaited', async () => {
  const run = await onward.operations.execute(
    'contacts.upsert',
    { input: { unique_id: randomUUID() } },
    { headers: { Prefer: 'respond-async' } },
  );
  if (!('id' in run)) throw new Error('it was done at once');
  expect(await onward.waitFor(run)).toMatchObject({ id: run.id, status: 'succeeded' });
  await expect(
    onward.waitFor({ type: 'operation_execution', id: randomUUID() }),
  ).rejects.toMatchObject({ code: 'not_found' });
});
