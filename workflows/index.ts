/** Every job of a row: its type is that of a shape in jobs.ts. */
export { runJob as default } from './run-job.ts';
export {
  runLane as deliverWebhooks,
  runLane as followCohortChanges,
  runLane as runJourneys,
} from './run-lane.ts';
export {
  runSchedule as maintain,
  runSchedule as reconcileRollups,
  runSchedule as refreshInsightCache,
  runSchedule as refreshRollups,
  runSchedule as sealAuditTrail,
} from './run-schedule.ts';
