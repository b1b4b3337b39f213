import { Type } from 'typebox';
import type { Static } from 'typebox';
import { OneOf, Timestamp } from '../../platform/schema/fields.ts';
import type { EngagementKind } from '../../engagement/engagement-events/engagement-event.ts';
import { correlation, correlationIn } from '../correlation.ts';
import { isMachineAgent } from '../../engagement/engagement-events/rules.ts';
import { textAt, textsAt } from '../read-json.ts';
import { receiver } from '../receiver.ts';
import type { Projection } from '../receiver.ts';
import { RawTopicEnvelope, topicForm, topicKind, topicSample } from '../topic.ts';
import { details, eventTypes, readMessage } from './email-a-message.ts';
import type { EventType } from './email-a-message.ts';

const text = () => Type.Optional(Type.String());
const Details = () => Type.Optional(Type.Record(Type.String(), Type.Unknown()));
const Recipients = () =>
  Type.Optional(
    Type.Array(
      Type.Object({
        email_address: text(),
        status: text(),
        action: text(),
        diagnostic_code: text(),
      }),
    ),
  );

const Payload = Type.Object(
  {
    kind: Type.Literal('email_a'),
    email_a_event_type: OneOf(eventTypes),
    email_a_message_id: Type.String(),
    source: Type.String(),
    destination: Type.Array(Type.String()),
    timestamp: Timestamp(),
    ...correlation,
    raw_topic_message_id: Type.String(),
    raw_topic_envelope: RawTopicEnvelope(),
    bounce: Type.Optional(
      Type.Object({
        bounce_type: Type.Optional(
          Type.String({ description: 'Permanent is hard; Transient and Undetermined are soft' }),
        ),
        bounce_sub_type: text(),
        feedback_id: text(),
        timestamp: text(),
        remote_mta_ip: text(),
        reporting_mta: text(),
        recipients: Recipients(),
      }),
    ),
    complaint: Type.Optional(
      Type.Object({
        feedback_type: text(),
        sub_type: text(),
        feedback_id: text(),
        user_agent: text(),
        arrival_date: text(),
        timestamp: text(),
        recipients: Recipients(),
      }),
    ),
    open: Type.Optional(Type.Object({ ip_address: text(), user_agent: text(), timestamp: text() })),
    click: Type.Optional(
      Type.Object({
        ip_address: text(),
        user_agent: text(),
        timestamp: text(),
        link: text(),
        link_tags: Type.Optional(Type.Unknown()),
      }),
    ),
    delivery: Details(),
    reject: Details(),
    failure: Details(),
    delivery_delay: Details(),
  },
  { title: 'email_a' },
);
type Payload = Readonly<Static<typeof Payload>>;

const kinds: Readonly<Record<EventType, EngagementKind>> = {
  Send: 'message.sent',
  Delivery: 'message.delivered',
  DeliveryDelay: 'message.delayed',
  Open: 'message.opened',
  Click: 'message.clicked',
  Bounce: 'message.bounced',
  Reject: 'message.failed',
  RenderingFailure: 'message.failed',
  Complaint: 'message.complained',
};

function bounceOf({ bounce }: Payload): NonNullable<Projection['bounce']> {
  const type = bounce?.bounce_type ?? textAt(bounce, 'bounceType');
  const first = bounce?.recipients?.[0];
  const code = textAt(first, 'status');
  const diagnostic = textAt(first, 'diagnostic_code');
  return {
    class: type === 'Permanent' ? 'hard' : 'soft',
    ...(code !== undefined && { code }),
    ...(diagnostic !== undefined && { diagnostic }),
  };
}

function project(payload: Payload): Projection | undefined {
  const { email_a_event_type: type, bounce, complaint, open, click, destination } = payload;
  const list = type === 'Bounce' ? bounce?.recipients : complaint?.recipients;
  const [recipient = destination[0]] = textsAt(list, 0, 'email_address');
  const reader = type === 'Open' ? open : click;
  const url = type === 'Click' ? click?.link : undefined;
  return {
    kind: kinds[type],
    channel: 'email',
    occurredAt: payload.timestamp,
    isMachine: (type === 'Open' || type === 'Click') && isMachineAgent(reader?.user_agent),
    ...(url !== undefined && { url }),
    ...(reader?.user_agent !== undefined && { userAgent: reader.user_agent }),
    ...(reader?.ip_address !== undefined && { ip: reader.ip_address }),
    ...(recipient !== undefined && { recipient }),
    ...(type === 'Bounce' && { bounce: bounceOf(payload) }),
  };
}

const topic = topicKind({
  kind: 'email_a',
  payload: Payload,
  readMessage,
  greeting: /^Successfully validated SNS topic/,
});

/** Sample fields of the event, in addition to those of the mail. */
const sampleDetails: Readonly<Record<string, object>> = {
  Bounce: {
    bounceType: 'Permanent',
    bounceSubType: 'General',
    bouncedRecipients: [
      {
        emailAddress: 'ada@example.com',
        action: 'failed',
        status: '5.1.1',
        diagnosticCode: 'smtp; 550 5.1.1 user unknown',
      },
    ],
  },
  Complaint: {
    complaintFeedbackType: 'abuse',
    complainedRecipients: [{ emailAddress: 'ada@example.com' }],
  },
  Delivery: { recipients: ['ada@example.com'], smtpResponse: '250 ok', processingTimeMillis: 412 },
  Open: { ipAddress: '198.51.100.7', userAgent: 'Mozilla/5.0 (X11; Linux x86_64)' },
  Click: {
    ipAddress: '198.51.100.7',
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64)',
    link: 'https://example.com/start',
  },
  Reject: { reason: 'Bad content' },
  RenderingFailure: { templateName: 'welcome', errorMessage: 'Attribute first_name is missing' },
  DeliveryDelay: {
    delayType: 'MailboxFull',
    delayedRecipients: [{ emailAddress: 'ada@example.com', status: '4.2.2' }],
  },
};

/** E-mail events of the Amazon SES family, carried by an SNS topic. */
export const emailA = receiver({
  ...topicForm,
  ...topic,
  kind: 'email_a',
  operationId: 'receiveEmailA',
  summary: 'Receive an e-mail event that comes through a topic',
  payload: Payload,
  dedupKey: ({ raw_topic_message_id }) => raw_topic_message_id,
  providerEventId: ({ raw_topic_message_id }) => raw_topic_message_id,
  providerMessageId: ({ email_a_message_id }) => email_a_message_id,
  eventType: ({ email_a_event_type }) => email_a_event_type,
  project,
  sampleEvents: ['Delivery', ...eventTypes.filter((type) => type !== 'Delivery')],
  async sample(event, context) {
    const type = eventTypes.find((one) => one === event) ?? 'Delivery';
    const timestamp = new Date(context.nowMs).toISOString();
    const mail = {
      timestamp,
      messageId: `sample-${context.nowMs}`,
      source: 'hello@example.com',
      destination: ['ada@example.com'],
      tags: Object.fromEntries(
        Object.entries(correlationIn(context.settings)).map(([name, id]) => [name, [id]]),
      ),
    };
    const eventType = type === 'RenderingFailure' ? 'Rendering Failure' : type;
    const detail = { timestamp, ...sampleDetails[type] };
    return topicSample(topic.read, {
      ...context,
      event: { eventType, mail, [details[type].from]: detail },
    });
  },
});
