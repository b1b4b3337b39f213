import type { Keyring } from '../../platform/auth/keyring.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { changedFields, recordEvent } from '../../platform/events/record.ts';
import { messageUnsubscribed } from '../events.ts';
import { linkSource } from '../../contacts/consents/rules.ts';
import type { FormerAddress } from '../../contacts/consents/rules.ts';
import { leaveChannel } from '../../contacts/consents/leave.ts';
import { keepFormerOptOut, keepOptOut } from '../../contacts/consents/queries.ts';
import { lockContactsSharing } from '../../contacts/lookup/queries.ts';
import { lockInAnyStatus } from '../../contacts/merge/queries.ts';
import { contactNotAvailable } from '../../contacts/not-available.ts';
import { lockContacts, lockContactsWith } from '../../contacts/queries.ts';
import type { ContactRow } from '../../contacts/queries.ts';
import {
  changeTopicConsents,
  keepFormerTopicOptOut,
  keepTopicOptOut,
} from '../../contacts/topic-consents/change.ts';
import { findTopicIds } from '../../contacts/topics/queries.ts';
import { recordEngagement } from '../../engagement/engagement-events/record.ts';
import { MessageDelivery } from '../message-deliveries/message-delivery.ts';
import type { MessageDeliveryRow } from '../message-deliveries/message-delivery.ts';
import { lockMessageDelivery, updateReported } from '../message-deliveries/queries.ts';
import { afterReport } from '../message-deliveries/rules.ts';
import { masked } from '../../campaigns/messages/rules.ts';
import { openEarlierIdentity } from '../../contacts/earlier-identities/earlier-identities.ts';
import { findLostAfter } from '../../contacts/earlier-identities/queries.ts';

/** The address or number that a message was sent to, if its contact has got another one since. */
async function formerAddressOf(
  sql: Sql,
  keyring: Keyring,
  delivery: MessageDeliveryRow,
): Promise<FormerAddress | undefined> {
  const { team_id: teamId, contact_id, channel, sent_at, to_masked } = delivery;
  if (channel === 'push' || sent_at === null) return undefined;
  const kind = channel === 'email' ? 'email' : 'phone';
  const lost = await findLostAfter(sql, teamId, { contact_id, kind }, sent_at);
  const address = lost && openEarlierIdentity(keyring, teamId, lost);
  return address !== undefined && masked(address) === to_masked ? { channel, address } : undefined;
}

/**
 * Takes back the consent of a delivery's recipient and records this in the delivery. `from` is the
 * list that the message was of: its topic, or the whole channel where it has none. A repeated call
 * changes nothing. Throws 404, and 410 where the contact is erased: nobody knows its address.
 */
export async function unsubscribe(
  sql: Sql,
  keyring: Keyring,
  { team_id: teamId, id }: { team_id: string; id: string },
  from: 'list' | 'channel',
): Promise<MessageDeliveryRow> {
  const delivery = await lockMessageDelivery(sql, teamId, id);
  const { channel, contact_id, topic_id } = delivery;
  const { contacts, former } = await lockRecipients(sql, keyring, delivery, channel);
  // Further messages can name no deleted topic, so leaving it would change nothing.
  const hasTopic =
    from === 'list' && topic_id !== null && (await findTopicIds(sql, teamId, [topic_id])).size > 0;
  if (contacts.length === 0) await lockArchived(sql, teamId, contact_id);
  if (hasTopic) {
    await leaveTopic(sql, delivery, topic_id, contacts);
    if (former) {
      const optOut = { contact_id, topic_id, source: linkSource };
      await keepFormerTopicOptOut(sql, teamId, former, optOut);
    }
  } else {
    const consent = { status: 'unsubscribed' as const, source: linkSource };
    await leaveChannel(sql, keyring, contacts, channel, consent);
    if (contacts.length === 0)
      await keepOptOut(sql, teamId, contact_id, { channel, source: linkSource });
    if (former) await keepFormerOptOut(sql, teamId, contact_id, former, linkSource);
  }
  await recordUnsubscribed(sql, delivery);
  return delivery;
}

/** Throws 410 where the contact is erased. */
async function lockArchived(sql: Sql, teamId: string, id: string): Promise<void> {
  const [contact] = await lockInAnyStatus(sql, teamId, [id]);
  if (!contact || contact.erased_at !== null) throw contactNotAvailable(contact);
}

async function leaveTopic(
  sql: Sql,
  { team_id: teamId, contact_id, channel }: MessageDeliveryRow,
  topic_id: string,
  contacts: readonly ContactRow[],
): Promise<void> {
  const choiceOf = (id: string) => ({
    contact_id: id,
    topic_id,
    channel,
    status: 'unsubscribed' as const,
    source: linkSource,
  });
  const choices = contacts.map(({ id }) => choiceOf(id));
  await changeTopicConsents(sql, teamId, choices, { clientId: null });
  if (contacts.length === 0) await keepTopicOptOut(sql, teamId, choiceOf(contact_id));
}

/** Whom an opt-out by a message concerns. */
interface Concerned {
  /** Locked. */
  contacts: ContactRow[];
  /** The address of the message, if its contact has got another one since. */
  former: FormerAddress | undefined;
}

/**
 * Finds whom an opt-out from a channel concerns: the contact of a message, and all that have its
 * address or number, also where it is archived; and those that have the address of the message.
 */
export async function lockRecipients(
  sql: Sql,
  keyring: Keyring,
  delivery: MessageDeliveryRow,
  channel: MessageDeliveryRow['channel'],
): Promise<Concerned> {
  const { team_id: teamId, contact_id } = delivery;
  if (channel === 'push') {
    return { contacts: await lockContacts(sql, teamId, [contact_id]), former: undefined };
  }
  const field = channel === 'email' ? 'email' : 'phone';
  const contacts = await lockContactsSharing(sql, teamId, contact_id, field);
  const isOfMessage = channel === delivery.channel;
  const former = isOfMessage ? await formerAddressOf(sql, keyring, delivery) : undefined;
  if (!former) return { contacts, former };
  const holders = await lockContactsWith(sql, teamId, { field, value: former.address });
  const others = holders.filter(({ id }) => contacts.every((one) => one.id !== id));
  return { contacts: [...contacts, ...others], former };
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
