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

/** The first contacts with each of these addresses or numbers, archived ones left out. */
export async function findContactsWith(
  sql: Sql,
  teamId: string,
  column: 'email' | 'phone',
  values: readonly string[],
  limit: number,
): Promise<ContactRow[]> {
  if (values.length === 0) return [];
  return sql<ContactRow[]>`
    select contact.*
    from unnest(${[...values]}::text[]) as wanted (value)
    cross join lateral (
      select ${sql.unsafe(shown)}
      from contacts t
      where t.team_id = ${teamId} and t.${sql(column)} = wanted.value and t.status <> 'archived'
      order by t.id
      limit ${limit}
    ) as contact`;
}
