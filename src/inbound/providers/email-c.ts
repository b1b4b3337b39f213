import { randomBytes, randomUUID } from 'node:crypto';
import { Type } from 'typebox';
import type { Static } from 'typebox';
import { OneOf, Text } from '../../platform/schema/fields.ts';
import { contentId, givenId } from '../content-id.ts';
import { correlation, correlationIn } from '../correlation.ts';
import { isMachineAgent } from '../../engagement/engagement-events/rules.ts';
import { UnixSeconds, fromUnix } from '../moments.ts';
import { readMultipart } from '../multipart-form.ts';
import { at, given, numberAt, recordAt, renamed, renamedTexts, textAt } from '../read-json.ts';
import { receiver, stopStatus } from '../receiver.ts';
import type { Callback, NativeItem, Projection } from '../receiver.ts';
import { relaySample } from '../relay-sample.ts';
import { emailCRules } from '../report-rules/email-c.ts';
import { bounceOf, reportedOf } from '../report-rules/projected.ts';
import { outcomeOf } from '../report-rules/report-rule.ts';
import { replyOf } from '../report-rules/smtp-reply.ts';
import { bodyHmac, bodyHmacMaxAgeSeconds, verifyBodyHmac } from '../signatures/body-hmac-sha256.ts';
import { readForm } from './email-c-form.ts';

const events = [
  'delivered',
  'opened',
  'clicked',
  'failed',
  'unsubscribed',
  'complained',
  'accepted',
  'rejected',
] as const;

const severities = ['permanent', 'temporary'] as const;

const text = () => Type.Optional(Type.String());

const Payload = Type.Object(
  {
    kind: Type.Literal('email_c'),
    event: OneOf(events),
    recipient: Type.String(),
    timestamp: UnixSeconds(),
    email_c_event_id: Type.String(),
    message_id: Type.String(),
    ...correlation,
    severity: Type.Optional(OneOf(severities)),
    reason: text(),
    delivery_status: Type.Optional(
      Type.Object({
        code: Type.Optional(Type.Unknown()),
        message: text(),
        description: text(),
        enhanced_code: text(),
        mx_host: text(),
        attempt_no: Type.Optional(Type.Unknown()),
        tls: Type.Optional(Type.Unknown()),
        session_seconds: Type.Optional(Type.Unknown()),
        certificate_verified: Type.Optional(Type.Unknown()),
        bounce_type: text(),
      }),
    ),
    url: text(),
    client_info: Type.Optional(
      Type.Object({
        client_name: text(),
        client_os: text(),
        client_type: text(),
        device_type: text(),
        user_agent: text(),
        bot: text(),
      }),
    ),
    ip: text(),
  },
  { title: 'email_c' },
);
type Payload = Readonly<Static<typeof Payload>>;

const statusFields = {
  code: 'code',
  attempt_no: 'attempt-no',
  tls: 'tls',
  session_seconds: 'session-seconds',
  certificate_verified: 'certificate-verified',
};
const statusTexts = {
  message: 'message',
  description: 'description',
  enhanced_code: 'enhanced-code',
  mx_host: 'mx-host',
  bounce_type: 'bounce-type',
};
const clientFields = {
  client_name: 'client-name',
  client_os: 'client-os',
  client_type: 'client-type',
  device_type: 'device-type',
  user_agent: 'user-agent',
  bot: 'bot',
};

function readEvent(json: unknown): NativeItem {
  const data = recordAt(json, 'event-data');
  const event = textAt(data, 'event')?.toLowerCase();
  if (data === undefined || event === undefined) {
    return { unrecognized: 'The body has no event-data.' };
  }
  if (!events.some((known) => known === event))
    return { ignored: 'The event is not of a message.' };
  const seconds = numberAt(data, 'timestamp');
  const status = recordAt(data, 'delivery-status');
  const client = recordAt(data, 'client-info');
  return {
    payload: given({
      kind: 'email_c',
      event,
      timestamp: seconds === undefined ? undefined : Math.floor(seconds),
      // These only link the event and find its duplicates: it counts without them as well.
      message_id: textAt(data, 'message', 'headers', 'message-id') ?? '',
      email_c_event_id: textAt(data, 'id') ?? contentId(data),
      severity: severities.find((known) => known === textAt(data, 'severity')),
      ...renamedTexts(data, { recipient: 'recipient', reason: 'reason', url: 'url', ip: 'ip' }),
      delivery_status: status && {
        ...renamed(status, statusFields),
        ...renamedTexts(status, statusTexts),
      },
      client_info: client && renamedTexts(client, clientFields),
      ...correlationIn(at(data, 'user-variables')),
    }),
  };
}

function project(payload: Payload): Projection | undefined {
  const { event, client_info: client, delivery_status: status, recipient } = payload;
  const number = numberAt(status, 'code');
  const diagnostic = status?.message || status?.description;
  const outcome = outcomeOf(emailCRules, {
    event,
    severity: payload.severity,
    reason: payload.reason,
    code: number?.toString(),
    reply: replyOf({ status: status?.enhanced_code, code: number, text: diagnostic }),
    bounce_type: status?.bounce_type,
  });
  if (outcome.kind === undefined) return undefined;
  const isRead = event === 'opened' || event === 'clicked';
  const userAgent = client?.user_agent;
  return {
    kind: outcome.kind,
    channel: 'email',
    occurredAt: fromUnix(payload.timestamp),
    isMachine: isRead && (Boolean(client?.bot) || isMachineAgent(userAgent)),
    recipient,
    ...(payload.url !== undefined && { url: payload.url }),
    ...(userAgent !== undefined && { userAgent }),
    ...(payload.ip !== undefined && { ip: payload.ip }),
    ...bounceOf(outcome, { code: status?.enhanced_code || number?.toString(), diagnostic }),
    recipients: [reportedOf(outcome, recipient)],
  };
}

/** The fields of an older post; those about failures and complaints have several parts. */
const formOf = ({ form, headers, bytes }: Callback) =>
  form ?? readMultipart(headers['content-type'], bytes);

/** E-mail events of the Mailgun family. Ids of events repeat after a day, hence the date. */
export const emailC = receiver({
  kind: 'email_c',
  operationId: 'receiveEmailC',
  summary: 'Receive an e-mail event with its signature in the body',
  scheme: 'body_hmac_sha256',
  authenticationHeaders: [],
  settings: Type.Object({
    signing_key: Type.Optional(Text(512, 'The account’s key for signing webhooks')),
    max_age_seconds: Type.Optional(Type.Integer({ minimum: 60, maximum: 604_800 })),
    stop_status: Type.Optional(
      Type.Literal(stopStatus, {
        description:
          'Answered instead of 401 and 410: the provider then stops sending a call again',
      }),
    ),
  }),
  secretSettings: ['signing_key'],
  requiredSettings: ['signing_key'],
  defaultDedupWindowSeconds: 86_400,
  defaultMaxAgeSeconds: bodyHmacMaxAgeSeconds,
  mediaTypes: ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'],
  bodyLimitBytes: 1_048_576,
  payload: Payload,
  isNative: (callback) =>
    at(callback.json, 'event-data') !== undefined || formOf(callback)?.has('signature') === true,
  async verify(callback, settings) {
    return verifyBodyHmac({ ...callback, form: formOf(callback) }, settings);
  },
  read(callback) {
    const form = formOf(callback);
    return [form ? readForm(form) : readEvent(callback.json)];
  },
  dedupKey: ({ email_c_event_id, timestamp }) =>
    `${email_c_event_id}:${fromUnix(timestamp).slice(0, 10)}`,
  providerEventId: ({ email_c_event_id }) => givenId(email_c_event_id),
  providerMessageId: ({ message_id }) => message_id || undefined,
  eventType: ({ event }) => event,
  project,
  sampleEvents: events,
  async sample(event, { settings, nowMs }) {
    const timestamp = String(Math.floor(nowMs / 1_000));
    const token = randomBytes(25).toString('hex');
    const signingKey = textAt(settings, 'signing_key');
    const native = {
      signature: { timestamp, token, signature: bodyHmac(signingKey ?? '', timestamp, token) },
      'event-data': {
        id: randomUUID(),
        event,
        timestamp: nowMs / 1_000,
        recipient: 'ada@example.com',
        message: { headers: { 'message-id': `sample-${timestamp}@example.com` } },
        'user-variables': correlationIn(settings),
        ...(event === 'failed' && {
          severity: 'permanent',
          reason: 'generic',
          'delivery-status': { code: 550, 'enhanced-code': '5.1.1', message: 'user unknown' },
        }),
        ...(event === 'clicked' && { url: 'https://example.com/start' }),
        ...((event === 'opened' || event === 'clicked') && {
          ip: '198.51.100.7',
          'client-info': { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64)', bot: '' },
        }),
      },
    };
    if (signingKey === undefined) return relaySample([readEvent(native)], settings, nowMs);
    return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(native) };
  },
});
