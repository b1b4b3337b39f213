import type { Sql } from '../../platform/database/sql.ts';
import type { ContactRow } from '../queries.ts';
import { insertion, neverAsked, written } from '../writing/queries.ts';
import type { ContactToWrite } from '../writing/queries.ts';

/**
 * Locks contacts by the partner’s keys, in the order of their ids, with the keys that name each: its
 * own and those of contacts that were merged into it; archived ones have none. Key by key: one
 * condition on all keys is planned as a walk through the team where statistics are young.
 */
export async function lockContactsByKey(
  sql: Sql,
  teamId: string,
  uniqueIds: readonly string[],
): Promise<(ContactRow & { keys: string[] })[]> {
  return sql<(ContactRow & { keys: string[] })[]>`
    select t.*, found.keys, 'contact' as type, 0 as open_journey_count, 0 as account_count
    from (
      select c.id, array_agg(k.unique_id) as keys
      from unnest(${[...uniqueIds]}::text[]) as k (unique_id)
      cross join lateral (
        (select id from contacts
         where team_id = ${teamId} and unique_id between k.unique_id and k.unique_id
           and status <> 'archived'
         order by unique_id
         limit 1)
        union all
        (select merged_into_id from contacts
         where team_id = ${teamId} and unique_id between k.unique_id and k.unique_id
           and merged_into_id is not null
         order by unique_id
         limit 1)
        limit 1
      ) c
      group by c.id
      order by c.id
    ) found
    cross join lateral (
      select * from contacts
      where team_id = ${teamId} and id between found.id and found.id and status <> 'archived'
      order by id
      limit 1
      for update
    ) t`;
}

/** Returns the ids of the inserted contacts; the unique_ids of the others are in use. */
export async function insertNewContacts(
  sql: Sql,
  contacts: readonly ContactToWrite[],
): Promise<Set<string>> {
  const rows = await sql<{ id: string }[]>`${insertion(sql, contacts)} returning id`;
  return new Set(rows.map(({ id }) => id));
}

/** Contacts that are locked, and keep their unique_id; the version rises by one for each event. */
export async function updateContacts(
  sql: Sql,
  teamId: string,
  contacts: readonly (ContactToWrite & { events: number })[],
): Promise<void> {
  await sql`
    update contacts t
    set email = w.email, first_name = w.first_name, last_name = w.last_name,
      preferred_name = w.preferred_name, phone = w.phone, locale = w.locale,
      timezone = w.timezone, sealed_date_of_birth = w.sealed_date_of_birth,
      postal_code = w.postal_code, tags = w.tags::text[], attributes = w.attributes::jsonb,
      consents = coalesce(w.consents::jsonb, ${neverAsked}::text::jsonb), lock_version = t.lock_version + e.events, updated_at = now(),
      email_status = case when folded(t.email) is not distinct from folded(w.email) then t.email_status
        else coalesce(s.email_status, 'unknown') end
    from ${written(sql, contacts)}
    join unnest(${contacts.map(({ id }) => id)}::uuid[],
      ${contacts.map(({ events }) => events)}::int[]) as e (id, events) on e.id = w.id
    left join suppressions s on s.team_id = ${teamId} and s.channel = 'email'
      and folded(s.address) = folded(w.email) and s.deleted_at is null
    where t.team_id = ${teamId} and t.id = w.id`;
}
