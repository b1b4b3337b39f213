import { maintenanceScheduleId } from '../../workflows/maintain.ts';
import { reconcileScheduleId } from '../../workflows/reconcile-rollups.ts';
import { refreshScheduleId } from '../../workflows/refresh-rollups.ts';
import { insightCacheScheduleId } from '../../workflows/refresh-insight-cache.ts';
import { auditScheduleId } from '../../workflows/seal-audit-trail.ts';
import { tasks } from '../maintenance/tasks.ts';
import type { ScheduledWorkflow } from '../platform/temporal/schedules.ts';

const every = (everyMinutes: number) => ({ args: [], everyMinutes, offsetMinutes: 0 });

/** Tasks of the maintenance begin minutes apart, each once an hour. */
const stepMinutes = 2;

/** Every schedule of this version. */
export const schedules: readonly ScheduledWorkflow[] = [
  {
    ...every(5),
    id: auditScheduleId,
    workflowType: 'sealAuditTrail',
    note: 'Puts new audit events into the hash chain of their team.',
  },
  {
    ...every(5),
    id: refreshScheduleId,
    workflowType: 'refreshRollups',
    note: 'Sums deliveries by hour, for insights.',
  },
  {
    ...every(5),
    id: insightCacheScheduleId,
    workflowType: 'refreshInsightCache',
    note: 'Computes answers of insights again that were slow, as long as clients request them.',
  },
  {
    ...every(60),
    id: reconcileScheduleId,
    workflowType: 'reconcileRollups',
    note: 'Compares the sums of insights with their rows, and corrects them.',
  },
  ...Object.entries(tasks).map(([task, { note }], at) => ({
    id: maintenanceScheduleId(task),
    workflowType: 'maintain',
    note,
    args: [{ v: 1, task, done: 0 }],
    everyMinutes: 60,
    offsetMinutes: at * stepMinutes,
  })),
];
