import { describe, expect, test } from '@jest/globals';
import { Compile } from 'typebox/compile';
import { createSampleKeys } from '../sample-keys.ts';
import { receivers } from '../../../src/inbound/receivers.ts';
import { receiverKinds } from '../../../src/inbound/receiver.ts';
import type { ReceiverKind } from '../../../src/inbound/receiver.ts';
import { verifyStandardWebhook } from '../../../src/inbound/signatures/standard-webhooks.ts';
import { newSigningSecret } from '../../../src/webhooks/webhook-subscriptions/secrets.ts';
import { account, busToken, busTools } from '../a-bus.ts';
import { callbackOf, nowMs, receiveUrl } from '../a-callback.ts';
import { leaf, toolsWith, topicArn, topicSigning } from '../a-topic.ts';

const relaySecret = newSigningSecret();
const ids = {
  do_message_id: '0b1e7c9a-5a1d-4a55-9d52-0d6b6a4b1a01',
  do_contact_id: '0b1e7c9a-5a1d-4a55-9d52-0d6b6a4b1a02',
  do_journey_id: '0b1e7c9a-5a1d-4a55-9d52-0d6b6a4b1a03',
};

/** The settings of the receiver, and the signing keys of its provider. */
async function keysOf(kind: ReceiverKind) {
  const made = createSampleKeys(kind);
  const topic = { verification: { topic_arns: [topicArn] }, signing: topicSigning };
  const own: Partial<Record<ReceiverKind, { verification: object; signing: object }>> = {
    email_a: topic,
    file_transfer_a: topic,
    push_a: {
      verification: { service_account_email: account },
      signing: { bus_token: await busToken() },
    },
    push_b: {
      verification: { receiver_tokens: ['dors_secret'] },
      signing: { receiver_tokens: ['dors_secret'] },
    },
    generic_hmac: {
      verification: { relay_secrets: [relaySecret] },
      signing: { relay_secrets: [relaySecret] },
    },
  };
  const { verification, signing } = own[kind] ?? made;
  const tools = { ...toolsWith(leaf()), fetchKeySet: busTools.fetchKeySet };
  return { verification: { ...verification }, signing: { ...signing, ...ids }, tools };
}

/** Domain: provider vocabulary → kind of engagement event; null means none. */
const projected: Record<ReceiverKind, Record<string, string | null>> = {
  email_a: {
    Send: 'message.sent',
    Delivery: 'message.delivered',
    DeliveryDelay: 'message.delayed',
    Open: 'message.opened',
    Click: 'message.clicked',
    Bounce: 'message.bounced',
    Reject: 'message.failed',
    RenderingFailure: 'message.failed',
    Complaint: 'message.complained',
  },
  email_b: {
    processed: 'message.queued',
    delivered: 'message.delivered',
    deferred: 'message.delayed',
    open: 'message.opened',
    click: 'message.clicked',
    bounce: 'message.bounced',
    blocked: 'message.bounced',
    dropped: 'message.failed',
    spamreport: 'message.complained',
    unsubscribe: 'message.unsubscribed',
    group_unsubscribe: 'message.unsubscribed',
    group_resubscribe: null,
  },
  email_c: {
    accepted: 'message.queued',
    delivered: 'message.delivered',
    opened: 'message.opened',
    clicked: 'message.clicked',
    failed: 'message.bounced',
    rejected: 'message.failed',
    complained: 'message.complained',
    unsubscribed: 'message.unsubscribed',
  },
  sms_a: {
    accepted: 'message.queued',
    scheduled: 'message.queued',
    queued: 'message.queued',
    sending: 'message.sent',
    sent: 'message.sent',
    delivered: 'message.delivered',
    undelivered: 'message.bounced',
    failed: 'message.failed',
    canceled: 'message.failed',
    read: 'message.opened',
    received: 'message.unsubscribed',
  },
  sms_b: {
    queued: 'message.queued',
    sending: 'message.sent',
    sent: 'message.sent',
    delivered: 'message.delivered',
    delivery_unconfirmed: 'message.delayed',
    delivery_failed: 'message.bounced',
    expired: 'message.bounced',
    sending_failed: 'message.failed',
    received: 'message.unsubscribed',
  },
  push_a: {
    accepted: 'message.queued',
    sent: 'message.sent',
    delivered: 'message.delivered',
    received: 'message.delivered',
    opened: 'message.opened',
    dismissed: null,
    failed: 'message.failed',
    token_invalid: 'device.invalidated',
  },
  push_b: {
    sent: 'message.sent',
    received: 'message.delivered',
    clicked: 'message.clicked',
    failed: 'message.failed',
    unsubscribed: 'message.unsubscribed',
    token_invalid: 'device.invalidated',
  },
  file_transfer_a: { file_uploaded: null, file_upload_failed: null },
  generic_hmac: {
    'deposit.received': 'custom',
    'email.delivered': 'message.delivered',
    'email.bounced': 'message.bounced',
  },
};

describe.each(receiverKinds)('samples of %s', (kind) => {
  const definition = receivers[kind];
  const schema = Compile(definition.payload);

  test('exist for every event of the projection table', () => {
    expect([...definition.sampleEvents].sort()).toEqual(Object.keys(projected[kind]).sort());
  });

  test.each(Object.entries(projected[kind]))(
    '%s is verified, parsed into its published schema, and projected as %s',
    async (event, meaning) => {
      const { verification, signing, tools } = await keysOf(kind);
      const context = { url: receiveUrl, settings: signing, nowMs };
      const callback = callbackOf(await definition.sample(event, context));
      expect(await definition.verify(callback, verification, tools)).toMatchObject({
        status: 'valid',
      });
      const isNormalised = kind === 'generic_hmac';
      expect(definition.isNative(callback)).toBe(!isNormalised);
      const items = isNormalised
        ? [{ payload: callback.json as Record<string, unknown> }]
        : definition.read(callback, verification);
      expect(items).toHaveLength(1);
      const payload = (items[0] as any).payload;
      expect([...schema.Errors(payload)]).toEqual([]);
      expect(payload.kind).toBe(kind);
      if (kind !== 'generic_hmac' && kind !== 'file_transfer_a') expect(payload).toMatchObject(ids);
      expect(definition.dedupKey(payload)).toBeTruthy();
      expect(definition.eventType(payload)).toBeTruthy();
      expect(definition.project(payload)?.kind ?? null).toBe(meaning);
    },
  );

  test.each(Object.keys(projected[kind]))(
    '%s is normalized and signed by a relay if only the provider can have its key',
    async (event) => {
      const settings = { relay_secrets: [relaySecret] };
      const callback = callbackOf(
        await definition.sample(event, { url: receiveUrl, settings, nowMs }),
      );
      expect(definition.isNative(callback)).toBe(false);
      expect(verifyStandardWebhook(callback, [relaySecret])).toEqual({ status: 'valid' });
      expect([...schema.Errors(callback.json)]).toEqual([]);
    },
  );
});
