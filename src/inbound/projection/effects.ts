import type { Keyring } from '../../platform/auth/keyring.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { isEmail, isPhone } from '../../platform/schema/fields.ts';
import { changeContact } from '../../contacts/edit.ts';
import { lockContacts, lockContactsWith } from '../../contacts/queries.ts';
import type { ContactRow } from '../../contacts/queries.ts';
import { withLowerCaseDomain } from '../../platform/schema/rules.ts';
import { invalidateDevice } from '../../contacts/devices/queries.ts';
import { applyReports } from '../../messaging/message-deliveries/apply-reports.ts';
import { holdObjectiveByKey } from '../../campaigns/objectives/queries.ts';
import { recordCompletions } from '../../engagement/completions/record.ts';
import { suppress } from '../../contacts/suppressions/suppress.ts';
import { momentOf } from './concern.ts';
import type { Concern } from './concern.ts';
import { noteSoftBounce } from './queries.ts';

/** Soft bounces within a fortnight that suppress an address. */
const softBounces = 3;

/** Moves the status and the counters of the sends that events are about. Gives whose were found. */
export async function reportSends(sql: Sql, concerns: readonly Concern[]): Promise<Set<string>> {
  const about = concerns.flatMap((concern) => {
    const { link, projection, teamId, deliveryId } = concern;
    const { send: place } = link;
    if (place === undefined || !projection.kind.startsWith('message.')) return [];
    const { kind, isMachine, bounce } = projection;
    return [
      { teamId, deliveryId, report: { place, kind, isMachine, bounce, at: momentOf(concern) } },
    ];
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

/** Hard bounces and complaints suppress an address, soft bounces when they come thrice. */
export async function suppressAddress(sql: Sql, concern: Concern): Promise<boolean> {
  const { projection, teamId, deliveryId } = concern;
  if (projection.channel !== 'email') return false;
  const isSoft = projection.kind === 'message.bounced' && projection.bounce?.class === 'soft';
  const reason =
    projection.kind === 'message.complained'
      ? 'complaint'
      : projection.kind !== 'message.bounced'
        ? undefined
        : isSoft
          ? 'soft_bounces'
          : 'hard_bounce';
  if (reason === undefined) return false;
  const address = await addressOf(sql, concern);
  if (address === undefined) return false;
  if (isSoft) {
    const at = momentOf(concern);
    if ((await noteSoftBounce(sql, teamId, address, deliveryId, at)) < softBounces) return true;
  }
  await suppress(sql, teamId, {
    channel: 'email',
    address,
    contact_id: null,
    reason,
    note: null,
    source: 'inbound',
  });
  return true;
}

/** The e-mail address that an event is about; where it names none, that of its contact. */
async function addressOf(
  sql: Sql,
  { projection: { recipient }, link, teamId }: Concern,
): Promise<string | undefined> {
  if (recipient === undefined) {
    if (link.contact_id === undefined) return undefined;
    const [contact] = await lockContacts(sql, teamId, [link.contact_id]);
    return contact?.email ?? undefined;
  }
  // "Ada <ada@example.com>"
  const bare = /<([^<>]+)>\s*$/.exec(recipient)?.[1] ?? recipient.trim();
  return isEmail(bare) && bare.length <= 254 ? withLowerCaseDomain(bare) : undefined;
}

/**
 * Writes consents: an unsubscription revokes one, and the SMS keyword START restores that for SMS.
 */
export async function writeConsents(
  sql: Sql,
  keyring: Keyring,
  concern: Concern,
): Promise<boolean> {
  const { projection, kind } = concern;
  const status =
    projection.smsConsent ??
    (projection.kind === 'message.unsubscribed' ? 'unsubscribed' : undefined);
  const channel = projection.smsConsent ? 'sms' : projection.channel;
  if (status === undefined) return false;
  if (channel !== 'email' && channel !== 'sms' && channel !== 'push') return false;
  const contacts = await recipientsOf(sql, concern);
  for (const contact of contacts) {
    if (contact.consents[channel].status === status) continue;
    const consents = { [channel]: { status, source: `inbound:${kind}` } };
    await changeContact(sql, contact, { consents }, { clientId: null }, keyring);
  }
  if (contacts.length > 0) return true;
  const address = unknownRecipient(concern, channel);
  if (address === undefined || status !== 'unsubscribed') return false;
  // Nobody here has the address yet; who will is not to be written to.
  await suppress(sql, concern.teamId, {
    channel: channel === 'sms' ? 'sms' : 'email',
    address,
    contact_id: null,
    reason: 'unsubscribe',
    note: null,
    source: 'inbound',
  });
  return true;
}

/** The contact of an event, or everybody with its address or number; locked. */
async function recipientsOf(sql: Sql, concern: Concern): Promise<ContactRow[]> {
  const { link, teamId, projection } = concern;
  if (link.contact_id !== undefined) return lockContacts(sql, teamId, [link.contact_id]);
  const { recipient = '' } = projection;
  if (isPhone(recipient))
    return lockContactsWith(sql, teamId, { field: 'phone', value: recipient });
  const address = await addressOf(sql, concern);
  return address === undefined
    ? []
    : lockContactsWith(sql, teamId, { field: 'email', value: address });
}

function unknownRecipient(
  { projection: { recipient = '' } }: Concern,
  channel: 'email' | 'sms' | 'push',
): string | undefined {
  if (channel === 'sms') return isPhone(recipient) ? recipient : undefined;
  return channel === 'email' && isEmail(recipient) ? withLowerCaseDomain(recipient) : undefined;
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
  const { objective: wanted } = projection;
  if (!wanted || link.contact_id === undefined) return false;
  const objective = await holdObjectiveByKey(sql, teamId, wanted.key);
  if (!objective) {
    link.link_error ??= 'The receiver’s team has no active objective of this key.';
    return false;
  }
  const completion = {
    objective,
    contactId: link.contact_id,
    completedAt: momentOf(concern),
    source: 'inbound',
    valueCents: wanted.valueCents,
    uniqueId: `inb:${deliveryId}`,
    span: concern.event.span,
  } as const;
  await recordCompletions(sql, teamId, [completion]);
  return true;
}
