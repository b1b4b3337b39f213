import { createPrivateKey, randomUUID, sign } from 'node:crypto';
import { Type } from 'typebox';
import type { Static } from 'typebox';
import { OneOf, Text, Timestamp } from '../../platform/schema/fields.ts';
import type { EngagementKind } from '../../engagement/engagement-events/engagement-event.ts';
import { correlation, correlationIn } from '../correlation.ts';
import { contentId, givenId } from '../content-id.ts';
import { at, given, numberAt, textAt, textsAt } from '../read-json.ts';
import { receiver } from '../receiver.ts';
import type { NativeItem, Projection } from '../receiver.ts';
import { relaySample } from '../relay-sample.ts';
import {
  ed25519Timestamped,
  signedBytes,
  verifyKeyPair,
} from '../signatures/key-pair-timestamped.ts';
import { verifySignedJwt } from '../signatures/signed-jwt.ts';
import { consentFields, keywordSettings, projectReply } from '../sms-keywords.ts';
import type { KeywordSettings } from '../sms-keywords.ts';
import {
  isSignedJwtEvent,
  readSignedJwtEvent,
  sampleSignedJwt,
  signedJwtEvents,
} from './sms-b-signed-jwt.ts';

const statuses = [
  'queued',
  'sending',
  'sent',
  'delivered',
  'sending_failed',
  'delivery_failed',
  'delivery_unconfirmed',
  'expired',
  'received',
] as const;
type Status = (typeof statuses)[number];

const text = () => Type.Optional(Type.String());

const Payload = Type.Object(
  {
    kind: Type.Literal('sms_b'),
    event_type: OneOf(['message_sent', 'message_finalized', 'message_received']),
    status: OneOf(statuses),
    sms_b_event_id: Type.String(),
    sms_b_message_id: Type.String(),
    occurred_at: Timestamp(),
    to: Type.String(),
    from: text(),
    text: text(),
    parts: Type.Optional(Type.Integer()),
    carrier: text(),
    error_code: text(),
    error_detail: text(),
    attempt: Type.Optional(Type.Integer()),
    opt_out: Type.Optional(Type.Boolean()),
    opt_in: Type.Optional(Type.Boolean()),
    ...correlation,
  },
  { title: 'sms_b' },
);
type Payload = Readonly<Static<typeof Payload>>;

/** `name:value` among the tags of a message. */
function correlationInTags(tags: readonly string[]): Record<string, string> {
  const pairs = tags.map((tag): [string, string] => {
    const end = tag.indexOf(':');
    return [tag.slice(0, end), tag.slice(end + 1)];
  });
  return correlationIn(Object.fromEntries(pairs));
}

function readEvent(json: unknown, settings: KeywordSettings): NativeItem {
  const type = textAt(json, 'data', 'event_type');
  const payload = at(json, 'data', 'payload');
  if (type !== undefined && !type.startsWith('message.')) {
    return { ignored: 'The event is not of a message.' };
  }
  const isReply = type === 'message.received';
  const words = textAt(payload, 'text');
  const errorCode = textAt(payload, 'errors', 0, 'code') ?? numberAt(payload, 'errors', 0, 'code');
  if (type === undefined || payload === undefined) {
    return { unrecognized: 'The body is no event of a message.' };
  }
  return {
    payload: given({
      kind: 'sms_b',
      event_type: type.replace('.', '_'),
      status: isReply ? 'received' : textAt(payload, 'to', 0, 'status'),
      // These only link the event and find its duplicates: it counts without them as well.
      sms_b_event_id: textAt(json, 'data', 'id') ?? contentId(at(json, 'data')),
      sms_b_message_id: textAt(payload, 'id') ?? '',
      occurred_at: textAt(json, 'data', 'occurred_at'),
      to: textAt(payload, 'to', 0, 'phone_number'),
      from: textAt(payload, 'from', 'phone_number'),
      text: isReply ? words : undefined,
      parts: numberAt(payload, 'parts'),
      carrier: textAt(payload, isReply ? 'from' : 'to', ...(isReply ? [] : [0]), 'carrier'),
      error_code: errorCode?.toString(),
      error_detail: textAt(payload, 'errors', 0, 'detail') ?? textAt(payload, 'errors', 0, 'title'),
      attempt: numberAt(json, 'meta', 'attempt'),
      ...(isReply && consentFields(words, settings)),
      ...correlationInTags(textsAt(payload, 'tags')),
    }),
  };
}

const kinds: Readonly<Record<Status, EngagementKind>> = {
  queued: 'message.queued',
  sending: 'message.sent',
  sent: 'message.sent',
  delivered: 'message.delivered',
  delivery_unconfirmed: 'message.delayed',
  delivery_failed: 'message.bounced',
  expired: 'message.bounced',
  sending_failed: 'message.failed',
  received: 'contact.replied',
};

function project(payload: Payload): Projection {
  const { status, error_code: code, error_detail: diagnostic } = payload;
  const recipient = status === 'received' ? payload.from : payload.to;
  return {
    kind: kinds[status],
    channel: 'sms',
    occurredAt: payload.occurred_at,
    isMachine: false,
    ...(recipient !== undefined && { recipient }),
    ...(kinds[status] === 'message.bounced' && {
      bounce: {
        class: code === '40001' ? 'hard' : 'soft',
        ...(code !== undefined && { code }),
        ...(diagnostic !== undefined && { diagnostic }),
      },
    }),
    ...(status === 'received' && projectReply(payload)),
  };
}

const isSignedJwt = ({ profile }: { readonly profile?: string }) => profile === 'vonage_jwt';

/** SMS statuses and replies of the Telnyx family, and by a profile of the Vonage family. */
export const smsB = receiver({
  kind: 'sms_b',
  operationId: 'receiveSmsB',
  summary: 'Receive an event of an SMS, or a reply',
  scheme: 'ed25519_timestamped',
  authenticationHeaders: [ed25519Timestamped.signatureHeader, ed25519Timestamped.timestampHeader],
  settings: Type.Object({
    profile: Type.Optional(OneOf(['telnyx', 'vonage_jwt'], 'Whose callbacks; telnyx if absent')),
    public_key: Type.Optional(Text(128, 'Ed25519, base64 of 32 bytes, as the provider shows it')),
    signature_secret: Type.Optional(Text(512, 'For the profile vonage_jwt')),
    max_age_seconds: Type.Optional(Type.Integer({ minimum: 60, maximum: 86_400 })),
    ...keywordSettings,
  }),
  secretSettings: ['signature_secret'],
  requiredSettings: ['public_key'],
  profiles: { vonage_jwt: { scheme: 'signed_jwt', requiredSettings: ['signature_secret'] } },
  defaultDedupWindowSeconds: 86_400,
  defaultMaxAgeSeconds: ed25519Timestamped.defaultMaxAgeSeconds,
  mediaTypes: ['application/json'],
  bodyLimitBytes: 262_144,
  payload: Payload,
  isNative: (callback) =>
    at(callback.json, 'data', 'record_type') === 'event' || isSignedJwtEvent(callback),
  async verify(callback, settings) {
    if (isSignedJwt(settings)) return verifySignedJwt(callback, settings);
    return verifyKeyPair(ed25519Timestamped, callback, settings);
  },
  read: (callback, settings) => [
    isSignedJwt(settings)
      ? readSignedJwtEvent(callback, settings)
      : readEvent(callback.json, settings),
  ],
  complete: (payload, settings) =>
    payload.status === 'received'
      ? {
          ...payload,
          ...consentFields(payload.text, settings, {
            optOut: payload.opt_out,
            optIn: payload.opt_in,
          }),
        }
      : payload,
  dedupKey: ({ sms_b_event_id }) => sms_b_event_id,
  providerEventId: ({ sms_b_event_id }) => givenId(sms_b_event_id),
  providerMessageId: ({ sms_b_message_id }) => sms_b_message_id || undefined,
  eventType: ({ event_type }) => event_type,
  project,
  sampleEvents: ['delivered', ...statuses.filter((status) => status !== 'delivered')],
  async sample(event, { settings, nowMs }) {
    if (isSignedJwt(settings) && signedJwtEvents.includes(event)) {
      return sampleSignedJwt(event, settings, nowMs);
    }
    const timestamp = String(Math.floor(nowMs / 1_000));
    const isReply = event === 'received';
    const isOnItsWay = ['queued', 'sending', 'sent'].includes(event);
    const contact = '+14155550100';
    const ours = '+14155550199';
    const hasFailed = event.endsWith('failed');
    const native = {
      data: {
        record_type: 'event',
        id: randomUUID(),
        event_type: isReply ? 'message.received' : `message.${isOnItsWay ? 'sent' : 'finalized'}`,
        occurred_at: new Date(nowMs).toISOString(),
        payload: {
          record_type: 'message',
          direction: isReply ? 'inbound' : 'outbound',
          id: randomUUID(),
          type: 'SMS',
          from: {
            phone_number: isReply ? contact : ours,
            carrier: 'Sample',
            line_type: 'Wireless',
          },
          to: [{ phone_number: isReply ? ours : contact, status: event, carrier: 'Sample' }],
          text: isReply ? 'STOP' : 'Welcome',
          parts: 1,
          tags: Object.entries(correlationIn(settings)).map(([name, id]) => `${name}:${id}`),
          errors: hasFailed ? [{ code: '40001', title: 'Not routable' }] : [],
        },
      },
      meta: { attempt: 1 },
    };
    const body = JSON.stringify(native);
    const privateKey = textAt(settings, 'private_key');
    if (privateKey === undefined)
      return relaySample([readEvent(native, settings)], settings, nowMs);
    const content = signedBytes(ed25519Timestamped, timestamp, body);
    return {
      headers: {
        'content-type': 'application/json',
        [ed25519Timestamped.signatureHeader]: sign(
          null,
          content,
          createPrivateKey(privateKey),
        ).toString('base64'),
        [ed25519Timestamped.timestampHeader]: timestamp,
      },
      body,
    };
  },
});
