import { isOptOut } from '../consents/rules.ts';
import type { FormerAddress } from '../consents/rules.ts';
import type { RecordedTopicConsent } from './topic-consents.ts';

/** Rules of consents to topics, without I/O or clock. */

export type TopicChannel = 'email' | 'sms' | 'push';

/** A topic on a channel of a contact. */
export interface TopicKey {
  contact_id: string;
  topic_id: string;
  channel: TopicChannel;
}

export type StoredTopicConsent = TopicKey & RecordedTopicConsent;

/** A choice to record. */
export type RequestedTopicConsent = TopicKey & Omit<RecordedTopicConsent, 'updated_at'>;

interface ChangedConsent {
  requested: RequestedTopicConsent;
  previous: StoredTopicConsent | undefined;
}

export const topicKeyOf = ({ contact_id, topic_id, channel }: TopicKey) =>
  `${contact_id} ${topic_id} ${channel}`;

/**
 * The choices that differ from what is stored or, in the order of the choices, from the one before
 * about the same topic and channel. `at` is the RFC 3339 time of the change.
 */
export function changedTopicConsents(
  stored: readonly StoredTopicConsent[],
  requested: readonly RequestedTopicConsent[],
  at: string,
): ChangedConsent[] {
  const known = new Map(stored.map((one) => [topicKeyOf(one), one]));
  return requested.flatMap((one) => {
    const previous = known.get(topicKeyOf(one));
    if (previous && isSame(previous, one)) return [];
    known.set(topicKeyOf(one), { ...one, updated_at: at });
    return [{ requested: one, previous }];
  });
}

function isSame(stored: StoredTopicConsent, requested: RequestedTopicConsent): boolean {
  return (
    stored.status === requested.status &&
    stored.source === requested.source &&
    stored.evidence === requested.evidence
  );
}

/**
 * The choices that the contact that stays takes over: the stricter of two. One that allows something
 * was given for an address, so it comes along only where the two have that in common.
 */
export function mergedTopicConsents(
  stored: readonly StoredTopicConsent[],
  { winnerId, loserId }: { winnerId: string; loserId: string },
  sharesAddress: Readonly<Record<TopicChannel, boolean>>,
): RequestedTopicConsent[] {
  const own = new Map(stored.map((one) => [topicKeyOf(one), one]));
  return stored.flatMap(({ updated_at: _, ...theirs }) => {
    if (theirs.contact_id !== loserId) return [];
    const moved = { ...theirs, contact_id: winnerId };
    const ours = own.get(topicKeyOf(moved));
    const isWithdrawn = theirs.status === 'unsubscribed';
    // An opt-out of the recipient is stricter than what the team took back.
    const isStricter = ours?.status !== 'unsubscribed' || (isOptOut(theirs) && !isOptOut(ours));
    if (isWithdrawn) return isStricter ? [moved] : [];
    return ours || !sharesAddress[theirs.channel] ? [] : [moved];
  });
}

/** An opt-out from a topic, and the address or number that its contact has no longer. */
export interface FormerTopicOptOut extends FormerAddress {
  contact_id: string;
  topic_id: string;
  source: string;
  /** When the recipient opted out. */
  updated_at: string;
}

/** The opt-outs of recipients that were made for addresses that contacts have no longer. */
export function formerTopicOptOuts(
  stored: readonly StoredTopicConsent[],
  former: readonly (FormerAddress & { contactId: string })[],
): FormerTopicOptOut[] {
  return former.flatMap(({ contactId, channel, address }) =>
    stored.flatMap((one) => {
      if (one.contact_id !== contactId || one.channel !== channel || !isOptOut(one)) return [];
      const { contact_id, topic_id, source, updated_at } = one;
      return [{ contact_id, topic_id, channel, address, source, updated_at }];
    }),
  );
}
