import type { Sql } from '../../../database/client.ts';
import { shown } from '../queries.ts';
import type { ContactRow } from '../queries.ts';

/** Contacts by ids and by the partner’s own keys, locked in the order of their ids if asked for. */
export async function findContactsReferred(
  sql: Sql,
  teamId: string,
  { ids, keys }: { ids: readonly string[]; keys: readonly string[] },
  { isLocked }: { isLocked: boolean },
): Promise<ContactRow[]> {
  return sql<ContactRow[]>`
    select ${sql.unsafe(shown)}
    from contacts t
    where t.team_id = ${teamId} and t.status <> 'archived' and t.id in (
      select id from contacts
      where team_id = ${teamId} and id = any(${[...ids]}::uuid[])
      union all
      select id from contacts
      where team_id = ${teamId} and unique_id = any(${[...keys]}::text[]) and status <> 'archived'
    )
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
