import type { Database } from '../src/platform/database/client.ts';
import { workerBudget, renew } from '../src/insights/cache/cache.ts';
import { listStaleAnswers, pruneAnswers } from '../src/insights/cache/queries.ts';
import type { ScheduleReport } from '../src/platform/jobs/shape.ts';

/** Those that would not last until the run after the next. */
const withinSeconds = 360;
const atOnce = 1_000;
const limits = { deadlineMs: workerBudget.deadlineMs };
/** Limit of a run, which ends before the next is due. */
const budgetMs = 200_000;

/**
 * Computes insight cache entries again, one by one, those that expire first at the beginning.
 * `dropped`: can no longer be given. `hasMore`: some were left for the next run.
 */
export async function refreshInsightCache({
  database,
}: {
  database: Database;
}): Promise<ScheduleReport> {
  const result = { renewed: 0, dropped: 0, hasMore: false };
  const untilMs = performance.now() + budgetMs;
  await database.read(pruneAnswers);
  const old = await database.read((sql) => listStaleAnswers(sql, withinSeconds, atOnce));
  result.hasMore = old.length === atOnce;
  for (const one of old) {
    if (performance.now() > untilMs) {
      result.hasMore = true;
      break;
    }
    const isKept = await renew(
      one,
      (work) => database.transact(work, { ...limits, isSnapshot: true }),
      (work) => database.transact(work),
    );
    result[isKept ? 'renewed' : 'dropped'] += 1;
  }
  const { renewed, dropped, hasMore } = result;
  const rest = hasMore ? '; there was no time for all of them' : '';
  const details = `${String(renewed)} answers recomputed, ${String(dropped)} dropped${rest}.`;
  return { details, result };
}
