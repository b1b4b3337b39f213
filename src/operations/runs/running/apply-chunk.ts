import { missingScopes } from '../../../platform/auth/principal.ts';
import type { Principal } from '../../../platform/auth/principal.ts';
import { withinEntitlement } from '../../../platform/auth/scopes.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import type { Problem } from '../../../platform/http/errors.ts';
import { HttpError } from '../../../platform/http/errors.ts';
import { traceOfRun } from '../../../platform/http/trace.ts';
import { applyItems, inputProblems } from '../../apply-items.ts';
import type { ItemResult } from '../../apply-items.ts';
import type { Operation, OperationCall, OperationSource } from '../../operation-type.ts';
import { maySend } from '../../sftp/rules.ts';
import { finishRun } from '../finish.ts';
import type { StoredRun } from '../queries.ts';
import { addErrors, after, countItems, endOf } from '../rules.ts';
import { isBadRecord } from './bad-record.ts';
import { advanceRun, insertItems, lockHeldRun } from './queries.ts';
import { findRunAuthorization } from './rights/queries.ts';
import type { ItemColumns } from './queries.ts';
import type { ItemChunk } from './read-items.ts';

/** Services of the process for operations. */
export type ChunkContext = Pick<OperationCall, 'keyring' | 'publicBaseUrl' | 'log'>;

/** Right to run the items; only the latest token is valid. */
export interface Lease {
  teamId: string;
  runId: string;
  token: number;
}

/**
 * Applies some items in the caller's transaction. Effects, results, counts and place change
 * together under the lock of the run, so that a repeated chunk counts once. Returns undefined if
 * the run has ended, another worker has claimed it, or its team is suspended.
 */
export async function applyChunk(
  sql: Sql,
  { keyring, publicBaseUrl, log }: ChunkContext,
  operation: Operation | undefined,
  lease: Lease,
  chunk: ItemChunk,
): Promise<StoredRun | undefined> {
  const run = await lockHeldRun(sql, lease);
  if (!run || run.next_index !== chunk.firstIndex) return undefined;
  const stopped = after(run.status, 'stop');
  if (stopped) return finishRun(sql, run, stopped);
  if (!operation) {
    return finishRun(sql, run, 'failed', {
      code: 'operation_unknown',
      detail: 'The operation no longer exists.',
    });
  }
  const { principal, refusal, isHeld } = await principalOf(sql, run, operation);
  if (isHeld) return undefined;
  if (refusal) return finishRun(sql, run, 'failed', refusal);

  const about = { keyring, publicBaseUrl, log, trace: traceOfRun(run.id) };
  const call = { sql, teamId: run.team_id, principal, source: sourceOf(run), ...about };
  const leftOut = (at: number) => run.left_out_indexes.includes(chunk.firstIndex + at);
  const applicable = chunk.items.filter((item, at) => !isBadRecord(item) && !leftOut(at));
  if (!run.dry_run && !(await stepThrough(operation, call, applicable))) {
    const { firstIndex: nextIndex } = chunk;
    const nothing = { ...countItems([]), errorSummary: run.error_summary };
    return advanceRun(sql, run, { ...nothing, nextIndex, nextChunk: run.next_chunk });
  }
  const results = await resultsOf(operation, call, run, { items: chunk.items, leftOut });
  const items = results.map((result, at) =>
    columnsOf(run, chunk.firstIndex + at, result, chunk.items[at]),
  );
  if (items.length > 0) await insertItems(sql, run, items);
  else if (run.processed_count !== run.total_count) throw new Error('items of a run are missing');
  const advanced = await advanceRun(sql, run, {
    ...countItems(items),
    errorSummary: addErrors(run.error_summary, items),
    nextIndex: chunk.nextIndex,
    nextChunk: chunk.nextChunk,
  });
  const { processed_count, failed_count, total_count } = advanced;
  if (total_count === null || processed_count < total_count) return advanced;
  const status = endOf({ total: total_count, failed: failed_count }, run.failure_mode);
  return finishRun(sql, advanced, status, status === 'failed' ? allFailed(run) : null);
}

/** Does some of what is too much for one transaction; true when nothing of that is left. */
async function stepThrough(
  operation: Operation,
  call: OperationCall,
  items: readonly unknown[],
): Promise<boolean> {
  if (!operation.step) return true;
  for (const item of items) {
    if (inputProblems(operation, item).length > 0) continue;
    try {
      if (!(await operation.step(call, item))) return false;
    } catch (error) {
      // A refusal is returned by `apply`, with the index of its item.
      if (!(error instanceof HttpError)) throw error;
    }
  }
  return true;
}

/** Principal of the run with its remaining scopes, or the reason why the run must end. */
async function principalOf(
  sql: Sql,
  run: StoredRun,
  operation: Operation,
): Promise<{ principal: Principal; refusal?: Problem; isHeld?: boolean }> {
  const { tier, is_active, entitled, purpose, ...team } = await findRunAuthorization(sql, run);
  const principal: Principal = {
    tokenKind: 'partner',
    teamId: run.team_id,
    clientId: run.requested_by_client_id ?? '',
    scopes: new Set(withinEntitlement(run.scopes, entitled)),
    tier,
  };
  if (team.is_team_suspended) return { principal, isHeld: true };
  if (!is_active) {
    const detail = 'The client that requested the run is no longer active.';
    return { principal, refusal: { code: 'invalid_client', detail } };
  }
  const isMeant = purpose === null || maySend(purpose, operation.kind);
  const missing = isMeant ? missingScopes(operation, principal) : [...operation.scopes];
  if (missing.length === 0) return { principal };
  return {
    principal,
    refusal: {
      code: 'scope_missing',
      detail: 'The client that requested the run no longer has a scope of the operation.',
      meta: { required_scope: missing[0], missing_scopes: missing },
    },
  };
}

function sourceOf({ source, surface }: StoredRun): OperationSource {
  return source === 'sftp' ? 'sftp' : surface;
}

/**
 * Records that could not be read fail, and those that an operator leaves out are skipped; the
 * others are applied.
 */
async function resultsOf(
  operation: Operation,
  call: OperationCall,
  run: StoredRun,
  { items, leftOut }: { items: readonly unknown[]; leftOut: (at: number) => boolean },
): Promise<ItemResult[]> {
  const isUndone = run.failure_mode === 'transactional' && items.some(isBadRecord);
  const applicable = items.filter((item, at) => !isBadRecord(item) && !leftOut(at));
  const applied = await applyItems(operation, call, applicable, {
    failureMode: run.failure_mode,
    isDry: run.dry_run || isUndone,
  });
  let at = 0;
  return items.map((item, place): ItemResult => {
    if (leftOut(place)) return skipped;
    if (isBadRecord(item)) {
      return { status: 'failed', resource_type: null, resource_id: null, errors: item.errors };
    }
    const result = applied[at];
    at += 1;
    if (!result) throw new Error(`${operation.kind} answers fewer results than items`);
    return isUndone && result.status !== 'failed' ? skipped : result;
  });
}

const skipped: ItemResult = {
  status: 'skipped',
  resource_type: null,
  resource_id: null,
  errors: [],
};

function columnsOf(
  { surface }: StoredRun,
  index: number,
  { status, resource_type, resource_id, errors, output }: ItemResult,
  item: unknown,
): ItemColumns {
  const isKept = status === 'failed' && !isBadRecord(item);
  return {
    index,
    status,
    resource_type,
    resource_id,
    errors,
    // Results of a batch do not show it.
    output: surface === 'batch' ? null : (output ?? null),
    input: isKept ? JSON.stringify(item) : null,
  };
}

function allFailed({ failure_mode }: StoredRun): Problem {
  const detail =
    failure_mode === 'transactional'
      ? 'An item failed, so nothing was applied.'
      : 'Every item failed; their errors say why.';
  return { code: 'operation_failed', detail };
}
