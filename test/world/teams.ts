import { createTeam } from '../../src/commands/create-team.ts';
import { endpoints } from '../../src/app/endpoints.ts';
import { issueClientSecret } from '../../src/team/oauth2/client-secret.ts';
import { knownScopes } from '../../src/team/oauth2/endpoints.ts';
import { insertClient } from '../../src/team/oauth2/queries.ts';
import { persist } from './client.ts';
import type { Reply } from './client.ts';
import type { Machine } from './machine.ts';

export interface Team {
  id: string;
  clientId: string;
  clientSecret: string;
  token: string;
  /** A request of this team, repeated until it is answered. */
  call(method: string, path: string, json?: unknown, key?: string): Promise<Reply>;
  /** The same, which must succeed. */
  must(method: string, path: string, json?: unknown): Promise<any>;
}

/** A token of the client, which is valid for an hour. */
export async function newToken(
  { bases }: Machine,
  { clientId, clientSecret }: Pick<Team, 'clientId' | 'clientSecret'>,
): Promise<string> {
  const issued = await persist(bases, 0, 'POST', '/oauth2/token', {
    form: {
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
    },
  });
  return String(issued.body?.access_token);
}

/** A team with one client that may do everything. */
export async function newTeam(machine: Machine, tier = 'unlimited'): Promise<Team> {
  const { database, keyring, bases } = machine;
  const credentials = await database.transact(async (sql) => {
    const team = await createTeam(sql, { name: 'Somebody', tier });
    const client = await insertClient(sql, team.id, {
      name: 'Somebody',
      scopes: knownScopes(endpoints),
      allowWildcards: false,
    });
    const ids = { teamId: team.id, clientId: client.id };
    return { ...ids, clientSecret: await issueClientSecret(sql, keyring, ids, 0) };
  });
  const { teamId, clientId, clientSecret } = credentials;
  const token = await newToken(machine, { clientId, clientSecret });
  let calls = 0;
  const call = (method: string, path: string, json?: unknown, key?: string) =>
    persist(bases, (calls += 1), method, path, {
      token,
      json,
      ...(key !== undefined && { key }),
    });
  return {
    ...{ id: teamId, clientId, clientSecret, token, call },
    async must(method, path, json) {
      const reply = await call(method, path, json);
      if (reply.status >= 200 && reply.status < 300) return reply.body;
      throw new Error(`${method} ${path}: ${reply.status} ${JSON.stringify(reply.body)}`);
    },
  };
}
