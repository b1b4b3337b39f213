import type { Database } from '../src/database/client.ts';
import { listTeamsToSeal, sealAuditEvents } from '../src/partner/audit-events/sealing/queries.ts';

export interface SealingReport {
  events: number;
  teams: number;
}

const teamsAtATime = 100;
const eventsAtATime = 1_000;

export function createAuditActivities({ database }: { database: Database }) {
  return {
    /** Seals until nothing waits; what it has sealed stays sealed, whenever it is cut off. */
    async sealAuditTrail(): Promise<SealingReport> {
      const teams = new Set<string>();
      let events = 0;
      for (let sealed = 1; sealed > 0; events += sealed) {
        sealed = 0;
        for (const teamId of await database.read((sql) => listTeamsToSeal(sql, teamsAtATime))) {
          teams.add(teamId);
          sealed += await database.transact((sql) => sealAuditEvents(sql, teamId, eventsAtATime));
        }
      }
      return { events, teams: teams.size };
    },
  };
}
