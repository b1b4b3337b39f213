import type { Sql } from '../../platform/database/sql.ts';
import { shown } from '../queries.ts';
import type { ContactRow } from '../queries.ts';

/** A contact with the keys by which it was requested. */
export type ReferredContact = ContactRow & { keys: string[] };

/**
 * Contacts by ids and by the partner’s own keys, optionally locked in the order of their ids. The
 * key of a merged contact refers to the winner, unless another contact now has the key.
 */
export async function findContactsReferred(
  sql: Sql,
  teamId: string,
  { ids, keys }: { ids: readonly string[]; keys: readonly string[] },
  { isLocked }: { isLocked: boolean },
): Promise<ReferredContact[]> {
  return sql<ReferredContact[]>`
    select ${sql.unsafe(shown)}, found.keys
    from (
      select id, coalesce(array_agg(key) filter (where key is not null), '{}') as keys
      from (
        select id, null as key from unnest(${[...ids]}::uuid[]) as id
        union all
        select id, unique_id from contacts
        where team_id = ${teamId} and unique_id = any(${[...keys]}::text[])
          and status <> 'archived'
        union all
        select l.merged_into_id, l.unique_id from contacts l
        where l.team_id = ${teamId} and l.unique_id = any(${[...keys]}::text[])
          and l.merged_into_id is not null and not exists (
            select from contacts c
            where c.team_id = ${teamId} and c.unique_id = l.unique_id and c.status <> 'archived')
      ) as named
      group by id
    ) as found
    join contacts t on t.team_id = ${teamId} and t.id = found.id and t.status <> 'archived'
    order by t.id
    ${isLocked ? sql`for update of t` : sql``}`;
}

/** A contact, and the address or number that it was asked for by. */
export type ContactAsked = ContactRow & { asked: string };

/** The first contacts with each of these addresses or numbers, archived ones left out. */
export async function findContactsWith(
  sql: Sql,
  teamId: string,
  column: 'email' | 'phone',
  values: readonly string[],
  limit: number,
): Promise<ContactAsked[]> {
  if (values.length === 0) return [];
  const isMeant =
    column === 'email' ? sql`folded(t.email) = folded(asked.value)` : sql`t.phone = asked.value`;
  return sql<ContactAsked[]>`
    select contact.*, asked.value as asked
    from unnest(${[...values]}::text[]) as asked (value)
    cross join lateral (
      select ${sql.unsafe(shown)}
      from contacts t
      where t.team_id = ${teamId} and ${isMeant} and t.status <> 'archived'
      order by t.id
      limit ${limit}
    ) as contact`;
}

/**
 * Locks a contact, unless it is archived, and all others that have its address or number, also where
 * it is archived.
 */
export async function lockContactsSharing(
  sql: Sql,
  teamId: string,
  contactId: string,
  field: 'email' | 'phone',
): Promise<ContactRow[]> {
  const isSame =
    field === 'email' ? sql`folded(o.email) = folded(c.email)` : sql`o.phone = c.phone`;
  return sql<ContactRow[]>`
    select ${sql.unsafe(shown)}
    from contacts t
    where t.team_id = ${teamId} and t.status <> 'archived' and t.id in (
      select ${contactId}::uuid union all
      select o.id from contacts c join contacts o on o.team_id = c.team_id and ${isSame}
      where c.team_id = ${teamId} and c.id = ${contactId})
    order by t.id
    for update of t`;
}
