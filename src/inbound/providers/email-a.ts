import { Type } from 'typebox';
import type { Static } from 'typebox';
import { OneOf, Timestamp } from '../../platform/schema/fields.ts';
import { correlation, correlationIn } from '../correlation.ts';
import { isMachineAgent } from '../../engagement/engagement-events/rules.ts';
import { textAt, textsAt } from '../read-json.ts';
import { emailARules } from '../report-rules/email-a.ts';
import type { EmailAField } from '../report-rules/email-a.ts';
import { bounceOf, recipientOf, reportedOf } from '../report-rules/projected.ts';
import { outcomeOf } from '../report-rules/report-rule.ts';
import type { Facts } from '../report-rules/report-rule.ts';
import { replyOf } from '../report-rules/smtp-reply.ts';
import { receiver } from '../receiver.ts';
import type { Projection } from '../receiver.ts';
import { RawTopicEnvelope, topicForm, topicKind, topicSample } from '../topic.ts';
import { details, eventTypes, readMessage } from './email-a-message.ts';

const text = () => Type.Optional(Type.String());
const Details = () => Type.Optional(Type.Record(Type.String(), Type.Unknown()));
/** Most recipients of one message of the provider, each of whom a report can suppress. */
const maxRecipients = 50;

const Recipients = () =>
  Type.Optional(
    Type.Array(
      Type.Object({
        email_address: text(),
        status: text(),
        action: text(),
        diagnostic_code: text(),
      }),
      { maxItems: maxRecipients },
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
          Type.String({ description: 'Permanent, Transient or Undetermined' }),
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

/** The fields of a payload that decide a row of the provider's table, for one recipient. */
function factsOf(
  { email_a_event_type: event, bounce, complaint }: Payload,
  person: unknown,
): Facts<EmailAField> {
  const diagnostic = textAt(person, 'diagnostic_code');
  const reply = replyOf({ status: textAt(person, 'status'), text: diagnostic });
  return {
    event,
    // A relay may have left the provider's own names.
    bounce_type: bounce?.bounce_type ?? textAt(bounce, 'bounceType'),
    bounce_sub_type: bounce?.bounce_sub_type ?? textAt(bounce, 'bounceSubType'),
    reply: reply ?? (textAt(person, 'action') === 'failed' ? 'without code' : undefined),
    feedback_type: complaint?.feedback_type ?? textAt(complaint, 'complaintFeedbackType'),
    complaint_sub_type: complaint?.sub_type ?? textAt(complaint, 'complaintSubType'),
  };
}

/** The recipients that an event is about; those of the mail where it names none. */
function peopleOf({ email_a_event_type: type, bounce, complaint, ...payload }: Payload): object[] {
  const people =
    type === 'Bounce'
      ? bounce?.recipients
      : type === 'Complaint'
        ? complaint?.recipients
        : type === 'Delivery'
          ? textsAt(payload.delivery, 'recipients').map((email_address) => ({ email_address }))
          : undefined;
  if (people !== undefined && people.length > 0) return people;
  return [{ email_address: payload.destination[0] }];
}

function project(payload: Payload): Projection | undefined {
  const { email_a_event_type: type, open, click } = payload;
  const reports = peopleOf(payload).map((person) => ({
    person,
    outcome: outcomeOf(emailARules, factsOf(payload, person)),
  }));
  const about = reports.find(({ outcome }) => outcome.kind !== undefined);
  if (about?.outcome.kind === undefined) return undefined;
  const reader = type === 'Open' ? open : click;
  const url = type === 'Click' ? click?.link : undefined;
  return {
    kind: about.outcome.kind,
    channel: 'email',
    occurredAt: payload.timestamp,
    isMachine: (type === 'Open' || type === 'Click') && isMachineAgent(reader?.user_agent),
    ...(url !== undefined && { url }),
    ...(reader?.user_agent !== undefined && { userAgent: reader.user_agent }),
    ...(reader?.ip_address !== undefined && { ip: reader.ip_address }),
    ...recipientOf(textAt(about.person, 'email_address')),
    ...bounceOf(about.outcome, {
      code: textAt(about.person, 'status'),
      diagnostic: textAt(about.person, 'diagnostic_code'),
    }),
    recipients: reports.map(({ person, outcome }) =>
      reportedOf(outcome, textAt(person, 'email_address')),
    ),
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
  summary: 'Receive e-mail events through a notification topic',
  payload: Payload,
  dedupKey: ({ raw_topic_message_id }) => raw_topic_message_id,
  providerEventId: ({ raw_topic_message_id }) => raw_topic_message_id,
  providerMessageId: ({ email_a_message_id }) => email_a_message_id || undefined,
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
