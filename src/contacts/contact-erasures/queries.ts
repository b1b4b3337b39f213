import type { Sql } from '../../platform/database/sql.ts';
import type { RowOf } from '../../platform/schema/fields.ts';
import { fail } from '../../platform/http/errors.ts';
import type { ContactErasure } from './contact-erasure.ts';

export interface ErasureRow extends RowOf<typeof ContactErasure> {
  contact_ids: string[];
  sealed_identity: string | null;
  swept_at: string | null;
}

const shown = `t.*, 'contact_erasure' as type`;

/** Throws 404. */
export async function requireErasure(sql: Sql, teamId: string, id: string): Promise<ErasureRow> {
  const [row] = await sql<ErasureRow[]>`
    select ${sql.unsafe(shown)} from contact_erasures t
    where t.team_id = ${teamId} and t.id = ${id}`;
  if (row) return row;
  throw fail('not_found', {
    detail: 'No such erasure.',
    meta: { resource: 'contact_erasure' },
  });
}

/** The erasure of a contact, where there was one. */
export async function findErasureOf(
  sql: Sql,
  teamId: string,
  contactId: string,
): Promise<ErasureRow | undefined> {
  const [row] = await sql<ErasureRow[]>`
    select ${sql.unsafe(shown)} from contact_erasures t
    where t.team_id = ${teamId} and t.contact_id = ${contactId}`;
  return row;
}

/** The fields of a contact, in any status, that an erasure needs. */
export interface Identity {
  id: string;
  merged_into_id: string | null;
  erased_at: string | null;
  lock_version: number;
  unique_id: string | null;
  email: string | null;
  phone: string | null;
}

/** Locks a contact, by its id and in any status, with the contacts that were merged into it. */
export async function lockPerson(sql: Sql, teamId: string, id: string): Promise<Identity[]> {
  return sql<Identity[]>`
    select id, merged_into_id, erased_at, lock_version, unique_id, email, phone from contacts
    where team_id = ${teamId} and (id = ${id} or merged_into_id = ${id})
    order by id
    for update`;
}

/** Leaves of contacts their ids; returns when. */
export async function blankContacts(
  sql: Sql,
  teamId: string,
  ids: readonly string[],
): Promise<string> {
  const never = JSON.stringify({
    email: { status: 'never' },
    sms: { status: 'never' },
    push: { status: 'never' },
  });
  const [row] = await sql<[{ erased_at: string }]>`
    update contacts
    set unique_id = null, email = null, email_status = 'unknown', first_name = null,
      last_name = null, preferred_name = null, phone = null, locale = null, timezone = null,
      sealed_date_of_birth = null, postal_code = null, tags = '{}', attributes = '{}',
      consents = ${never}::text::jsonb, last_engaged_at = null, status = 'archived',
      deleted_at = coalesce(deleted_at, now()), erased_at = now(), updated_at = now(),
      lock_version = lock_version + 1
    where team_id = ${teamId} and id = any(${[...ids]}::uuid[])
    returning erased_at`;
  return row.erased_at;
}

export async function insertErasure(
  sql: Sql,
  erasure: Pick<
    ErasureRow,
    'team_id' | 'id' | 'contact_id' | 'contact_ids' | 'sealed_identity' | 'requested_by_client_id'
  >,
): Promise<ErasureRow> {
  const [row] = await sql<[ErasureRow]>`
    insert into contact_erasures as t (team_id, id, contact_id, contact_ids, sealed_identity,
      requested_by_client_id)
    values (${erasure.team_id}, ${erasure.id}, ${erasure.contact_id},
      ${[...erasure.contact_ids]}::uuid[], ${erasure.sealed_identity},
      ${erasure.requested_by_client_id})
    returning ${sql.unsafe(shown)}`;
  return row;
}
