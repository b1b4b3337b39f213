import { createTeam } from '../../src/commands/create-team.ts';
import { endpoints } from '../../src/endpoints.ts';
import { issueClientSecret } from '../../src/oauth2/client-secret.ts';
import { knownScopes } from '../../src/oauth2/endpoints.ts';
import { insertClient } from '../../src/oauth2/queries.ts';
import { persist } from './client.ts';
import type { Reply } from './client.ts';
import type { World } from './world.ts';

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

/** A team with one client that may do everything. */
export async function newTeam(world: World, tier = 'unlimited'): Promise<Team> {
  const { database, keyring, bases } = world;
  const credentials = await database.transact(async (sql) => {
    const team = await createTeam(sql, { name: 'Chaos', tier });
    const client = await insertClient(sql, team.id, {
      name: 'Chaos',
      scopes: knownScopes(endpoints),
      allowWildcards: false,
    });
    const ids = { teamId: team.id, clientId: client.id };
    return { ...ids, clientSecret: await issueClientSecret(sql, keyring, ids, 0) };
  });
  const { teamId, clientId, clientSecret } = credentials;
  const issued = await persist(bases, 0, 'POST', '/oauth2/token', {
    form: {
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
    },
  });
  const token = String(issued.body?.access_token);
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

/** A team whose one subscription posts to the ledger, under the team's id. */
export async function newSubscribedTeam(
  world: World,
  eventTypes: readonly string[] = ['contact.created', 'template.launched', 'template.expired'],
): Promise<Team> {
  const team = await newTeam(world);
  await team.must('POST', '/v2/partner/webhook-subscriptions', {
    target_url: world.ledger.urlOf(team.id),
    event_types: eventTypes,
  });
  return team;
}

/** Posts a contact under a key until it is answered; the id of the contact, if it was made. */
export async function addContact(team: Team, key: string): Promise<string | undefined> {
  const json = { email: `${key}@example.com`, first_name: 'Chaos' };
  const { status, body } = await team.call('POST', '/v2/partner/contacts', json, key);
  return status === 201 ? String(body.id) : undefined;
}

/** The path of something that every team has, to be read. */
export async function readablePath(team: Team): Promise<string> {
  const { data } = await team.must('GET', '/v2/partner/objectives?page[size]=1');
  return `/v2/partner/objectives/${String(data[0].id)}`;
}

/** A complete template that launches and expires by the clock. */
export async function scheduleTemplate(
  team: Team,
  { launchAtMs, expireAtMs }: { launchAtMs: number; expireAtMs: number },
): Promise<string> {
  const objectives = await team.must('GET', '/v2/partner/objectives?page[size]=1');
  const { id } = await team.must('POST', '/v2/partner/templates', {
    name: 'Chaos',
    objective_ids: [objectives.data[0].id],
    deadline_at: new Date(expireAtMs).toISOString(),
  });
  const path = `/v2/partner/templates/${String(id)}`;
  await team.must('POST', `${path}/pages`, { name: 'Hello' });
  await team.must('POST', `${path}/schedule`, {
    scheduled_at: new Date(launchAtMs).toISOString(),
  });
  return String(id);
}
