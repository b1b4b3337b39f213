import { createPublicKey, verify } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { startTestApi } from '../support/api.ts';
import type { TestApi, TestTeam } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { startReceiver } from '../support/receiver.ts';
import type { Received, Receiver } from '../support/receiver.ts';
import { startTestWorker } from '../support/worker.ts';
import type { TestWorker } from '../support/worker.ts';

let api: TestApi;
let worker: TestWorker;
let team: TestTeam;
let receiver: Receiver;

beforeAll(async () => {
  api = await startTestApi({ WEBHOOK_LANE_IDLE_SECONDS: '1' });
  worker = await startTestWorker(api);
});
afterAll(async () => {
  await worker.close();
  await api.stop();
});
beforeEach(async () => {
  team = await api.newTeam();
  receiver = await startReceiver();
});
afterEach(() => receiver.stop());

const path = '/v2/partner/webhook-subscriptions';
const settingsOf = (id: string) => `${path}/${id}/delivery-settings`;

async function subscribe() {
  const reply = await team.post(path, { target_url: receiver.url, event_types: ['contact.*'] });
  expect(reply.status).toBe(201);
  return { id: String(reply.body.id), secret: String(reply.body.signing_secret) };
}

async function change(id: string, fields: object) {
  const reply = await team.patch(settingsOf(id), fields);
  expect(reply.status).toBe(200);
  return reply.body;
}

/** Causes one event, and returns the call that comes of it. */
async function nextCall(): Promise<Received> {
  const before = receiver.received.length;
  const email = `p${String(before)}@example.com`;
  expect((await team.post('/v2/partner/contacts', { email })).status).toBe(201);
  const call = (await receiver.waitFor(before + 1))[before];
  if (!call) throw new Error('no call');
  return call;
}

const plain = (headers: IncomingHttpHeaders) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
const signaturesOf = ({ headers }: Received) => String(headers['webhook-signature']).split(' ');

/** By nothing but node:crypto and the public key that the settings show. */
function isSignedBy(publicKey: string, { headers, body }: Received): boolean {
  const x = Buffer.from(publicKey.slice('whpk_'.length), 'base64').toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  const content = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`;
  return signaturesOf({ path: '/', headers, body, event: undefined, atMs: 0 })
    .filter((signature) => signature.startsWith('v1a,'))
    .some((signature) =>
      verify(null, Buffer.from(content), key, Buffer.from(signature.slice(4), 'base64')),
    );
}

describe('delivery settings', () => {
  test('are the defaults of the service until a change, and sending them back unchanged changes nothing', async () => {
    const { id } = await subscribe();
    const { status, body } = await team.get(settingsOf(id));
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id,
      type: 'webhook_delivery_settings',
      team_id: team.id,
      timeout_seconds: 15,
      header_names: [],
      asymmetric_signing: false,
    });
    expect(await change(id, body)).toEqual(body);
    const subscription = await team.get(`${path}/${id}`);
    for (const name of ['timeout_seconds', 'header_names', 'asymmetric_signing']) {
      expect(subscription.body).not.toHaveProperty(name);
    }
  });

  test('of another team are not found', async () => {
    const { id } = await subscribe();
    const other = await api.newTeam();
    expect((await other.get(settingsOf(id))).status).toBe(404);
    expect((await other.patch(settingsOf(id), { timeout_seconds: 3 })).status).toBe(404);
    expect((await team.get(settingsOf(id))).body.timeout_seconds).toBe(15);
  });

  test('are not changed with an outdated ETag', async () => {
    const { id } = await subscribe();
    const { headers } = await team.get(settingsOf(id));
    const etag = { 'If-Match': String(headers.get('etag')) };
    expect((await team.patch(settingsOf(id), { timeout_seconds: 3 }, etag)).status).toBe(200);
    expect((await team.patch(settingsOf(id), { timeout_seconds: 4 }, etag)).status).toBe(412);
  });
});

describe('further headers', () => {
  test('are sent with every request; their values are never shown, and are sealed in the database', async () => {
    const { id } = await subscribe();
    await nextCall();
    const body = await change(id, {
      headers: { Authorization: 'Bearer of-the-partner', 'X-Tenant': 'north' },
    });
    expect(body.header_names).toEqual(['authorization', 'x-tenant']);
    expect(JSON.stringify(body)).not.toContain('of-the-partner');
    expect((await nextCall()).headers).toMatchObject({
      authorization: 'Bearer of-the-partner',
      'x-tenant': 'north',
      'content-type': 'application/json',
    });
    const rows = await api.db.look<{ row: string }>(
      (sql) => sql`
        select p::text as row from webhook_delivery_settings p where subscription_id = ${id}`,
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]?.row).not.toContain('of-the-partner');
  });

  test('are replaced as a whole, retained by a body without them, and removed by null', async () => {
    const { id } = await subscribe();
    const first = await change(id, { headers: { 'x-one': '1', 'x-two': '2' } });
    const second = await change(id, { headers: { 'x-two': 'other' } });
    expect(second.header_names).toEqual(['x-two']);
    expect(await change(id, { ...second, timeout_seconds: 9 })).toMatchObject({
      header_names: ['x-two'],
      headers_changed_at: second.headers_changed_at,
      timeout_seconds: 9,
    });
    expect(first.headers_changed_at).toBeDefined();
    const call = await nextCall();
    expect(call.headers).toMatchObject({ 'x-two': 'other' });
    expect(call.headers).not.toHaveProperty('x-one');
    expect((await change(id, { headers: null })).header_names).toEqual([]);
    expect((await nextCall()).headers).not.toHaveProperty('x-two');
  });

  test.each([
    'webhook-id',
    'Webhook-Signature',
    'host',
    'Content-Type',
    'content-encoding',
    'connection',
    'transfer-encoding',
    'user-agent',
    'Accept-Encoding',
    'proxy-authorization',
  ])('cannot stand in for %s', async (name) => {
    const { id } = await subscribe();
    const reply = await team.patch(settingsOf(id), { headers: { [name]: 'x' } });
    expect(reply.status).toBe(422);
    expect(reply.body.errors).toMatchObject([
      {
        code: 'validation_failed',
        meta: { pointer: `/headers/${name}`, rule: 'reserved_header' },
      },
    ]);
  });

  test.each([
    ['a name with a space', { 'x one': '1' }],
    ['a value with a line break', { 'x-one': 'a\r\nx-two: b' }],
    ['a value outside of ASCII', { 'x-one': 'ü' }],
    ['an empty value', { 'x-one': '' }],
    ['the same name twice', { 'X-One': '1', 'x-one': '2' }],
    ['more than fits', { 'x-one': 'a'.repeat(4_000), 'x-two': 'a'.repeat(4_000) }],
  ])('are refused with %s', async (_, headers) => {
    const { id } = await subscribe();
    const reply = await team.patch(settingsOf(id), { headers });
    expect([reply.status, reply.body.errors?.[0]?.code]).toEqual([422, 'validation_failed']);
  });

  test('add a line to the audit trail with names of fields and no value', async () => {
    const { id } = await subscribe();
    await change(id, { headers: { 'x-secret': 'first' } });
    await change(id, { headers: { 'x-secret': 'second' } });
    const lines = await api.db.look<{ changed_fields: string[] }>(
      (sql) => sql`
        select changed_fields from audit_events
        where resource_id = ${id} and action = 'webhook_subscription.delivery_settings_updated'
        order by occurred_at`,
    );
    expect(lines.map(({ changed_fields }) => changed_fields)).toEqual([
      ['header_names', 'headers_changed_at'],
      ['headers_changed_at'],
    ]);
  });
});

describe('asymmetric signing', () => {
  test('adds a signature that the public key verifies to the signature of the secret', async () => {
    const { id, secret } = await subscribe();
    const { public_key } = await change(id, { asymmetric_signing: true });
    expect(public_key).toMatch(/^whpk_[A-Za-z0-9+/]{43}=$/);
    const call = await nextCall();
    expect(signaturesOf(call).map((signature) => signature.split(',')[0])).toEqual(['v1', 'v1a']);
    expect(isSignedBy(public_key, call)).toBe(true);
    expect(isSignedBy(public_key, { ...call, body: `${call.body} ` })).toBe(false);
    expect(() => new Webhook(secret).verify(call.body, plain(call.headers))).not.toThrow();
  });

  test('uses another key pair after it is disabled and enabled again', async () => {
    const { id } = await subscribe();
    const first = await change(id, { asymmetric_signing: true });
    const off = await change(id, { asymmetric_signing: false });
    expect(off).not.toHaveProperty('public_key');
    expect(signaturesOf(await nextCall())).toHaveLength(1);
    const second = await change(id, { asymmetric_signing: true });
    const call = await nextCall();
    expect([first, second].map(({ public_key }) => isSignedBy(public_key, call))).toEqual([
      false,
      true,
    ]);
  });
});

test('a receiver has the timeout of its settings to answer', async () => {
  const { id } = await subscribe();
  await change(id, { timeout_seconds: 1 });
  receiver.answer(() => 'hang');
  await nextCall();
  const [delivery] = await eventually(
    async () => (await team.get(`${path}/${id}/deliveries`)).body.data,
    ([first]) => first?.status === 'retrying',
  );
  expect(delivery).toMatchObject({ error_code: 'timeout', attempt_count: 1 });
  const attempts = await team.get(`${path}/${id}/deliveries/${String(delivery.id)}/attempts`);
  // The default of the service would be fifteen.
  expect(attempts.body.data[0].duration_ms).toBeLessThan(10_000);
});
