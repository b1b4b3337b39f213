import { missingScopes } from '../../platform/auth/principal.ts';
import type { Principal } from '../../platform/auth/principal.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { fail } from '../../platform/http/errors.ts';
import { checkScopes } from '../../platform/http/authorize.ts';
import type { Operation } from '../operation-type.ts';
import { finishRun } from './finish.ts';
import { markCanceling } from './queries.ts';
import type { RunRow, Surface } from './queries.ts';
import { after, isOpen, pollSeconds } from './rules.ts';
import { startRetry, wakeRun } from './start.ts';

/** The pause until the next poll; nothing once the run has ended. */
export function pollHeaders({ status, estimated_completion_at: end }: RunRow): {
  headers?: Record<string, string>;
} {
  if (!isOpen(status)) return {};
  const remainingMs = end === null ? 0 : Date.parse(end) - Date.now();
  return { headers: { 'Retry-After': String(pollSeconds({ status, remainingMs })) } };
}

/** The run as the caller may see it: without `error` if scopes of its operation are missing. */
export function shownTo<From extends Surface>(
  principal: Principal,
  run: RunRow<From>,
): RunRow<From> {
  const isReadable = missingScopes({ scopes: run.needed_scopes }, principal).length === 0;
  return isReadable ? run : { ...run, error: null };
}

/** Throws 401 unless the caller has the scopes of the operation, which protect its results. */
export function checkReader(principal: Principal, { needed_scopes }: RunRow): void {
  checkScopes(principal, ...needed_scopes);
}

/** Throws 409 while the run is open, and 410 after its results have expired. */
export function checkResults(run: RunRow): void {
  if (isOpen(run.status)) {
    throw fail('execution_not_finished', {
      detail: `The operation is ${run.status}.`,
      meta: { state: run.status },
      ...pollHeaders(run),
    });
  }
  checkKept(run);
}

/** Throws 410 after the results of a run have expired. */
export function checkKept({ expires_at }: RunRow): void {
  if (expires_at === null || Date.parse(expires_at) > Date.now()) return;
  throw fail('result_expired', {
    detail: 'The results of the items have been deleted.',
    meta: { expires_at },
  });
}

/**
 * Cancels a run that the caller has locked: a queued one immediately, another before its next
 * items. Applied items stay. Throws 409.
 */
export async function cancelRun<From extends Surface>(
  sql: Sql,
  run: RunRow<From>,
): Promise<RunRow<From>> {
  const canceled = await cancelRunRow(sql, run);
  if (canceled !== run) await wakeRun(sql, canceled);
  return canceled;
}

/** The same without a signal to its workflow. */
export async function cancelRunRow<From extends Surface>(
  sql: Sql,
  run: RunRow<From>,
): Promise<RunRow<From>> {
  const status = after(run.status, 'cancel');
  if (status === undefined) {
    throw fail('execution_finished', {
      detail: `The operation has ended: ${run.status}.`,
      meta: { state: run.status },
    });
  }
  if (status === run.status) return run;
  return status === 'canceled' ? finishRun(sql, run, status) : markCanceling(sql, run);
}

/**
 * Runs the failed items of a run again, in a new run, on behalf of the current caller. Throws 401,
 * 409 and 410.
 */
export async function retryRun<From extends Surface>(
  sql: Sql,
  run: RunRow<From>,
  operation: Operation | undefined,
  principal: Principal,
  idempotencyKey: string | undefined,
): Promise<RunRow<From>> {
  if (!operation) throw unknownOperation();
  checkScopes(principal, ...operation.scopes);
  checkResults(run);
  const retry = await startRetry(sql, run, {
    teamId: run.team_id,
    surface: run.surface,
    operation,
    principal,
    isDry: run.dry_run,
    notifyWebhook: run.notify_webhook,
    ...(idempotencyKey !== undefined && { idempotencyKey }),
  });
  if (retry) return retry;
  throw fail('invalid_state_transition', {
    detail: 'No failed item can be retried.',
    meta: { state: run.status, action: 'retry', allowed_actions: [] },
  });
}

export function unknownOperation() {
  return fail('operation_unknown', { detail: 'The catalog has no operation of this kind.' });
}
