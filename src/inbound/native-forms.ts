import { Type } from 'typebox';
import type { TSchema } from 'typebox';
import type { DocumentedBody } from '../platform/http/endpoint-facts.ts';
import type { ReceiverKind } from './receiver.ts';

/**
 * Bodies as providers send them, for the OpenAPI document. The schemas name the fields that are read
 * or that identify an event; any other field is accepted. Intake does not check them: a body that
 * is not understood is stored as failed.
 */

const text = (description?: string) => Type.String({ ...(description && { description }) });
const optional = Type.Optional;
const open = { additionalProperties: true } as const;

function body(
  mediaType: DocumentedBody['mediaType'],
  schema: TSchema,
  example: unknown,
): DocumentedBody {
  return { mediaType, schema, example };
}

const time = '2026-01-31T09:30:00.000Z';
const seconds = 1_769_851_800;
const uuid = '0b9c5f0e-7d7e-4c55-9a1b-3f2f6f2a8c11';

const TopicEnvelope = Type.Object(
  {
    Type: Type.Enum(['Notification', 'SubscriptionConfirmation', 'UnsubscribeConfirmation']),
    MessageId: text(),
    TopicArn: text('Must be one of topic_arns of the receiver'),
    Message: text('The event of the provider, as JSON text'),
    Timestamp: text(),
    SignatureVersion: text(),
    Signature: text('X.509 signature in base64'),
    SigningCertURL: text(),
    SubscribeURL: optional(text('Address that confirms the subscription')),
  },
  { title: 'topic_envelope', description: 'HTTP notification of Amazon SNS', ...open },
);

/** Providers of topics send JSON with the media type of plain text. */
function topicBodies(message: object): DocumentedBody[] {
  const example = {
    Type: 'Notification',
    MessageId: uuid,
    TopicArn: 'arn:aws:sns:us-east-1:123456789012:events',
    Message: JSON.stringify(message),
    Timestamp: time,
    SignatureVersion: '2',
    Signature: 'dGhlIHNpZ25hdHVyZQ==',
    SigningCertURL: 'https://sns.us-east-1.amazonaws.com/SimpleNotificationService-0123.pem',
  };
  return [
    body('text/plain', Type.String(), JSON.stringify(example)),
    body('application/json', TopicEnvelope, example),
  ];
}

const EmailBEvents = Type.Array(
  Type.Object(
    {
      email: text(),
      timestamp: Type.Integer({ description: 'Seconds since 1970' }),
      event: text('processed, delivered, deferred, bounce, dropped, open, click, spamreport …'),
      sg_event_id: optional(text()),
      sg_message_id: optional(text()),
      url: optional(text()),
      reason: optional(text()),
      useragent: optional(text()),
      ip: optional(text()),
    },
    {
      title: 'email_b_native_event',
      description: 'Event of the Twilio SendGrid event webhook',
      ...open,
    },
  ),
);

const EmailCEvent = Type.Object(
  {
    signature: Type.Object({ timestamp: text(), token: text(), signature: text() }),
    'event-data': Type.Object(
      {
        id: optional(text()),
        event: text('delivered, opened, clicked, unsubscribed, complained or failed'),
        timestamp: Type.Number({ description: 'Seconds since 1970' }),
        recipient: optional(text()),
        severity: optional(text('For failed: permanent or temporary')),
        'user-variables': optional(Type.Record(Type.String(), Type.Unknown())),
      },
      open,
    ),
  },
  { title: 'email_c_native_event', description: 'Webhook of Mailgun', ...open },
);

const EmailCForm = Type.Object(
  {
    event: text('delivered, opened, clicked, unsubscribed, complained, dropped or bounced'),
    timestamp: text('Seconds since 1970'),
    token: text(),
    signature: text(),
    recipient: optional(text()),
    'Message-Id': optional(text()),
  },
  { title: 'email_c_form', description: 'Older form post of Mailgun', ...open },
);

const SmsAForm = Type.Object(
  {
    MessageSid: text(),
    MessageStatus: text('queued, sent, delivered, undelivered, failed or received'),
    AccountSid: text(),
    To: text('E.164'),
    From: text('E.164'),
    Body: optional(text('Text of a message that was received')),
    ErrorCode: optional(text()),
  },
  { title: 'sms_a_form', description: 'Status callback or incoming message of Twilio', ...open },
);

const SmsBEvent = Type.Object(
  {
    data: Type.Object(
      {
        record_type: Type.Literal('event'),
        id: text(),
        event_type: text('message.sent, message.finalized or message.received'),
        occurred_at: text(),
        payload: Type.Record(Type.String(), Type.Unknown()),
      },
      open,
    ),
    meta: optional(Type.Record(Type.String(), Type.Unknown())),
  },
  {
    title: 'sms_b_native_event',
    description: 'Messaging webhook of Telnyx; the profile vonage_jwt takes those of Vonage',
    ...open,
  },
);

const PushAMessage = Type.Object(
  {
    message: Type.Object(
      {
        data: text('The delivery event as JSON in base64'),
        attributes: optional(Type.Record(Type.String(), Type.String())),
        messageId: text(),
        publishTime: optional(text()),
      },
      open,
    ),
    subscription: text(),
  },
  { title: 'push_a_message', description: 'Push request of Google Cloud Pub/Sub', ...open },
);

const PushBEvent = Type.Object(
  {
    event: Type.Object(
      { kind: text('message.push. and the event'), id: text(), timestamp: Type.Integer() },
      open,
    ),
    message: optional(Type.Record(Type.String(), Type.Unknown())),
  },
  { title: 'push_b_native_event', description: 'Event stream of OneSignal', ...open },
);

/** Native bodies that each kind accepts in addition to its normalized payload. */
export const nativeForms: Readonly<Record<ReceiverKind, readonly DocumentedBody[]>> = {
  email_a: topicBodies({
    eventType: 'Delivery',
    mail: {
      timestamp: time,
      messageId: 'sample-1',
      source: 'hello@example.com',
      destination: ['ada@example.com'],
    },
    delivery: { timestamp: time, recipients: ['ada@example.com'], smtpResponse: '250 ok' },
  }),
  email_b: [
    body('application/json', EmailBEvents, [
      {
        email: 'ada@example.com',
        timestamp: seconds,
        event: 'delivered',
        sg_event_id: uuid,
        sg_message_id: 'sample.filter0001.1.0',
      },
    ]),
  ],
  email_c: [
    body('application/json', EmailCEvent, {
      signature: { timestamp: String(seconds), token: '5f0c9a521f0b', signature: '7a63…' },
      'event-data': {
        id: uuid,
        event: 'delivered',
        timestamp: seconds,
        recipient: 'ada@example.com',
      },
    }),
    body('application/x-www-form-urlencoded', EmailCForm, {
      event: 'delivered',
      timestamp: String(seconds),
      token: '5f0c9a521f0b',
      signature: '7a63…',
      recipient: 'ada@example.com',
    }),
    body('multipart/form-data', EmailCForm, {
      event: 'dropped',
      timestamp: String(seconds),
      token: '5f0c9a521f0b',
      signature: '7a63…',
      recipient: 'ada@example.com',
    }),
  ],
  sms_a: [
    body('application/x-www-form-urlencoded', SmsAForm, {
      MessageSid: 'SM00000000000000000000000000000001',
      MessageStatus: 'delivered',
      AccountSid: 'AC00000000000000000000000000000001',
      To: '+14155550100',
      From: '+14155550199',
    }),
  ],
  sms_b: [
    body('application/json', SmsBEvent, {
      data: {
        record_type: 'event',
        id: uuid,
        event_type: 'message.finalized',
        occurred_at: time,
        payload: {
          id: uuid,
          direction: 'outbound',
          from: { phone_number: '+14155550199' },
          to: [{ phone_number: '+14155550100', status: 'delivered' }],
        },
      },
    }),
  ],
  push_a: [
    body('application/json', PushAMessage, {
      message: {
        data: Buffer.from(
          JSON.stringify({ event: 'MESSAGE_DELIVERED', message_id: uuid, event_timestamp: time }),
        ).toString('base64'),
        messageId: '1234567890',
        publishTime: time,
      },
      subscription: 'projects/example/subscriptions/onward',
    }),
  ],
  push_b: [
    body('application/json', PushBEvent, {
      event: { kind: 'message.push.sent', id: uuid, timestamp: seconds },
      message: { id: uuid },
    }),
  ],
  file_transfer_a: topicBodies({
    version: '0',
    id: uuid,
    'detail-type': 'SFTP Server File Upload Completed',
    source: 'aws.transfer',
    time,
    detail: {
      username: 'bank',
      'server-id': 's-0123456789abcdef0',
      'file-path': '/inbox/contacts.csv',
      bytes: 2_048,
    },
  }),
  // Partners send the normalized payload under a signature of their own.
  generic_hmac: [],
};
