import { Type } from 'typebox';
import type { Static } from 'typebox';
import { OneOf, Timestamp } from '../../fields.ts';
import type { EngagementKind } from '../../partner/engagement-events/engagement-event.ts';
import { correlation, correlationIn } from '../correlation.ts';
import { isMachineAgent } from '../machine-agents.ts';
import { firstTimestamp } from '../moments.ts';
import { at, booleanAt, given, recordAt, renamed, textAt, textsAt } from '../read-json.ts';
import type { Json } from '../read-json.ts';
import { receiver } from '../receiver.ts';
import type { NativeItem, Projection } from '../receiver.ts';
import { RawTopicEnvelope, topicForm, topicKind, topicSample } from '../topic.ts';

/** Subscription is ours: the provider tells so that a contact left its lists. */
const eventTypes = [
  ...['Send', 'Delivery', 'Bounce', 'Complaint', 'Open', 'Click', 'Reject'],
  ...['RenderingFailure', 'DeliveryDelay', 'Subscription'],
] as const;
type EventType = (typeof eventTypes)[number];

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
    subscription: Type.Optional(Type.Object({ unsubscribe_all: Type.Optional(Type.Boolean()) })),
  },
  { title: 'email_a' },
);
type Payload = Readonly<Static<typeof Payload>>;

interface Detail {
  /** The provider's object of the event, and ours. */
  from: string;
  to: string;
  /** Our names and the provider's. */
  fields: Readonly<Record<string, string>>;
  people?: { from: string; to: string };
}

const seen = { ip_address: 'ipAddress', user_agent: 'userAgent', timestamp: 'timestamp' };

const details: Readonly<Record<EventType, Detail>> = {
  Send: { from: 'send', to: 'send', fields: {} },
  Bounce: {
    from: 'bounce',
    to: 'bounce',
    fields: {
      bounce_type: 'bounceType',
      bounce_sub_type: 'bounceSubType',
      feedback_id: 'feedbackId',
      timestamp: 'timestamp',
      remote_mta_ip: 'remoteMtaIp',
      reporting_mta: 'reportingMTA',
    },
    people: { from: 'bouncedRecipients', to: 'recipients' },
  },
  Complaint: {
    from: 'complaint',
    to: 'complaint',
    fields: {
      feedback_type: 'complaintFeedbackType',
      sub_type: 'complaintSubType',
      feedback_id: 'feedbackId',
      user_agent: 'userAgent',
      arrival_date: 'arrivalDate',
      timestamp: 'timestamp',
    },
    people: { from: 'complainedRecipients', to: 'recipients' },
  },
  Delivery: {
    from: 'delivery',
    to: 'delivery',
    fields: {
      timestamp: 'timestamp',
      processing_time_millis: 'processingTimeMillis',
      smtp_response: 'smtpResponse',
      reporting_mta: 'reportingMTA',
      remote_mta_ip: 'remoteMtaIp',
      recipients: 'recipients',
    },
  },
  Open: { from: 'open', to: 'open', fields: seen },
  Click: { from: 'click', to: 'click', fields: { ...seen, link: 'link', link_tags: 'linkTags' } },
  Reject: { from: 'reject', to: 'reject', fields: { reason: 'reason' } },
  RenderingFailure: {
    from: 'failure',
    to: 'failure',
    fields: { template_name: 'templateName', error_message: 'errorMessage' },
  },
  DeliveryDelay: {
    from: 'deliveryDelay',
    to: 'delivery_delay',
    fields: { delay_type: 'delayType', expiration_time: 'expirationTime' },
    people: { from: 'delayedRecipients', to: 'delayed_recipients' },
  },
  Subscription: { from: 'subscription', to: 'subscription', fields: {} },
};

const personFields = {
  email_address: 'emailAddress',
  status: 'status',
  action: 'action',
  diagnostic_code: 'diagnosticCode',
};

function readDetail({ fields, people }: Detail, value: unknown): Json {
  const list = people && at(value, people.from);
  return given({
    ...renamed(value, fields),
    ...(people &&
      Array.isArray(list) && { [people.to]: list.map((one) => renamed(one, personFields)) }),
    unsubscribe_all: booleanAt(value, 'newTopicPreferences', 'unsubscribeAll'),
  });
}

/** From message tags, else from headers of the message. */
function correlationOf(mail: unknown): Json {
  const headers = at(mail, 'headers');
  const byHeader = Object.fromEntries(
    Object.keys(correlation).map((name) => {
      const wanted = `x-${name.replaceAll('_', '-')}`;
      const list: unknown[] = Array.isArray(headers) ? headers : [];
      const header = list.find((one) => textAt(one, 'name')?.toLowerCase() === wanted);
      return [name, textAt(mail, 'tags', name, 0) ?? textAt(header, 'value')];
    }),
  );
  return correlationIn(byHeader);
}

function readMessage(message: unknown, topicMessageId: string): NativeItem {
  const name = (textAt(message, 'eventType') ?? textAt(message, 'notificationType'))?.replace(
    ' ',
    '',
  );
  const eventType = eventTypes.find((one) => one === name);
  const mail = recordAt(message, 'mail');
  if (eventType === undefined || mail === undefined) {
    return { unrecognised: 'The message of the topic is no event of an e-mail.' };
  }
  const form = details[eventType];
  const detail = recordAt(message, form.from);
  return {
    payload: given({
      kind: 'email_a',
      email_a_event_type: eventType,
      email_a_message_id: at(mail, 'messageId'),
      source: at(mail, 'source'),
      destination: at(mail, 'destination'),
      timestamp: firstTimestamp(textAt(detail, 'timestamp'), textAt(mail, 'timestamp')),
      raw_topic_message_id: topicMessageId,
      ...correlationOf(mail),
      ...(detail && { [form.to]: readDetail(form, detail) }),
    }),
  };
}

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
  Subscription: 'message.unsubscribed',
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
  if (type === 'Subscription' && payload.subscription?.unsubscribe_all === false) return undefined;
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

/** What the provider would say of the event, beside the mail itself. */
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
  Subscription: { contactList: 'customers', newTopicPreferences: { unsubscribeAll: true } },
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
