import type { Sql } from '../../platform/database/sql.ts';
import type { MergedPair } from '../../contacts/hooks.ts';

/** Open journeys of the one that goes, in templates where the one that stays has one, too. */
export async function findDoubled(
  sql: Sql,
  teamId: string,
  { winnerId, loserId }: MergedPair,
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select l.id from journeys l
    join journeys w on w.team_id = ${teamId} and w.template_id = l.template_id
      and w.contact_id = ${winnerId} and w.status in ('scheduled', 'active', 'paused')
    where l.team_id = ${teamId} and l.contact_id = ${loserId}
      and l.status in ('scheduled', 'active', 'paused')`;
  return rows.map(({ id }) => id);
}

/** Gives the one that stays the journeys of the other, numbered behind its own. */
export async function moveJourneys(
  sql: Sql,
  teamId: string,
  { winnerId, loserId }: MergedPair,
): Promise<void> {
  await sql`
    with numbered as (
      select l.id, row_number() over (partition by l.template_id order by l.seq) + coalesce((
          select max(w.seq) from journeys w
          where w.team_id = ${teamId} and w.template_id = l.template_id
            and w.contact_id = ${winnerId}), 0) as seq
      from journeys l
      where l.team_id = ${teamId} and l.contact_id = ${loserId}
    )
    update journeys t
    set contact_id = ${winnerId}, seq = numbered.seq, lock_version = t.lock_version + 1,
      updated_at = now()
    from numbered where t.team_id = ${teamId} and t.id = numbered.id`;
}
