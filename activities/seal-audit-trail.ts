import type { ScheduleReport } from '../src/platform/jobs/shape.ts';
import { sealAll } from '../src/team/audit-events/sealing/seal.ts';
import type { Sealing } from '../src/team/audit-events/sealing/seal.ts';

/** Adds every audit event that waits to the chain of its team. */
export async function sealAuditTrail(sealing: Sealing): Promise<ScheduleReport> {
  const result = await sealAll(sealing);
  const { events, teams } = result;
  return { details: `${String(events)} audit events of ${String(teams)} teams sealed.`, result };
}
