import { hash, randomUUID } from 'node:crypto';
import { Type } from 'typebox';
import type { Static } from 'typebox';
import { OneOf, Text, Timestamp } from '../../platform/schema/fields.ts';
import type { EngagementKind } from '../../engagement/engagement-events/engagement-event.ts';
import { correlation, correlationIn } from '../correlation.ts';
import { firstTimestamp } from '../moments.ts';
import { at, given, numberAt, parseInner, recordAt, textAt, textsAt } from '../read-json.ts';
import { isGoneError } from '../push-errors.ts';
import { receiver } from '../receiver.ts';
import type { Callback, NativeItem, Projection, Verification } from '../receiver.ts';
import { asCallback, relaySample } from '../relay-sample.ts';
import { invalid, checkAge } from '../signatures/freshness.ts';
import { verifyOidcBearer } from '../signatures/oidc-bearer.ts';
import { receiverTokenHeader, verifySharedSecret } from '../signatures/shared-secret-bearer.ts';

const events = [
  'accepted',
  'sent',
  'delivered',
  'received',
  'opened',
  'dismissed',
  'failed',
  'token_invalid',
] as const;
type Event = (typeof events)[number];
const platforms = ['ios', 'android', 'web', 'other'] as const;

const text = () => Type.Optional(Type.String());

const Payload = Type.Object(
  {
    kind: Type.Literal('push_a'),
    event: OneOf(events),
    push_a_message_id: Type.String(),
    timestamp: Timestamp(),
    raw_bus_message_id: Type.String(),
    bus_subscription: text(),
    bus_publish_time: Type.Optional(Timestamp()),
    delivery_attempt: Type.Optional(Type.Integer()),
    device_token_hash: Type.Optional(
      Type.String({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256 of the token, hex' }),
    ),
    platform: Type.Optional(OneOf(platforms)),
    app_id: text(),
    error_code: text(),
    error_message: text(),
    ...correlation,
  },
  { title: 'push_a' },
);
type Payload = Readonly<Static<typeof Payload>>;

/** MESSAGE_DELIVERED and the like, in our words. */
function eventOf(
  word: string | undefined,
  errors: readonly (string | undefined)[],
): Event | undefined {
  const name = word?.toLowerCase().replace(/^message_/, '') ?? '';
  if (isGoneError(name) || (name === 'failed' && errors.some(isGoneError))) return 'token_invalid';
  return events.find((event) => event === name);
}

function read(json: unknown): NativeItem {
  const message = at(json, 'message');
  const data = textAt(message, 'data');
  const inner = data === undefined ? undefined : parseInner(Buffer.from(data, 'base64'));
  const attributes = recordAt(message, 'attributes');
  /** Attributes of the bus message stand in for what its data lacks. */
  const field = (...names: readonly string[]) =>
    names.map((name) => textAt(inner, name) ?? textAt(attributes, name)).find(Boolean);
  const publishTime = firstTimestamp(
    textAt(message, 'publishTime'),
    textAt(message, 'publish_time'),
  );
  const bus = {
    raw_bus_message_id: textAt(message, 'messageId') ?? textAt(message, 'message_id'),
    bus_subscription: textAt(json, 'subscription'),
    bus_publish_time: publishTime,
    delivery_attempt: numberAt(json, 'deliveryAttempt'),
  };
  if (textAt(inner, 'kind') === 'push_a') return { payload: given({ ...recordAt(inner), ...bus }) };
  const event = eventOf(field('event'), [field('error_code'), field('error_message')]);
  if (event === undefined) return { unrecognized: 'The message of the bus is no event of a push.' };
  const platform = field('sdk_platform', 'platform')?.toLowerCase();
  const token = field('instance_id', 'device_token', 'token');
  return {
    payload: given({
      kind: 'push_a',
      event,
      // It only links the event, which counts without it as well.
      push_a_message_id: field('push_a_message_id', 'message_id') ?? '',
      timestamp: firstTimestamp(field('event_timestamp'), field('timestamp'), publishTime),
      ...bus,
      // The token itself would let its reader address the device.
      device_token_hash: token === undefined ? field('device_token_hash') : hash('sha256', token),
      platform: platform && (platforms.find((known) => known === platform) ?? 'other'),
      app_id: field('app_name', 'app_id'),
      error_code: field('error_code'),
      error_message: field('error_message'),
      ...correlationIn(inner),
      ...correlationIn(attributes),
    }),
  };
}

const kinds: Readonly<Record<Event, EngagementKind | undefined>> = {
  accepted: 'message.queued',
  sent: 'message.sent',
  delivered: 'message.delivered',
  received: 'message.delivered',
  opened: 'message.opened',
  dismissed: undefined,
  failed: 'message.failed',
  token_invalid: 'device.invalidated',
};

function project(payload: Payload): Projection | undefined {
  const { event, device_token_hash: deviceTokenHash } = payload;
  const kind = kinds[event];
  if (kind === undefined) return undefined;
  return {
    kind,
    channel: 'push',
    occurredAt: payload.timestamp,
    isMachine: false,
    ...(event === 'token_invalid' && deviceTokenHash !== undefined && { deviceTokenHash }),
  };
}

/** As long as the bus repeats itself, and as the ids of its messages can be remembered. */
const keptSeconds = 604_800;

/** Verifies a bus without tokens of its own. Nothing is signed, the age included. */
function verifyStaticToken(callback: Callback, settings: object): Verification {
  const verification = verifySharedSecret(callback, textsAt(settings, 'receiver_tokens'));
  const { json, receivedAtMs } = callback;
  const message = at(json, 'message');
  const said = firstTimestamp(
    ...[textAt(message, 'publishTime'), textAt(message, 'publish_time')],
    ...[textAt(json, 'bus_publish_time'), textAt(json, 'timestamp')],
  );
  if (verification.status !== 'valid' || said === undefined) return verification;
  return checkAge(Math.floor(Date.parse(said) / 1_000), receivedAtMs, keptSeconds);
}

/**
 * Push events that a bus of the Google Pub/Sub family delivers, with a token of its issuer, or with
 * one of ours where the bus has none.
 */
export const pushA = receiver({
  kind: 'push_a',
  operationId: 'receivePushA',
  summary: 'Receive an event of a push message through a message bus',
  scheme: 'oidc_bearer',
  authenticationHeaders: ['authorization', receiverTokenHeader],
  settings: Type.Object({
    profile: Type.Optional(
      OneOf(['oidc', 'static_token'], 'Signature that the bus sends; oidc if absent'),
    ),
    audience: Type.Optional(Text(2_048, 'Default: the receiver’s URL')),
    service_account_email: Type.Optional(Text(254, 'The account whose tokens the bus sends')),
    subscription: Type.Optional(Text(512, 'The only subscription that may send here')),
  }),
  secretSettings: [],
  requiredSettings: ['service_account_email'],
  missingSettings({ profile, audience, service_account_email: email }) {
    if (profile === 'static_token' || audience === undefined || email !== undefined) return [];
    const detail =
      'audience needs service_account_email: every customer of the bus can get a token for it.';
    return [{ name: 'service_account_email', detail }];
  },
  profiles: {
    static_token: { scheme: 'shared_secret_bearer', requiredSettings: ['receiver_token'] },
  },
  defaultDedupWindowSeconds: keptSeconds,
  defaultMaxAgeSeconds: 3_600,
  mediaTypes: ['application/json'],
  bodyLimitBytes: 1_048_576,
  payload: Payload,
  isNative: ({ json }) =>
    recordAt(json, 'message') !== undefined && textAt(json, 'subscription') !== undefined,
  async verify(callback, settings, tools) {
    const { profile, subscription } = settings;
    const verification =
      profile === 'static_token'
        ? verifyStaticToken(callback, settings)
        : await verifyOidcBearer(callback, settings, tools);
    if (verification.status !== 'valid' || subscription === undefined) return verification;
    const { json } = callback;
    const named = textAt(json, 'subscription') ?? textAt(json, 'bus_subscription');
    return named === subscription
      ? verification
      : invalid('The message is of another subscription.');
  },
  read: ({ json }) => [read(json)],
  dedupKey: ({ raw_bus_message_id }) => raw_bus_message_id,
  providerEventId: ({ raw_bus_message_id }) => raw_bus_message_id,
  providerMessageId: ({ push_a_message_id }) => push_a_message_id || undefined,
  eventType: ({ event }) => event,
  project,
  sampleEvents: ['delivered', ...events.filter((event) => event !== 'delivered')],
  async sample(event, { settings, url, nowMs }) {
    const time = new Date(nowMs).toISOString();
    const data = {
      event: event === 'token_invalid' ? 'UNREGISTERED' : `MESSAGE_${event.toUpperCase()}`,
      message_id: randomUUID(),
      event_timestamp: time,
      sdk_platform: 'ANDROID',
      app_name: 'com.example.bank',
      instance_id: 'sample-device',
    };
    const body = JSON.stringify({
      message: {
        data: Buffer.from(JSON.stringify(data)).toString('base64'),
        attributes: correlationIn(settings),
        messageId: randomUUID(),
        publishTime: time,
      },
      subscription: settings.subscription ?? 'projects/sample/subscriptions/onward',
    });
    // Only the bus can have tokens of its issuer.
    const [secret] = textsAt(settings, 'receiver_tokens');
    const token = textAt(settings, 'bus_token') ?? secret;
    return token === undefined
      ? relaySample([read(asCallback(body, url, nowMs).json)], settings, nowMs)
      : { headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` }, body };
  },
});
