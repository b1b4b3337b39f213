import type { Sql } from '../../database/client.ts';
import { isUniqueViolation } from '../../database/failures.ts';
import { fail } from '../../http/errors.ts';
import type { ListSource } from '../../listing/sql.ts';
import type { ContactContent } from './rules.ts';

export interface ContactRow extends ContactContent {
  id: string;
  type: 'contact';
  team_id: string;
  email_status:
    'unknown' | 'deliverable' | 'soft_bouncing' | 'bounced' | 'complained' | 'suppressed';
  sealed_date_of_birth: string | null;
  status: 'active' | 'suppressed' | 'archived';
  account_count: number;
  open_journey_count: number;
  last_engaged_at: string | null;
  lock_version: number;
  inserted_at: string;
  updated_at: string;
}

export interface NewContact extends ContactContent {
  sealed_date_of_birth: string | null;
}

/** The resource, from a row of contacts with the alias t. */
const shown = `t.*, 'contact' as type, 0 as open_journey_count,
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

/** Throws 404. */
export async function requireContact(sql: Sql, teamId: string, id: string): Promise<ContactRow> {
  const [row] = await sql<ContactRow[]>`
    select ${sql.unsafe(shown)}
    from contacts t
    where t.team_id = ${teamId} and t.id = ${id} and t.deleted_at is null`;
  if (!row) throw notFound();
  return row;
}

/** Locks the contact until the end of the transaction. Throws 404. */
export async function lockContact(sql: Sql, teamId: string, id: string): Promise<ContactRow> {
  const [row] = await sql<ContactRow[]>`
    select ${sql.unsafe(shown)}
    from contacts t
    where t.team_id = ${teamId} and t.id = ${id} and t.deleted_at is null
    for update of t`;
  if (!row) throw notFound();
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

/** Throws 409 where the unique_id is in use, also when another transaction takes it right now. */
export async function insertContact(
  sql: Sql,
  teamId: string,
  id: string,
  contact: NewContact,
): Promise<ContactRow> {
  const [row] = await sql<ContactRow[]>`
    with t as (
      insert into contacts ${sql({ team_id: teamId, id, ...columns(sql, contact) })}
      on conflict (team_id, unique_id) where unique_id is not null and status <> 'archived'
      do nothing
      returning *
    )
    select ${sql.unsafe(shown)} from t`;
  if (!row) throw await uniqueIdTaken(sql, teamId, contact.unique_id);
  return row;
}

/** Throws 409 where the unique_id is in use. The contact is locked by the caller. */
export async function updateContactRow(
  sql: Sql,
  teamId: string,
  id: string,
  contact: NewContact,
): Promise<ContactRow> {
  // A violated index would leave the transaction unable to tell whose the unique_id is.
  await sql`savepoint updating_contact /* any team: no data */`;
  try {
    const [row] = await sql<[ContactRow]>`
      update contacts t
      set ${sql(columns(sql, contact))}, lock_version = t.lock_version + 1, updated_at = now()
      where t.team_id = ${teamId} and t.id = ${id}
      returning ${sql.unsafe(shown)}`;
    return row;
  } catch (error) {
    if (!isUniqueViolation(error, 'contacts_unique_id')) throw error;
    await sql`rollback to savepoint updating_contact /* any team: no data */`;
    throw await uniqueIdTaken(sql, teamId, contact.unique_id);
  }
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

async function uniqueIdTaken(sql: Sql, teamId: string, uniqueId: string | null) {
  const [holder] = await sql<{ id: string }[]>`
    select id
    from contacts
    where team_id = ${teamId} and unique_id = ${uniqueId} and status <> 'archived'`;
  return fail('unique_id_taken', {
    detail: 'Another contact of the team has this unique_id.',
    meta: { pointer: '/unique_id', ...holder },
  });
}

function notFound() {
  return fail('not_found', { detail: 'No such contact.', meta: { resource: 'contact' } });
}
