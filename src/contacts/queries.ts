import type { Sql } from '../platform/database/sql.ts';
import { unlessConflict } from '../platform/database/on-conflict.ts';
import { partnerKeyOf } from '../platform/schema/fields.ts';
import { fail } from '../platform/http/errors.ts';
import type { ListSource } from '../platform/lists/sql.ts';
import { contactNotAvailable } from './not-available.ts';
import type { UnavailableContact } from './not-available.ts';
import type { ContactContent, NewContact } from './rules.ts';
import { holderByMerger, insertion } from './writing/queries.ts';
import type { ContactToWrite } from './writing/queries.ts';

export interface ContactRow extends ContactContent, UnavailableContact {
  id: string;
  type: 'contact';
  team_id: string;
  email_status: 'unknown' | 'soft_bouncing' | 'bounced' | 'complained' | 'suppressed';
  sealed_date_of_birth: string | null;
  status: 'active' | 'suppressed' | 'archived';
  account_count: number;
  open_journey_count: number;
  last_engaged_at: string | null;
  lock_version: number;
  inserted_at: string;
  updated_at: string;
}

/** The resource, from a row of contacts with the alias t. */
export const shown = `t.*, 'contact' as type,
  (select count(*)::int
   from journeys j
   where j.team_id = t.team_id and j.contact_id = t.id
     and j.status in ('scheduled', 'active', 'paused')) as open_journey_count,
  (select count(*)::int
   from accounts a
   where a.team_id = t.team_id and a.contact_id = t.id and a.deleted_at is null) as account_count`;

export function listContactsOf(teamId: string): ListSource {
  return {
    from: 'contacts t',
    select: shown,
    where: { text: 't.team_id = $1::uuid', values: [teamId] },
    defaultHidden: { text: `t.status = 'archived'`, unless: ['status'] },
  };
}

/** `reference` is an id or `unique_id:<value>`. Throws 404, and 410 where the id was merged or erased. */
export async function requireContact(
  sql: Sql,
  teamId: string,
  reference: string,
): Promise<ContactRow> {
  const [row] = await sql<ContactRow[]>`
    select ${sql.unsafe(shown)}
    from contacts t
    where t.team_id = ${teamId} and ${isReferredTo(sql, teamId, reference)}`;
  if (!row) throw contactNotAvailable(await findGone(sql, teamId, reference));
  return row;
}

/** Locks the contact until the end of the transaction; `reference` and errors as above. */
export async function lockContact(
  sql: Sql,
  teamId: string,
  reference: string,
): Promise<ContactRow> {
  const [row] = await sql<ContactRow[]>`
    select ${sql.unsafe(shown)}
    from contacts t
    where t.team_id = ${teamId} and ${isReferredTo(sql, teamId, reference)}
    for update of t`;
  if (!row) throw contactNotAvailable(await findGone(sql, teamId, reference));
  return row;
}

/**
 * In the words of the partial indexes on unique_id. The key of a merged contact names the winner.
 * The inner statements name no column of `t`: they would run for each contact of the team.
 */
function isReferredTo(sql: Sql, teamId: string, reference: string) {
  const key = partnerKeyOf(reference);
  return key === undefined
    ? sql`t.id = ${reference} and t.deleted_at is null`
    : sql`t.status <> 'archived' and t.id = coalesce(
        (select k.id from contacts k
         where k.team_id = ${teamId} and k.unique_id = ${key} and k.status <> 'archived'),
        (select k.merged_into_id from contacts k
         where k.team_id = ${teamId} and k.unique_id = ${key} and k.merged_into_id is not null
         limit 1))`;
}

/** Returns the remaining fields of a merged or erased contact. */
async function findGone(
  sql: Sql,
  teamId: string,
  reference: string,
): Promise<UnavailableContact | undefined> {
  if (partnerKeyOf(reference) !== undefined) return undefined;
  const [row] = await sql<UnavailableContact[]>`
    select merged_into_id, erased_at from contacts where team_id = ${teamId} and id = ${reference}`;
  return row;
}

/** Contacts of a team by id; those that are archived are left out. */
export async function findContacts(
  sql: Sql,
  teamId: string,
  ids: readonly string[],
): Promise<ContactRow[]> {
  return sql<ContactRow[]>`
    select ${sql.unsafe(shown)}
    from contacts t
    where t.team_id = ${teamId} and t.id = any(${[...ids]}::uuid[]) and t.deleted_at is null`;
}

/** A contact that was inserted just now, with the state that its address has since. */
export async function refreshEmailStatus(
  sql: Sql,
  { team_id: teamId, id, email }: ContactRow,
): Promise<ContactRow> {
  const [row] = await sql<[ContactRow]>`
    update contacts t set email_status = ${statusOfAddress(sql, teamId, email)}
    where t.team_id = ${teamId} and t.id = ${id}
    returning ${sql.unsafe(shown)}`;
  return row;
}

/**
 * Inserts contacts of any teams and returns their rows; the unique_ids of the others are in use.
 * `has_erased_suppression`: one of the digests of the contact is that of a suppressed address.
 * `has_topics`: the team has topics, from which recipients may have opted out.
 */
export async function insertContacts(
  sql: Sql,
  contacts: readonly ContactToWrite[],
  digests: readonly { id: string; digest: string }[],
): Promise<(ContactRow & { has_erased_suppression: boolean; has_topics: boolean })[]> {
  if (contacts.length === 0) return [];
  return sql<(ContactRow & { has_erased_suppression: boolean; has_topics: boolean })[]>`
    with t as (${insertion(sql, contacts)} returning *)
    select t.*, 'contact' as type, 0 as open_journey_count, 0 as account_count, exists (
      select
      from unnest(${digests.map(({ id }) => id)}::uuid[],
        ${digests.map(({ digest }) => digest)}::text[]) as d (id, digest)
      join erased_suppressions e on e.team_id = t.team_id and e.digest = d.digest
      where d.id = t.id
    ) as has_erased_suppression, exists (select from topics o where o.team_id = t.team_id) as has_topics
    from t`;
}

/**
 * Throws 409 where the unique_id is in use. The contact is locked by the caller; its version rises
 * by one for each event of the change.
 */
export async function updateContactRow(
  sql: Sql,
  teamId: string,
  id: string,
  contact: NewContact,
  events: number,
): Promise<ContactRow> {
  const done = await unlessConflict(
    sql,
    'contacts_unique_id',
    () => sql<[ContactRow]>`
      update contacts t
      set ${sql(columns(sql, contact))}, lock_version = t.lock_version + ${events}::int,
        updated_at = now(),
        email_status = case when folded(t.email) is not distinct from folded(${contact.email}) then t.email_status
          else ${statusOfAddress(sql, teamId, contact.email)} end
      where t.team_id = ${teamId} and t.id = ${id}
      returning ${sql.unsafe(shown)}`,
  );
  if (!done) throw await uniqueIdTaken(sql, teamId, contact.unique_id);
  return done[0];
}

/** Archives the contact, which frees its unique_id. */
export async function archiveContact(sql: Sql, teamId: string, id: string): Promise<ContactRow> {
  const [row] = await sql<[ContactRow]>`
    update contacts t
    set status = 'archived', deleted_at = now(), lock_version = t.lock_version + 1,
      updated_at = now()
    where t.team_id = ${teamId} and t.id = ${id}
    returning ${sql.unsafe(shown)}`;
  return row;
}

function columns(sql: Sql, contact: NewContact) {
  return {
    unique_id: contact.unique_id,
    email: contact.email,
    first_name: contact.first_name,
    last_name: contact.last_name,
    preferred_name: contact.preferred_name,
    phone: contact.phone,
    locale: contact.locale,
    timezone: contact.timezone,
    sealed_date_of_birth: contact.sealed_date_of_birth,
    postal_code: contact.postal_code,
    tags: contact.tags,
    attributes: sql.json(contact.attributes),
    consents: sql.json(contact.consents),
  };
}

/** Initial e-mail status of a contact with this address, which may be suppressed already. */
function statusOfAddress(sql: Sql, teamId: string, email: string | null) {
  return sql`coalesce((
    select s.email_status
    from suppressions s
    where s.team_id = ${teamId} and s.channel = 'email' and folded(s.address) = folded(${email})
      and s.deleted_at is null), 'unknown')`;
}

/** Locks contacts in the order of their ids; those that are archived are left out. */
export async function lockContacts(
  sql: Sql,
  teamId: string,
  ids: readonly string[],
): Promise<ContactRow[]> {
  return sql<ContactRow[]>`
    select ${sql.unsafe(shown)}
    from contacts t
    where t.team_id = ${teamId} and t.id = any(${[...ids]}::uuid[]) and t.deleted_at is null
    order by t.id
    for update of t`;
}

/** Locks the contacts with an email address or phone number, in the order that avoids deadlocks. */
export async function lockContactsWith(
  sql: Sql,
  teamId: string,
  { field, value }: { field: 'email' | 'phone'; value: string },
): Promise<ContactRow[]> {
  const isMeant =
    field === 'email' ? sql`folded(t.email) = folded(${value})` : sql`t.phone = ${value}`;
  return sql<ContactRow[]>`
    select ${sql.unsafe(shown)}
    from contacts t
    where t.team_id = ${teamId} and ${isMeant} and t.status <> 'archived'
    order by t.id
    for update of t`;
}

/** Applies the status of a suppression to contacts that are locked. */
export async function markContacts(
  sql: Sql,
  teamId: string,
  ids: readonly string[],
  mark: Pick<ContactRow, 'status'> | Pick<ContactRow, 'email_status'>,
): Promise<ContactRow[]> {
  return sql<ContactRow[]>`
    update contacts t
    set ${sql(mark)}, lock_version = t.lock_version + 1, updated_at = now()
    where t.team_id = ${teamId} and t.id = any(${[...ids]}::uuid[])
    returning ${sql.unsafe(shown)}`;
}

/** Throws 409 where the key is that of a contact that was merged into another one than this. */
export async function checkMergedKey(
  sql: Sql,
  teamId: string,
  id: string,
  uniqueId: string | null,
): Promise<void> {
  const [holder] = await sql<{ id: string }[]>`${holderByMerger(sql, teamId, uniqueId)}`;
  if (holder && holder.id !== id) throw await uniqueIdTaken(sql, teamId, uniqueId);
}

/** The 409 of a key that another contact has. */
export async function uniqueIdTaken(sql: Sql, teamId: string, uniqueId: string | null) {
  const [holder] = await sql<{ id: string }[]>`
    select id
    from contacts
    where team_id = ${teamId} and unique_id = ${uniqueId} and status <> 'archived'
    union all
    (${holderByMerger(sql, teamId, uniqueId)})`;
  return fail('unique_id_taken', {
    detail: 'Another contact of the team has this unique_id.',
    meta: { pointer: '/unique_id', ...holder },
  });
}
