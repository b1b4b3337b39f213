import { hash, randomUUID } from 'node:crypto';
import type { Keyring } from '../../platform/auth/keyring.ts';
import type { Sql } from '../../platform/database/sql.ts';
import type { Services } from '../../platform/http/services.ts';
import { addressToAsk, askToConfirm, pageSource } from '../../messaging/confirming/confirm.ts';
import { countAskedOf } from '../../messaging/confirming/queries.ts';
import { addContact } from '../../contacts/add.ts';
import { changeContact } from '../../contacts/edit.ts';
import type { ContactRow } from '../../contacts/queries.ts';
import { findEventsByKey } from '../../engagement/engagement-events/queries.ts';
import { recordEngagement } from '../../engagement/engagement-events/record.ts';
import { countNotices } from '../../messaging/notices/budgets.ts';
import type { RequestedNotice } from '../../messaging/notices/budgets.ts';
import { holdToken } from '../enrollments/queries.ts';
import type { Submission, SubmittedContact } from './check.ts';
import { cutText } from '../../platform/cut-text.ts';

const kind = 'widget.submitted';
/** Confirmations to one address within a day that forms may cause. */
const askedAtMost = 3;

/** Content of a form, with the page and the showing that it was sent from. */
export interface Sent extends Submission {
  teamId: string;
  tier: string;
  /** Address of the client. */
  from: string;
  page: { id: string; version: number; locale: string | null };
  formKey: string;
  showingId: string;
  userAgent: string | undefined;
  isMachine: boolean;
}

/**
 * Records a form once, even if it is sent again. An address creates a contact of its own: a typed
 * address never selects or changes an existing contact.
 */
export async function recordSubmission(sql: Sql, services: Services, sent: Sent): Promise<void> {
  const { keyring } = services;
  const { teamId, page, formKey, showingId, contact: submitted, fields, userAgent } = sent;
  // Different content from the same showing is another submission.
  const said = hash('sha256', JSON.stringify([showingId, formKey, submitted, fields]));
  const unique_id = `form:${said.slice(0, 40)}`;
  await holdToken(sql, unique_id);
  if ((await findEventsByKey(sql, teamId, [{ kind, unique_id }])).size > 0) return;
  const contact = submitted && (await newContact(sql, keyring, sent, submitted));
  const about = {
    ...({ channel: 'web', source: 'landing_page', landing_page_id: page.id } as const),
    ...(contact && { contact_id: contact.id }),
    is_machine: sent.isMachine,
    occurred_at: new Date().toISOString(),
    ...(userAgent !== undefined && userAgent !== '' && { user_agent: userAgent }),
  };
  const properties = { form: formKey, landing_page_version: page.version, fields };
  await recordEngagement(sql, teamId, [{ ...about, kind, unique_id, properties }]);
  if (contact) await agree(sql, services, sent, contact);
}

async function newContact(
  sql: Sql,
  keyring: Keyring,
  { teamId, page: { locale } }: Sent,
  submitted: SubmittedContact,
): Promise<ContactRow> {
  const body = { ...submitted, ...(locale !== null && { locale }) };
  return addContact(sql, keyring, { teamId, id: randomUUID(), body });
}

/** States of an address that accepts no e-mail. */
const deaf: readonly ContactRow['email_status'][] = ['bounced', 'complained', 'suppressed'];

/** The typed address may be another person's: each consent waits until its owner confirms it. */
async function agree(
  sql: Sql,
  services: Services,
  { teamId, tier, from, page, consents }: Sent,
  contact: ContactRow,
): Promise<void> {
  let known = contact;
  const requested: (RequestedNotice & { channel: 'email' | 'sms' })[] = [];
  for (const { channel, wording } of consents) {
    const address = channel === 'email' ? known.email : known.phone;
    if (address === null || known.consents[channel].status === 'pending') continue;
    const consent = {
      status: 'pending' as const,
      source: pageSource(page.id),
      evidence: cutText(wording, 2_000),
    };
    const patch = { consents: { [channel]: consent } };
    known = await changeContact(sql, known, patch, { clientId: null }, services.keyring);
    if (channel === 'email' && deaf.includes(known.email_status)) continue;
    if ((await countAskedOf(sql, teamId, channel, known)) >= askedAtMost) continue;
    const to = await addressToAsk(sql, known, channel);
    if (to !== undefined) requested.push({ teamId, tier, channel, to, from });
  }
  // The response is the same, whether a message is sent or not.
  const waits = await countNotices(sql, services, requested);
  for (const { channel } of requested.filter((_, at) => waits[at] === undefined)) {
    await askToConfirm(sql, teamId, { contact_id: known.id, channel, landing_page_id: page.id });
  }
}
