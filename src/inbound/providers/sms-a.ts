import { randomBytes } from 'node:crypto';
import { Type } from 'typebox';
import type { Static } from 'typebox';
import { OneOf, Text, Timestamp } from '../../platform/schema/fields.ts';
import type { EngagementKind } from '../../engagement/engagement-events/engagement-event.ts';
import { correlation, correlationIn } from '../correlation.ts';
import { given, numberAt, recordAt, renamed, textAt } from '../read-json.ts';
import type { Json } from '../read-json.ts';
import { receiver } from '../receiver.ts';
import type { Callback, NativeItem, Projection } from '../receiver.ts';
import { relaySample } from '../relay-sample.ts';
import { invalid } from '../signatures/freshness.ts';
import {
  urlParamsHeader,
  urlParamsHmac,
  verifyUrlParams,
} from '../signatures/url-params-hmac-sha1.ts';
import { consentFields, keywordSettings, projectReply } from '../sms-keywords.ts';
import type { KeywordSettings } from '../sms-keywords.ts';
import { parseUrl } from '../../platform/schema/rules.ts';
import { toTimestamp } from '../../platform/time/rules.ts';
import { cutText } from '../../platform/cut-text.ts';

const events = [
  'accepted',
  'scheduled',
  'queued',
  'sending',
  'sent',
  'delivered',
  'undelivered',
  'failed',
  'canceled',
  'read',
  'received',
] as const;
type Event = (typeof events)[number];
const maxTextLength = 1_600;

const text = () => Type.Optional(Type.String());
const textOrNull = () => Type.Optional(Type.Union([Type.String(), Type.Null()]));

const Payload = Type.Object(
  {
    kind: Type.Literal('sms_a'),
    event: OneOf(events),
    sms_a_message_id: Type.String(),
    sms_a_account_id: text(),
    messaging_service_id: text(),
    to: Type.String(),
    from: text(),
    error_code: textOrNull(),
    error_message: textOrNull(),
    carrier_done_at: Type.Optional(Timestamp('To the minute')),
    timestamp: Type.Optional(Timestamp('The time of receipt, where the provider sends none')),
    text: Type.Optional(Type.String({ maxLength: maxTextLength })),
    segments: Type.Optional(Type.Integer()),
    opt_out: Type.Optional(Type.Boolean()),
    opt_in: Type.Optional(Type.Boolean()),
    ...correlation,
  },
  { title: 'sms_a' },
);
type Payload = Readonly<Static<typeof Payload>>;

/** The parameters of a form, or of a JSON body in its place. */
function paramsOf({ form, json }: Callback): Json | undefined {
  return form ? Object.fromEntries(form) : recordAt(json);
}

/** YYMMDDhhmm in UTC. */
function carrierTime(digits: string | undefined): string | undefined {
  const parts = /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(digits ?? '');
  if (!parts) return undefined;
  const [, year = '', month = '', day = '', hour = '', minute = ''] = parts;
  const time = Date.parse(`20${year}-${month}-${day}T${hour}:${minute}:00Z`);
  return Number.isNaN(time) ? undefined : toTimestamp(time);
}

/**
 * The scheme signs names and values without marks between them. An id of any form would let a
 * captured call come in again as that of another message, with text of its neighbors in the id.
 */
const messageId = /^(?:[A-Z]{2}[0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;

function read(callback: Callback, settings: KeywordSettings): NativeItem[] {
  const params = paramsOf(callback);
  if (!messageId.test(textAt(params, 'MessageSid') ?? '')) {
    return [{ unrecognized: 'The MessageSid is not the id of a message.' }];
  }
  const event = (textAt(params, 'MessageStatus') ?? textAt(params, 'SmsStatus'))?.toLowerCase();
  if (event === 'receiving') return [{ ignored: 'The message is still being received.' }];
  if (event === undefined || !events.some((known) => known === event)) {
    return [{ unrecognized: 'The callback names no status that we know.' }];
  }
  const words = textAt(params, 'Body');
  const isReply = event === 'received';
  const report = textAt(params, 'OptOutType')?.toUpperCase();
  const reported = { optOut: report === 'STOP', optIn: report === 'START' };
  // The address is signed, so the ids that we put into it are as good as the parameters.
  const query = parseUrl(callback.url)?.searchParams;
  return [
    {
      payload: given({
        kind: 'sms_a',
        event,
        ...renamed(params, {
          sms_a_message_id: 'MessageSid',
          sms_a_account_id: 'AccountSid',
          messaging_service_id: 'MessagingServiceSid',
          to: 'To',
          from: 'From',
          error_code: 'ErrorCode',
          error_message: 'ErrorMessage',
        }),
        carrier_done_at: carrierTime(textAt(params, 'RawDlrDoneDate')),
        timestamp: toTimestamp(callback.receivedAtMs),
        text: isReply && words !== undefined ? cutText(words, maxTextLength) : undefined,
        segments: numberAt(params, 'NumSegments'),
        ...(isReply && consentFields(words, settings, reported)),
        ...correlationIn(query && Object.fromEntries(query)),
      }),
    },
  ];
}

const kinds: Readonly<Record<Event, EngagementKind>> = {
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
  received: 'contact.replied',
};
/** Codes that say that the number itself is no good: unknown, or a landline. */
const hardCodes = new Set(['30005', '30006']);

/** Before the number in an address of another channel, such as `whatsapp:+14155550100`. */
const channelPrefix = /^(?:whatsapp|rcs):(?=\+\d)/i;

/** A reply; one on another channel revokes the consent for SMS, and does not give it. */
function projectReceived(payload: Payload): Pick<Projection, 'kind' | 'smsConsent'> {
  const { smsConsent, ...reply } = projectReply(payload);
  const isGivenElsewhere = smsConsent === 'subscribed' && channelPrefix.test(payload.from ?? '');
  return smsConsent === undefined || isGivenElsewhere ? reply : { ...reply, smsConsent };
}

function project(payload: Payload): Projection {
  const { event, error_code: code, error_message: diagnostic } = payload;
  const occurredAt = payload.timestamp ?? payload.carrier_done_at;
  const address = event === 'received' ? payload.from : payload.to;
  const recipient = address?.replace(channelPrefix, '');
  return {
    kind: kinds[event],
    channel: 'sms',
    isMachine: false,
    ...(occurredAt !== undefined && { occurredAt }),
    ...(recipient !== undefined && { recipient }),
    ...(event === 'undelivered' && {
      bounce: {
        class: hardCodes.has(code ?? '') ? 'hard' : 'soft',
        ...(code != null && { code }),
        ...(diagnostic != null && { diagnostic }),
      },
    }),
    ...(event === 'received' && projectReceived(payload)),
  };
}

/** SMS statuses and replies of the Twilio family. */
export const smsA = receiver({
  kind: 'sms_a',
  operationId: 'receiveSmsA',
  summary: 'Receive a status of an SMS, or a reply',
  scheme: 'url_params_hmac_sha1',
  authenticationHeaders: [urlParamsHeader],
  settings: Type.Object({
    auth_token: Type.Optional(Text(255, 'The account’s auth token')),
    account_id: Type.Optional(Text(64, 'The account that callbacks must name')),
    ...keywordSettings,
  }),
  secretSettings: ['auth_token'],
  requiredSettings: ['auth_token'],
  defaultDedupWindowSeconds: 86_400,
  // The scheme has no timestamp.
  defaultMaxAgeSeconds: 0,
  mediaTypes: ['application/x-www-form-urlencoded', 'application/json'],
  bodyLimitBytes: 65_536,
  payload: Payload,
  isNative: (callback) => textAt(paramsOf(callback), 'MessageSid') !== undefined,
  async verify(callback, settings) {
    const verification = verifyUrlParams(callback, settings);
    const { account_id: account } = settings;
    if (verification.status !== 'valid' || account === undefined) return verification;
    const named = textAt(paramsOf(callback), 'AccountSid');
    return named === account ? verification : invalid('The callback is of another account.');
  },
  read,
  complete: (payload, settings) =>
    payload.event === 'received'
      ? {
          ...payload,
          ...consentFields(payload.text, settings, {
            optOut: payload.opt_out,
            optIn: payload.opt_in,
          }),
        }
      : payload,
  dedupKey: ({ sms_a_message_id, event }) => `${sms_a_message_id}:${event}`,
  providerEventId: () => undefined,
  providerMessageId: ({ sms_a_message_id }) => sms_a_message_id,
  eventType: ({ event }) => event,
  project,
  sampleEvents: ['delivered', ...events.filter((event) => event !== 'delivered')],
  async sample(event, { settings, url, nowMs }) {
    const id = `SM${randomBytes(16).toString('hex')}`;
    const isReply = event === 'received';
    const form = new URLSearchParams({
      MessageSid: id,
      SmsSid: id,
      MessageStatus: event,
      AccountSid: settings.account_id ?? `AC${'0'.repeat(32)}`,
      To: isReply ? '+14155550199' : '+14155550100',
      From: isReply ? '+14155550100' : '+14155550199',
      ApiVersion: '2010-04-01',
      ...(event === 'undelivered' && { ErrorCode: '30005', ErrorMessage: 'Unknown destination' }),
      ...(isReply && { Body: 'STOP', NumSegments: '1' }),
    });
    const ids = new URLSearchParams(correlationIn(settings));
    ids.sort();
    const query = ids.size === 0 ? '' : `?${ids.toString()}`;
    const { auth_token: authToken } = settings;
    if (authToken === undefined) {
      const request = { url: url + query, headers: {}, bytes: Buffer.alloc(0), json: undefined };
      return relaySample(
        read({ ...request, form, receivedAtMs: nowMs }, settings),
        settings,
        nowMs,
      );
    }
    return {
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        [urlParamsHeader]: urlParamsHmac(authToken, url + query, form),
      },
      body: form.toString(),
      ...(query !== '' && { query }),
    };
  },
});
