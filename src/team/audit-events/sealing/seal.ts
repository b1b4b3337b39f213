import type { Keyring } from '../../../platform/auth/keyring.ts';
import { forEachAlone, teamLoop } from '../../../platform/batching/isolate.ts';
import type { Database } from '../../../platform/database/client.ts';
import type { Log } from '../../../platform/observability/log.ts';
import { headText } from './chain.ts';
import { listTeamsToSeal, sealAuditEvents } from './queries.ts';

export interface SealingReport {
  events: number;
  teams: number;
}

const sealLoop = teamLoop('audit-seals');
const teamsAtATime = 100;
const eventsAtATime = 1_000;

export interface Sealing {
  database: Database;
  keyring: Keyring;
  log: Log;
}

/**
 * Seals until no event is left. If it is interrupted, sealed events stay sealed. The log has the
 * events and each new head, so that a copy of them is outside the database.
 */
export async function sealAll({ database, keyring, log }: Sealing): Promise<SealingReport> {
  const teams = new Set<string>();
  let events = 0;
  for (let sealed = 1; sealed > 0; events += sealed) {
    sealed = 0;
    const found = await database.read((sql) => listTeamsToSeal(sql, teamsAtATime, sealLoop.name));
    await forEachAlone({ database, log }, sealLoop, found, async ({ id: teamId }) => {
      teams.add(teamId);
      const lines = await database.transact((sql) =>
        sealAuditEvents(sql, keyring, teamId, eventsAtATime),
      );
      for (const { seal, event } of lines) {
        const { id, ...said } = event;
        log.info({ number: seal.number, event_id: id, ...said }, 'audit event');
      }
      const head = lines.at(-1)?.seal;
      if (head) log.info({ team_id: teamId, head: headText(head) }, 'audit head');
      sealed += lines.length;
    });
  }
  return { events, teams: teams.size };
}
