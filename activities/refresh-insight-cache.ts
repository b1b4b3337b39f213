import type { Database } from '../src/platform/database/client.ts';
import { workerBudget, renew } from '../src/insights/cache/cache.ts';
import { listStaleAnswers, pruneAnswers } from '../src/insights/cache/queries.ts';
import { withHeartbeat } from '../src/platform/temporal/heartbeat.ts';

export interface RenewReport {
  renewed: number;
  /** That can no longer be given. */
  dropped: number;
  /** Whether some were left for the next run. */
  hasMore: boolean;
}

/** Those that would not last until the run after the next. */
const withinSeconds = 360;
const atOnce = 1_000;
const limits = { deadlineMs: workerBudget.deadlineMs };
/** Limit of a run, which ends before the next is due. */
const budgetMs = 200_000;

export function createAnswerActivities({ database }: { database: Database }) {
  async function renewAll(): Promise<RenewReport> {
    const report = { renewed: 0, dropped: 0, hasMore: false };
    const untilMs = performance.now() + budgetMs;
    await database.read(pruneAnswers);
    const old = await database.read((sql) => listStaleAnswers(sql, withinSeconds, atOnce));
    for (const one of old) {
      if (performance.now() > untilMs) return { ...report, hasMore: true };
      const isKept = await renew(
        one,
        (work) => database.transact(work, { ...limits, isSnapshot: true }),
        (work) => database.transact(work),
      );
      report[isKept ? 'renewed' : 'dropped'] += 1;
    }
    return { ...report, hasMore: old.length === atOnce };
  }

  return {
    /**
     * Computes insight cache entries again, one by one, those that expire first at the beginning.
     */
    refreshInsightCache: () => withHeartbeat(renewAll),
  };
}
