import {
  auditSealing,
  insightCacheRefresh,
  maintenance,
  maintenanceId,
  rollupComparison,
  rollupRefresh,
} from '../../workflows/schedules.ts';
import { tasks } from '../maintenance/tasks.ts';
import type { ScheduledWorkflow } from '../platform/temporal/schedules.ts';

const every = (everyMinutes: number) => ({ args: [], everyMinutes, offsetMinutes: 0 });

/** Tasks of the maintenance begin minutes apart, each once an hour. */
const stepMinutes = 2;

/** Every schedule of this version. */
export const schedules: readonly ScheduledWorkflow[] = [
  {
    ...every(5),
    id: auditSealing.id,
    workflowType: auditSealing.workflow,
    note: 'Puts new audit events into the hash chain of their team.',
  },
  {
    ...every(5),
    id: rollupRefresh.id,
    workflowType: rollupRefresh.workflow,
    note: 'Sums deliveries by hour, for insights.',
  },
  {
    ...every(5),
    id: insightCacheRefresh.id,
    workflowType: insightCacheRefresh.workflow,
    note: 'Computes answers of insights again that were slow, as long as clients request them.',
  },
  {
    ...every(60),
    id: rollupComparison.id,
    workflowType: rollupComparison.workflow,
    note: 'Compares the sums of insights with their rows, and corrects them.',
  },
  ...Object.entries(tasks).map(([task, { note }], at) => ({
    id: maintenanceId(task),
    workflowType: maintenance.workflow,
    note,
    args: [{ task, done: 0 }],
    everyMinutes: 60,
    offsetMinutes: at * stepMinutes,
  })),
];
