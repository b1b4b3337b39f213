import type { Sql } from '../../platform/database/sql.ts';
import type { MergedPair } from '../../contacts/hooks.ts';

export async function findCohortIdsOf(
  sql: Sql,
  teamId: string,
  contactId: string,
): Promise<string[]> {
  const rows = await sql<{ cohort_id: string }[]>`
    select cohort_id from cohort_members
    where team_id = ${teamId} and contact_id = ${contactId}`;
  return rows.map(({ cohort_id }) => cohort_id);
}

/**
 * Makes the winner a member of the static cohorts of the loser; whether it belongs to a dynamic one
 * is for the next evaluation to say. The cohorts are locked.
 */
export async function moveMemberships(
  sql: Sql,
  teamId: string,
  { winnerId, loserId }: MergedPair,
): Promise<void> {
  await sql`
    with gone as (
      delete from cohort_members where team_id = ${teamId} and contact_id = ${loserId}
      returning cohort_id
    ),
    come as (
      insert into cohort_members (team_id, cohort_id, contact_id)
      select ${teamId}, c.id, ${winnerId}
      from gone join cohorts c on c.team_id = ${teamId} and c.id = gone.cohort_id
      where c.kind = 'static'
      on conflict do nothing
      returning cohort_id
    )
    update cohorts c
    set member_count = member_count - 1, lock_version = lock_version + 1, updated_at = now()
    from gone
    where c.team_id = ${teamId} and c.id = gone.cohort_id
      and not exists (select from come where come.cohort_id = c.id)`;
}
