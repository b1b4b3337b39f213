import type { Sql } from '../../platform/database/sql.ts';
import type { ListSource } from '../../platform/lists/sql.ts';
import type { Consent, ConsentsPatch } from '../contact.ts';
import type { ConsentChange } from '../rules.ts';
import { ofRecipients } from './rules.ts';
import type { FormerAddress } from './rules.ts';

export function consentChangeSource(teamId: string, contactId: string): ListSource {
  return {
    from: 'contact_consent_changes t',
    select: `t.*, 'contact_consent_change' as type`,
    where: {
      text: 't.team_id = $1::uuid and t.contact_id = $2::uuid',
      values: [teamId, contactId],
    },
  };
}

/** Keeps what was recorded of any number of contacts. */
export async function insertConsentChanges(
  sql: Sql,
  teamId: string,
  clientId: string | null,
  changes: readonly (ConsentChange & { contactId: string })[],
): Promise<void> {
  if (changes.length === 0) return;
  const json = (of: (change: ConsentChange) => object) =>
    changes.map((change) => JSON.stringify(of(change)));
  await sql`
    insert into contact_consent_changes
      (team_id, contact_id, channel, consent, previous, client_id)
    select ${teamId}, contact_id, channel, consent::jsonb, previous::jsonb, ${clientId}::uuid
    from unnest(${changes.map(({ contactId }) => contactId)}::uuid[],
      ${changes.map(({ channel }) => channel)}::text[],
      ${json(({ consent }) => consent)}::text[], ${json(({ previous }) => previous)}::text[])
      as change (contact_id, channel, consent, previous)`;
}

/** Contacts with one address that are looked at; an address of more is nobody's own. */
export const maxSharing = 100;

/** The same as `isOptOut`. */
export const isOptOutIn = (
  sql: Sql,
  { status, source }: Record<'status' | 'source', ReturnType<Sql>>,
) => sql`(
  ${status} = 'unsubscribed'
  and (${source} = any(${ofRecipients.sources}::text[])
    or ${source} ^@ any(${ofRecipients.beginnings}::text[])))`;

const optOutIn = (sql: Sql, consent: ReturnType<Sql>) =>
  isOptOutIn(sql, { status: sql`${consent} ->> 'status'`, source: sql`${consent} ->> 'source'` });

/** The opt-out that was the last word of those who have or had an address; null for another word. */
const lastOptOut = (
  sql: Sql,
  teamId: string | ReturnType<Sql>,
  channel: 'email' | 'sms',
  { isSame, address }: Record<'isSame' | 'address', ReturnType<Sql>>,
) => sql`(
  select case when ${optOutIn(sql, sql`last.consent`)}
    then jsonb_build_object(${channel}::text, last.consent) end
  from (
    (select o.consents -> ${channel}::text as consent from contacts o
      where o.team_id = ${teamId} and ${isSame} limit ${maxSharing})
    union all
    (select f.consent from former_opt_outs f
      where f.team_id = ${teamId} and f.channel = ${channel} and f.address = folded(${address})
      limit ${maxSharing})
  ) last
  order by last.consent ->> 'updated_at' desc nulls last limit 1)`;

const optOutsOf = (sql: Sql, teamId: string | ReturnType<Sql>) => ({
  email: lastOptOut(sql, teamId, 'email', {
    isSame: sql`folded(o.email) = folded(w.email)`,
    address: sql`w.email`,
  }),
  sms: lastOptOut(sql, teamId, 'sms', { isSame: sql`o.phone = w.phone`, address: sql`w.phone` }),
});

/**
 * The consents of a contact to be inserted from the row `w`, with the opt-outs of those who have or had
 * its address or number, unless the contact comes with proof or the recipient is being asked.
 */
export function consentsToInsert(sql: Sql, neverAsked: string) {
  const optOuts = optOutsOf(sql, sql`w.team_id`);
  const unlessGiven = (channel: 'email' | 'sms') => sql`
    case when w.consents is null
      or w.consents::jsonb -> ${channel}::text ->> 'status' = 'unsubscribed'
        and not ${optOutIn(sql, sql`(w.consents::jsonb -> ${channel}::text)`)}
      or w.consents::jsonb -> ${channel}::text ->> 'status' in ('never', 'subscribed')
        and w.consents::jsonb -> ${channel}::text ->> 'evidence' is null
    then coalesce(${optOuts[channel]}, '{}') else '{}' end`;
  return sql`coalesce(w.consents::jsonb, ${neverAsked}::text::jsonb)
    || ${unlessGiven('email')} || ${unlessGiven('sms')}`;
}

/** The opt-outs of addresses and numbers that contacts get, by the id of the contact. */
export async function findOptOuts(
  sql: Sql,
  teamId: string,
  contacts: readonly { id: string; email: string | null; phone: string | null }[],
): Promise<Map<string, ConsentsPatch>> {
  const { email, sms } = optOutsOf(sql, teamId);
  const rows = await sql<{ id: string; found: ConsentsPatch }[]>`
    select w.id, coalesce(${email}, '{}') || coalesce(${sms}, '{}') as found
    from unnest(${contacts.map(({ id }) => id)}::uuid[],
      ${contacts.map((contact) => contact.email)}::text[],
      ${contacts.map(({ phone }) => phone)}::text[]) as w (id, email, phone)`;
  return new Map(rows.map(({ id, found }) => [id, found]));
}

const optOutBy = (source: string) => ({
  ...{ status: 'unsubscribed' as const, source },
  updated_at: new Date().toISOString(),
});

/** Keeps an opt-out with an archived contact and its history, for those that have its address later. */
export async function keepOptOut(
  sql: Sql,
  teamId: string,
  id: string,
  { channel, source }: { channel: ConsentChange['channel']; source: string },
): Promise<void> {
  const consent = optOutBy(source);
  const rows = await sql<{ previous: Consent }[]>`
    update contacts
    set consents = jsonb_set(consents, ${[channel]}::text[], ${sql.json(consent)})
    where team_id = ${teamId} and id = ${id} and status = 'archived' and erased_at is null
      and not ${optOutIn(sql, sql`(consents -> ${channel}::text)`)}
    returning old.consents -> ${channel}::text as previous`;
  const changes = rows.map(({ previous }) => ({ contactId: id, channel, consent, previous }));
  await insertConsentChanges(sql, teamId, null, changes);
}

/** An opt-out, and the address or number that its contact has no longer. */
interface FormerOptOut extends FormerAddress {
  contactId: string;
  consent: Consent;
}

/** Keeps opt-outs for those that get the address later. */
export async function keepFormerOptOuts(
  sql: Sql,
  teamId: string,
  optOuts: readonly FormerOptOut[],
): Promise<void> {
  if (optOuts.length === 0) return;
  await sql`
    insert into former_opt_outs as f (team_id, contact_id, channel, address, consent)
    select ${teamId}, contact_id, channel, folded(address), consent::jsonb
    from unnest(${optOuts.map(({ contactId }) => contactId)}::uuid[],
      ${optOuts.map(({ channel }) => channel)}::text[],
      ${optOuts.map(({ address }) => address)}::text[],
      ${optOuts.map(({ consent }) => JSON.stringify(consent))}::text[])
      as kept (contact_id, channel, address, consent)
    on conflict (team_id, contact_id, channel, address) do update set consent = excluded.consent`;
}

/** Keeps an opt-out that its recipient has just made from a former address of a contact. */
export const keepFormerOptOut = (
  sql: Sql,
  teamId: string,
  contactId: string,
  former: FormerAddress,
  source: string,
): Promise<void> =>
  keepFormerOptOuts(sql, teamId, [{ ...former, contactId, consent: optOutBy(source) }]);
