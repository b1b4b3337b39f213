import type { ReportRule } from './report-rule.ts';
import { smtpReplyRules } from './smtp-reply.ts';

const events =
  'https://docs.aws.amazon.com/ses/latest/dg/event-publishing-retrieving-sns-contents.html';
const replies = 'https://docs.aws.amazon.com/ses/latest/dg/notification-contents.html';

export type EmailAField =
  'event' | 'bounce_type' | 'bounce_sub_type' | 'reply' | 'feedback_type' | 'complaint_sub_type';
type Rule = ReportRule<EmailAField>;

const bounce = (type: string, subTypes: readonly string[], outcome: Rule['outcome']): Rule => ({
  when: { event: ['Bounce'], bounce_type: [type], bounce_sub_type: subTypes },
  outcome,
  source: events,
});

/** Reports of Amazon SES, one row for each meaning; the first that matches counts. */
export const emailARules: readonly Rule[] = [
  { when: { event: ['Send'] }, outcome: 'sent', source: events },
  { when: { event: ['Delivery'] }, outcome: 'delivered', source: events },
  { when: { event: ['DeliveryDelay'] }, outcome: 'delayed', source: events },
  { when: { event: ['Open'] }, outcome: 'opened', source: events },
  { when: { event: ['Click'] }, outcome: 'clicked', source: events },
  { when: { event: ['Reject', 'RenderingFailure'] }, outcome: 'failed', source: events },

  bounce('Permanent', ['NoEmail'], 'address gone'),
  bounce(
    'Permanent',
    [
      'Suppressed',
      'OnAccountSuppressionList',
      'OnTenantSuppressionList',
      'EmailValidationSuppressed',
    ],
    'address gone',
  ),
  bounce('Permanent', ['UnsubscribedRecipient'], 'not sent: unsubscribed before'),
  bounce('Transient', ['MailboxFull'], 'mailbox trouble'),
  bounce('Transient', ['MessageTooLarge', 'ContentRejected', 'AttachmentRejected'], 'refused'),
  ...smtpReplyRules(['Bounce']),
  bounce('Transient', ['CustomTimeoutExceeded'], 'given up'),
  {
    // A server answered, so that this is no automatic reply; its code says nothing of the address.
    when: {
      event: ['Bounce'],
      bounce_type: ['Transient'],
      bounce_sub_type: ['General'],
      reply: ['*'],
    },
    outcome: 'unclear bounce',
    source: replies,
  },
  { ...bounce('Transient', ['General'], 'automatic reply'), source: replies },
  {
    when: { event: ['Bounce'], bounce_type: ['Permanent'] },
    outcome: 'address gone',
    source: events,
  },
  { when: { event: ['Bounce'] }, outcome: 'unclear bounce', source: events },

  {
    when: { event: ['Complaint'], feedback_type: ['not-spam', 'auth-failure'] },
    outcome: 'no complaint',
    source: events,
  },
  {
    when: {
      event: ['Complaint'],
      complaint_sub_type: ['OnAccountSuppressionList', 'OnTenantSuppressionList'],
    },
    outcome: 'not sent: complained before',
    source: events,
  },
  { when: { event: ['Complaint'] }, outcome: 'complaint', source: events },
];
