import type { Principal } from '../../platform/auth/principal.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { fail } from '../../platform/http/errors.ts';
import type { Problem } from '../../platform/http/errors.ts';
import type { ListSource } from '../../platform/lists/sql.ts';
import { arrayLiteral } from '../../platform/lists/statement.ts';
import type { Mapping } from '../uploads/mapping.ts';
import type { ErrorCount, RunStatus } from './rules.ts';

/** Resource types of runs, by surface. */
interface RunTypes {
  ipaas: 'operation_execution';
  batch: 'batch_operation';
}

export type Surface = keyof RunTypes;
export type RunSource = 'inline' | 'upload' | 'sftp';

/** A run of an operation as it is stored. */
export interface StoredRun<From extends Surface = Surface> {
  id: string;
  team_id: string;
  surface: From;
  operation_kind: string;
  execution_mode: 'sync' | 'async';
  status: RunStatus;
  failure_mode: 'partial_ok' | 'transactional';
  dry_run: boolean;
  notify_webhook: boolean;
  source: RunSource;
  upload_id: string | null;
  /** Fields by column name. */
  mapping: Mapping | null;
  retry_of_id: string | null;
  idempotency_key: string | null;
  requested_by_client_id: string | null;
  sftp_credential_id: string | null;
  file_source_id: string | null;
  /** The partner resource that an endpoint of its own started the run for. */
  subject_id: string | null;
  scopes: string[];
  /** Scopes of the operation. A caller that lacks one of them sees no results. */
  needed_scopes: string[];
  total_count: number | null;
  processed_count: number;
  succeeded_count: number;
  failed_count: number;
  skipped_count: number;
  error_summary: ErrorCount[];
  error: Problem | null;
  /** Items that an operator leaves out. */
  left_out_indexes: number[];
  next_index: number;
  next_chunk: number;
  run_token: number;
  lock_version: number;
  inserted_at: string;
  updated_at: string;
  started_at: string | null;
  estimated_completion_at: string | null;
  completed_at: string | null;
  expires_at: string | null;
  pruned_at: string | null;
}

/** A run with what its resources make of the columns. */
export interface RunRow<From extends Surface = Surface> extends StoredRun<From> {
  type: RunTypes[From];
  input_count: number | null;
  summary: { total: number | null; succeeded: number; failed: number; skipped: number };
  progress: { processed: number; total: number | null };
}

/** Columns of a run t, and those that its resources make of them. */
const shownRun = `t.*,
  case t.surface when 'ipaas' then 'operation_execution' else 'batch_operation' end as type,
  t.total_count as input_count,
  jsonb_build_object('total', t.total_count, 'succeeded', t.succeeded_count,
    'failed', t.failed_count, 'skipped', t.skipped_count) as summary,
  jsonb_build_object('processed', t.processed_count, 'total', t.total_count) as progress`;

/** Serialises what counts the runs of a team until the end of the transaction. */
export async function lockCounts(sql: Sql, teamId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`operation_runs ${teamId}`}, 0))`;
}

/** Number of queued runs of a team, exact until the end of the transaction. */
export async function countQueued(sql: Sql, teamId: string): Promise<number> {
  await lockCounts(sql, teamId);
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count from operation_runs
    where team_id = ${teamId} and status = 'queued'`;
  return row.count;
}

export type NewRun<From extends Surface> = Pick<
  StoredRun<From>,
  | 'team_id'
  | 'surface'
  | 'operation_kind'
  | 'failure_mode'
  | 'dry_run'
  | 'notify_webhook'
  | 'source'
  | 'upload_id'
  | 'retry_of_id'
  | 'idempotency_key'
  | 'requested_by_client_id'
  | 'sftp_credential_id'
  | 'file_source_id'
  | 'subject_id'
  | 'scopes'
  | 'needed_scopes'
  | 'total_count'
>;

export async function insertRun<From extends Surface>(
  sql: Sql,
  run: NewRun<From>,
  mapping: StoredRun['mapping'],
): Promise<RunRow<From>> {
  const [row] = await sql<[RunRow<From>]>`
    with t as (
      insert into operation_runs ${sql({ ...run, mapping: mapping && sql.json(mapping) })}
      returning * /* team_id among the columns */
    )
    select ${sql.unsafe(shownRun)} from t`;
  return row;
}

export async function setTotal<From extends Surface>(
  sql: Sql,
  { team_id, id }: StoredRun<From>,
  total: number,
): Promise<RunRow<From>> {
  const [row] = await sql<[RunRow<From>]>`
    with t as (
      update operation_runs set total_count = ${total}
      where team_id = ${team_id} and id = ${id}
      returning *
    )
    select ${sql.unsafe(shownRun)} from t`;
  return row;
}

/** The runs of a surface; `error` only of those whose operation the scopes open. */
export function runSource(
  { teamId, scopes }: Pick<Principal, 'teamId' | 'scopes'>,
  surface: Surface,
): ListSource {
  return {
    from: 'operation_runs t',
    select: `${shownRun}, case when t.needed_scopes <@ $3::text[] then t.error end as error`,
    where: {
      // A count has no use for the scopes, and Postgres refuses a value that nothing uses.
      text: 't.team_id = $1::uuid and t.surface = $2 and $3::text[] is not null',
      values: [teamId, surface, arrayLiteral([...scopes])],
    },
  };
}

/** Throws 404. */
export async function requireRun<From extends Surface>(
  sql: Sql,
  teamId: string,
  surface: From,
  id: string,
): Promise<RunRow<From>> {
  const [row] = await sql<RunRow<From>[]>`
    select ${sql.unsafe(shownRun)} from operation_runs t
    where t.team_id = ${teamId} and t.surface = ${surface} and t.id = ${id}`;
  return row ?? notFound(surface);
}

/** The execution of an operation that was started for a resource; throws 404. */
export async function requireRunFor(
  sql: Sql,
  teamId: string,
  subject: { kind: string; id: string },
  id: string,
): Promise<RunRow<'ipaas'>> {
  const run = await requireRun(sql, teamId, 'ipaas', id);
  if (run.operation_kind === subject.kind && run.subject_id === subject.id) return run;
  return notFound('ipaas');
}

/**
 * Locks the run until the end of the transaction. It waits for the current items, but not for those
 * of a transactional run, which may take long. Throws 404 and 409.
 */
export async function lockRun<From extends Surface>(
  sql: Sql,
  teamId: string,
  surface: From,
  id: string,
): Promise<RunRow<From>> {
  const { status: state, failure_mode } = await requireRun(sql, teamId, surface, id);
  const [row] = await sql<RunRow<From>[]>`
    select ${sql.unsafe(shownRun)} from operation_runs t
    where t.team_id = ${teamId} and t.surface = ${surface} and t.id = ${id}
    for no key update ${failure_mode === 'transactional' ? sql`skip locked` : sql``}`;
  if (row) return row;
  throw fail('execution_not_finished', {
    detail: 'All items are being applied in one transaction, which cannot be canceled.',
    meta: { state },
    headers: { 'Retry-After': '1' },
  });
}

function notFound(surface: Surface): never {
  const resource = surface === 'ipaas' ? 'operation_execution' : 'batch_operation';
  throw fail('not_found', { detail: 'No such run of an operation.', meta: { resource } });
}

/** Ends a run, and deletes its items, except for the input of failed ones. */
export async function endRun<From extends Surface>(
  sql: Sql,
  { team_id, id }: StoredRun<From>,
  status: RunStatus,
  error: Problem | null,
): Promise<RunRow<From>> {
  await sql`delete from operation_chunks where team_id = ${team_id} and run_id = ${id}`;
  const [row] = await sql<[RunRow<From>]>`
    update operation_runs t
    set status = ${status}, error = ${error && JSON.stringify(error)}::text::jsonb, completed_at = now(),
      estimated_completion_at = null, expires_at = now() + make_interval(days => coalesce((
        select (m.retention ->> 'operation_results_days')::int from teams m
        where m.id = t.team_id), 7)),
      updated_at = now(), lock_version = lock_version + 1
    where t.team_id = ${team_id} and t.id = ${id}
    returning ${sql.unsafe(shownRun)}`;
  return row;
}

/** The queued runs of a team that may begin, the oldest first. */
export async function listNextQueued(
  sql: Sql,
  teamId: string,
  maxRunning: number,
): Promise<RunRow[]> {
  return sql<RunRow[]>`
    select ${sql.unsafe(shownRun)} from operation_runs t
    where t.team_id = ${teamId} and t.status = 'queued'
    order by t.inserted_at, t.id
    limit greatest(0, ${maxRunning} - (
      select count(*) from operation_runs
      where team_id = ${teamId} and status in ('validating', 'running', 'canceling')))`;
}

/** Requests the end of a run after its current item; the caller has locked it. */
export async function markCanceling<From extends Surface>(
  sql: Sql,
  { team_id, id }: StoredRun<From>,
): Promise<RunRow<From>> {
  const [row] = await sql<[RunRow<From>]>`
    update operation_runs t
    set status = 'canceling', updated_at = now(), lock_version = lock_version + 1
    where t.team_id = ${team_id} and t.id = ${id}
    returning ${sql.unsafe(shownRun)}`;
  return row;
}
