import type { Keyring } from '../../platform/auth/keyring.ts';
import type { Sql } from '../../platform/database/sql.ts';
import type { ConsentsPatch } from '../../contacts/contact.ts';
import { changeContact } from '../../contacts/edit.ts';
import { lockContacts } from '../../contacts/queries.ts';
import type { ContactRow } from '../../contacts/queries.ts';
import { changeTopicConsents } from '../../contacts/topic-consents/change.ts';
import { topicChoicesOf } from '../../contacts/topic-consents/present.ts';
import { lockMessageDelivery } from '../message-deliveries/queries.ts';
import type { MessageDeliveryRow } from '../message-deliveries/message-delivery.ts';
import { recordUnsubscribed } from '../unsubscribing/unsubscribe.ts';
import { channelStates, channels, changesOf, pageSource } from './offer.ts';
import type { Channel, Choices } from './offer.ts';

/** A form of the page, as it was sent. */
export type Sent = 'everything' | Choices;

/** Stores what a recipient has chosen; returns false where the contact is no more. Throws 404. */
export async function savePreferences(
  sql: Sql,
  keyring: Keyring,
  { team_id: teamId, id }: { team_id: string; id: string },
  sent: Sent,
): Promise<boolean> {
  const delivery = await lockMessageDelivery(sql, teamId, id);
  const [contact] = await lockContacts(sql, teamId, [delivery.contact_id]);
  if (!contact) return false;
  if (sent === 'everything') await leaveEverything(sql, keyring, contact, delivery);
  else await saveChoices(sql, keyring, contact, delivery, sent);
  return true;
}

async function leaveEverything(
  sql: Sql,
  keyring: Keyring,
  contact: ContactRow,
  delivery: MessageDeliveryRow,
): Promise<void> {
  const given = channels.filter((channel) =>
    ['subscribed', 'pending'].includes(contact.consents[channel].status),
  );
  if (given.length === 0) return;
  await writeConsents(sql, keyring, contact, given, 'unsubscribed');
  await recordUnsubscribed(sql, delivery);
}

async function saveChoices(
  sql: Sql,
  keyring: Keyring,
  contact: ContactRow,
  delivery: MessageDeliveryRow,
  sent: Choices,
): Promise<void> {
  const { team_id: teamId, id: contact_id, email, phone } = contact;
  const states = channelStates(contact.consents, {
    has_email: email !== null,
    has_phone: phone !== null,
  });
  const offered = (await topicChoicesOf(sql, teamId, contact_id)).flatMap(({ topic, consents }) =>
    topic.is_archived
      ? []
      : channels.map((channel) => {
          const { status } = consents[channel];
          return { topicId: topic.id, channel, status };
        }),
  );
  const { reopened, topics } = changesOf(offered, states, sent);
  if (reopened.length > 0) await writeConsents(sql, keyring, contact, reopened, 'subscribed');
  const source = pageSource;
  await changeTopicConsents(
    sql,
    teamId,
    topics.map(({ topicId: topic_id, channel, status }) => ({
      contact_id,
      topic_id,
      channel,
      status,
      source,
    })),
    { clientId: null },
  );
  const hasLeft = topics.some(
    ({ topicId, channel, status }) =>
      status === 'unsubscribed' && topicId === delivery.topic_id && channel === delivery.channel,
  );
  if (hasLeft) await recordUnsubscribed(sql, delivery);
}

async function writeConsents(
  sql: Sql,
  keyring: Keyring,
  contact: ContactRow,
  changed: readonly Channel[],
  status: 'subscribed' | 'unsubscribed',
): Promise<void> {
  const consents: ConsentsPatch = Object.fromEntries(
    changed.map((channel) => [channel, { status, source: pageSource }]),
  );
  await changeContact(sql, contact, { consents }, { clientId: null }, keyring);
}
