import type { Keyring } from '../../platform/auth/keyring.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { changedFields, recordEvent } from '../../platform/events/record.ts';
import { messageUnsubscribed } from '../events.ts';
import { changeContact } from '../../contacts/edit.ts';
import { lockContacts } from '../../contacts/queries.ts';
import { changeTopicConsents } from '../../contacts/topic-consents/change.ts';
import { findTopicIds } from '../../contacts/topics/queries.ts';
import { recordEngagement } from '../../engagement/engagement-events/record.ts';
import { linkSource } from '../preferences/offer.ts';
import { MessageDelivery } from '../message-deliveries/message-delivery.ts';
import type { MessageDeliveryRow } from '../message-deliveries/message-delivery.ts';
import { lockMessageDelivery, updateReported } from '../message-deliveries/queries.ts';
import { afterReport } from '../message-deliveries/rules.ts';

/**
 * Takes back the consent of a delivery's recipient and records this in the delivery. `from` is the
 * list that the message was of: its topic, or the whole channel where it has none. A repeated call
 * changes nothing. Throws 404.
 */
export async function unsubscribe(
  sql: Sql,
  keyring: Keyring,
  { team_id: teamId, id }: { team_id: string; id: string },
  from: 'list' | 'channel',
): Promise<MessageDeliveryRow> {
  const delivery = await lockMessageDelivery(sql, teamId, id);
  const { channel, contact_id, topic_id } = delivery;
  const [contact] = await lockContacts(sql, teamId, [contact_id]);
  const status = 'unsubscribed' as const;
  // Further messages can name no deleted topic, so leaving it would change nothing.
  const hasTopic =
    from === 'list' && topic_id !== null && (await findTopicIds(sql, teamId, [topic_id])).size > 0;
  if (contact && hasTopic) {
    const wanted = { contact_id, topic_id, channel, status, source: linkSource };
    await changeTopicConsents(sql, teamId, [wanted], { clientId: null });
  } else if (contact && contact.consents[channel].status !== status) {
    const consents = { [channel]: { status, source: linkSource } };
    await changeContact(sql, contact, { consents }, { clientId: null }, keyring);
  }
  await recordUnsubscribed(sql, delivery);
  return delivery;
}

/** Records in a delivery, which is locked, that its recipient has unsubscribed by it; once. */
export async function recordUnsubscribed(sql: Sql, before: MessageDeliveryRow): Promise<void> {
  if (before.unsubscribed_at !== null) return;
  const { team_id: teamId, id, channel, contact_id, message_id, template_id, journey_id } = before;
  const kind = 'message.unsubscribed';
  const at = new Date().toISOString();
  const changes = afterReport(before, { kind, at, isMachine: false });
  const after = { ...before, ...changes, lock_version: before.lock_version + 1 };
  const updated_at = await updateReported(sql, teamId, [after]);
  await recordEngagement(sql, teamId, [
    {
      kind,
      channel,
      source: 'system',
      is_machine: false,
      occurred_at: at,
      contact_id,
      message_id,
      template_id,
      message_delivery_id: id,
      ...(journey_id !== null && { journey_id }),
    },
  ]);
  const data = { ...after, updated_at };
  const previous = changedFields(MessageDelivery, before, after) ?? {};
  recordEvent(sql, {
    teamId,
    type: messageUnsubscribed,
    data,
    sequence: after.lock_version,
    previous,
  });
}
