import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { ReconcileReport, createRollupActivities } from '../activities/keep-rollups.ts';
import { explainFailure } from './explain-failure.ts';

const activities = proxyActivities<ReturnType<typeof createRollupActivities>>({
  startToCloseTimeout: '30 minutes',
  // A run that fails repeatedly ends, and the schedule starts the next one.
  scheduleToCloseTimeout: '45 minutes',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '5 minutes' },
});

export const reconcileScheduleId = 'reconcile-rollups';

/** Compares the sums of insights with their rows, and corrects sums that differ. */
export async function reconcileRollups(): Promise<ReconcileReport> {
  const report = await explainFailure(() => activities.reconcileRollups());
  const { teams, hours, corrected } = report;
  setCurrentDetails(
    `${String(hours)} hours of ${String(teams)} teams compared with their rows; ` +
      `${String(corrected)} differed and were corrected.`,
  );
  return report;
}
