import type { Keyring } from '../../platform/auth/keyring.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { isPhone } from '../../platform/schema/fields.ts';
import { keepFormerOptOut } from '../../contacts/consents/queries.ts';
import { inboundSource, isOptOut } from '../../contacts/consents/rules.ts';
import { changeContact } from '../../contacts/edit.ts';
import { lockContacts, lockContactsWith } from '../../contacts/queries.ts';
import type { ContactRow } from '../../contacts/queries.ts';
import { invalidateDevice } from '../../contacts/devices/queries.ts';
import { applyReports } from '../../messaging/message-deliveries/apply-reports.ts';
import { holdObjectiveByKey } from '../../campaigns/objectives/queries.ts';
import { recordCompletions } from '../../engagement/completions/record.ts';
import { suppress } from '../../contacts/suppressions/suppress.ts';
import { momentOf } from './concern.ts';
import type { Concern } from './concern.ts';
import { bareAddress, recipientsIn } from './recipients.ts';

/** Moves the status and the counters of the sends that events are about. Gives whose were found. */
export async function reportSends(sql: Sql, concerns: readonly Concern[]): Promise<Set<string>> {
  const about = concerns.flatMap((concern) => {
    const { link, projection, teamId, deliveryId } = concern;
    const { send: place } = link;
    if (place === undefined || !projection.kind.startsWith('message.')) return [];
    const { kind, isMachine, bounce, keepsDelivered } = projection;
    const report = { place, kind, isMachine, bounce, keepsDelivered, at: momentOf(concern) };
    return [{ teamId, deliveryId, report }];
  });
  const [first] = about;
  if (first) {
    await applyReports(
      sql,
      first.teamId,
      about.map(({ report }) => report),
    );
  }
  return new Set(about.map(({ deliveryId }) => deliveryId));
}

/**
 * Writes consents: an unsubscription revokes one, and the SMS keyword START restores that for SMS.
 */
export async function writeConsents(
  sql: Sql,
  keyring: Keyring,
  concern: Concern,
): Promise<boolean> {
  const { projection } = concern;
  const channel = projection.smsConsent ? 'sms' : projection.channel;
  if (channel !== 'email' && channel !== 'sms' && channel !== 'push') return false;
  let isDone = false;
  for (const { address, consent } of recipientsIn(projection)) {
    const status = projection.smsConsent ?? consent;
    if (status === undefined) continue;
    if (await writeConsent(sql, keyring, concern, { channel, address, status })) isDone = true;
  }
  return isDone;
}

interface WantedConsent {
  channel: 'email' | 'sms' | 'push';
  /** Address or number. */
  address: string | undefined;
  status: 'subscribed' | 'unsubscribed';
}

async function writeConsent(
  sql: Sql,
  keyring: Keyring,
  concern: Concern,
  { channel, address: named, status }: WantedConsent,
): Promise<boolean> {
  const { teamId, kind } = concern;
  const address = channel === 'sms' && isPhone(named ?? '') ? named : bareAddress(named ?? '');
  const { linked, holders } = await contactsOf(sql, concern, { address, status });
  const contacts = new Map([...linked, ...holders].map((contact) => [contact.id, contact]));
  for (const contact of contacts.values()) {
    const before = contact.consents[channel];
    if (status === 'unsubscribed' ? isOptOut(before) : before.status === status) continue;
    const consents = { [channel]: { status, source: inboundSource(kind) } };
    await changeContact(sql, contact, { consents }, { clientId: null }, keyring);
  }
  const isDone = contacts.size > 0;
  if (holders.length > 0 || address === undefined || status !== 'unsubscribed') return isDone;
  if (channel === 'push' || (channel === 'sms' && !isPhone(address))) return isDone;
  // Nobody here has the address now; who will is not to be written to.
  const [former] = linked;
  if (former) {
    await keepFormerOptOut(sql, teamId, former.id, { channel, address }, inboundSource(kind));
    return true;
  }
  await suppress(sql, teamId, {
    channel,
    address,
    contact_id: null,
    reason: 'unsubscribe',
    note: null,
    source: 'inbound',
  });
  return true;
}

/**
 * The contact of an event, and everybody with the address or number that it names, locked: an
 * opt-out belongs to the address. A consent is given for one contact only, where that is known.
 */
async function contactsOf(
  sql: Sql,
  { link, teamId }: Concern,
  { address, status }: Pick<WantedConsent, 'address' | 'status'>,
): Promise<Record<'linked' | 'holders', ContactRow[]>> {
  const linked =
    link.contact_id === undefined ? [] : await lockContacts(sql, teamId, [link.contact_id]);
  if (address === undefined || (linked.length > 0 && status === 'subscribed')) {
    return { linked, holders: [] };
  }
  const field = isPhone(address) ? 'phone' : 'email';
  return { linked, holders: await lockContactsWith(sql, teamId, { field, value: address }) };
}

export async function invalidateToken(sql: Sql, { projection, teamId }: Concern): Promise<boolean> {
  const { deviceTokenHash: hash } = projection;
  if (hash === undefined) return false;
  await invalidateDevice(sql, teamId, hash.toLowerCase());
  return true;
}

/** Completes the objective of a key for the event's contact; unknown ones are left unlinked. */
export async function completeObjective(sql: Sql, concern: Concern): Promise<boolean> {
  const { projection, link, teamId, deliveryId } = concern;
  const { objective: requested } = projection;
  if (!requested || link.contact_id === undefined) return false;
  const objective = await holdObjectiveByKey(sql, teamId, requested.key);
  if (!objective) {
    link.link_error ??= 'The receiver’s team has no active objective of this key.';
    return false;
  }
  const completion = {
    objective,
    contactId: link.contact_id,
    completedAt: momentOf(concern),
    source: 'inbound',
    valueCents: requested.valueCents,
    uniqueId: `inb:${deliveryId}`,
    span: concern.event.span,
  } as const;
  await recordCompletions(sql, teamId, [completion]);
  return true;
}
