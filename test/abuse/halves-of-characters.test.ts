import { createHmac, createPrivateKey, randomBytes, randomUUID, sign } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import {
  ecdsaP256Timestamped,
  signedBytes,
} from '../../src/inbound/signatures/key-pair-timestamped.ts';
import type { TestTeam } from '../support/api.ts';
import { useTestApi } from '../support/use-test-api.ts';
import { aReceiver, anEvent, receiversPath } from '../inbound/a-receiver.ts';
import { createSampleKeys } from '../inbound/sample-keys.ts';

const api = useTestApi();
let team: TestTeam;
beforeAll(async () => {
  team = await api.newTeam();
});

const seconds = () => Math.floor(Date.now() / 1_000);
const json = { 'Content-Type': 'application/json' };

async function aProvider(kind: 'email_b' | 'email_c' | 'generic_hmac', verification: object) {
  const made = await team.post(receiversPath, { receiver_kind: kind, verification });
  expect(made).toMatchObject({ status: 201 });
  const path = new URL(made.body.receive_url).pathname;
  return {
    send: (raw: string, headers: Record<string, string> = {}) =>
      api.call('POST', path, { raw, headers: { ...json, ...headers } }),
    deliveries: async () =>
      (await team.get(`/v2/webhooks/inbound/${String(made.body.id)}/deliveries`)).body.data,
  };
}

/** A provider of the Mailgun family; `json` is the event as it writes it. */
async function emailC() {
  const { verification, signing } = createSampleKeys('email_c');
  const provider = await aProvider('email_c', verification);
  return {
    ...provider,
    event: (event: string) => {
      const timestamp = String(seconds());
      const token = randomBytes(25).toString('hex');
      const signature = createHmac('sha256', signing['signing_key'] ?? '')
        .update(timestamp + token)
        .digest('hex');
      const proof = JSON.stringify({ timestamp, token, signature });
      return provider.send(`{"signature":${proof},"event-data":${event}}`);
    },
  };
}

/** A provider of the SendGrid family. */
async function emailB() {
  const { verification, signing } = createSampleKeys('email_b');
  const provider = await aProvider('email_b', verification);
  return {
    ...provider,
    list: (body: string) => {
      const timestamp = String(seconds());
      const key = createPrivateKey(signing['private_key'] ?? '');
      const content = signedBytes(ecdsaP256Timestamped, timestamp, body);
      return provider.send(body, {
        [ecdsaP256Timestamped.signatureHeader]: sign('sha256', content, key).toString('base64'),
        [ecdsaP256Timestamped.timestampHeader]: timestamp,
      });
    },
  };
}

const mailEvent = (fields: object) => ({
  id: randomUUID(),
  event: 'delivered',
  timestamp: seconds(),
  recipient: 'ada@example.com',
  message: { headers: { 'message-id': randomUUID() } },
  ...fields,
});

describe('an id of a provider', () => {
  // As JSON: the last are lone halves, which only escapes can write.
  test.each([
    ['is cut inside a character', `"${'x'.repeat(254)}😀tail"`],
    ['has 128 characters of two units', `"${'😀'.repeat(128)}"`],
    ['is cut inside a rare ideograph', `"${'x'.repeat(254)}𠮷野家"`],
    ['has the first half of a character', String.raw`"x\ud83d"`],
    ['has the second half of a character', String.raw`"\ude00x"`],
    ['has halves in the wrong order', String.raw`"\ude00\ud83d"`],
    ['has a NUL', String.raw`"x\u0000y"`],
  ])('that %s is accepted, and its repeat is a duplicate', async (_name, id) => {
    const provider = await emailC();
    const event = JSON.stringify(mailEvent({ id: 0 })).replace('"id":0', `"id":${id}`);
    expect(await provider.event(event)).toMatchObject({ status: 200 });
    expect(await provider.event(event)).toMatchObject({ status: 200 });
    const deliveries = await provider.deliveries();
    expect(deliveries).toEqual([
      expect.objectContaining({ status: 'processed', duplicate_count: 1 }),
    ]);
    expect(deliveries[0].provider_event_id.isWellFormed()).toBe(true);
  });

  test('that is cut inside a character leaves the other events of the list', async () => {
    const provider = await emailB();
    const ids = [randomUUID(), `${'x'.repeat(254)}😀`, String.raw`half\ud83d`, randomUUID()];
    const events = ids.map((id) => {
      const event = { email: 'ada@example.com', timestamp: seconds(), event: 'delivered' };
      return `{"sg_event_id":"${id}",${JSON.stringify({ ...event, sg_message_id: randomUUID() }).slice(1)}`;
    });
    expect(await provider.list(`[${events.join(',')}]`)).toMatchObject({ status: 200 });
    const deliveries: { status: string }[] = await provider.deliveries();
    expect(deliveries.filter(({ status }) => status !== 'processed')).toEqual([]);
    expect(deliveries).toHaveLength(4);
  });

  test('that a client’s pointer or a relay names may have 128 characters of two units', async () => {
    const receiver = await aReceiver(api, team);
    const event = { ...anEvent(), event_id: '😀'.repeat(128) };
    expect(await receiver.send(event)).toMatchObject({ status: 200 });
    expect(await receiver.send(event)).toMatchObject({ status: 200 });
    const { data } = await receiver.deliveries();
    expect(data).toEqual([expect.objectContaining({ duplicate_count: 1 })]);
  });
});

describe('an event is recorded although it has', () => {
  const cases: Record<string, object> = {
    'a user agent that is cut inside a character': {
      event: 'opened',
      'client-info': { 'user-agent': `${'M'.repeat(511)}😀x` },
    },
    'a status of a bounce that is cut inside a character': {
      event: 'failed',
      severity: 'permanent',
      'delivery-status': { code: `${'5'.repeat(254)}😀`, 'bounce-type': 'hard' },
    },
    'a reason with half a character': {
      event: 'failed',
      severity: 'permanent',
      reason: '\ud83d',
      'delivery-status': { code: 550, message: 'no such user \ude00', 'bounce-type': 'hard' },
    },
  };
  test.each(Object.keys(cases))('%s', async (name) => {
    const provider = await emailC();
    const recipient = `${randomUUID()}@example.com`;
    const contact = await team.post('/v2/partner/contacts', { email: recipient });
    expect(contact.status).toBe(201);
    const event = JSON.stringify(mailEvent({ recipient, ...cases[name] }));
    expect(await provider.event(event)).toMatchObject({ status: 200 });
    expect(await provider.deliveries()).toEqual([expect.objectContaining({ status: 'processed' })]);
  });
});

test('a copy of a template whose name ends in emoji has whole characters', async () => {
  const name = `${'x'.repeat(112)}😀😀`;
  const made = await team.post('/v2/partner/templates', { name });
  expect(made).toMatchObject({ status: 201 });
  const copy = await team.post(`/v2/partner/templates/${String(made.body.id)}/duplicate`, {});
  expect(copy).toMatchObject({ status: 201, body: { name: `${'x'.repeat(112)} (copy)` } });
});
