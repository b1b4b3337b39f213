import type { Clock } from '../src/platform/database/clock.ts';
import {
  deleteAccounts,
  hasOlderTransactions,
  listOpenErasures,
  markErasures,
} from '../src/contacts/contact-erasures/sweeping/queries.ts';
import { eraseCopiesOf } from '../src/contacts/contact-erasures/sweeping/sweep.ts';
import type { SweepDependencies } from '../src/contacts/contact-erasures/sweeping/sweep.ts';
import { contactErasureCompleted } from '../src/contacts/events.ts';
import { recordEvent } from '../src/platform/events/record.ts';
import { withHeartbeat } from '../src/platform/temporal/heartbeat.ts';

export interface ErasureDependencies extends SweepDependencies {
  clock: Clock;
}

/** Remaining erasures of a team, with the pause until the next round. */
export interface ErasureOutlook {
  open: number;
  /** Completed in this round. */
  completed: number;
  /** Undefined: nothing is left. */
  pauseMs?: number;
}

/** Time after which an attempt in flight at the erasure has ended, and its response is recorded. */
const settleMs = 20_000;
const busyPauseMs = 1_000;

export function createErasureActivities(dependencies: ErasureDependencies) {
  const { database, clock } = dependencies;

  async function round(teamId: string): Promise<ErasureOutlook> {
    const open = await database.read((sql) => listOpenErasures(sql, teamId));
    const [newest] = open.toSorted((a, b) => Date.parse(b.updated_at) - Date.parse(a.updated_at));
    if (!newest) return { open: 0, completed: 0 };
    const fresh = open.filter(({ status }) => status === 'pending');
    const settled = open.filter(
      ({ swept_at }) => swept_at !== null && Date.parse(swept_at) < clock.now() - settleMs,
    );
    const due = [...fresh, ...settled];
    if (due.length === 0) {
      const sweptMs = open.flatMap(({ swept_at }) =>
        swept_at === null ? [] : Date.parse(swept_at),
      );
      const waitMs = Math.min(...sweptMs) + settleMs - clock.now();
      return { open: open.length, completed: 0, pauseMs: Math.max(busyPauseMs, waitMs) };
    }
    // An older transaction may have read erased data, and may still write it.
    const latest = fresh
      .map(({ updated_at }) => updated_at)
      .sort()
      .at(-1);
    const isBusy =
      latest !== undefined && (await database.read((sql) => hasOlderTransactions(sql, latest)));
    const unfinished = { open: open.length, completed: 0, pauseMs: busyPauseMs };
    if (isBusy) return unfinished;
    const isClean = await eraseCopiesOf(dependencies, teamId, due);
    if (!isClean) return unfinished;
    await database.transact(async (sql) => {
      const idsOf = (rows: typeof due) => rows.map(({ id }) => id);
      await markErasures(sql, teamId, idsOf(fresh), 'sweeping');
      await deleteAccounts(
        sql,
        teamId,
        settled.flatMap(({ contact_ids }) => contact_ids),
      );
      for (const row of await markErasures(sql, teamId, idsOf(settled), 'completed')) {
        const type = contactErasureCompleted;
        recordEvent(sql, { teamId, type, data: row, sequence: row.lock_version });
      }
    });
    const completed = settled.length;
    return { open: open.length - completed, completed, pauseMs: busyPauseMs };
  }

  return {
    /** Erases the copies of a team's erased contacts: immediately, and again later. */
    async eraseCopiesRound({ teamId }: { teamId: string }): Promise<ErasureOutlook> {
      return withHeartbeat(() => round(teamId));
    },
  };
}
