import type { ReportRule } from './report-rule.ts';
import { smtpReplyRules } from './smtp-reply.ts';

const events = 'https://documentation.mailgun.com/docs/mailgun/user-manual/events/event-types';
const failures =
  'https://documentation.mailgun.com/docs/mailgun/user-manual/tracking-messages/tracking-messages';

export type EmailCField = 'event' | 'severity' | 'reason' | 'code' | 'reply' | 'bounce_type';
type Rule = ReportRule<EmailCField>;

const event = (name: string, outcome: Rule['outcome']): Rule => ({
  when: { event: [name] },
  outcome,
  source: events,
});
/** The provider did not try, for a reason that it names by a word or by a code of its own. */
const notTried = (reason: string, code: string, outcome: Rule['outcome']): Rule[] => [
  { when: { event: ['failed'], reason: [reason] }, outcome, source: events },
  { when: { event: ['failed'], code: [code] }, outcome, source: events },
];

/** Reports of Mailgun, one row for each meaning; the first that matches counts. */
export const emailCRules: readonly Rule[] = [
  event('accepted', 'queued'),
  event('rejected', 'failed'),
  event('delivered', 'delivered'),
  event('opened', 'opened'),
  event('clicked', 'clicked'),
  event('complained', 'complaint'),
  event('unsubscribed', 'unsubscribe'),

  { when: { event: ['failed'], severity: ['temporary'] }, outcome: 'delayed', source: failures },
  ...notTried('suppress-bounce', '605', 'address gone'),
  ...notTried('suppress-unsubscribe', '606', 'not sent: unsubscribed before'),
  ...notTried('suppress-complaint', '607', 'not sent: complained before'),
  { when: { event: ['failed'], reason: ['espblock'] }, outcome: 'refused', source: failures },
  ...smtpReplyRules(['failed']),
  { when: { event: ['failed'], reason: ['old'] }, outcome: 'given up', source: failures },
  { when: { event: ['failed'], code: ['602'] }, outcome: 'given up', source: failures },
  { when: { event: ['failed'], bounce_type: ['soft'] }, outcome: 'refused', source: failures },
  { when: { event: ['failed'] }, outcome: 'address gone', source: failures },
];
