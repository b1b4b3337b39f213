import type { Sql } from '../../platform/database/sql.ts';
import type { ListSource } from '../../platform/lists/sql.ts';
import { cohorts } from '../queries.ts';
import type { CohortRow } from '../queries.ts';

/** Who came to a cohort or went. */
export interface Moved {
  contact_id: string;
  joined_at: string;
}

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

/** Adds members to a cohort that is locked; returns those that were none before, each once. */
export async function insertMembers(
  sql: Sql,
  { team_id, id }: CohortRow,
  contactIds: readonly string[],
): Promise<Moved[]> {
  return sql<Moved[]>`
    insert into cohort_members (team_id, cohort_id, contact_id)
    select ${team_id}, ${id}, w.id from unnest(${[...contactIds]}::uuid[]) as w (id)
    on conflict do nothing
    returning contact_id, joined_at`;
}

/** Deletes members of a cohort that is locked; returns the deleted members. */
export async function deleteMembers(
  sql: Sql,
  { team_id, id }: CohortRow,
  contactIds: readonly string[],
): Promise<Moved[]> {
  return sql<Moved[]>`
    delete from cohort_members
    where team_id = ${team_id} and cohort_id = ${id}
      and contact_id = any(${[...contactIds]}::uuid[])
    returning contact_id, joined_at`;
}

/** Counts so many members more, or fewer, of a cohort that is locked. */
export async function addToCount(
  sql: Sql,
  { team_id, id }: CohortRow,
  change: number,
): Promise<CohortRow> {
  const [row] = await sql<[CohortRow]>`
    update cohorts t
    set member_count = member_count + ${change}::int, lock_version = lock_version + 1,
      updated_at = now()
    where t.team_id = ${team_id} and t.id = ${id}
    returning ${sql.unsafe(cohorts.columns)}`;
  return row;
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
