import { correlation, correlationIn } from '../correlation.ts';
import { firstTimestamp } from '../moments.ts';
import { at, given, recordAt, renamed, renamedTexts, textAt, textsAt } from '../read-json.ts';
import type { Json } from '../read-json.ts';
import type { NativeItem } from '../receiver.ts';

export const eventTypes = [
  'Send',
  'Delivery',
  'Bounce',
  'Complaint',
  'Open',
  'Click',
  'Reject',
  'RenderingFailure',
  'DeliveryDelay',
] as const;
export type EventType = (typeof eventTypes)[number];

interface Detail {
  /** The provider's object of the event, and ours. */
  from: string;
  to: string;
  /** Our names and the provider's, for texts. */
  fields: Readonly<Record<string, string>>;
  /** The same for values of any type. */
  others?: Readonly<Record<string, string>>;
  people?: { from: string; to: string };
}

const seen = { ip_address: 'ipAddress', user_agent: 'userAgent', timestamp: 'timestamp' };

export const details: Readonly<Record<EventType, Detail>> = {
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
      smtp_response: 'smtpResponse',
      reporting_mta: 'reportingMTA',
      remote_mta_ip: 'remoteMtaIp',
    },
    others: { processing_time_millis: 'processingTimeMillis', recipients: 'recipients' },
  },
  Open: { from: 'open', to: 'open', fields: seen },
  Click: {
    from: 'click',
    to: 'click',
    fields: { ...seen, link: 'link' },
    others: { link_tags: 'linkTags' },
  },
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
};

const personFields = {
  email_address: 'emailAddress',
  status: 'status',
  action: 'action',
  diagnostic_code: 'diagnosticCode',
};

function readDetail({ fields, others = {}, people }: Detail, value: unknown): Json {
  const list = people && at(value, people.from);
  return given({
    ...renamedTexts(value, fields),
    ...renamed(value, others),
    ...(people &&
      Array.isArray(list) && { [people.to]: list.map((one) => renamedTexts(one, personFields)) }),
  });
}

/** From message tags, else from headers of the message. */
function correlationOf(mail: unknown): Json {
  const headers = at(mail, 'headers');
  const byHeader = Object.fromEntries(
    Object.keys(correlation).map((name) => {
      const requested = `x-${name.replaceAll('_', '-')}`;
      const list: unknown[] = Array.isArray(headers) ? headers : [];
      const header = list.find((one) => textAt(one, 'name')?.toLowerCase() === requested);
      return [name, textAt(mail, 'tags', name, 0) ?? textAt(header, 'value')];
    }),
  );
  return correlationIn(byHeader);
}

/** The event of an e-mail inside of a notification, in our words. */
export function readMessage(message: unknown, topicMessageId: string): NativeItem {
  const name = (textAt(message, 'eventType') ?? textAt(message, 'notificationType'))?.replace(
    ' ',
    '',
  );
  const eventType = eventTypes.find((one) => one === name);
  const mail = recordAt(message, 'mail');
  if (mail === undefined || name === undefined) {
    return { unrecognized: 'The message of the topic is not an event of an e-mail.' };
  }
  if (eventType === undefined) {
    return { unrecognized: 'The type of the event has no mapping.' };
  }
  const form = details[eventType];
  const detail = recordAt(message, form.from);
  return {
    payload: given({
      kind: 'email_a',
      email_a_event_type: eventType,
      // These only link the event: it counts without them as well.
      email_a_message_id: textAt(mail, 'messageId') ?? '',
      source: textAt(mail, 'source') ?? '',
      destination: textsAt(mail, 'destination'),
      timestamp: firstTimestamp(textAt(detail, 'timestamp'), textAt(mail, 'timestamp')),
      raw_topic_message_id: topicMessageId,
      ...correlationOf(mail),
      ...(detail && { [form.to]: readDetail(form, detail) }),
    }),
  };
}
