import { connectDatabase } from '../../platform/database/client.ts';
import type { Database } from '../../platform/database/client.ts';
import type { LocalAccess, LocalTeam } from '../../platform/http/services.ts';
import type { Log } from '../../platform/observability/log.ts';
import { findClient } from '../../team/oauth2/queries.ts';
import { ensureSample } from './sample.ts';

/** Access of the pages of this machine, as far as it is known by now. */
export interface LocalPages extends LocalAccess {
  /** Adds the team of a client that exists. */
  addClient(database: Database, clientId: string, name: string): Promise<void>;
  addTemporal(uiUrl: string | undefined): void;
  /** Loads the team with made-up data, in the background: a start does not wait for it. */
  addSample(ownerUrl: string, path: string, scopes: readonly string[], log: Log): Promise<void>;
}

export function createLocalPages(pageKey: string): LocalPages {
  const teams: LocalTeam[] = [];
  let temporalUiUrl: string | undefined;
  return {
    teams: () => teams,
    pageKey,
    temporalUiUrl: () => temporalUiUrl,
    addTemporal(uiUrl) {
      temporalUiUrl = uiUrl;
    },
    async addClient(database, clientId, name) {
      const client = await database.read((sql) => findClient(sql, clientId));
      if (!client) return;
      const { team_id: teamId, scopes } = client;
      teams.push({ name, isSample: false, teamId, clientId, scopes });
    },
    async addSample(ownerUrl, path, scopes, log) {
      const owner = connectDatabase({
        url: ownerUrl,
        maxConnections: 2,
        applicationName: 'onward-sample',
      });
      try {
        const sample = await ensureSample(owner, path, scopes);
        if (!sample) return;
        const { team_id: teamId, client_id: clientId } = sample;
        teams.push({ name: 'Sample', isSample: true, teamId, clientId, scopes });
      } catch (error) {
        log.warn(
          { err: error },
          'the made-up data could not be loaded; the next start tries again',
        );
      } finally {
        await owner.close();
      }
    },
  };
}
