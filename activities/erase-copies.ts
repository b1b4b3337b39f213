import type { Clock } from '../src/platform/database/clock.ts';
import {
  deleteAccounts,
  hasOlderTransactions,
  listOpenErasures,
  listStaleErasures,
  markErasures,
} from '../src/contacts/contact-erasures/sweeping/queries.ts';
import { eraseCopiesOf } from '../src/contacts/contact-erasures/sweeping/sweep.ts';
import type { SweepDependencies } from '../src/contacts/contact-erasures/sweeping/sweep.ts';
import { contactErasureCompleted } from '../src/contacts/events.ts';
import { recordEvent } from '../src/platform/events/record.ts';
import { endUnlessSignaled, waitUntil } from '../src/platform/jobs/job.ts';
import type { Job } from '../src/platform/jobs/job.ts';
import { erasureJob } from '../workflows/jobs.ts';

interface Tools extends SweepDependencies {
  clock: Clock;
}

/** Remaining erasures of a team, with the pause until the next round. */
interface Outlook {
  open: number;
  /** Completed in this round. */
  completed: number;
  /** Undefined: nothing is left. */
  pauseMs?: number;
}

/** Time after which an attempt in flight at the erasure has ended, and its response is recorded. */
const settleMs = 20_000;
const busyPauseMs = 1_000;
/** Longer than an erasure waits before it looks once more. */
const untouchedSeconds = 60;

/** Erases the copies of a team's erased contacts: immediately, and again later. */
export function eraseCopies(tools: Tools): Job<number> {
  const { database, clock } = tools;

  async function erase(teamId: string): Promise<Outlook> {
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
    const isClean = await eraseCopiesOf(tools, teamId, due);
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
    shape: erasureJob,
    overdue: [
      async (from, most) => {
        const ms = untouchedSeconds * 1_000;
        const rows = await from.read((sql) => listStaleErasures(sql, ms, most));
        return rows.map(({ team_id }) => ({ id: team_id, team_id }));
      },
    ],
    /** The state is the number of erasures that the chain of runs has completed. */
    async round({ teamId, state = 0 }) {
      const { open, pauseMs, ...outlook } = await erase(teamId);
      const completed = state + outlook.completed;
      const details = describe(open, completed);
      return pauseMs === undefined
        ? endUnlessSignaled({ outcome: 'completed', completed }, details, { state: completed })
        : waitUntil(Date.now() + pauseMs, 'The next round', details, { state: completed });
    },
  };
}

function describe(open: number, completed: number): string {
  const done = completed > 0 ? ` ${String(completed)} were completed by this workflow.` : '';
  if (open === 0) return `No erasure of the team is open.${done}`;
  return `${String(open)} erasures of the team are not completed yet.${done}`;
}
