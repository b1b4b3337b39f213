import { createHash, randomInt, randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import { useTestApi } from '../support/use-test-api.ts';
import type { TestTeam } from '../support/api.ts';
import { readSignedJwtEvent } from '../../src/inbound/providers/sms-b-signed-jwt.ts';
import { callbackOf } from './a-callback.ts';
import { aReceiver, codeOf } from './a-receiver.ts';

// Ids of a provider only link an event and find its duplicates: its effects need the address alone.

const api = useTestApi();
let team: TestTeam;
let phone: string;
let contactId: string;
beforeAll(async () => {
  team = await api.newTeam();
  phone = `+1415${String(randomInt(2_000_000, 9_999_999))}`;
  const made = await team.post('/v2/partner/contacts', {
    ...{ unique_id: randomUUID(), phone },
    consents: { sms: { status: 'subscribed', source: 'test' } },
  });
  contactId = String(made.body.id);
});

const now = () => new Date().toISOString();
test('a reply to sms_b without ids revokes the consent, once', async () => {
  const receiver = await aReceiver(api, team, {
    ...{ receiver_kind: 'sms_b', verification: {}, signature_required: false },
  });
  const payload = {
    ...{ text: 'STOP', from: { phone_number: phone }, to: [{ phone_number: '+14155550199' }] },
  };
  const data = { event_type: 'message.received', occurred_at: now(), payload };
  const body = { data: { record_type: 'event', ...data } };
  const post = async () => codeOf(await api.call('POST', receiver.path, { body }));
  expect(await post()).toBe('200 accepted');
  expect(await post()).toBe('200 duplicate');
  const { body: contact } = await team.get(`/v2/partner/contacts/${contactId}`);
  expect(contact.consents.sms.status).toBe('unsubscribed');
  const [delivery] = (await receiver.deliveries()).data;
  expect(delivery).not.toHaveProperty('provider_event_id');
  expect(delivery).not.toHaveProperty('provider_message_id');
});

test('a reply to sms_b of the profile vonage_jwt needs no id', () => {
  const json = { channel: 'sms', message_type: 'text', text: 'STOP', timestamp: now() };
  const callback = callbackOf({ headers: {}, body: JSON.stringify(json) }, { receivedAtMs: 0 });
  const event = { opt_out: true, sms_b_message_id: '', sms_b_event_id: expect.any(String) };
  expect(readSignedJwtEvent(callback, {})).toMatchObject({ payload: event });
});

test('a token that push_a reports without the id of a message ends its device', async () => {
  const token = randomUUID();
  const device = await team.post(`/v2/partner/contacts/${contactId}/devices`, {
    ...{ platform: 'android', token },
  });
  expect(device.status).toBe(201);
  const receiver = await aReceiver(api, team, {
    ...{ receiver_kind: 'push_a', verification: {}, signature_required: false },
  });
  const event = {
    event: 'token_invalid',
    device_token_hash: createHash('sha256').update(token).digest('hex'),
  };
  const body = {
    message: {
      data: Buffer.from(JSON.stringify(event)).toString('base64'),
      ...{ messageId: randomUUID(), publishTime: now() },
    },
    subscription: 'projects/p/subscriptions/s',
  };
  expect(codeOf(await api.call('POST', receiver.path, { body }))).toBe('200 accepted');
  const { data } = (await team.get(`/v2/partner/contacts/${contactId}/devices`)).body;
  expect(data).toMatchObject([{ is_active: false }]);
});

test('an event of push_b without ids has its effect, once', async () => {
  const receiver = await aReceiver(api, team, {
    ...{ receiver_kind: 'push_b', verification: {}, signature_required: false },
  });
  const body = {
    event: {
      ...{ kind: 'message.push.unsubscribed', timestamp: Math.floor(Date.now() / 1_000) },
      data: { do_contact_id: contactId },
    },
  };
  const post = async () => codeOf(await api.call('POST', receiver.path, { body }));
  expect(await post()).toBe('200 accepted');
  expect(await post()).toBe('200 duplicate');
  const { body: contact } = await team.get(`/v2/partner/contacts/${contactId}`);
  expect(contact.consents.push.status).toBe('unsubscribed');
});
