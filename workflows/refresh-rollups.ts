import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { RefreshReport, createRollupActivities } from '../activities/keep-rollups.ts';
import { explainFailure } from './explain-failure.ts';

const activities = proxyActivities<ReturnType<typeof createRollupActivities>>({
  startToCloseTimeout: '10 minutes',
  // A run that fails repeatedly ends, and the schedule starts the next one.
  scheduleToCloseTimeout: '30 minutes',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '5 minutes' },
});

export const refreshScheduleId = 'refresh-rollups';

/** Sums the message deliveries of hours that have passed or changed, for insights. */
export async function refreshRollups(): Promise<RefreshReport> {
  const report = await explainFailure(() => activities.refreshRollups());
  const { teams, hours, oldestSeconds } = report;
  setCurrentDetails(
    `${String(hours)} hours of ${String(teams)} teams summed; ` +
      `changes had waited for ${String(Math.round(oldestSeconds))} s at most.`,
  );
  return report;
}
