import type { Sql } from '../../platform/database/sql.ts';
import type { EventType } from '../../platform/events/event-type.ts';
import { changedFields, recordEvent } from '../../platform/events/record.ts';
import { contactSuppressed, contactUpdated } from '../events.ts';
import { Contact } from '../contact.ts';
import { contactsSuppressed } from '../hooks.ts';
import { lockContacts, lockContactsWith, markContacts } from '../queries.ts';
import type { ContactRow } from '../queries.ts';
import { findSuppression, insertSuppression, suppressions, lockSoftBounces } from './queries.ts';
import type { NewSuppression, SuppressionRow } from './queries.ts';

/**
 * Suppresses an address or a contact and marks whom it concerns, each with an event. One that is
 * suppressed already stays as it is.
 */
export async function suppress(
  sql: Sql,
  teamId: string,
  requested: NewSuppression,
): Promise<{ suppression: SuppressionRow; isNew: boolean }> {
  const made = await insertSuppression(sql, teamId, requested);
  if (made) {
    await mark(sql, made, contactSuppressed, {
      status: 'suppressed',
      email_status: made.email_status ?? 'suppressed',
    });
    return { suppression: made, isNew: true };
  }
  const known = await findSuppression(sql, teamId, requested);
  // Lifted in this very moment: suppress again.
  return known ? { suppression: known, isNew: false } : suppress(sql, teamId, requested);
}

/** Lifts the suppression of an e-mail address that reports of a provider caused, if it is by soft bounces. */
export async function liftSoftBounces(sql: Sql, teamId: string, address: string): Promise<void> {
  const suppression = await lockSoftBounces(sql, teamId, address);
  if (suppression) await unsuppress(sql, suppression);
}

/** Lifts a suppression that is locked; the address is then as unknown as a new one. */
export async function unsuppress(sql: Sql, suppression: SuppressionRow): Promise<void> {
  await suppressions.remove(sql, suppression.team_id, suppression.id);
  await mark(sql, suppression, contactUpdated, { status: 'active', email_status: 'unknown' });
}

async function mark(
  sql: Sql,
  { team_id: teamId, channel, address, contact_id }: SuppressionRow,
  type: EventType,
  to: Pick<ContactRow, 'status' | 'email_status'>,
): Promise<void> {
  // Phone numbers carry no mark: sending looks them up.
  if (channel === 'sms') return;
  const concerned =
    contact_id === null
      ? await lockContactsWith(sql, teamId, { field: 'email', value: address ?? '' })
      : await lockContacts(sql, teamId, [contact_id]);
  const before = new Map(concerned.map((contact) => [contact.id, contact]));
  const change = channel === 'all' ? { status: to.status } : { email_status: to.email_status };
  if (before.size === 0) return;
  for (const contact of await markContacts(sql, teamId, [...before.keys()], change)) {
    const previous = changedFields(Contact, before.get(contact.id) ?? contact, contact) ?? {};
    const sequence = contact.lock_version;
    recordEvent(sql, { teamId, type, data: contact, sequence, previous });
  }
  if (change.status === 'suppressed') await contactsSuppressed(sql, teamId, [...before.keys()]);
}
