import type { Keyring } from '../src/platform/auth/keyring.ts';
import type { Database } from '../src/platform/database/client.ts';
import type { Log } from '../src/platform/observability/log.ts';
import type { ExportRow } from '../src/operations/exports/queries.ts';
import { endExport } from '../src/operations/exports/writing/end.ts';
import { findExport, lockOpenExport } from '../src/operations/exports/writing/queries.ts';
import { writePart } from '../src/operations/exports/writing/write.ts';
import { createFairScheduler } from '../src/operations/runs/running/fair-scheduler.ts';
import { isTeamSuspended } from '../src/team/suspending/queries.ts';
import { withHeartbeat } from '../src/platform/temporal/heartbeat.ts';
import { failAfterAttempts } from '../src/platform/temporal/retry-limit.ts';

export interface ExportDependencies {
  database: Database;
  keyring: Keyring;
  log: Log;
  /** Share of the time that exports may be working. */
  share: number;
  /** Aborted when the worker stops: a round ends after the current part. */
  stopping: AbortSignal;
}

/** Progress of an export. */
export interface ExportOutlook {
  /** `canceled` by an operator: the row is `failed` with this code. */
  status: ExportRow['status'] | 'canceled' | 'deleted';
  kind: string;
  rows: number;
  sizeBytes: number;
  /** The code of the failure. */
  error?: string;
  /** Its team is suspended: nothing is written until it is resumed. */
  isHeld?: boolean;
}

/** A round may take this long; the next one is another line in the history. */
const budgetMs = 10_000;
/** Limit of one part, however few rows the filters leave. Heartbeats continue meanwhile. */
const deadlineMs = 110_000;

export function createExportActivities(dependencies: ExportDependencies) {
  const { database, keyring, log, stopping } = dependencies;
  const turns = createFairScheduler(dependencies.share);
  const find = (teamId: string, id: string) => database.read((sql) => findExport(sql, teamId, id));

  async function round(teamId: string, exportId: string): Promise<void> {
    const startedAtMs = performance.now();
    while (!stopping.aborted && performance.now() - startedAtMs < budgetMs) {
      const written = await turns.run(teamId, () =>
        database.transact((sql) => writePart(sql, keyring, teamId, exportId), { deadlineMs }),
      );
      if (written?.status !== 'running') return;
    }
  }

  return {
    /** Writes parts of the file for some seconds, or the rest. */
    async writeExportRound({
      teamId,
      exportId,
    }: {
      teamId: string;
      exportId: string;
    }): Promise<ExportOutlook> {
      await failAfterAttempts(
        () => withHeartbeat(() => round(teamId, exportId)),
        async (error) => {
          log.error({ err: error, team_id: teamId, export_id: exportId }, 'an export is given up');
          await database.transact(async (sql) => {
            const row = await lockOpenExport(sql, teamId, exportId);
            if (row) await endExport(sql, row, givenUp);
          });
        },
      );
      const outlook = outlookOf(await find(teamId, exportId));
      if (outlook.status !== 'queued' && outlook.status !== 'running') return outlook;
      const isHeld = await database.read((sql) => isTeamSuspended(sql, teamId));
      return { ...outlook, ...(isHeld && { isHeld }) };
    },
  };
}

const givenUp = {
  code: 'internal_error',
  detail: 'An internal error occurred repeatedly.',
} as const;

function outlookOf(row: ExportRow | undefined): ExportOutlook {
  const error = row?.error?.code;
  const isCanceled = error === 'canceled';
  return {
    status: isCanceled ? 'canceled' : (row?.status ?? 'deleted'),
    ...(error !== undefined && !isCanceled && { error }),
    kind: row?.kind ?? '',
    rows: row?.row_count ?? 0,
    sizeBytes: row?.size_bytes ?? 0,
  };
}
