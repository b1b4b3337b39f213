import type { Database } from '../src/platform/database/client.ts';
import { findOperation } from '../src/operations/catalog.ts';
import { finishRun } from '../src/operations/runs/finish.ts';
import type { StoredRun } from '../src/operations/runs/queries.ts';
import {
  after,
  firstSlice,
  isOpen,
  maxTransactionMs,
  nextSlice,
} from '../src/operations/runs/rules.ts';
import type { RunStatus } from '../src/operations/runs/rules.ts';
import { applyChunk } from '../src/operations/runs/running/apply-chunk.ts';
import type { ChunkContext } from '../src/operations/runs/running/apply-chunk.ts';
import { findRun, lockOpenRun } from '../src/operations/runs/running/queries.ts';
import { listFirstFailed } from '../src/operations/runs/items/queries.ts';
import type { FailedItem } from '../src/operations/runs/items/queries.ts';
import { createItemReader } from '../src/operations/runs/running/read-items.ts';
import { planChunk } from '../src/operations/runs/running/plan.ts';
import { takeRun } from '../src/operations/runs/running/take.ts';
import { createFairScheduler } from '../src/operations/runs/running/fair-scheduler.ts';
import { isTeamSuspended } from '../src/team/suspending/queries.ts';
import { withHeartbeat } from '../src/platform/temporal/heartbeat.ts';
import { failAfterAttempts } from '../src/platform/temporal/retry-limit.ts';

export interface OperationDependencies extends ChunkContext {
  database: Database;
  /** Share of the time that runs may be working. */
  share: number;
  /** Aborted when the worker stops: a round ends after the current items. */
  stopping: AbortSignal;
}

/** Progress of a run. */
export interface RunOutlook {
  /** `deleted`: the run exists no longer. */
  status: RunStatus | 'deleted';
  kind: string;
  total: number;
  processed: number;
  failed: number;
  /** Failed items by error code; absent without any. */
  failures?: Record<string, number>;
  /** The first of them, without their contents; absent without any. */
  failedItems?: FailedItem[];
  /** The code of the error that ended the run as a whole. */
  error?: string;
  skipped: number;
  /** Runs of the team that come first, while it is queued. */
  ahead: number;
  remainingSeconds: number;
  /** Its team is suspended: nothing is applied until it is resumed. */
  isHeld?: boolean;
}

/** A round may take this long; the next one is another line in the history. */
const budgetMs = 10_000;
/** Limit of one transaction. Heartbeats continue meanwhile; only a dead worker misses one. */
const deadlineMs = 110_000;
/** Failed items that the workflow of a run names. */
const failedShown = 20;

export function createOperationActivities(dependencies: OperationDependencies) {
  const { database, log, stopping } = dependencies;
  const turns = createFairScheduler(dependencies.share);
  const targetMs = maxTransactionMs(dependencies.share);

  async function round(teamId: string, runId: string): Promise<RunOutlook> {
    const startedAtMs = performance.now();
    if (await isHeld(teamId)) return heldOutlook(teamId, runId);
    const taken = await database.transact((sql) => takeRun(sql, teamId, runId));
    if (!taken) return outlookOf(await find(teamId, runId));
    let { run } = taken;
    if (run.status === 'queued') return outlookOf(run, taken.ahead);
    const operation = findOperation(run.operation_kind);
    const lease = { teamId, runId, token: run.run_token };
    const reader = createItemReader(database, operation);
    const first = firstSlice(operation?.bulkThreshold !== undefined);
    let size = first;
    while (isOpen(run.status) && !stopping.aborted) {
      if (performance.now() - startedAtMs > budgetMs) break;
      if (operation && run.total_count === null) {
        const unread = run;
        const read = await turns.run(teamId, () => planChunk(database, operation, lease, unread));
        if (!read) return outlookOf(await find(teamId, runId));
        run = read;
        continue;
      }
      const portion = await reader.read(run, size);
      let tookMs = 0;
      const applied = await turns.run(teamId, async () => {
        const beganAtMs = performance.now();
        const result = await database.transact(
          (sql) => applyChunk(sql, dependencies, operation, lease, portion),
          { deadlineMs },
        );
        tookMs = performance.now() - beganAtMs;
        return result;
      });
      if (!applied) {
        return (await isHeld(teamId))
          ? heldOutlook(teamId, runId)
          : outlookOf(await find(teamId, runId));
      }
      run = applied;
      if (portion.items.length > 0) {
        size = nextSlice(portion.items.length, tookMs, { first, targetMs });
      }
    }
    return outlookOf(run);
  }

  const find = (teamId: string, runId: string) =>
    database.read((sql) => findRun(sql, teamId, runId));

  const isHeld = (teamId: string) => database.read((sql) => isTeamSuspended(sql, teamId));

  async function heldOutlook(teamId: string, runId: string): Promise<RunOutlook> {
    return { ...outlookOf(await find(teamId, runId)), isHeld: true };
  }

  /** Adds the first failed items to the outlook of a run, once it has ended. */
  async function withFailed(
    outlook: RunOutlook,
    place: { team_id: string; id: string },
  ): Promise<RunOutlook> {
    const { status, failed } = outlook;
    if (failed === 0 || status === 'deleted' || isOpen(status)) return outlook;
    const failedItems = await database.read((sql) => listFirstFailed(sql, place, failedShown));
    return { ...outlook, ...(failedItems.length > 0 && { failedItems }) };
  }

  return {
    /** Applies items for some seconds, or the rest; a run that is queued may have to wait. */
    runOperationRound: ({
      teamId,
      runId,
    }: {
      teamId: string;
      runId: string;
    }): Promise<RunOutlook> =>
      failAfterAttempts(
        () =>
          withHeartbeat(async () =>
            withFailed(await round(teamId, runId), { team_id: teamId, id: runId }),
          ),
        async (error) => {
          log.error({ err: error, team_id: teamId, run_id: runId }, 'a run is given up');
          await database.transact(async (sql) => {
            const run = await lockOpenRun(sql, teamId, runId);
            const status = run && after(run.status, 'fail');
            if (status) await finishRun(sql, run, status, givenUp);
          });
          return outlookOf(await find(teamId, runId));
        },
      ),
  };
}

const givenUp = {
  code: 'internal_error',
  detail: 'An internal error occurred repeatedly; applied items stay applied.',
} as const;

function outlookOf(run: StoredRun | undefined, ahead = 0): RunOutlook {
  const endsAt = run?.estimated_completion_at ?? null;
  const remainingMs = endsAt === null ? 0 : Date.parse(endsAt) - Date.now();
  const errors = run?.error_summary ?? [];
  return {
    status: run?.status ?? 'deleted',
    ...(run?.error && { error: run.error.code }),
    kind: run?.operation_kind ?? '',
    total: run?.total_count ?? 0,
    processed: run?.processed_count ?? 0,
    failed: run?.failed_count ?? 0,
    ...(errors.length > 0 && {
      failures: Object.fromEntries(errors.map(({ code, count }) => [code, count])),
    }),
    skipped: run?.skipped_count ?? 0,
    ahead,
    remainingSeconds: Math.max(0, Math.round(remainingMs / 1_000)),
  };
}
