import type { ReportRule } from './report-rule.ts';
import { smtpReplyRules } from './smtp-reply.ts';

const events = 'https://www.twilio.com/docs/sendgrid/for-developers/tracking-events/event';
const bounces = 'https://www.twilio.com/docs/sendgrid/ui/sending-email/bounces';
const blocks = 'https://www.twilio.com/docs/sendgrid/ui/sending-email/blocks';
const classes =
  'https://www.twilio.com/docs/sendgrid/api-reference/bounces-api/retrieve-bounce-totals-by-classification';
const drops = `${events}#dropped`;

export type EmailBField = 'event' | 'bounce_type' | 'classification' | 'reply' | 'reason';
type Rule = ReportRule<EmailBField>;

const event = (names: readonly string[], outcome: Rule['outcome']): Rule => ({
  when: { event: names },
  outcome,
  source: events,
});
const returned = ['bounce', 'blocked'];
const classified = (classification: readonly string[], outcome: Rule['outcome']): Rule => ({
  when: { event: returned, classification },
  outcome,
  source: classes,
});
const dropped = (reason: readonly string[], outcome: Rule['outcome']): Rule => ({
  when: { event: ['dropped'], reason },
  outcome,
  source: drops,
});

/** Reports of SendGrid, one row for each meaning; the first that matches counts. */
export const emailBRules: readonly Rule[] = [
  event(['processed'], 'queued'),
  event(['deferred'], 'delayed'),
  event(['delivered'], 'delivered'),
  event(['open'], 'opened'),
  event(['click'], 'clicked'),
  event(['spamreport'], 'complaint'),
  event(['unsubscribe', 'group_unsubscribe'], 'unsubscribe'),
  event(['group_resubscribe'], 'no effect'),

  classified(['Invalid Address'], 'address gone'),
  classified(['Mailbox Unavailable'], 'mailbox trouble'),
  classified(['Content', 'Reputation', 'Frequency or Volume Too High'], 'refused'),
  classified(['Technical', 'Technical Failure'], 'given up'),
  ...smtpReplyRules(returned),
  { when: { event: ['blocked'] }, outcome: 'refused', source: blocks },
  { when: { event: ['bounce'], bounce_type: ['blocked'] }, outcome: 'refused', source: blocks },
  { when: { event: ['bounce'], bounce_type: ['expired'] }, outcome: 'given up', source: bounces },
  { when: { event: ['bounce'] }, outcome: 'address gone', source: bounces },

  dropped(['Bounced Address', 'Invalid'], 'not sent: bounced before'),
  dropped(['Spam Reporting Address'], 'not sent: complained before'),
  dropped(['Unsubscribed Address'], 'not sent: unsubscribed before'),
  { when: { event: ['dropped'] }, outcome: 'failed', source: drops },
];
