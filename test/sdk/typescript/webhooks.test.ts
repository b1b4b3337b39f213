import { generateKeyPairSync, sign } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { Onward, isCode, isThin, verifyWebhook } from '../../../sdk/typescript/src/index.ts';
import {
  createEvent,
  createFakeFetch,
  failWith,
  signWebhook,
  testSecret,
} from '../../../sdk/typescript/src/testing.ts';

const secretOf = (byte: number) => `whsec_${Buffer.alloc(32, byte).toString('base64')}`;
const [oldSecret, newSecret, wrongSecret] = [secretOf(1), secretOf(2), secretOf(3)];
const event = createEvent('cohort.member_added', {
  id: 'c3',
  type: 'cohort_member',
  team_id: 't1',
  cohort_id: 'c1',
  contact_id: 'c2',
  joined_at: '2026-01-31T09:30:00.000Z',
});
const invalid = (verdict: Promise<unknown>) =>
  verdict.then(
    () => 'valid',
    (error: unknown) => (isCode(error, 'webhook_invalid') ? error.message : error),
  );

test('a webhook signed with the secret is its event', async () => {
  const { body, headers } = await signWebhook(event);
  expect(await verifyWebhook(body, headers, testSecret)).toEqual(event);
  expect(await verifyWebhook(Buffer.from(body), new Headers(headers), [testSecret])).toEqual(event);
});

test('a wrong secret, another body and another id are refused', async () => {
  const { body, headers } = await signWebhook(event, oldSecret);
  expect(await invalid(verifyWebhook(body, headers, wrongSecret))).toMatch(/No signature/);
  expect(await invalid(verifyWebhook(`${body} `, headers, oldSecret))).toMatch(/No signature/);
  const other = { ...headers, 'webhook-id': 'another' };
  expect(await invalid(verifyWebhook(body, other, oldSecret))).toMatch(/No signature/);
  const unsigned = { ...headers, 'webhook-signature': '' };
  expect(await invalid(verifyWebhook(body, unsigned, oldSecret))).toMatch(/webhook-signature/);
  expect(await invalid(verifyWebhook(body, headers, 'whsec_?'))).toMatch(/whsec_/);
});

test('during a rotation the old and the new secret are good, and afterward only the new one', async () => {
  const rotating = await signWebhook(event, [newSecret, oldSecret]);
  expect(await verifyWebhook(rotating.body, rotating.headers, oldSecret)).toEqual(event);
  expect(await verifyWebhook(rotating.body, rotating.headers, newSecret)).toEqual(event);
  const rotated = await signWebhook(event, newSecret);
  expect(await verifyWebhook(rotated.body, rotated.headers, [oldSecret, newSecret])).toEqual(event);
  expect(await invalid(verifyWebhook(rotated.body, rotated.headers, oldSecret))).toMatch(
    /No signature/,
  );
});

test('an attempt of another time is refused, within the tolerance of the caller', async () => {
  const nowMs = Date.now();
  for (const awayMs of [-301_000, 302_000]) {
    const { body, headers } = await signWebhook(event, oldSecret, { nowMs: nowMs + awayMs });
    expect(await invalid(verifyWebhook(body, headers, oldSecret))).toMatch(/300 seconds/);
    const patient = { toleranceSeconds: 600 };
    expect(await verifyWebhook(body, headers, oldSecret, patient)).toEqual(event);
  }
});

test('another library verifies what we sign, and we verify what it signs', async () => {
  const { body, headers } = await signWebhook(event, oldSecret);
  expect(new Webhook(oldSecret).verify(body, headers)).toEqual(event);
  expect(() => new Webhook(wrongSecret).verify(body, headers)).toThrow();
  const at = new Date();
  const theirs = {
    'Webhook-Id': event.id,
    'Webhook-Timestamp': String(Math.floor(at.getTime() / 1_000)),
    'Webhook-Signature': new Webhook(oldSecret).sign(event.id, at, body),
  };
  expect(await verifyWebhook(body, theirs, oldSecret)).toEqual(event);
});

test('a signature v1a is verified with the public key', async () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const raw = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32);
  const { body, headers } = await signWebhook(event, oldSecret);
  const signed = `${event.id}.${headers['webhook-timestamp'] ?? ''}.${body}`;
  const signature = `v1a,${sign(null, Buffer.from(signed), privateKey).toString('base64')}`;
  const key = `whpk_${raw.toString('base64')}`;
  const own = {
    ...headers,
    'webhook-signature': `${headers['webhook-signature'] ?? ''} ${signature}`,
  };
  expect(await verifyWebhook(body, own, key)).toEqual(event);
  expect(await invalid(verifyWebhook(body, headers, key))).toMatch(/No signature/);
});

test('the type of an event determines the type of its data, which may be thin', async () => {
  const { body, headers } = await signWebhook(event);
  const found = await verifyWebhook(body, headers, testSecret);
  const cohortId =
    found.type === 'cohort.member_added' && !isThin(found.data) && found.data.cohort_id;
  expect(cohortId).toBe('c1');
  const thin = { ...event, data: { id: 'c1', type: 'cohort_member', truncated: true } } as const;
  const sent = await signWebhook(thin);
  const { data } = await verifyWebhook(sent.body, sent.headers, testSecret);
  expect(isThin(data)).toBe(true);
});

const clientOf = (fake: ReturnType<typeof createFakeFetch>, maxRetries?: number) =>
  new Onward({
    baseUrl: 'https://api.example.com/',
    ...{ clientId: 'id', clientSecret: 'secret', fetch: fake.fetch },
    ...(maxRetries !== undefined && { maxRetries }),
  });

test('a fake service answers without a network, and shows what it received', async () => {
  const fake = createFakeFetch(({ method }) =>
    method === 'POST' ? { id: 'c1', first_name: 'Ada' } : undefined,
  );
  const onward = clientOf(fake);
  expect(await onward.contacts.create({ first_name: 'Ada' })).toMatchObject({ id: 'c1' });
  expect(fake.requests).toMatchObject([
    { method: 'POST', path: '/v2/partner/contacts', body: '{"first_name":"Ada"}' },
  ]);
  await expect(onward.contacts.get('c2')).rejects.toMatchObject({ code: 'not_found' });
  await expect(onward.contacts.get('')).rejects.toThrow('id is missing');
});

test('what a second try could repeat is sent once, and an answer of a proxy is an error', async () => {
  const fake = createFakeFetch(() => new Response('<h1>Bad gateway</h1>', { status: 502 }));
  const events = clientOf(fake)
    .recipients.recordEvents('j1', { events: [] })
    .catch((error: unknown) => error);
  expect(await events).toMatchObject({ code: 'unexpected_answer', status: 502 });
  expect(fake.requests).toHaveLength(1);
  const html = createFakeFetch(() => new Response('<h1>Hello</h1>'));
  await expect(clientOf(html).team.get()).rejects.toMatchObject({ code: 'unexpected_answer' });
});

test('a pause longer than a minute is left to the caller', async () => {
  const fake = createFakeFetch(() => failWith('rate_limited', 429, { 'retry-after': '120' }));
  await expect(clientOf(fake).team.get()).rejects.toMatchObject({ code: 'rate_limited' });
  expect(fake.requests).toHaveLength(1);
});
