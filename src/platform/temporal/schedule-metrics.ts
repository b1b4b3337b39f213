import { scheduleLateness, scheduleMissedRuns } from '../http/metrics.ts';
import type { TemporalClient } from './client.ts';
import type { ScheduledWorkflow } from './schedules.ts';

/** Time for which what Temporal says is cached: every worker reads it, at each scrape. */
const freshMs = 60_000;

/**
 * Makes the metrics show by how much each schedule is late, and which runs it left out. While
 * Temporal is away, the lateness grows from what it said last.
 */
export function observeSchedules(
  { schedules: served, within }: TemporalClient,
  schedules: readonly ScheduledWorkflow[],
  clock: () => number = Date.now,
): () => Promise<void> {
  const lastRunMs = new Map<string, number>();
  let readAtMs = -Infinity;

  async function read(id: string): Promise<void> {
    const { info } = await within(() => served.getHandle(id).describe());
    const lastRun = info.recentActions.at(-1)?.takenAt ?? info.createdAt;
    lastRunMs.set(id, lastRun.getTime());
    scheduleMissedRuns.remove({ schedule: id });
    scheduleMissedRuns.inc({ schedule: id }, info.numActionsMissedCatchupWindow);
  }

  return async () => {
    const nowMs = clock();
    if (nowMs - readAtMs >= freshMs) {
      readAtMs = nowMs;
      await Promise.allSettled(schedules.map(({ id }) => read(id)));
    }
    for (const { id, everyMinutes } of schedules) {
      const lastMs = lastRunMs.get(id);
      if (lastMs === undefined) continue;
      const lateMs = Math.max(0, nowMs - lastMs - everyMinutes * 60_000);
      scheduleLateness.set({ schedule: id }, lateMs / 1_000);
    }
  };
}
