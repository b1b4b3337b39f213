import type { Sql } from '../../platform/database/sql.ts';
import type { consentChannels } from '../rules.ts';
import type { ContactRow } from '../queries.ts';
import { listTopicsOf } from '../topics/queries.ts';
import type { TopicRow } from '../topics/topic.ts';
import { listTopicConsents } from './queries.ts';
import { topicKeyOf } from './rules.ts';
import type { StoredTopicConsent } from './rules.ts';

/** A topic with what is in effect for a contact, for each channel. */
export interface TopicChoices {
  topic: TopicRow;
  consents: Record<(typeof consentChannels)[number], ConsentInEffect>;
}

type ConsentInEffect = Pick<StoredTopicConsent, 'status'> &
  Partial<StoredTopicConsent> & { is_default: boolean };

/** The topics of the team, the archived ones as well, with the consents of a contact. */
export async function topicChoicesOf(
  sql: Sql,
  teamId: string,
  contactId: string,
): Promise<TopicChoices[]> {
  const topics = await listTopicsOf(sql, teamId);
  if (topics.length === 0) return [];
  const stored = await listTopicConsents(sql, teamId, [contactId]);
  const known = new Map(stored.map((one) => [topicKeyOf(one), one]));
  return topics.map((topic) => {
    const inEffect = (channel: StoredTopicConsent['channel']): ConsentInEffect => {
      const choice = known.get(topicKeyOf({ contact_id: contactId, topic_id: topic.id, channel }));
      return choice
        ? { ...choice, is_default: false }
        : { status: topic.default_consent, is_default: true };
    };
    const [email, sms, push] = [inEffect('email'), inEffect('sms'), inEffect('push')];
    return { topic, consents: { email, sms, push } };
  });
}

/** The consents of a contact in the form of a response. */
export async function presentTopicConsents(sql: Sql, contact: ContactRow) {
  const { team_id, id, lock_version, inserted_at, updated_at } = contact;
  const choices = await topicChoicesOf(sql, team_id, id);
  return {
    id,
    type: 'contact_topic_consents' as const,
    team_id,
    contact_id: id,
    topics: choices.map(({ topic, consents }) => ({ topic_id: topic.id, consents })),
    lock_version,
    inserted_at,
    updated_at,
  };
}
