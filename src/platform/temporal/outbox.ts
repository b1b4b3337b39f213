import type { Sql } from '../database/client.ts';
import type { SignaledWorkflow } from './signal-workflow.ts';

export interface OutboxEntry {
  id: number;
  workflow: SignaledWorkflow;
  key: string;
  team_id: string;
}

/** How long a relay has a wake for itself; it is claimed again when the relay dies. */
const claim = '10 seconds';

/** Takes wakes that no other relay has; those of one workflow are folded by the caller. */
export async function claimOutboxEntries(sql: Sql, limit: number): Promise<OutboxEntry[]> {
  return sql<OutboxEntry[]>`
    update wakes set claimed_until = clock_timestamp() + ${claim}::interval
    where id in (
      select id from wakes where claimed_until < clock_timestamp()
      order by id limit ${limit}
      for update skip locked
    )
    returning id, workflow, key, team_id /* any team: the relay serves all */`;
}

/** Forgets wakes whose workflows have been signalled. */
export async function deleteOutboxEntries(sql: Sql, ids: readonly number[]): Promise<void> {
  await sql`delete from wakes where id = any(${[...ids]}::bigint[]) /* any team: the relay */`;
}

export async function oldestOutboxEntrySeconds(sql: Sql): Promise<number> {
  const [row] = await sql<[{ age: number }]>`
    select coalesce(extract(epoch from now() - min(inserted_at)), 0)::float8 as age from wakes`;
  return row.age;
}
