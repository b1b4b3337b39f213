import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { SealingReport, createAuditActivities } from '../activities/seal-audit-trail.ts';
import { explainFailure } from './explain-failure.ts';

const activities = proxyActivities<ReturnType<typeof createAuditActivities>>({
  startToCloseTimeout: '10 minutes',
  // A run that fails repeatedly ends, and the schedule starts the next one.
  scheduleToCloseTimeout: '30 minutes',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '10 seconds', maximumInterval: '5 minutes' },
});

export const auditScheduleId = 'seal-audit-trail';

/** Adds new audit events to the hash chain of their team. */
export async function sealAuditTrail(): Promise<SealingReport> {
  const report = await explainFailure(() => activities.sealAuditTrail());
  const { events, teams } = report;
  setCurrentDetails(`${String(events)} audit events of ${String(teams)} teams sealed.`);
  return report;
}
