import { setAsideAlone } from '../batching/isolate.ts';
import type { IsolationTools, RowLoop } from '../batching/isolate.ts';
import type { Sql } from '../database/sql.ts';

export interface OutboxEntry {
  id: number;
  /** Name of the job. */
  workflow: string;
  key: string;
  team_id: string;
  /** The context of the request, if it is traced. */
  traceparent: string | null;
}

/** Lifetime of a claim; afterwards another relay may claim the entry. */
const claim = '10 seconds';

/**
 * Claims entries that no other relay has; the caller merges those of one workflow. The ids are an
 * array, because the planner takes the limit for a tenth of the table and would read all of it.
 */
export async function claimOutboxEntries(sql: Sql, limit: number): Promise<OutboxEntry[]> {
  return sql<OutboxEntry[]>`
    update workflow_outbox set claimed_until = clock_timestamp() + ${claim}::interval
    where id = any(array(
      select id from workflow_outbox where claimed_until < clock_timestamp()
      order by id limit ${limit}
      for update skip locked
    ))
    returning id, workflow, key, team_id, traceparent /* any team: the relay serves all */`;
}

/** Deletes entries whose workflows have been signaled. */
export async function deleteOutboxEntries(sql: Sql, ids: readonly number[]): Promise<void> {
  await sql`delete from workflow_outbox where id = any(${[...ids]}::bigint[]) /* any team: the relay */`;
}

/** Leaves entries out that are parked, until their time. */
async function postponeOutboxEntries(
  sql: Sql,
  ids: readonly number[],
  until: string,
): Promise<void> {
  await sql`
    update workflow_outbox set claimed_until = ${until}
    where id = any(${[...ids]}::bigint[]) /* any team: the relay */`;
}

/** The teams of entries. */
async function listOutboxEntries(
  sql: Sql,
  ids: readonly number[],
): Promise<{ team_id: string; id: number }[]> {
  return sql<{ team_id: string; id: number }[]>`
    select team_id, id from workflow_outbox
    where id = any(${[...ids]}::bigint[]) /* any team: the relay */`;
}

export async function oldestOutboxEntrySeconds(sql: Sql): Promise<number> {
  const [row] = await sql<[{ age: number }]>`
    select coalesce(extract(epoch from now() - min(inserted_at)), 0)::float8 as age from workflow_outbox`;
  return row.age;
}

/** An entry whose signal Temporal refuses while it accepts others is signaled again later. */
const outboxLoop: RowLoop<{ team_id: string; id: number }> = {
  name: 'outbox',
  keyOf: ({ team_id, id }) => ({ team_id, id: String(id) }),
  putBack: (sql, { id }, until) => postponeOutboxEntries(sql, [id], until),
};

/** Parks entries, in transactions of their own. */
export async function parkOutboxEntries(
  tools: IsolationTools,
  ids: readonly number[],
  error: unknown,
): Promise<void> {
  if (ids.length === 0) return;
  const entries = await tools.database.read((sql) => listOutboxEntries(sql, ids));
  for (const entry of entries) await setAsideAlone(tools, outboxLoop, entry, error);
}
