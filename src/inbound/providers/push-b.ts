import { hash, randomUUID } from 'node:crypto';
import { Type } from 'typebox';
import type { Static } from 'typebox';
import { OneOf } from '../../platform/schema/fields.ts';
import type { EngagementKind } from '../../engagement/engagement-events/engagement-event.ts';
import { correlation, correlationIn } from '../correlation.ts';
import { UnixSeconds, fromUnix } from '../moments.ts';
import { contentId, givenId } from '../content-id.ts';
import { at, given, numberAt, textAt, textsAt } from '../read-json.ts';
import { isGoneError } from '../push-errors.ts';
import { receiver } from '../receiver.ts';
import type { Callback, NativeItem, Projection } from '../receiver.ts';
import { relaySample } from '../relay-sample.ts';
import { checkAge } from '../signatures/freshness.ts';
import { receiverTokenHeader, verifySharedSecret } from '../signatures/shared-secret-bearer.ts';

const events = ['sent', 'received', 'clicked', 'failed', 'unsubscribed', 'token_invalid'] as const;
const maxAgeSeconds = 86_400;

const text = (description?: string) =>
  Type.Optional(Type.String({ ...(description && { description }) }));

const Payload = Type.Object(
  {
    kind: Type.Literal('push_b'),
    event: OneOf(events),
    push_b_event_id: Type.String(),
    push_b_message_id: Type.String(),
    timestamp: UnixSeconds(),
    app_id: text(),
    subscription_id: text(),
    external_id: text('Our contact’s unique_id, where there is no do_contact_id'),
    platform: text(),
    failure_reason: text(),
    url: text(),
    ...correlation,
  },
  { title: 'push_b' },
);
type Payload = Readonly<Static<typeof Payload>>;

/** Time of the event, in either form of the body. */
function secondsOf(json: unknown): number | undefined {
  const stamp = numberAt(json, 'event', 'timestamp') ?? numberAt(json, 'timestamp');
  if (stamp !== undefined) return Math.floor(stamp >= 1e11 ? stamp / 1_000 : stamp);
  const parsed = Date.parse(textAt(json, 'event', 'datetime') ?? '');
  return Number.isNaN(parsed) ? undefined : Math.floor(parsed / 1_000);
}

function readEvent(json: unknown): NativeItem {
  const kind = textAt(json, 'event', 'kind');
  if (kind === undefined) return { unrecognized: 'The body names no kind of event.' };
  const name = /^message\.push\.(\w+)$/.exec(kind)?.[1];
  if (name === undefined) return { ignored: 'The event is not of a push message.' };
  if (!events.some((event) => event === name)) {
    return { unrecognized: 'The event is none that we know.' };
  }
  const data = at(json, 'event', 'data');
  const reason = textAt(data, 'failure_reason') ?? textAt(data, 'reason') ?? textAt(data, 'error');
  const isGone = name === 'failed' && isGoneError(reason);
  return {
    payload: given({
      kind: 'push_b',
      event: isGone ? 'token_invalid' : name,
      // These only link the event and find its duplicates: it counts without them as well.
      push_b_event_id: textAt(json, 'event', 'id') ?? contentId(at(json, 'event')),
      push_b_message_id: textAt(json, 'message', 'id') ?? '',
      timestamp: secondsOf(json),
      app_id: textAt(json, 'event', 'app_id'),
      subscription_id: textAt(json, 'event', 'subscription_id'),
      external_id: textAt(json, 'event', 'external_id'),
      platform: textAt(json, 'event', 'subscription_device_type'),
      failure_reason: reason,
      url: textAt(data, 'url'),
      ...correlationIn(data),
      ...correlationIn(at(json, 'message', 'data')),
    }),
  };
}

const kinds: Readonly<Record<Payload['event'], EngagementKind>> = {
  sent: 'message.sent',
  received: 'message.delivered',
  clicked: 'message.clicked',
  failed: 'message.failed',
  unsubscribed: 'message.unsubscribed',
  token_invalid: 'device.invalidated',
};

function project(payload: Payload): Projection {
  const { event, subscription_id: device, external_id: contactUniqueId } = payload;
  return {
    kind: kinds[event],
    channel: 'push',
    occurredAt: fromUnix(payload.timestamp),
    isMachine: false,
    ...(payload.url !== undefined && { url: payload.url }),
    ...(contactUniqueId !== undefined && { contactUniqueId }),
    ...(event === 'token_invalid' &&
      device !== undefined && { deviceTokenHash: hash('sha256', device) }),
  };
}

/** No signature covers the time of the event, but an honest sender states it within a day. */
function checkEventAge({ json, receivedAtMs }: Callback, maxAge = maxAgeSeconds) {
  const seconds = secondsOf(json);
  return seconds === undefined ? undefined : checkAge(seconds, receivedAtMs, maxAge);
}

/** Push events of the OneSignal family: the body is ours to define, a secret authenticates it. */
export const pushB = receiver({
  kind: 'push_b',
  operationId: 'receivePushB',
  summary: 'Receive an event of a push message from an aggregator',
  scheme: 'shared_secret_bearer',
  authenticationHeaders: ['authorization', receiverTokenHeader],
  settings: Type.Object({
    max_age_seconds: Type.Optional(Type.Integer({ minimum: 60, maximum: 604_800 })),
  }),
  secretSettings: [],
  requiredSettings: [],
  defaultDedupWindowSeconds: 86_400,
  defaultMaxAgeSeconds: maxAgeSeconds,
  mediaTypes: ['application/json'],
  bodyLimitBytes: 262_144,
  payload: Payload,
  isNative: ({ json }) => textAt(json, 'event', 'kind') !== undefined,
  async verify(callback, settings) {
    const verification = verifySharedSecret(callback, textsAt(settings, 'receiver_tokens'));
    if (verification.status !== 'valid') return verification;
    return checkEventAge(callback, settings.max_age_seconds) ?? verification;
  },
  read: ({ json }) => [readEvent(json)],
  dedupKey: ({ push_b_event_id }) => push_b_event_id,
  providerEventId: ({ push_b_event_id }) => givenId(push_b_event_id),
  providerMessageId: ({ push_b_message_id }) => push_b_message_id || undefined,
  eventType: ({ event }) => event,
  project,
  sampleEvents: ['received', ...events.filter((event) => event !== 'received')],
  async sample(event, { settings, nowMs }) {
    const isGone = event === 'token_invalid';
    const native = {
      event: {
        kind: `message.push.${isGone ? 'failed' : event}`,
        id: randomUUID(),
        timestamp: Math.floor(nowMs / 1_000),
        datetime: new Date(nowMs).toISOString(),
        app_id: randomUUID(),
        subscription_id: randomUUID(),
        subscription_device_type: 'AndroidPush',
        external_id: 'sample-1',
        data: {
          ...(isGone && { failure_reason: 'Unregistered' }),
          ...(event === 'failed' && { failure_reason: 'Payload too large' }),
          ...(event === 'clicked' && { url: 'https://example.com/start' }),
        },
      },
      message: { id: randomUUID(), template_id: '', data: correlationIn(settings) },
    };
    const [token] = textsAt(settings, 'receiver_tokens');
    if (token === undefined) return relaySample([readEvent(native)], settings, nowMs);
    return {
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify(native),
    };
  },
});
