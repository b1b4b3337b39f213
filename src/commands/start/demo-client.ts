import type { Keyring } from '../../platform/auth/keyring.ts';
import type { Database } from '../../platform/database/client.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { issueClientSecret, isLiveSecret } from '../../team/oauth2/client-secret.ts';
import { findClient, insertClient, updateClient } from '../../team/oauth2/queries.ts';
import { listTeams } from '../../team/queries.ts';
import { createTeam } from '../create-team.ts';
import type { DemoFile } from '../demo-file.ts';

export type DemoCredentials = Pick<DemoFile, 'client_id' | 'client_secret'>;

const teamName = 'Demo';

/**
 * The client of the last start with every scope there is now, else a fresh one of the team "Demo",
 * which is made where there is none.
 */
export async function ensureDemoClient(
  database: Database,
  keyring: Keyring,
  known: DemoCredentials | undefined,
  scopes: readonly string[],
): Promise<DemoCredentials> {
  return database.transact(async (sql) => {
    const client = known && (await findUsable(sql, keyring, known));
    if (!client) return makeClient(sql, keyring, scopes);
    if (client.scopes.join() !== scopes.join()) {
      await updateClient(sql, { teamId: client.team_id, clientId: client.id }, { scopes });
    }
    return known;
  });
}

async function findUsable(sql: Sql, keyring: Keyring, known: DemoCredentials) {
  const client = await findClient(sql, known.client_id);
  if (!client) return undefined;
  const { team_id: teamId, id: clientId } = client;
  const isLive = await isLiveSecret(sql, keyring, { teamId, clientId }, known.client_secret);
  return isLive ? client : undefined;
}

async function makeClient(sql: Sql, keyring: Keyring, scopes: readonly string[]) {
  const teams = await listTeams(sql);
  const team =
    teams.find(({ name }) => name === teamName) ??
    (await createTeam(sql, { name: teamName, tier: 'enterprise' }));
  const client = await insertClient(sql, team.id, {
    name: 'Demo client',
    scopes,
    allowWildcards: true,
  });
  const ids = { teamId: team.id, clientId: client.id };
  return { client_id: client.id, client_secret: await issueClientSecret(sql, keyring, ids, 0) };
}
