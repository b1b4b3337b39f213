import type { Keyring } from '../src/platform/auth/keyring.ts';
import type { Database } from '../src/platform/database/client.ts';
import { again, end, untouchedFor, waitUntil } from '../src/platform/jobs/job.ts';
import type { Job } from '../src/platform/jobs/job.ts';
import type { JobTarget, Round } from '../src/platform/jobs/shape.ts';
import { endExport } from '../src/operations/exports/writing/end.ts';
import {
  findExport,
  listStaleExports,
  lockOpenExport,
} from '../src/operations/exports/writing/queries.ts';
import { writePart } from '../src/operations/exports/writing/write.ts';
import { createFairScheduler } from '../src/operations/runs/running/fair-scheduler.ts';
import { isTeamSuspended } from '../src/team/suspending/queries.ts';
import { exportJob } from '../workflows/jobs.ts';

interface Tools {
  database: Database;
  keyring: Keyring;
  /** Share of the time that exports may be working. */
  share: number;
  /** Aborted when the worker stops: a round ends after the current part. */
  stopping: AbortSignal;
}

/** A round may take this long; the next one is another line in the history. */
const budgetMs = 10_000;
/** Limit of one part, however few rows the filters leave. Heartbeats continue meanwhile. */
const deadlineMs = 110_000;
/** After a suspension the reconciler signals; this is for a lost signal. */
const heldPauseMs = 600_000;

export function writeExport({ database, keyring, share, stopping }: Tools): Job {
  const turns = createFairScheduler(share);

  async function writeParts({ teamId, id }: JobTarget): Promise<void> {
    const startedAtMs = performance.now();
    while (!stopping.aborted && performance.now() - startedAtMs < budgetMs) {
      const written = await turns.run(teamId, () =>
        database.transact((sql) => writePart(sql, keyring, teamId, id), { deadlineMs }),
      );
      if (written?.status !== 'running') return;
    }
  }

  async function look({ teamId, id }: JobTarget): Promise<Round<never>> {
    const row = await database.read((sql) => findExport(sql, teamId, id));
    if (!row) return end({ outcome: 'deleted' }, 'The export was deleted: no file is written.');
    const { status, kind, row_count: rows, size_bytes: sizeBytes, error } = row;
    const size = `${String(rows)} rows, ${String(sizeBytes)} bytes.`;
    if (status === 'queued' || status === 'running') {
      if (!(await database.read((sql) => isTeamSuspended(sql, teamId)))) {
        return again(`The export of ${kind} is ${status}: ${size}`);
      }
      const details = `The export of ${kind} waits: its team is suspended.`;
      return waitUntil(Date.now() + heldPauseMs, 'Looks whether the team is resumed', details);
    }
    const facts = { kind, rows, sizeBytes };
    if (!error)
      return end({ outcome: status, ...facts }, `The export of ${kind} is ${status}: ${size}`);
    const kept = 'no file is kept. The client may request it again.';
    // An export has no status of its own for it: the error says why.
    return error.code === canceled.code
      ? end({ outcome: 'canceled', ...facts }, `The export of ${kind} is canceled: ${kept}`)
      : end(
          { outcome: status, ...facts, error: error.code },
          `The export of ${kind} is ${status} (${error.code}): ${kept}`,
        );
  }

  return {
    shape: exportJob,
    overdue: [untouchedFor(20, listStaleExports)],
    async round(target) {
      await writeParts(target);
      return look(target);
    },
    async giveUp(target) {
      await database.transact(async (sql) => {
        const open = await lockOpenExport(sql, target.teamId, target.id);
        if (open) await endExport(sql, open, givenUp);
      });
      return look(target);
    },
    async cancel(sql, { teamId, id }) {
      const open = await lockOpenExport(sql, teamId, id);
      if (!open) return undefined;
      await endExport(sql, open, canceled);
      return 'export';
    },
  };
}

const givenUp = {
  code: 'internal_error',
  detail: 'An internal error occurred repeatedly.',
} as const;

const canceled = {
  code: 'canceled',
  detail: 'The export was canceled by an operator of the service. Request it again.',
} as const;
