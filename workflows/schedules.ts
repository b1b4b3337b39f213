import type { ScheduleShape } from '../src/platform/jobs/shape.ts';
import { taskQueues } from '../src/platform/temporal/task-queues.ts';

/** Adds new audit events to the hash chain of their team. */
export const auditSealing = {
  workflow: 'sealAuditTrail',
  id: 'seal-audit-trail',
  taskQueue: taskQueues.main,
  startToCloseTimeout: '10 minutes',
} as const satisfies ScheduleShape;

/** Sums the message deliveries of hours that have passed or changed, for insights. */
export const rollupRefresh = {
  workflow: 'refreshRollups',
  id: 'refresh-rollups',
  taskQueue: taskQueues.main,
  startToCloseTimeout: '10 minutes',
} as const satisfies ScheduleShape;

/** Compares the sums of insights with their rows, and corrects sums that differ. */
export const rollupComparison = {
  workflow: 'reconcileRollups',
  id: 'reconcile-rollups',
  taskQueue: taskQueues.main,
  startToCloseTimeout: '30 minutes',
} as const satisfies ScheduleShape;

/** Computes cached answers of insights again while clients request them. */
export const insightCacheRefresh = {
  workflow: 'refreshInsightCache',
  id: 'refresh-insight-cache',
  taskQueue: taskQueues.main,
  startToCloseTimeout: '10 minutes',
} as const satisfies ScheduleShape;

/** Runs one task of maintenance in activities of up to a minute, until no work is left. */
export const maintenance = {
  workflow: 'maintain',
  id: 'maintenance',
  taskQueue: taskQueues.maintenance,
  startToCloseTimeout: '3 minutes',
} as const satisfies ScheduleShape;

export const schedules: readonly ScheduleShape[] = [
  auditSealing,
  rollupRefresh,
  rollupComparison,
  insightCacheRefresh,
  maintenance,
];

/** Id of the schedule of a task of maintenance. */
export const maintenanceId = (task: string) => `${maintenance.id}/${task}`;
