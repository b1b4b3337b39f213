import type { Sql } from '../../../database/client.ts';
import type { ListSource } from '../../../listing/sql.ts';
import type { CohortRow } from '../queries.ts';

export function memberSource({ team_id, id }: CohortRow): ListSource {
  return {
    from: 'cohort_members t',
    select: `t.*, t.contact_id as id, 'cohort_member' as type`,
    where: { text: 't.team_id = $1 and t.cohort_id = $2::uuid', values: [team_id, id] },
  };
}

/** Those of some contacts that the team does not have, or has archived if that counts. */
export async function findUnknownContacts(
  sql: Sql,
  teamId: string,
  ids: readonly string[],
  { withArchived }: { withArchived: boolean },
): Promise<Set<string>> {
  const rows = await sql<{ id: string }[]>`
    select w.id from unnest(${[...ids]}::uuid[]) as w (id)
    where not exists (
      select from contacts c
      where c.team_id = ${teamId} and c.id = w.id
        and (${withArchived} or c.status <> 'archived'))`;
  return new Set(rows.map(({ id }) => id));
}

/** Adds members to a cohort that is locked; returns those that were none before. */
export async function insertMembers(
  sql: Sql,
  { team_id, id }: CohortRow,
  contactIds: readonly string[],
): Promise<Set<string>> {
  const rows = await sql<{ contact_id: string }[]>`
    insert into cohort_members (team_id, cohort_id, contact_id)
    select ${team_id}, ${id}, w.id from unnest(${[...contactIds]}::uuid[]) as w (id)
    on conflict do nothing
    returning contact_id`;
  return idsOf(rows);
}

/** Takes members out of a cohort that is locked; returns those that there were. */
export async function deleteMembers(
  sql: Sql,
  { team_id, id }: CohortRow,
  contactIds: readonly string[],
): Promise<Set<string>> {
  const rows = await sql<{ contact_id: string }[]>`
    delete from cohort_members
    where team_id = ${team_id} and cohort_id = ${id}
      and contact_id = any(${[...contactIds]}::uuid[])
    returning contact_id`;
  return idsOf(rows);
}

export async function addToCount(
  sql: Sql,
  { team_id, id }: CohortRow,
  change: number,
): Promise<number> {
  const [row] = await sql<[{ member_count: number }]>`
    update cohorts
    set member_count = member_count + ${change}::int, lock_version = lock_version + 1,
      updated_at = now()
    where team_id = ${team_id} and id = ${id}
    returning member_count`;
  return row.member_count;
}

export async function isMember(
  sql: Sql,
  { team_id, id }: CohortRow,
  contactId: string,
): Promise<boolean> {
  const rows = await sql`
    select from cohort_members
    where team_id = ${team_id} and cohort_id = ${id} and contact_id = ${contactId}`;
  return rows.length > 0;
}

const idsOf = (rows: readonly { contact_id: string }[]) =>
  new Set(rows.map(({ contact_id }) => contact_id));
