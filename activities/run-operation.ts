import type { Database } from '../src/platform/database/client.ts';
import type { Sql } from '../src/platform/database/sql.ts';
import { again, end, listCounts, waitUntil } from '../src/platform/jobs/job.ts';
import type { Job, Update } from '../src/platform/jobs/job.ts';
import type { JobTarget, Round } from '../src/platform/jobs/shape.ts';
import { findOperation } from '../src/operations/catalog.ts';
import { cancelRunRow } from '../src/operations/runs/actions.ts';
import { finishRun } from '../src/operations/runs/finish.ts';
import { lockRun } from '../src/operations/runs/queries.ts';
import type { StoredRun } from '../src/operations/runs/queries.ts';
import {
  after,
  firstSlice,
  isOpen,
  maxLeftOut,
  maxRunning,
  maxTransactionMs,
  nextSlice,
} from '../src/operations/runs/rules.ts';
import { applyChunk } from '../src/operations/runs/running/apply-chunk.ts';
import type { ChunkContext } from '../src/operations/runs/running/apply-chunk.ts';
import {
  findRun,
  leaveOut,
  listStaleRuns,
  lockOpenRun,
} from '../src/operations/runs/running/queries.ts';
import { listFirstFailed } from '../src/operations/runs/items/queries.ts';
import type { FailedItem } from '../src/operations/runs/items/queries.ts';
import { createItemReader } from '../src/operations/runs/running/read-items.ts';
import { planChunk } from '../src/operations/runs/running/plan.ts';
import { claimRun } from '../src/operations/runs/running/take.ts';
import { createFairScheduler } from '../src/operations/runs/running/fair-scheduler.ts';
import type { FairScheduler } from '../src/operations/runs/running/fair-scheduler.ts';
import { jobOfRun } from '../src/operations/runs/start.ts';
import { isTeamSuspended } from '../src/team/suspending/queries.ts';
import { operationRunJob } from '../workflows/jobs.ts';

interface Tools extends ChunkContext {
  database: Database;
  /** Share of the time that runs may be working. */
  share: number;
  /** Aborted when the worker stops: a round ends after the current items. */
  stopping: AbortSignal;
}

/** A round may take this long; the next one is another line in the history. */
const budgetMs = 10_000;
/** Limit of one transaction. Heartbeats continue meanwhile; only a dead worker misses one. */
const deadlineMs = 110_000;
/** Failed items that the workflow of a run names. */
const failedShown = 20;

/** The next run gets a signal; this interval covers a lost signal. */
const queuedPauseMs = 600_000;
/** Longer than a run waits for its turn among those of other teams. */
const untouchedMs = 20_000;

/** Executions and batches, which differ in the ids of their workflows. */
export function runOperation(tools: Tools): Job<'shown'> {
  const { database } = tools;
  const scheduler = createFairScheduler(tools.share);
  return {
    shape: operationRunJob,
    overdue: [
      async (from, most) => {
        const rows = await from.read((sql) => listStaleRuns(sql, untouchedMs, maxRunning, most));
        return rows.map(({ surface, ...row }) => ({ ...row, shape: jobOfRun(surface) }));
      },
    ],
    /** A run that is queued may have to wait. */
    async round({ state, ...target }) {
      const ahead = (await isHeld(database, target.teamId))
        ? 0
        : await apply(tools, scheduler, target);
      return nextRound(database, target, ahead, state === 'shown');
    },
    async giveUp(target) {
      await database.transact(async (sql) => {
        const run = await lockOpenRun(sql, target.teamId, target.id);
        const status = run && after(run.status, 'fail');
        if (status) await finishRun(sql, run, status, givenUp);
      });
      return nextRound(database, target);
    },
    async cancel(sql, { teamId, id }) {
      const open = await lockOpenRun(sql, teamId, id);
      if (!open) return undefined;
      const before = await lockRun(sql, teamId, open.surface, id);
      const { status } = await cancelRunRow(sql, before);
      return status === before.status ? undefined : before.type;
    },
    updates: {
      skipItem: (sql, target, { index }) => skipItem(sql, target, Number(index)),
    },
  };
}

const isHeld = (database: Database, teamId: string) =>
  database.read((sql) => isTeamSuspended(sql, teamId));

/** Applies items for some seconds; how many runs come first, while it is queued. */
async function apply(
  tools: Tools,
  scheduler: FairScheduler,
  { teamId, id: runId }: JobTarget,
): Promise<number> {
  const { database, stopping } = tools;
  const targetMs = maxTransactionMs(tools.share);
  const startedAtMs = performance.now();
  const taken = await database.transact((sql) => claimRun(sql, teamId, runId));
  if (!taken) return 0;
  let { run } = taken;
  if (run.status === 'queued') return taken.ahead;
  const operation = findOperation(run.operation_kind);
  const lease = { teamId, runId, token: run.run_token };
  const reader = createItemReader(database, operation);
  const first = firstSlice(operation?.bulkThreshold !== undefined);
  let size = first;
  while (isOpen(run.status) && !stopping.aborted) {
    if (performance.now() - startedAtMs > budgetMs) break;
    if (operation && run.total_count === null) {
      const unread = run;
      const read = await scheduler.run(teamId, () => planChunk(database, operation, lease, unread));
      if (!read) break;
      run = read;
      continue;
    }
    const chunk = await reader.read(run, size);
    let tookMs = 0;
    const applied = await scheduler.run(teamId, async () => {
      const beganAtMs = performance.now();
      const result = await database.transact(
        (sql) => applyChunk(sql, tools, operation, lease, chunk),
        { deadlineMs },
      );
      tookMs = performance.now() - beganAtMs;
      return result;
    });
    if (!applied) break;
    run = applied;
    if (chunk.items.length > 0) {
      size = nextSlice(chunk.items.length, tookMs, { first, targetMs });
    }
  }
  return 0;
}

async function nextRound(
  database: Database,
  { teamId, id }: JobTarget,
  ahead = 0,
  isShown = false,
): Promise<Round<'shown'>> {
  const run = await database.read((sql) => findRun(sql, teamId, id));
  if (!run) return end<'shown'>({ outcome: 'deleted' }, 'The run was deleted, with its results.');
  return isOpen(run.status)
    ? nextRoundOfOpen(database, run, ahead, isShown)
    : lastRound(database, run);
}

async function nextRoundOfOpen(
  database: Database,
  run: StoredRun,
  ahead: number,
  isShown: boolean,
): Promise<Round<'shown'>> {
  const { operation_kind: operationKind, processed_count: processed, total_count: total } = run;
  // Each further value would be an event in the history.
  const shown = { operationKind, waiting: (total ?? 0) - processed };
  const more = { state: 'shown' as const, ...(!isShown && { shown }) };
  if (await isHeld(database, run.team_id)) {
    const details = `${operationKind} waits: its team is suspended.`;
    return waitUntil(
      Date.now() + queuedPauseMs,
      'Looks whether the team is resumed',
      details,
      more,
    );
  }
  if (run.status === 'queued') {
    const details = `${operationKind} waits: ${String(ahead)} runs of the team come first.`;
    return waitUntil(Date.now() + queuedPauseMs, 'Looks whether it is its turn', details, more);
  }
  return again(describeRun(run), more);
}

async function lastRound(database: Database, run: StoredRun): Promise<Round<'shown'>> {
  const { status, operation_kind: kind, total_count: total, processed_count: processed } = run;
  const { failed_count: failed, skipped_count: skipped, error_summary: codes, error } = run;
  const failedItems =
    failed > 0 ? await database.read((sql) => listFirstFailed(sql, run, failedShown)) : [];
  const result = {
    ...{ outcome: status, kind, total: total ?? 0, processed, failed, skipped },
    ...(codes.length > 0 && { failures: countsOf(run) }),
    ...(failedItems.length > 0 && { failedItems }),
    ...(error && { error: error.code }),
  };
  return end(result, describeRun(run, failedItems), {
    shown: { operationKind: kind, waiting: 0 },
  });
}

const givenUp = {
  code: 'internal_error',
  detail: 'An internal error occurred repeatedly; applied items stay applied.',
} as const;

/** Leaves an item of a run out that is not yet applied. */
async function skipItem(sql: Sql, { teamId, id }: JobTarget, index: number): Promise<Update> {
  const run = await lockOpenRun(sql, teamId, id);
  if (!run) return { refusal: 'The run has ended.' };
  const refusal = refusalToSkip(run, index);
  if (refusal !== undefined) return { refusal };
  await leaveOut(sql, run, index);
  const { type } = await lockRun(sql, teamId, run.surface, id);
  return { done: `Item ${String(index)} is left out.`, action: `${type}.item_skipped` };
}

function refusalToSkip(run: StoredRun, index: number): string | undefined {
  const { failure_mode, next_index: next, total_count: total, left_out_indexes: leftOut } = run;
  if (failure_mode === 'transactional') {
    return 'The run applies all of its items or none: cancel it instead.';
  }
  if (index < next || index >= (total ?? Infinity)) {
    const last = total === null ? 'the last one' : String(total - 1);
    return `Items that can be skipped: ${String(next)} to ${last}.`;
  }
  return leftOut.length < maxLeftOut
    ? undefined
    : `${String(maxLeftOut)} items of a run can be skipped: cancel it instead.`;
}

/** Failed items by error code. */
function countsOf({ error_summary: codes }: StoredRun): Record<string, number> {
  return Object.fromEntries(codes.map(({ code, count }) => [code, count]));
}

function describeRun(run: StoredRun, failedItems: readonly FailedItem[] = []): string {
  const { status, operation_kind: kind, total_count: total, processed_count: processed } = run;
  const { failed_count: failed, skipped_count: skipped, estimated_completion_at: endsAt } = run;
  const codes = listCounts(countsOf(run));
  const remainingMs = endsAt === null ? 0 : Date.parse(endsAt) - Date.now();
  const isSoon = remainingMs < 500 || !isOpen(status);
  const then = isSoon ? '' : ` About ${String(Math.round(remainingMs / 1_000))} s to go.`;
  const cause = run.error ? ` The run as a whole: ${run.error.code}.` : '';
  return (
    `${kind} is ${status}: ${String(processed)} of ${String(total ?? 0)} items done, ` +
    `${String(failed)} of them failed${codes === '' ? '' : ` (${codes})`}, ` +
    `${String(skipped)} skipped.${cause}${describeFailed(failed, failedItems)}${then}`
  );
}

function describeFailed(failed: number, failedItems: readonly FailedItem[]): string {
  if (failedItems.length === 0) return '';
  const items = failedItems.map(
    ({ index, code, field }) => `${String(index)} ${code}${field === undefined ? '' : ` ${field}`}`,
  );
  const more = failed > items.length ? `, and ${String(failed - items.length)} more` : '';
  return ` Failed items by their index from 0: ${items.join('; ')}${more}.`;
}
