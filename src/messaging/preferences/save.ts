import type { Keyring } from '../../platform/auth/keyring.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { keepFormerOptOut } from '../../contacts/consents/queries.ts';
import { isOptOut, pageSource } from '../../contacts/consents/rules.ts';
import type { ConsentsPatch } from '../../contacts/contact.ts';
import { changeContact } from '../../contacts/edit.ts';
import { lockContacts } from '../../contacts/queries.ts';
import type { ContactRow } from '../../contacts/queries.ts';
import {
  changeTopicConsents,
  keepFormerTopicOptOut,
} from '../../contacts/topic-consents/change.ts';
import { topicChoicesOf } from '../../contacts/topic-consents/present.ts';
import { lockMessageDelivery } from '../message-deliveries/queries.ts';
import type { MessageDeliveryRow } from '../message-deliveries/message-delivery.ts';
import { lockRecipients, recordUnsubscribed } from '../unsubscribing/unsubscribe.ts';
import { channelStates, channels, changesOf } from './offer.ts';
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
  const leaving = new Map<string, { one: ContactRow; given: Channel[] }>();
  for (const channel of channels) {
    const { contacts, former } = await lockRecipients(sql, keyring, delivery, channel);
    if (former) await keepFormerOptOut(sql, contact.team_id, contact.id, former, pageSource);
    for (const one of contacts) {
      const consent = one.consents[channel];
      if (consent.status === 'never' || isOptOut(consent)) continue;
      const { given } = leaving.get(one.id) ?? { given: [] };
      leaving.set(one.id, { one, given: [...given, channel] });
    }
  }
  for (const { one, given } of leaving.values()) {
    await writeConsents(sql, keyring, one, given, 'unsubscribed');
  }
  if (leaving.size > 0) await recordUnsubscribed(sql, delivery);
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
  const choices = [];
  for (const { topicId: topic_id, channel, status } of topics) {
    // Who comes back comes back alone.
    const { contacts, former } =
      status === 'subscribed'
        ? { contacts: [contact], former: undefined }
        : await lockRecipients(sql, keyring, delivery, channel);
    if (former) {
      const optOut = { contact_id, topic_id, source: pageSource };
      await keepFormerTopicOptOut(sql, teamId, former, optOut);
    }
    for (const { id } of contacts) {
      choices.push({ contact_id: id, topic_id, channel, status, source: pageSource });
    }
  }
  await changeTopicConsents(sql, teamId, choices, { clientId: null });
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
