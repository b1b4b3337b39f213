import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { RenewReport, createAnswerActivities } from '../activities/refresh-insight-cache.ts';
import { explainFailure } from './explain-failure.ts';

const activities = proxyActivities<ReturnType<typeof createAnswerActivities>>({
  startToCloseTimeout: '10 minutes',
  // A run that fails repeatedly ends, and the schedule starts the next one.
  scheduleToCloseTimeout: '30 minutes',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '5 minutes' },
});

export const insightCacheScheduleId = 'refresh-insight-cache';

/** Computes cached answers of insights again while clients request them. */
export async function refreshInsightCache(): Promise<RenewReport> {
  const report = await explainFailure(() => activities.refreshInsightCache());
  const { renewed, dropped, hasMore } = report;
  setCurrentDetails(
    `${String(renewed)} answers recomputed, ${String(dropped)} dropped` +
      `${hasMore ? '; there was no time for all of them' : ''}.`,
  );
  return report;
}
