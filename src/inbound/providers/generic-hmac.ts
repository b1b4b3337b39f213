import { hash, randomUUID } from 'node:crypto';
import { Type } from 'typebox';
import type { Static } from 'typebox';
import { Cents, OneOf, Text, Timestamp, isTimestamp } from '../../platform/schema/fields.ts';
import { isExactNumber } from '../../platform/http/exact-number.ts';
import { readForeignJson } from '../../platform/http/foreign-json.ts';
import { toTimestamp } from '../../platform/time/rules.ts';
import { correlation, correlationIn } from '../correlation.ts';
import { at, given, isRecord, recordAt, textAt, textsAt } from '../read-json.ts';
import { receiver } from '../receiver.ts';
import type { Callback, NativeItem, Projection } from '../receiver.ts';
import { plainHmac, verifyPlainHmac } from '../signatures/plain-hmac.ts';
import type { HmacForm } from '../signatures/plain-hmac.ts';
import {
  signStandardWebhook,
  standardWebhookHeaders,
  verifyStandardWebhook,
} from '../signatures/standard-webhooks.ts';

const HeaderName = (description: string) =>
  Type.String({ pattern: '^[A-Za-z0-9-]{1,64}$', description });
const Place = (what: string) =>
  Type.String({
    pattern: '^([A-Za-z0-9-]+|(/[^/]+)+)$',
    maxLength: 128,
    description: `Where a body of the sender’s own form holds ${what}: a header, or a JSON Pointer`,
  });

const Settings = Type.Object({
  preset: Type.Optional(
    OneOf(
      ['standard', 'hex_prefixed', 'base64_body', 'timestamped'],
      'Default standard (Standard Webhooks); the settings below change details of the others',
    ),
  ),
  signature_header: Type.Optional(HeaderName('Header of the signature')),
  algorithm: Type.Optional(OneOf(['sha256', 'sha512'])),
  encoding: Type.Optional(OneOf(['hex', 'base64'])),
  prefix: Type.Optional(
    Type.String({ maxLength: 32, description: 'Before the signature, such as sha256=' }),
  ),
  content: Type.Optional(
    OneOf(['body', 'timestamp.body', 'id.timestamp.body'], 'Content that is signed'),
  ),
  timestamp_header: Type.Optional(HeaderName('Header of the timestamp, in Unix seconds')),
  id_header: Type.Optional(HeaderName('Header of the id that is signed')),
  event_id_at: Type.Optional(Place('the id of the event')),
  event_type_at: Type.Optional(Place('the type of the event')),
  max_age_seconds: Type.Optional(Type.Integer({ minimum: 1, maximum: 86_400 })),
  signing_key: Type.Optional(
    Text(512, 'The secret, where the sender makes it; else ours is used, as it is shown'),
  ),
});
type Settings = Readonly<Static<typeof Settings>>;

const Payload = Type.Object(
  {
    kind: Type.Literal('generic_hmac'),
    vendor: Type.Optional(Type.String({ maxLength: 64, pattern: '^[a-z0-9_.-]+$' })),
    event_type: Type.String({ maxLength: 128, pattern: '^[a-z0-9_]+(\\.[a-z0-9_]+)*$' }),
    event_id: Text(255),
    occurred_at: Timestamp(),
    channel: Type.Optional(OneOf(['email', 'sms', 'push', 'file', 'web', 'other'])),
    status: Type.Optional(
      OneOf([
        'queued',
        'sent',
        'delivered',
        'opened',
        'clicked',
        'bounced',
        'failed',
        'complained',
        'unsubscribed',
        'received',
        'other',
      ] as const),
    ),
    recipient: Type.Optional(Type.String()),
    contact_unique_id: Type.Optional(Type.String()),
    objective_key: Type.Optional(
      Type.String({ description: 'Key of an objective that the contact completed' }),
    ),
    value_cents: Type.Optional(Cents('Value of the completion; another one is left out')),
    data: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    ...correlation,
  },
  { title: 'generic_hmac' },
);
type Payload = Readonly<Static<typeof Payload>>;

const signedBody: HmacForm = {
  signatureHeader: 'x-webhook-signature',
  algorithm: 'sha256',
  encoding: 'hex',
  prefix: '',
  content: 'body',
  timestampHeader: undefined,
  idHeader: undefined,
};
const presets: Readonly<Record<string, HmacForm>> = {
  hex_prefixed: { ...signedBody, signatureHeader: 'x-hub-signature-256', prefix: 'sha256=' },
  base64_body: { ...signedBody, encoding: 'base64' },
  timestamped: { ...signedBody, content: 'timestamp.body' },
};

/** Undefined for the preset `standard`, which is verified as Standard Webhooks say. */
function formOf(settings: Settings): HmacForm | undefined {
  const preset = presets[settings.preset ?? 'standard'];
  return (
    preset && {
      signatureHeader: settings.signature_header?.toLowerCase() ?? preset.signatureHeader,
      algorithm: settings.algorithm ?? preset.algorithm,
      encoding: settings.encoding ?? preset.encoding,
      prefix: settings.prefix ?? preset.prefix,
      content: settings.content ?? preset.content,
      timestampHeader: settings.timestamp_header?.toLowerCase(),
      idHeader: settings.id_header?.toLowerCase(),
    }
  );
}

function secretsOf(settings: Settings): string[] {
  const { signing_key: theirs } = settings;
  return theirs === undefined ? textsAt(settings, 'relay_secrets') : [theirs];
}

function valueAt(callback: Callback, place: string | undefined): string | undefined {
  if (place === undefined) return undefined;
  if (!place.startsWith('/')) return callback.headers[place.toLowerCase()];
  const steps = place
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  const value = at(callback.json, ...steps);
  if (typeof value === 'string') return value;
  if (typeof value !== 'number') return undefined;
  // Fractions are rounded in `json`, and ids that differ in their last digits are different.
  const exact = at(readForeignJson(callback.bytes, isExactNumber), ...steps);
  return typeof exact === 'string' ? exact : String(value);
}

/** The headers of the signature, and of an id that it covers. */
function signedHeaders({ headers }: Callback, settings: Settings) {
  const form = formOf(settings);
  if (form) {
    const isIdSigned = form.content === 'id.timestamp.body';
    return { signature: form.signatureHeader, id: isIdSigned ? form.idHeader : undefined };
  }
  const family = headers['webhook-signature'] === undefined ? 'svix' : 'webhook';
  return { signature: `${family}-signature`, id: `${family}-id` };
}

/** The id of the event, and whether somebody without the key could have changed it. */
function eventIdIn(callback: Callback, settings: Settings) {
  const { headers } = callback;
  const { event_id_at: place } = settings;
  if (place?.startsWith('/')) {
    const id = valueAt(callback, place);
    if (id !== undefined) return { id, isOpen: false };
  }
  const signed = signedHeaders(callback, settings);
  const header = [place?.toLowerCase(), signed.id, 'webhook-id', 'svix-id'].find(
    (name) => name !== undefined && headers[name] !== undefined,
  );
  const isOpen = header !== signed.id && headers[signed.signature] !== undefined;
  return { id: header === undefined ? undefined : headers[header], isOpen };
}

/**
 * A body of the sender's own form: `{type, timestamp, data}`, or what the settings point at. Where
 * the signature does not cover the id, the signed body identifies duplicates: otherwise a
 * captured call could come in again under another id.
 */
function read(callback: Callback, settings: Settings): NativeItem[] {
  const { json, bytes } = callback;
  const { id: eventId, isOpen } = eventIdIn(callback, settings);
  const type = valueAt(callback, settings.event_type_at) ?? textAt(json, 'type');
  const eventType = type?.toLowerCase().replaceAll(/[^a-z0-9_.]+/g, '_');
  if (!eventId || !eventType) {
    return [{ unrecognized: 'The event has no id or no type where the settings look for them.' }];
  }
  const timestamp = textAt(json, 'timestamp');
  const occurredAt =
    timestamp !== undefined && isTimestamp(timestamp)
      ? timestamp
      : toTimestamp(callback.receivedAtMs);
  const data = recordAt(json, 'data');
  return [
    {
      payload: given({
        kind: 'generic_hmac',
        event_type: eventType,
        event_id: eventId,
        occurred_at: occurredAt,
        data: data ?? json,
        ...correlationIn(data),
      }),
      ...(isOpen && { key: `body:${hash('sha256', bytes)}` }),
    },
  ];
}

const statusKinds = {
  queued: 'message.queued',
  sent: 'message.sent',
  delivered: 'message.delivered',
  opened: 'message.opened',
  clicked: 'message.clicked',
  bounced: 'message.bounced',
  failed: 'message.failed',
  complained: 'message.complained',
  unsubscribed: 'message.unsubscribed',
  received: 'contact.replied',
  other: 'custom',
} as const;

function project(payload: Payload): Projection | undefined {
  const { status, channel, objective_key: key, contact_unique_id: contactUniqueId } = payload;
  const concernsUs =
    status !== undefined || key !== undefined || payload.do_contact_id !== undefined;
  if (!concernsUs && contactUniqueId === undefined) return undefined;
  return {
    kind: statusKinds[status ?? 'other'],
    channel:
      channel === undefined || channel === 'file' || channel === 'other' ? 'system' : channel,
    occurredAt: payload.occurred_at,
    isMachine: false,
    ...(payload.recipient !== undefined && { recipient: payload.recipient }),
    ...(contactUniqueId !== undefined && { contactUniqueId }),
    ...(key !== undefined && {
      objective: {
        key,
        ...(payload.value_cents !== undefined && { valueCents: payload.value_cents }),
      },
    }),
  };
}

/** Senders of any make that sign with an HMAC; by default as Standard Webhooks say. */
export const genericHmac = receiver({
  kind: 'generic_hmac',
  operationId: 'receiveGenericHmac',
  summary: 'Receive an event that is signed with an HMAC',
  scheme: 'standard_webhooks_v1',
  authenticationHeaders: standardWebhookHeaders,
  settings: Settings,
  secretSettings: ['signing_key'],
  requiredSettings: [],
  defaultDedupWindowSeconds: 86_400,
  defaultMaxAgeSeconds: 300,
  mediaTypes: ['application/json'],
  bodyLimitBytes: 1_048_576,
  payload: Payload,
  isNative: ({ json }) => isRecord(json) && at(json, 'kind') !== 'generic_hmac',
  async verify(callback, settings) {
    const form = formOf(settings);
    const { max_age_seconds: maxAgeSeconds } = settings;
    const secrets = secretsOf(settings);
    return form
      ? verifyPlainHmac(callback, form, secrets, maxAgeSeconds)
      : verifyStandardWebhook(callback, secrets, maxAgeSeconds);
  },
  read,
  dedupKey: ({ event_id }) => event_id,
  providerEventId: ({ event_id }) => event_id,
  providerMessageId: ({ data }) => textAt(data, 'message_id'),
  eventType: ({ event_type }) => event_type,
  project,
  sampleEvents: ['deposit.received', 'email.delivered', 'email.bounced'],
  async sample(event, { settings, nowMs }) {
    const id = `evt_${randomUUID()}`;
    const status = ['delivered', 'bounced'].find((word) => event.endsWith(word));
    const body = JSON.stringify({
      kind: 'generic_hmac',
      vendor: 'core_banking',
      event_type: event,
      event_id: id,
      occurred_at: new Date(nowMs).toISOString(),
      ...(status === undefined
        ? { contact_unique_id: 'sample-1', objective_key: 'direct_deposit', value_cents: 12_500 }
        : { channel: 'email', status, recipient: 'ada@example.com' }),
    });
    const [secret = ''] = secretsOf(settings);
    const form = formOf(settings);
    if (!form) return { headers: signStandardWebhook(secret, id, nowMs, body), body };
    const timestamp = String(Math.floor(nowMs / 1_000));
    const signature = form.prefix + plainHmac(form, secret, { id, timestamp, bytes: body });
    const hasPairs = form.content !== 'body' && form.timestampHeader === undefined;
    const headers: Record<string, string> = {
      [form.signatureHeader]: hasPairs ? `t=${timestamp},v1=${signature}` : signature,
    };
    if (form.timestampHeader !== undefined) headers[form.timestampHeader] = timestamp;
    if (form.idHeader !== undefined) headers[form.idHeader] = id;
    return { headers, body };
  },
});
