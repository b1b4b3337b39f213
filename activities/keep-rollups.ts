import { forEachAlone, teamLoop } from '../src/platform/batching/isolate.ts';
import type { Database } from '../src/platform/database/client.ts';
import { firstId } from '../src/platform/database/first-id.ts';
import { rollupDrift } from '../src/platform/http/metrics.ts';
import type { ScheduleReport } from '../src/platform/jobs/shape.ts';
import type { Log } from '../src/platform/observability/log.ts';
import {
  listSummedTeams,
  listTeamsToSum,
  maxUnsummedSeconds,
  reconcileHours,
  sumHours,
} from '../src/insights/rollups/queries.ts';

const teamBatch = 100;
/** In one transaction: the first summing of a team reads all its deliveries, months at a time. */
const atOnce = { changed: 500, passed: 24 * 31 };
/** A year is compared in less than a day. */
const comparedHours = 24 * 21;
const call = { deadlineMs: 110_000 };

interface Tools {
  database: Database;
  log: Log;
}

/** Sums until nothing waits; what it has summed stays, whenever it is cut off. */
export async function refreshRollups(tools: Tools): Promise<ScheduleReport> {
  const { database } = tools;
  // For how long changes had waited at the begin, at most.
  const oldestSeconds = await database.read(maxUnsummedSeconds, call);
  const seen = new Set<string>();
  let hours = 0;
  for (;;) {
    const teams = await database.read((sql) => listTeamsToSum(sql, teamBatch), call);
    // A busy team must not prevent the end of this run: the next run continues.
    const open = teams.filter(({ id }) => !seen.has(id));
    if (open.length === 0) break;
    for (const { id } of open) seen.add(id);
    await forEachAlone(tools, teamLoop('rollups'), open, async ({ id }) => {
      for (let hasMore = true; hasMore;) {
        const done = await database.transact((sql) => sumHours(sql, id, atOnce), call);
        hours += done.hours;
        hasMore = done.hasMore;
      }
    });
  }
  const details =
    `${String(hours)} hours of ${String(seen.size)} teams summed; ` +
    `changes had waited for ${String(Math.round(oldestSeconds))} s at most.`;
  return { details, result: { teams: seen.size, hours, oldestSeconds } };
}

/** Compares some hours of every team, and corrects those that differ. */
export async function reconcileRollups(tools: Tools): Promise<ScheduleReport> {
  const { database, log } = tools;
  const result = { teams: 0, hours: 0, corrected: 0 };
  let after = firstId;
  for (;;) {
    const from = after;
    const teams = await database.read((sql) => listSummedTeams(sql, from, teamBatch), call);
    await forEachAlone(tools, teamLoop('rollup-comparison'), teams, async ({ id }) => {
      const done = await database.transact((sql) => reconcileHours(sql, id, comparedHours), call);
      if (done.corrected > 0) log.error({ teamId: id, ...done }, 'sums differed from their rows');
      rollupDrift.inc(done.corrected);
      result.teams += 1;
      result.hours += done.hours;
      result.corrected += done.corrected;
    });
    const last = teams.at(-1);
    if (!last) break;
    after = last.id;
  }
  const { teams, hours, corrected } = result;
  const details =
    `${String(hours)} hours of ${String(teams)} teams compared with their rows; ` +
    `${String(corrected)} differed and were corrected.`;
  return { details, result };
}
