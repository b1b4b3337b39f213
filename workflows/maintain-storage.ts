import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { createMaintenanceActivities } from '../activities/maintain-storage.ts';

const activities = proxyActivities<ReturnType<typeof createMaintenanceActivities>>({
  startToCloseTimeout: '10 minutes',
  retry: { initialInterval: '10 seconds', maximumInterval: '5 minutes' },
});

export const maintenanceScheduleId = 'maintain-storage';

/** Hourly: partitions of the coming days, and the end of what has expired. */
export async function maintainStorage(): Promise<void> {
  const report = await activities.maintainStorage();
  setCurrentDetails(
    `${String(report.partitionsMade)} partitions made, ${String(report.partitionsDropped)} dropped, ` +
      `${String(report.rowsPruned)} expired rows pruned.`,
  );
}
