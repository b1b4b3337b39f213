import { createPrivateKey, randomUUID, sign } from 'node:crypto';
import { Type } from 'typebox';
import type { Static } from 'typebox';
import { OneOf, Text } from '../../platform/schema/fields.ts';
import { contentId } from '../content-id.ts';
import { correlation, correlationIn } from '../correlation.ts';
import { isMachineAgent } from '../../engagement/engagement-events/rules.ts';
import { UnixSeconds, fromUnix } from '../moments.ts';
import { at, given, isRecord, numberAt, renamedTexts, textAt, textsAt } from '../read-json.ts';
import { receiver } from '../receiver.ts';
import type { NativeItem, Projection } from '../receiver.ts';
import { relaySample } from '../relay-sample.ts';
import { emailBRules } from '../report-rules/email-b.ts';
import { bounceOf, reportedOf } from '../report-rules/projected.ts';
import { outcomeOf } from '../report-rules/report-rule.ts';
import { replyOf } from '../report-rules/smtp-reply.ts';
import {
  ecdsaP256Timestamped,
  signedBytes,
  verifyKeyPair,
} from '../signatures/key-pair-timestamped.ts';

const events = [
  'processed',
  'deferred',
  'delivered',
  'dropped',
  'bounce',
  'blocked',
  'open',
  'click',
  'spamreport',
  'unsubscribe',
  'group_unsubscribe',
  'group_resubscribe',
] as const;

const text = (description?: string) =>
  Type.Optional(Type.String({ ...(description && { description }) }));

const Payload = Type.Object(
  {
    kind: Type.Literal('email_b'),
    event: OneOf(events),
    recipient: Type.String(),
    timestamp: UnixSeconds(),
    email_b_event_id: Type.Optional(
      Text(255, 'An event without one is known by the digest of its content'),
    ),
    message_id: text('Links the event to a message that was sent'),
    smtp_id: text(),
    bounce_type: Type.Optional(OneOf(['bounce', 'blocked', 'expired'])),
    bounce_classification: text(),
    reason: text(),
    status: text('RFC 3463, x.y.z'),
    response: text(),
    attempt: Type.Optional(Type.Integer({ minimum: 0 })),
    url: text(),
    user_agent: text(),
    ip: text(),
    unsubscribe_group_id: Type.Optional(Type.Integer()),
    is_machine_open: Type.Optional(Type.Boolean()),
    categories: Type.Optional(Type.Array(Type.String())),
    ...correlation,
  },
  { title: 'email_b' },
);
type Payload = Readonly<Static<typeof Payload>>;

const maxIdLength = 255;

/** A non-negative integer. A value of another form is left out, since it only describes the event. */
function wholeAt(json: unknown, name: string): number | undefined {
  const value = Math.floor(numberAt(json, name) ?? -1);
  return Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

function readEvent(json: unknown): NativeItem {
  const id = textAt(json, 'sg_event_id');
  const name = textAt(json, 'event');
  const type = textAt(json, 'type');
  const event = name === 'bounce' && type === 'blocked' ? 'blocked' : name;
  if (event === undefined || !events.some((known) => known === event)) {
    return { unrecognized: 'The element is no event that we know.' };
  }
  const categories = textsAt(json, 'category');
  return {
    payload: given({
      kind: 'email_b',
      event,
      timestamp: wholeAt(json, 'timestamp'),
      message_id: textAt(json, 'sg_message_id') ?? textAt(json, 'smtp-id'),
      email_b_event_id: id !== undefined && id.length > maxIdLength ? contentId(id) : id,
      ...renamedTexts(json, {
        recipient: 'email',
        smtp_id: 'smtp-id',
        bounce_classification: 'bounce_classification',
        reason: 'reason',
        status: 'status',
        response: 'response',
        url: 'url',
        user_agent: 'useragent',
        ip: 'ip',
      }),
      is_machine_open: at(json, 'sg_machine_open') === true || undefined,
      bounce_type: ['bounce', 'blocked', 'expired'].find((known) => known === type),
      attempt: wholeAt(json, 'attempt'),
      unsubscribe_group_id: wholeAt(json, 'asm_group_id'),
      categories: categories.length > 0 ? categories : undefined,
      ...correlationIn(json),
    }),
  };
}

function project(payload: Payload): Projection | undefined {
  const { event, user_agent: userAgent, recipient, status: code, reason: diagnostic } = payload;
  const outcome = outcomeOf(emailBRules, {
    event,
    bounce_type: payload.bounce_type,
    classification: payload.bounce_classification,
    reply: replyOf({ status: code, text: diagnostic ?? payload.response }),
    reason: diagnostic,
  });
  if (outcome.kind === undefined) return undefined;
  const isRead = event === 'open' || event === 'click';
  return {
    kind: outcome.kind,
    channel: 'email',
    occurredAt: fromUnix(payload.timestamp),
    isMachine: payload.is_machine_open === true || (isRead && isMachineAgent(userAgent)),
    recipient,
    ...(payload.url !== undefined && { url: payload.url }),
    ...(userAgent !== undefined && { userAgent }),
    ...(payload.ip !== undefined && { ip: payload.ip }),
    ...bounceOf(outcome, { code, diagnostic }),
    recipients: [reportedOf(outcome, recipient)],
  };
}

/** Whether an element has the native form; the normalized form has other fields for the recipient. */
function isElement(one: unknown): boolean {
  if (at(one, 'sg_event_id') !== undefined) return true;
  const isNamed = textAt(one, 'email') !== undefined && textAt(one, 'event') !== undefined;
  return isNamed && at(one, 'kind') !== 'email_b';
}

/** E-mail events of the SendGrid family: an array, signed as a whole. */
export const emailB = receiver({
  kind: 'email_b',
  operationId: 'receiveEmailB',
  summary: 'Receive e-mail events as a list',
  scheme: 'ecdsa_p256_timestamped',
  authenticationHeaders: [
    ecdsaP256Timestamped.signatureHeader,
    ecdsaP256Timestamped.timestampHeader,
  ],
  settings: Type.Object({
    public_key: Type.Optional(Text(512, 'P-256, base64 SPKI, as the provider shows it')),
    max_age_seconds: Type.Optional(Type.Integer({ minimum: 60, maximum: 604_800 })),
  }),
  secretSettings: [],
  requiredSettings: ['public_key'],
  defaultDedupWindowSeconds: 86_400,
  defaultMaxAgeSeconds: ecdsaP256Timestamped.defaultMaxAgeSeconds,
  mediaTypes: ['application/json'],
  bodyLimitBytes: 1_048_576,
  payload: Payload,
  takesMany: true,
  isNative: ({ json }) =>
    Array.isArray(json) &&
    (json.length === 0 || json.some((one) => isRecord(one) && isElement(one))),
  async verify(callback, settings) {
    return verifyKeyPair(ecdsaP256Timestamped, callback, settings);
  },
  read: ({ json }) => (Array.isArray(json) ? json.map(readEvent) : []),
  dedupKey: (payload) => payload.email_b_event_id ?? contentId(payload),
  providerEventId: ({ email_b_event_id }) => email_b_event_id,
  // The response to a send request has only the part before the name of the server.
  providerMessageId: ({ message_id }) =>
    message_id?.replace(/\.(?:filter|recv).*$/s, '') || undefined,
  eventType: ({ event }) => event,
  project,
  sampleEvents: ['delivered', ...events.filter((event) => event !== 'delivered')],
  async sample(event, { settings, nowMs }) {
    const timestamp = String(Math.floor(nowMs / 1_000));
    const isBounce = event === 'bounce' || event === 'blocked';
    const isRead = event === 'open' || event === 'click';
    const element = {
      email: 'ada@example.com',
      timestamp: Number(timestamp),
      event: isBounce ? 'bounce' : event,
      sg_event_id: randomUUID(),
      sg_message_id: `sample-${timestamp}.filter0001.1.0`,
      'smtp-id': `<sample-${timestamp}@example.com>`,
      category: ['welcome'],
      ...(isBounce && { type: event, status: '5.1.1', reason: '550 5.1.1 user unknown' }),
      ...(isRead && { useragent: 'Mozilla/5.0 (X11; Linux x86_64)', ip: '198.51.100.7' }),
      ...(event === 'click' && { url: 'https://example.com/start' }),
      ...(event === 'open' && { sg_machine_open: false }),
      ...correlationIn(settings),
    };
    // The provider ends its body with CRLF, and signs that, too.
    const body = `[${JSON.stringify(element)}]\r\n`;
    const privateKey = textAt(settings, 'private_key');
    if (privateKey === undefined) {
      return relaySample([readEvent(element)], settings, nowMs);
    }
    const content = signedBytes(ecdsaP256Timestamped, timestamp, body);
    return {
      headers: {
        'content-type': 'application/json',
        [ecdsaP256Timestamped.signatureHeader]: sign(
          'sha256',
          content,
          createPrivateKey(privateKey),
        ).toString('base64'),
        [ecdsaP256Timestamped.timestampHeader]: timestamp,
      },
      body,
    };
  },
});
