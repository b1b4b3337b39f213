import type { Keyring } from '../../platform/auth/keyring.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { changedFields, recordEvent } from '../../platform/events/record.ts';
import { messageUnsubscribed } from '../events.ts';
import { changeContact } from '../../contacts/edit.ts';
import { lockContacts } from '../../contacts/queries.ts';
import { recordEngagement } from '../../engagement/engagement-events/record.ts';
import { MessageDelivery } from '../message-deliveries/message-delivery.ts';
import { lockMessageDelivery, updateReported } from '../message-deliveries/queries.ts';
import { afterReport } from '../message-deliveries/rules.ts';

/** As consents name it. */
const source = 'unsubscribe_link';

/**
 * Withdraws the consent of a delivery's recipient to its channel, and records this in the delivery.
 * A repeated call changes nothing. Throws 404.
 */
export async function unsubscribe(
  sql: Sql,
  keyring: Keyring,
  { team_id: teamId, id }: { team_id: string; id: string },
): Promise<void> {
  const before = await lockMessageDelivery(sql, teamId, id);
  const { channel, contact_id } = before;
  const [contact] = await lockContacts(sql, teamId, [contact_id]);
  if (contact && contact.consents[channel].status !== 'unsubscribed') {
    const consents = { [channel]: { status: 'unsubscribed' as const, source } };
    await changeContact(sql, contact, { consents }, { clientId: null }, keyring);
  }
  if (before.unsubscribed_at !== null) return;
  const kind = 'message.unsubscribed';
  const at = new Date().toISOString();
  const changes = afterReport(before, { kind, at, isMachine: false });
  const after = { ...before, ...changes, lock_version: before.lock_version + 1 };
  const updated_at = await updateReported(sql, teamId, [after]);
  const { message_id, template_id, journey_id } = before;
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
