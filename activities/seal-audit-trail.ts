import { sealAll } from '../src/team/audit-events/sealing/seal.ts';
import type { Sealing, SealingReport } from '../src/team/audit-events/sealing/seal.ts';
import { withHeartbeat } from '../src/platform/temporal/heartbeat.ts';

export type { SealingReport };

export function createAuditActivities(sealing: Sealing) {
  return {
    /** Adds every audit event that waits to the chain of its team. */
    sealAuditTrail: () => withHeartbeat(() => sealAll(sealing)),
  };
}
