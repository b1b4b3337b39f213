import type { SkipReason } from '../message-deliveries/rules.ts';

/** Rules of who may receive a message, without I/O or clock. */

/** Facts about the recipient of a message, which are read again right before it is sent. */
export interface RecipientFacts {
  hasAddress: boolean;
  isSuppressed: boolean;
  purpose: 'marketing' | 'transactional' | 'servicing';
  channel: 'email' | 'sms' | 'push';
  consent: 'never' | 'pending' | 'subscribed' | 'unsubscribed';
  /** Whether the message has a topic to which the recipient is not subscribed. */
  isTopicRefused: boolean;
}

/** Reason to send nothing to a recipient, in any step. */
export function refusalOfRecipient(recipient: RecipientFacts): SkipReason | undefined {
  if (!recipient.hasAddress) return 'missing_address';
  if (recipient.isSuppressed) return 'suppressed';
  if (!mayReceive(recipient)) return 'no_consent';
  return recipient.isTopicRefused ? 'topic_unsubscribed' : undefined;
}

/** Marketing needs a consent. STOP ends every text message; other e-mails are sent. */
function mayReceive({ purpose, channel, consent }: RecipientFacts): boolean {
  if (purpose === 'marketing') return consent === 'subscribed';
  return channel !== 'sms' || consent !== 'unsubscribed';
}

/** Number of marketing messages to a contact, in the last day and in the last seven days. */
export interface SendCounts {
  day: number;
  week: number;
}

export function isCapped(
  { day, week }: SendCounts,
  cap: { per_day: number; per_week: number },
): boolean {
  return day >= cap.per_day || week >= cap.per_week;
}
