import type { Sql } from '../../../platform/database/sql.ts';
import type { Problem } from '../../../platform/http/errors.ts';
import type { ListSource } from '../../../platform/lists/sql.ts';
import type { RunRow, StoredRun } from '../queries.ts';
import { nameOfField } from '../rules.ts';

/** Stores some items of a run as JSON text. */
export async function insertChunk(
  sql: Sql,
  { team_id, id }: { team_id: string; id: string },
  chunk: { number: number; first_index: number; item_count: number; input: string },
): Promise<void> {
  await sql`
    insert into operation_chunks ${sql({ team_id, run_id: id, ...chunk })}
    /* team_id is of the run */`;
}

/** Adds the stored failed items of one run to another; returns their number. */
export async function insertRetryChunks(
  sql: Sql,
  { team_id, id }: { team_id: string; id: string },
  retriedId: string,
  chunkSize: number,
): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    with failed as (
      select index, row_number() over (order by index) - 1 as place,
        (row_number() over (order by index) - 1) / ${chunkSize}::int as number
      from operation_items
      where team_id = ${team_id} and run_id = ${retriedId} and status = 'failed'
        and input is not null
    ),
    chunks as (
      insert into operation_chunks
        (team_id, run_id, number, first_index, item_count, retry_from, retry_to)
      select ${team_id}, ${id}, number, min(place), count(*), min(index), max(index)
      from failed group by number
      returning item_count
    )
    select coalesce(sum(item_count), 0)::int as count from chunks`;
  return row.count;
}

/** Extends the retention of the results of a run for as long as its retry may need them. */
export async function keepResults(sql: Sql, { team_id, id }: RunRow): Promise<void> {
  await sql`
    update operation_runs set expires_at = greatest(expires_at, now() + interval '7 days')
    where team_id = ${team_id} and id = ${id}`;
}

/** The items of a run that are done; they have no id but their place. */
export function itemSource({ team_id, id }: RunRow): ListSource {
  return {
    from: 'operation_items t',
    select: 't.*, t.run_id as id',
    where: {
      text: 't.team_id = $1::uuid and t.run_id = $2::uuid',
      values: [team_id, id],
    },
  };
}

/** Failed items of a run behind an index, in order. */
export async function listFailures(
  sql: Sql,
  { team_id, id }: StoredRun,
  after: number,
  limit: number,
): Promise<{ index: number; errors: Problem[] }[]> {
  return sql<{ index: number; errors: Problem[] }[]>`
    select index, coalesce(errors, '[]') as errors from operation_items
    where team_id = ${team_id} and run_id = ${id} and status = 'failed' and index > ${after}
    order by index
    limit ${limit}`;
}

/** A failed item for operators: its place and the first of its problems, without its content. */
export interface FailedItem {
  /** From 0: that of the item in the request, or of the record in the file. */
  index: number;
  code: string;
  /** The field, as a JSON pointer; absent where the item as a whole was refused. */
  field?: string;
}

/** The first failed items of a run. */
export async function listFirstFailed(
  sql: Sql,
  { team_id, id }: Pick<StoredRun, 'team_id' | 'id'>,
  limit: number,
): Promise<FailedItem[]> {
  const rows = await sql<{ index: number; code: string; field: string | null }[]>`
    select index, coalesce(errors -> 0 ->> 'code', 'unknown') as code,
      errors -> 0 -> 'meta' ->> 'pointer' as field
    from operation_items
    where team_id = ${team_id} and run_id = ${id} and status = 'failed'
    order by index
    limit ${limit}`;
  return rows.map(({ index, code, field }) => {
    const shown = field === null ? undefined : nameOfField(field);
    return { index, code, ...(shown !== undefined && { field: shown }) };
  });
}
