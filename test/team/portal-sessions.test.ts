import { beforeAll, describe, expect, test } from '@jest/globals';
import { decodeJwt } from 'jose';
import { portalPages } from '../../src/team/portal-sessions/rules.ts';
import { eventually } from '../support/eventually.ts';
import { useTestApi } from '../support/use-test-api.ts';
import type { TestTeam } from '../support/api.ts';

const api = useTestApi();
const path = '/v2/partner/portal-sessions';
let team: TestTeam;

beforeAll(async () => {
  team = await api.newTeam();
});

const secretOf = (url: string) => new URL(url).hash.slice(1);
const open = (id: string, secret: string) =>
  api.call('POST', `${path}/${id}/open`, { body: { secret } });
const as = (token: string, method: string, at: string, body?: object) =>
  api.call(method, at, {
    headers: { Authorization: `Bearer ${token}` },
    ...(body && { body }),
  });

async function aSession(body: object = {}, by = team) {
  const { status, body: made } = await by.post(path, body);
  expect(status).toBe(201);
  return made;
}

async function aToken(body: object = {}): Promise<string> {
  const { id, url } = await aSession(body);
  const opened = await open(id, secretOf(url));
  expect(opened.status).toBe(200);
  return String(opened.body.access_token);
}

describe('a link', () => {
  test('opens its session once, for exactly the scopes it names', async () => {
    const scopes = ['partner:contacts:read', 'partner:webhooks:read'];
    const made = await aSession({ scopes, page: 'requests', label: 'Ana, support' });
    expect(made).toMatchObject({ type: 'portal_session', page: 'requests', label: 'Ana, support' });
    expect(new URL(made.url).pathname).toBe(`/portal/${String(made.id)}/requests`);
    const first = await open(made.id, secretOf(made.url));
    expect(first.status).toBe(200);
    expect(first.body).toMatchObject({ scope: scopes.join(' '), page: 'requests' });
    const again = await open(made.id, secretOf(made.url));
    expect([again.status, again.body.errors[0].code]).toEqual([404, 'not_found']);
    const token = String(first.body.access_token);
    expect((await as(token, 'GET', '/v2/partner/contacts')).status).toBe(200);
    expect((await as(token, 'GET', '/v2/partner/journeys')).body.errors[0].code).toBe(
      'scope_missing',
    );
    expect((await team.get(`${path}/${String(made.id)}`)).body).not.toHaveProperty('url');
  });

  test.each(portalPages)('opens the page %s that it names', async (page) => {
    const { id, url } = await aSession({ page });
    expect((await open(id, secretOf(url))).body.page).toBe(page);
  });

  test('opens one session where many open it at once', async () => {
    const { id, url } = await aSession();
    const answers = await Promise.all(Array.from({ length: 8 }, () => open(id, secretOf(url))));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(7);
  });

  test('with a wrong secret opens nothing, and stays good', async () => {
    const { id, url } = await aSession();
    expect((await open(id, 'x'.repeat(43))).status).toBe(404);
    expect((await open(id, secretOf(url))).status).toBe(200);
  });

  test('opens nothing after five minutes, after its end, and after its client has changed', async () => {
    const [late, ended, changed] = [await aSession(), await aSession(), await aSession()];
    await api.db.look(
      (sql) => sql`update portal_sessions set link_expires_at = now() where id = ${late.id}`,
    );
    expect((await team.delete(`${path}/${String(ended.id)}`)).status).toBe(204);
    await api.db.look(
      (sql) => sql`
        update clients set tokens_valid_after = now() + interval '1 second'
        where id = ${team.clientId}`,
    );
    for (const { id, url } of [late, ended, changed]) {
      expect((await open(id, secretOf(url))).status).toBe(404);
    }
    await api.db.look(
      (sql) => sql`
        update clients set tokens_valid_after = '-infinity' where id = ${team.clientId}`,
    );
  });
});

describe('a session', () => {
  test('without scopes reads what its maker reads, and writes nothing', async () => {
    const { scopes } = await aSession();
    expect(scopes).toContain('partner:contacts:read');
    expect(scopes).not.toContain('partner:contacts_sensitive:read');
    expect(scopes.filter((scope: string) => !scope.endsWith(':read'))).toEqual([]);
    const token = await aToken();
    const written = await as(token, 'POST', '/v2/partner/contacts', { unique_id: 'x' });
    expect(written.body.errors[0].code).toBe('scope_missing');
  });

  test('has no right that its maker lacks, and cannot make sessions', async () => {
    const reader = await team.withScopes('partner:portal_sessions:write', 'partner:users:read');
    const refused = await reader.post(path, {
      scopes: ['partner:users:read', 'partner:contacts:read', 'partner:portal_sessions:write'],
    });
    expect(refused.status).toBe(422);
    expect(refused.body.errors.map(({ meta }: any) => meta.pointer)).toEqual([
      '/scopes/1',
      '/scopes/2',
    ]);
    expect((await aSession({}, reader)).scopes).toEqual(['partner:users:read']);
  });

  test('ends when it says: its token has the same end', async () => {
    const token = await aToken({ expires_in_seconds: 120 });
    const { exp = 0, iat = 0 } = decodeJwt(token);
    expect(exp - iat).toBeLessThanOrEqual(120);
    expect(exp - iat).toBeGreaterThan(60);
  });

  test('that a client ends takes its token with it', async () => {
    const { id, url } = await aSession();
    const { body } = await open(id, secretOf(url));
    expect((await team.delete(`${path}/${String(id)}`)).status).toBe(204);
    expect((await as(body.access_token, 'GET', '/v2/partner/contacts')).body.errors[0].code).toBe(
      'token_invalid',
    );
    expect((await team.get(`${path}/${String(id)}`)).status).toBe(404);
  });

  test('of a suspended client opens nothing and reads nothing until it is resumed', async () => {
    const own = await api.newTeam();
    const [opened, waiting] = [await aSession({}, own), await aSession({}, own)];
    const token = String((await open(opened.id, secretOf(opened.url))).body.access_token);
    const suspendedAt = (time: string | null) =>
      api.db.look(
        (sql) => sql`update clients set suspended_at = ${time} where id = ${own.clientId}`,
      );
    const reads = () => as(token, 'GET', '/v2/partner/contacts');
    expect((await reads()).status).toBe(200);
    await suspendedAt(new Date().toISOString());
    await eventually(reads, ({ status }) => status !== 200);
    expect((await reads()).body.errors[0].code).toBe('token_invalid');
    expect((await open(waiting.id, secretOf(waiting.url))).status).toBe(404);
    await suspendedAt(null);
    await eventually(reads, ({ status }) => status === 200);
    expect((await open(waiting.id, secretOf(waiting.url))).status).toBe(200);
  });

  test('is not seen, opened or ended by another team', async () => {
    const other = await api.newTeam();
    const { id } = await aSession();
    expect((await other.get(`${path}/${String(id)}`)).status).toBe(404);
    expect((await other.delete(`${path}/${String(id)}`)).status).toBe(404);
    expect((await other.get(path)).body.data).toEqual([]);
  });

  test('is opened in the name of its own team', async () => {
    const own = await api.newTeam();
    await own.patch('/v2/partner/team', { name: 'Own bank' });
    for (const [by, name] of [
      [own, 'Own bank'],
      [team, (await team.get('/v2/partner/team')).body.name],
    ] as const) {
      const { id, url } = await aSession({}, by);
      const { status, body } = await open(id, secretOf(url));
      expect([status, body.team_name]).toEqual([200, name]);
    }
  });

  test('leaves its making, opening and end in the audit trail, without its secret', async () => {
    const own = await api.newTeam();
    const { id, url } = await aSession({}, own);
    await open(id, secretOf(url));
    await own.delete(`${path}/${String(id)}`);
    const rows = await api.db.look(
      (sql) => sql`select * from audit_events where resource_id = ${id} order by occurred_at, id`,
    );
    expect(rows.map((row) => row['action']).sort()).toEqual([
      'portal_session.created',
      'portal_session.ended',
      'portal_session.opened',
    ]);
    expect(JSON.stringify(rows)).not.toContain(secretOf(url));
  });
});

test.each([
  'http://www.example.com',
  'https://www.example.com/path',
  'https://a.example;script-src',
  "https://a.example'",
  'https://a.example,https://b.example',
  'https://*.example.com',
  'null',
])('%s may not embed a session', async (origin) => {
  const { status, body } = await team.post(path, { allowed_origins: [origin] });
  expect(status).toBe(422);
  expect(body.errors[0].meta.pointer).toBe('/allowed_origins/0');
});
