import type { MessageRow } from '../../campaigns/messages/message.ts';
import { topicKeyOf } from '../../contacts/topic-consents/rules.ts';
import type { Recipient } from './queries.ts';
import type { TopicRefusals } from './topics.ts';
import type { RecipientFacts } from './rules.ts';

/** Facts about a recipient for the rules; undefined stands for a deleted contact. */
export function recipientFacts(
  { channel, purpose, topic_id }: Pick<MessageRow, 'channel' | 'purpose' | 'topic_id'>,
  recipient: Recipient | undefined,
  refusals: TopicRefusals,
): RecipientFacts {
  const consent = recipient?.consents[channel].status ?? 'never';
  const isTopicRefused =
    refusals.size > 0 &&
    recipient !== undefined &&
    topic_id !== null &&
    refusals.has(topicKeyOf({ contact_id: recipient.id, topic_id, channel }));
  const about = { channel, purpose, consent, isTopicRefused };
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
