import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startApi } from '../../src/app/start-api.ts';
import { newKeyFile } from '../../src/platform/auth/keyring.ts';
import { createAdmin } from '../../src/commands/admin/program.ts';
import { endpoints } from '../../src/app/endpoints.ts';
import { isForRecipients } from '../../src/platform/http/endpoint.ts';
import { createLog } from '../../src/platform/observability/log.ts';
import { scratchDirectory } from '../local/scratch.ts';
import { noteAnswer } from '../reach/record.ts';
import { startTestApi } from '../support/api.ts';
import type { TestApi, TestTeam } from '../support/api.ts';
import { aScene, aVisitor } from '../widget/a-widget.ts';

const keyFile = join(scratchDirectory(), 'keys.json');
const me = `${userInfo().username}@${hostname()}`;
let api: TestApi;

beforeAll(async () => {
  const keys = JSON.stringify(newKeyFile());
  writeFileSync(keyFile, keys);
  api = await startTestApi({ ONWARD_KEYS: keys, TRUSTED_PROXIES: '1', REQUEST_LOG: 'true' });
  process.env['DATABASE_OWNER_URL'] = api.db.ownerUrl;
  process.env['ONWARD_KEYS_FILE'] = keyFile;
});
afterAll(() => api.stop());

async function admin(...args: string[]) {
  const lines: string[] = [];
  const program = createAdmin((line) => lines.push(line));
  await program.parseAsync([...args, '--json'], { from: 'user' });
  return JSON.parse(lines.join('\n'));
}
const eventsOf = async (team: TestTeam, query = ''): Promise<any[]> =>
  (await team.get(`/v2/partner/audit-events?${query}`)).body.data;
const aUser = (team: TestTeam, headers: Record<string, string>) =>
  team.post('/v2/partner/users', { email: `${randomUUID()}@example.com` }, headers);

/** The log lines and the address of another process of the API. */
async function anApiWithLog() {
  const lines: string[] = [];
  const log = createLog('info', 'api', { write: (line) => lines.push(line) });
  const { url, close } = await startApi(api.config, api.keyring, log, {
    onAnswer: noteAnswer,
  });
  return { url, close, lines: () => lines.map((line) => JSON.parse(line)) };
}

const why = ['--reason', 'secret was leaked'] as const;

describe('an operator', () => {
  test('cannot change a team or a client without a line in the trail of the team', async () => {
    const made = await admin('teams', 'create', '--name', 'First Bank');
    await admin('teams', 'set-tier', made.id, 'plus');
    const scope = ['--scope', 'partner:audit:read'];
    const client = await admin('clients', 'create', '--team', made.id, '--name', 'x', ...scope);
    const id = String(client.client_id);
    for (const command of ['suspend', 'resume']) await admin('clients', command, id, ...why);
    for (const command of ['revoke-tokens', 'rotate-secret']) await admin('clients', command, id);
    await admin('clients', 'set-scopes', id, 'partner:users:read', '--allow-wildcards');
    await admin('clients', 'set-networks', id, '203.0.113.0/24');
    const events = await admin('audit', 'list', '--team', made.id);
    expect(events.map((row: any) => [row.action, row.resource_id, row.changed_fields])).toEqual([
      ['client.networks_set', id, ['networks']],
      ['client.scopes_set', id, ['scopes', 'allow_wildcards']],
      ['client.secret_rotated', id, ['client_secret']],
      ['client.tokens_revoked', id, ['tokens_valid_after']],
      ['client.resumed', id, ['suspended_at']],
      ['client.suspended', id, ['suspended_at']],
      ['client.created', id, ['name', 'scopes', 'allow_wildcards']],
      ['team.updated', made.id, ['tier']],
      ['team.created', made.id, ['name', 'tier']],
    ]);
    for (const event of events) expect(event).toMatchObject({ actor: me, client_id: null });
    expect(JSON.stringify(events)).not.toContain(client.client_secret);
  });

  test('is named to the team, which does not see the client', async () => {
    const team = await api.newTeam();
    const { clientId } = await team.withScopes('partner:users:read');
    await admin('clients', 'suspend', clientId, ...why);
    const [event] = await eventsOf(team);
    expect(event).toMatchObject({ action: 'client.suspended', actor: me, reason: why[1] });
    expect(event).not.toHaveProperty('client_id');
  });

  test('cannot change keys without a line in the trail of the installation', async () => {
    const { id } = await admin('keys', 'rotate-signing', '--delay-seconds', '3600');
    await admin('keys', 'revoke-signing', id);
    await admin('keys', 'rotate', 'cursor');
    await admin('keys', 'rewrap');
    const events = await admin('audit', 'list');
    const shown = events.map((row: any) => [row.action, row.changed_fields, row.actor]);
    expect(shown).toHaveLength(5);
    expect(shown).toEqual(
      expect.arrayContaining([
        ['key_list.rewrapped', ['envelope'], me],
        ['key_list.rotated', ['cursor'], me],
        ['signing_key.revoked', [], me],
        ['signing_key.created', [], me],
      ]),
    );
    const revoked = events.find(({ action }: any) => action === 'signing_key.revoked');
    expect(revoked.resource_id).toBe(id);
  });

  test('leaves no line for a command that changed nothing', async () => {
    const unknown = randomUUID();
    await expect(admin('teams', 'set-tier', unknown, 'plus')).rejects.toThrow('no team');
    expect(await admin('audit', 'list', '--team', unknown)).toEqual([]);
  });
});

describe('a client', () => {
  test('appears in the trail with its address behind the proxy and its truncated user agent', async () => {
    const team = await api.newTeam();
    const agent = 'a'.repeat(300);
    await aUser(team, { 'X-Forwarded-For': '6.6.6.6, 203.0.113.7:4711', 'User-Agent': agent });
    const [event] = await eventsOf(team, 'filter[source_ip]=203.0.113.7');
    expect(event).toMatchObject({ source_ip: '203.0.113.7', user_agent: 'a'.repeat(200) });
  });

  test('cannot hide a request behind the id of another', async () => {
    const team = await api.newTeam();
    for (let at = 0; at < 2; at += 1) await aUser(team, { 'X-Request-Id': 'mine' });
    const events = await eventsOf(team, 'filter[request_id]=mine');
    const ids = events.map(({ server_request_id: id }) => id);
    expect(new Set(ids).size).toBe(2);
    const refused = await team.get('/v2/partner/users/unknown');
    const { meta } = refused.body.errors[0];
    expect(meta.request_id).toBe(refused.headers.get('x-request-id'));
    expect(meta.server_request_id).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('appears in the process log and in the request log with the same ids', async () => {
    const { url, close, lines } = await anApiWithLog();
    const team = await api.newTeam();
    await fetch(`${url}/v2/partner/team`, {
      headers: {
        ...{ Authorization: `Bearer ${team.token}`, 'X-Request-Id': 'logged' },
        ...{ 'X-Forwarded-For': '2001:db8::1', 'User-Agent': 'backend/1.0' },
      },
    });
    await close();
    const line = lines().find(({ msg }) => msg === 'request');
    expect(line).toMatchObject({
      ...{ request_id: 'logged', source_ip: '2001:db8::1', user_agent: 'backend/1.0' },
      client_id: team.clientId,
    });
    const { body } = await team.get('/v2/meta/requests?filter[request_id]=logged');
    expect(body.data).toEqual([
      expect.objectContaining({
        ...{ source_ip: '2001:db8::1', user_agent: 'backend/1.0' },
        server_request_id: line.server_request_id,
      }),
    ]);
  });
});

describe('the address of a recipient', () => {
  test('appears in no log beyond its network', async () => {
    const { url, close, lines } = await anApiWithLog();
    const scene = await aScene(api);
    const visitor = await aVisitor(api, scene);
    const headers = {
      'X-Forwarded-For': '198.51.100.77',
      'User-Agent': 'Phone',
      'X-Request-Id': 'r',
    };
    await fetch(`${url}${visitor.path}`, { headers: { ...headers, Cookie: visitor.cookie } });
    await fetch(`${url}/journey`, { headers });
    await close();
    const requests = lines().filter(({ msg }) => msg === 'request');
    expect(requests.map(({ source_network }) => source_network)).toEqual([
      '198.51.100.0/24',
      '198.51.100.0/24',
    ]);
    expect(JSON.stringify(requests)).not.toMatch(/198\.51\.100\.77|Phone/);
    const logged = endpoints.filter((one) => isForRecipients(one) && one.isLogged !== false);
    expect(logged).toEqual([]);
  });
});

describe('a caller that guesses secrets or scopes', () => {
  const guess = (url: string, clientId: string, source: string) =>
    fetch(`${url}/oauth2/token`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/x-www-form-urlencoded',
        'X-Forwarded-For': source,
      },
      body: `grant_type=client_credentials&client_id=${clientId}&client_secret=wrong`,
    });

  test('appears in the trail of the team: one line for each client, reason and minute', async () => {
    const { url, close, lines } = await anApiWithLog();
    const team = await api.newTeam();
    const other = await team.withScopes('partner:audit:read');
    const sources = [...Array.from({ length: 8 }, () => '192.0.2.9'), '192.0.2.10', '192.0.2.11'];
    for (const source of sources) await guess(url, team.clientId.toUpperCase(), source);
    for (let at = 0; at < 30; at += 1) {
      await fetch(`${url}/v2/partner/users`, {
        headers: { Authorization: `Bearer ${other.token}`, 'X-Forwarded-For': '192.0.2.1' },
      });
    }
    await close();
    const events = await eventsOf(team, 'sort=occurred_at');
    expect(events).toHaveLength(2);
    expect(events).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          ...{ action: 'auth.failed', reason: 'invalid_client', occurrence_count: 10 },
          ...{ client_id: team.clientId, resource_id: team.clientId, source_ip: '192.0.2.9' },
        }),
        expect.objectContaining({
          ...{ action: 'auth.scope_refused', reason: 'scope_missing', occurrence_count: 30 },
          ...{ client_id: other.clientId, source_ip: '192.0.2.1' },
        }),
      ]),
    );
    const refused = lines().filter(({ code }) => code === 'invalid_client');
    expect(refused).toHaveLength(10);
    expect(refused[9]).toMatchObject({ client_id: team.clientId, source_ip: '192.0.2.11' });
  });

  test('appears in it with a token that was revoked, and with one of a suspended client', async () => {
    const { url, close } = await anApiWithLog();
    const team = await api.newTeam();
    const client = await team.withScopes('partner:users:read');
    await admin('clients', 'suspend', client.clientId, ...why);
    await fetch(`${url}/v2/partner/users`, {
      headers: { Authorization: `Bearer ${client.token}` },
    });
    await guess(url, client.clientId, '192.0.2.5');
    await close();
    const events = await eventsOf(team, 'filter[action]=auth.failed');
    expect(events.map(({ reason, client_id }) => [reason, client_id]).sort()).toEqual([
      ['invalid_client', client.clientId],
      ['token_invalid', client.clientId],
    ]);
  });

  test('cannot fill the trail by clients that do not exist', async () => {
    const { url, close } = await anApiWithLog();
    const count = () => api.db.look((sql) => sql`select count(*)::int as events from audit_events`);
    const before = await count();
    for (let at = 0; at < 20; at += 1) await guess(url, randomUUID(), '192.0.2.20');
    await fetch(`${url}/v2/partner/users`, { headers: { Authorization: 'Bearer e30.e30.e30' } });
    await close();
    expect(await count()).toEqual(before);
  });
});
