import type { MessageRow } from '../../campaigns/messages/message.ts';
import type { Recipient } from './queries.ts';
import type { RecipientFacts } from './rules.ts';

/** Facts about a recipient for the rules; undefined stands for a deleted contact. */
export function recipientFacts(
  { channel, purpose }: Pick<MessageRow, 'channel' | 'purpose'>,
  recipient: Recipient | undefined,
): RecipientFacts {
  const consent = recipient?.consents[channel].status ?? 'never';
  const about = { channel, purpose, consent };
  if (!recipient) return { ...about, hasAddress: false, isSuppressed: false };
  const { is_suppressed: isGone } = recipient;
  switch (channel) {
    case 'email':
      return {
        ...about,
        hasAddress: recipient.email !== null,
        isSuppressed: isGone || recipient.is_email_suppressed,
      };
    case 'sms':
      return {
        ...about,
        hasAddress: recipient.phone !== null,
        isSuppressed: isGone || recipient.is_phone_suppressed,
      };
    case 'push':
      return { ...about, hasAddress: recipient.has_device, isSuppressed: isGone };
    default:
      return channel satisfies never;
  }
}
