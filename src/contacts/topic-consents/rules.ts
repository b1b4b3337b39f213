import type { RecordedTopicConsent } from './topic-consents.ts';

/** Rules of consents to topics, without I/O or clock. */

export type TopicChannel = 'email' | 'sms' | 'push';

/** A topic on a channel of a contact. */
export interface TopicPlace {
  contact_id: string;
  topic_id: string;
  channel: TopicChannel;
}

export type StoredTopicConsent = TopicPlace & RecordedTopicConsent;

/** A choice to record. */
export type WantedTopicConsent = TopicPlace & Omit<RecordedTopicConsent, 'updated_at'>;

interface ChangedConsent {
  wanted: WantedTopicConsent;
  previous: StoredTopicConsent | undefined;
}

export const placeOf = ({ contact_id, topic_id, channel }: TopicPlace) =>
  `${contact_id} ${topic_id} ${channel}`;

/**
 * The choices that differ from what is stored or, in the order of the choices, from the one before
 * about the same topic and channel. `at` is the RFC 3339 time of the change.
 */
export function changedTopicConsents(
  stored: readonly StoredTopicConsent[],
  wanted: readonly WantedTopicConsent[],
  at: string,
): ChangedConsent[] {
  const known = new Map(stored.map((one) => [placeOf(one), one]));
  return wanted.flatMap((one) => {
    const previous = known.get(placeOf(one));
    if (previous && isSame(previous, one)) return [];
    known.set(placeOf(one), { ...one, updated_at: at });
    return [{ wanted: one, previous }];
  });
}

function isSame(stored: StoredTopicConsent, wanted: WantedTopicConsent): boolean {
  return (
    stored.status === wanted.status &&
    stored.source === wanted.source &&
    stored.evidence === wanted.evidence
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
): WantedTopicConsent[] {
  const own = new Map(stored.map((one) => [placeOf(one), one]));
  return stored.flatMap(({ updated_at: _, ...theirs }) => {
    if (theirs.contact_id !== loserId) return [];
    const moved = { ...theirs, contact_id: winnerId };
    const ours = own.get(placeOf(moved));
    const isWithdrawn = theirs.status === 'unsubscribed';
    if (isWithdrawn) return ours?.status === 'unsubscribed' ? [] : [moved];
    return ours || !sharesAddress[theirs.channel] ? [] : [moved];
  });
}
