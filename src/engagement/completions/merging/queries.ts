import type { Sql } from '../../../platform/database/sql.ts';
import type { MergedPair } from '../../../contacts/hooks.ts';
import type { CompletionRow } from '../queries.ts';

/** Locks and returns the later of each two completions that contradict each other. */
export async function lockDoubleCompletions(
  sql: Sql,
  teamId: string,
  { winnerId, loserId }: MergedPair,
): Promise<CompletionRow[]> {
  return sql<CompletionRow[]>`
    select c.*, 'objective_completion' as type
    from objective_completions c
    join objective_completions o on o.team_id = c.team_id and o.objective_id = c.objective_id
      and o.repeat_key = c.repeat_key and o.voided_at is null
      and o.contact_id in (${winnerId}, ${loserId}) and o.contact_id <> c.contact_id
      and (o.completed_at, o.id) < (c.completed_at, c.id)
    where c.team_id = ${teamId} and c.contact_id in (${winnerId}, ${loserId})
      and c.voided_at is null
    order by c.id
    for update of c`;
}

export async function moveCompletions(
  sql: Sql,
  teamId: string,
  { winnerId, loserId }: MergedPair,
): Promise<void> {
  await sql`
    update objective_completions set contact_id = ${winnerId}, updated_at = now()
    where team_id = ${teamId} and contact_id = ${loserId}`;
}
