import type { Keyring } from '../../platform/auth/keyring.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { fail } from '../../platform/http/errors.ts';
import { recordEngagement } from '../../engagement/engagement-events/record.ts';
import { isDigestOf } from '../notices/address-digests.ts';
import { insertNotice } from '../notices/queries.ts';
import { changeContact } from '../../contacts/edit.ts';
import { requireTeam } from '../../team/queries.ts';
import { isSmsAllowed } from '../../team/rules.ts';
import { lockContacts } from '../../contacts/queries.ts';
import type { ContactRow } from '../../contacts/queries.ts';
import { findNthOfDay, insertConfirmation, lockConfirmation, writeConfirmed } from './queries.ts';
import type { ConsentConfirmation, NewConfirmation } from './queries.ts';
import type { SentConfirmation } from './token.ts';

/** Maximum number of consent confirmations that one contact is sent within a day. */
const askedAtMost = 5;
const dayMs = 86_400_000;

/** Where a confirmation may be sent to; undefined where there is no such address. */
export async function addressToAsk(
  sql: Sql,
  { team_id, email, phone }: Pick<ContactRow, 'team_id' | 'email' | 'phone'>,
  channel: 'email' | 'sms',
): Promise<string | undefined> {
  if (channel === 'email') return email ?? undefined;
  const { sms_allowed_prefixes: prefixes } = await requireTeam(sql, team_id);
  return phone !== null && isSmsAllowed(phone, prefixes) ? phone : undefined;
}

/** Sends a contact, which is locked, the message by which it confirms a consent. Throws 429. */
export async function askToConfirm(
  sql: Sql,
  teamId: string,
  requested: NewConfirmation,
): Promise<void> {
  const { contact_id, channel } = requested;
  const since = await findNthOfDay(sql, teamId, contact_id, askedAtMost);
  if (since !== undefined) {
    const seconds = Math.max(1, Math.ceil((Date.parse(since) + dayMs - Date.now()) / 1_000));
    throw fail('rate_limited', {
      detail: 'This recipient was asked to confirm too often today.',
      meta: { class: 'widget', retry_after_seconds: seconds },
      headers: { 'Retry-After': String(seconds) },
    });
  }
  const { id } = await insertConfirmation(sql, teamId, requested);
  const notice = { id, notice: 'consent_confirmation', channel } as const;
  await insertNotice(sql, teamId, { ...notice, recipient_id: contact_id });
}

/**
 * Turns a pending consent into a subscription; a consent that was revoked meanwhile stays revoked. A
 * link that was sent to another address than the contact has now proves nothing. Returns whether the
 * contact is now subscribed to the channel.
 */
export async function confirmConsent(
  sql: Sql,
  keyring: Keyring,
  { team_id: teamId, id, digest }: SentConfirmation,
): Promise<boolean> {
  const confirmation = await lockConfirmation(sql, teamId, id);
  if (!confirmation) return false;
  const { contact_id, channel, widget_instance_id: widgetId } = confirmation;
  const [contact] = await lockContacts(sql, teamId, [contact_id]);
  if (!contact) return false;
  const address = channel === 'email' ? contact.email : contact.phone;
  if (!(await isDigestOf(sql, keyring, digest, { channel, address }))) return false;
  const { status } = contact.consents[channel];
  if (status !== 'pending') return status === 'subscribed';
  const consent = {
    status: 'subscribed' as const,
    source: widgetId === null ? pageSource(confirmation.landing_page_id) : `widget ${widgetId}`,
    evidence: `confirmed by a message to the address of the channel ${channel}`,
  };
  const consents = { [channel]: consent };
  await changeContact(sql, contact, { consents }, { clientId: null }, keyring);
  await writeConfirmed(sql, teamId, id);
  await recordEngagement(sql, teamId, [
    {
      kind: 'opt_in.granted',
      is_machine: false,
      occurred_at: new Date().toISOString(),
      ...originOf(confirmation),
      contact_id,
      properties: { channel, status: 'subscribed', confirmed: true },
    },
  ]);
  return true;
}

/** Source of a consent that was requested by a form of a landing page. */
export const pageSource = (id: string | null) => `landing page ${id ?? ''}`;

/** Channel and source of the consent request. */
function originOf(confirmation: ConsentConfirmation) {
  const { journey_id, template_id, widget_instance_id, landing_page_id } = confirmation;
  return {
    ...(landing_page_id === null
      ? ({ channel: 'widget', source: 'widget' } as const)
      : ({ channel: 'web', source: 'landing_page', landing_page_id } as const)),
    ...(journey_id !== null && { journey_id }),
    ...(template_id !== null && { template_id }),
    ...(widget_instance_id !== null && { widget_instance_id }),
  };
}
