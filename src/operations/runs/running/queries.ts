import type { Sql } from '../../../platform/database/sql.ts';
import type { Problem } from '../../../platform/http/errors.ts';
import type { StoredRun } from '../queries.ts';
import type { ErrorCount, ItemStatus, RunStatus } from '../rules.ts';
import type { PlannedChunk } from '../../uploads/split-into-chunks.ts';

const open = `('queued', 'validating', 'running', 'canceling')`;

/** Locks an open run until the end of the transaction, also one that is claimed. */
export async function lockOpenRun(
  sql: Sql,
  teamId: string,
  id: string,
): Promise<StoredRun | undefined> {
  const [row] = await sql<StoredRun[]>`
    select t.* from operation_runs t
    where t.team_id = ${teamId} and t.id = ${id} and t.status in ${sql.unsafe(open)}
    for no key update`;
  return row;
}

/** Leaves an item of an open run out, which is locked. */
export async function leaveOut(sql: Sql, { team_id, id }: StoredRun, index: number): Promise<void> {
  await sql`
    update operation_runs set left_out_indexes = left_out_indexes || ${index}::int
    where team_id = ${team_id} and id = ${id} and not ${index} = any(left_out_indexes)`;
}

/** Number of runs of the team before this one: those that run, and those queued earlier. */
export async function countAhead(
  sql: Sql,
  { team_id, id, inserted_at }: StoredRun,
): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count from operation_runs
    where team_id = ${team_id} and status in ${sql.unsafe(open)}
      and (status <> 'queued' or (inserted_at, id) < (${inserted_at}, ${id}))`;
  return row.count;
}

/** Claims a run: the previous owner can write nothing more of it. */
export async function takeOver(
  sql: Sql,
  { team_id, id }: StoredRun,
  status: RunStatus,
): Promise<StoredRun> {
  const [row] = await sql<[StoredRun]>`
    update operation_runs t
    set status = ${status}, run_token = run_token + 1, updated_at = now(),
      started_at = coalesce(started_at, now()),
      lock_version = lock_version + case when status = ${status} then 0 else 1 end
    where t.team_id = ${team_id} and t.id = ${id}
    returning t.*`;
  return row;
}

/** Locks an open run that no other worker has claimed since, until the end of the transaction. */
export async function lockHeldRun(
  sql: Sql,
  { teamId, runId, token }: { teamId: string; runId: string; token: number },
): Promise<StoredRun | undefined> {
  const [row] = await sql<StoredRun[]>`
    select t.* from operation_runs t
    where t.team_id = ${teamId} and t.id = ${runId} and t.run_token = ${token}
      and t.status in ${sql.unsafe(open)}
    for no key update`;
  return row;
}

export async function findRun(
  sql: Sql,
  teamId: string,
  id: string,
): Promise<StoredRun | undefined> {
  const [row] = await sql<StoredRun[]>`
    select t.* from operation_runs t
    where t.team_id = ${teamId} and t.id = ${id}`;
  return row;
}

export interface Chunk {
  number: number;
  first_index: number;
  item_count: number;
  input: string | null;
  byte_offset: number | null;
  byte_length: number | null;
  retry_from: number | null;
  retry_to: number | null;
}

export async function findChunk(
  sql: Sql,
  { team_id, id }: StoredRun,
  number: number,
): Promise<Chunk | undefined> {
  const [row] = await sql<Chunk[]>`
    select number, first_index, item_count, input, byte_offset, byte_length, retry_from, retry_to
    from operation_chunks
    where team_id = ${team_id} and run_id = ${id} and number = ${number}`;
  return row;
}

/** The last chunk that was found in the file of a run. */
export async function findLastChunk(
  sql: Sql,
  { team_id, id }: StoredRun,
): Promise<(PlannedChunk & { number: number }) | undefined> {
  const [row] = await sql<(PlannedChunk & { number: number })[]>`
    select number, first_index, item_count, byte_offset, byte_length from operation_chunks
    where team_id = ${team_id} and run_id = ${id}
    order by number desc
    limit 1`;
  return row;
}

/** Stores the places of items in the file of a run. */
export async function insertPlanned(
  sql: Sql,
  { team_id, id }: StoredRun,
  firstNumber: number,
  chunks: readonly PlannedChunk[],
): Promise<void> {
  await sql`
    insert into operation_chunks
      (team_id, run_id, number, first_index, item_count, byte_offset, byte_length)
    select ${team_id}, ${id}, ${firstNumber}::int + place - 1, first_index, item_count,
      byte_offset, byte_length
    from unnest(${chunks.map(({ first_index }) => first_index)}::int[],
      ${chunks.map(({ item_count }) => item_count)}::int[],
      ${chunks.map(({ byte_offset }) => byte_offset)}::bigint[],
      ${chunks.map(({ byte_length }) => byte_length)}::int[])
      with ordinality as c (first_index, item_count, byte_offset, byte_length, place)`;
}

/** Records that a run is being read; or, once all of it is known, that it runs. */
export async function startPlanned(
  sql: Sql,
  { team_id, id }: StoredRun,
  whole: { total: number; status: RunStatus } | undefined,
): Promise<StoredRun> {
  const [row] = await sql<[StoredRun]>`
    update operation_runs t
    set updated_at = now(), status = coalesce(${whole?.status ?? null}, status),
      total_count = ${whole?.total ?? null},
      lock_version = lock_version + case when ${whole !== undefined} then 1 else 0 end
    where t.team_id = ${team_id} and t.id = ${id}
    returning t.*`;
  return row;
}

/** Inputs of failed items of a run, by their first and last index; JSON text. */
export async function listFailedInputs(
  sql: Sql,
  teamId: string,
  runId: string,
  from: number,
  to: number,
): Promise<string[]> {
  const rows = await sql<{ input: string }[]>`
    select input from operation_items
    where team_id = ${teamId} and run_id = ${runId} and status = 'failed'
      and index between ${from} and ${to} and input is not null
    order by index`;
  return rows.map(({ input }) => input);
}

/** Result of an item, in columns. */
export interface ItemColumns {
  index: number;
  status: ItemStatus;
  resource_type: string | null;
  resource_id: string | null;
  errors: readonly Problem[];
  output: unknown;
  input: string | null;
}

export async function insertItems(
  sql: Sql,
  { team_id, id }: StoredRun,
  items: readonly ItemColumns[],
): Promise<void> {
  const texts = (of: (item: ItemColumns) => string | null) => items.map(of);
  await sql`
    insert into operation_items
      (team_id, run_id, index, status, resource_type, resource_id, errors, output, input)
    select ${team_id}, ${id}, i.index, i.status, i.resource_type, i.resource_id,
      i.errors::jsonb, i.output::jsonb, i.input
    from unnest(${items.map(({ index }) => index)}::int[], ${texts(({ status }) => status)}::text[],
      ${texts((item) => item.resource_type)}::text[], ${texts((item) => item.resource_id)}::uuid[],
      ${texts(({ errors }) => JSON.stringify(errors))}::text[],
      ${texts(({ output }) => (output === null ? null : JSON.stringify(output)))}::text[],
      ${texts(({ input }) => input)}::text[])
      as i (index, status, resource_type, resource_id, errors, output, input)`;
}

export interface Progress {
  succeeded: number;
  failed: number;
  skipped: number;
  errorSummary: readonly ErrorCount[];
  nextIndex: number;
  nextChunk: number;
}

/** Adds results to the counts of a run, and advances its place. */
export async function advanceRun(
  sql: Sql,
  { team_id, id }: StoredRun,
  { succeeded, failed, skipped, errorSummary, nextIndex, nextChunk }: Progress,
): Promise<StoredRun> {
  const done = succeeded + failed + skipped;
  const [row] = await sql<[StoredRun]>`
    update operation_runs t
    set processed_count = processed_count + ${done}, succeeded_count = succeeded_count + ${succeeded},
      failed_count = failed_count + ${failed}, skipped_count = skipped_count + ${skipped},
      error_summary = ${JSON.stringify(errorSummary)}::text::jsonb, next_index = ${nextIndex},
      next_chunk = ${nextChunk}, updated_at = now(), lock_version = lock_version + 1,
      estimated_completion_at = now()
        + (now() - started_at) * ((total_count - processed_count - ${done})::float8
        / greatest(1, processed_count + ${done}))
    where t.team_id = ${team_id} and t.id = ${id}
    returning t.*`;
  return row;
}

/** Open runs that are due but without progress for a while: their workflow may no longer exist. */
export async function listStaleRuns(
  sql: Sql,
  untouchedMs: number,
  maxRunning: number,
  limit: number,
): Promise<Pick<StoredRun, 'id' | 'team_id' | 'surface'>[]> {
  return sql<Pick<StoredRun, 'id' | 'team_id' | 'surface'>[]>`
    select t.id, t.team_id, t.surface from operation_runs t
    where t.status in ${sql.unsafe(open)}
      and t.updated_at < now() - make_interval(secs => ${untouchedMs / 1_000})
      and not exists (select from teams m where m.id = t.team_id and m.suspended_at is not null)
      and (t.status <> 'queued' or ${maxRunning} > (
        select count(*) from operation_runs o
        where o.team_id = t.team_id and o.status in ${sql.unsafe(open)}
          and (o.status <> 'queued' or (o.inserted_at, o.id) < (t.inserted_at, t.id))))
    order by t.updated_at
    limit ${limit}`;
}

/** Deletes results whose time is over, a chunk of them; the runs stay, without results. */
export async function pruneRuns(sql: Sql, limit: number): Promise<number> {
  const items = await sql`
    delete from operation_items
    where (team_id, run_id, index) in (
      select i.team_id, i.run_id, i.index
      from operation_runs t
      join operation_items i on i.team_id = t.team_id and i.run_id = t.id
      where t.expires_at < now() and t.pruned_at is null
      limit ${limit}
    )`;
  if (items.count >= limit) return items.count;
  const runs = await sql`
    update operation_runs t set pruned_at = now()
    where t.expires_at < now() and t.pruned_at is null
      and not exists (
        select from operation_items i where i.team_id = t.team_id and i.run_id = t.id)`;
  const old = await sql`
    delete from operation_runs
    where (team_id, id) in (
      select team_id, id from operation_runs
      where pruned_at < now() - interval '90 days' limit ${limit}
    )`;
  return Math.max(items.count, runs.count, old.count);
}
