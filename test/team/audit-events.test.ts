import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sealAll } from '../../src/team/audit-events/sealing/seal.ts';
import { newKeyFile } from '../../src/platform/auth/keyring.ts';
import { createAdmin } from '../../src/commands/admin/program.ts';
import { endpoints } from '../../src/app/endpoints.ts';
import { actionOf } from '../../src/platform/http/audited.ts';
import { createLog } from '../../src/platform/observability/log.ts';
import { scratchDirectory } from '../local/scratch.ts';
import { startTestApi } from '../support/api.ts';
import type { TestApi, TestTeam } from '../support/api.ts';

const path = '/v2/partner/audit-events';
const users = '/v2/partner/users';

const keyFile = join(scratchDirectory(), 'keys.json');
const log = createLog('silent', 'worker');
let api: TestApi;

beforeAll(async () => {
  const keys = JSON.stringify(newKeyFile());
  writeFileSync(keyFile, keys);
  api = await startTestApi({ ONWARD_KEYS: keys });
  process.env['DATABASE_OWNER_URL'] = api.db.ownerUrl;
  process.env['ONWARD_KEYS_FILE'] = keyFile;
});
afterAll(() => api.stop());

async function aUser(team: TestTeam): Promise<string> {
  const reply = await team.post(users, { email: `${randomUUID()}@example.com`, name: 'Ada' });
  expect(reply.status).toBe(201);
  return String(reply.body.id);
}

const linesOf = async (team: TestTeam, query = ''): Promise<any[]> =>
  (await team.get(`${path}?${query}`)).body.data;

describe('the trail', () => {
  test('names the actor, the action, the request and the changed fields, but no values', async () => {
    const team = await api.newTeam();
    const id = await aUser(team);
    await team.patch(
      `${users}/${id}`,
      { name: 'Grace', role: 'viewer' },
      { 'X-Request-Id': 'r-2' },
    );
    await team.post(`${users}/${id}/activate`);
    await team.delete(`${users}/${id}`);
    const lines = await linesOf(team);
    expect(lines.map(({ action, changed_fields }) => [action, changed_fields])).toEqual([
      ['user.deleted', []],
      ['user.activated', ['last_signed_in_at', 'status']],
      ['user.updated', ['name']],
      ['user.invited', ['email', 'name']],
    ]);
    expect(lines[2]).toEqual({
      id: expect.any(String),
      type: 'audit_event',
      team_id: team.id,
      action: 'user.updated',
      resource_type: 'user',
      resource_id: id,
      changed_fields: ['name'],
      client_id: team.clientId,
      request_id: 'r-2',
      server_request_id: expect.any(String),
      source_ip: '127.0.0.1',
      user_agent: 'node',
      occurred_at: expect.any(String),
    });
    expect(JSON.stringify(lines)).not.toMatch(/Ada|Grace|example\.com/);
    expect((await team.get(`${path}/${String(lines[2].id)}`)).body).toEqual(lines[2]);
  });

  test('has no line of a refused request, of a repetition under a key, or of an unchanged resource', async () => {
    const team = await api.newTeam();
    const body = { email: 'one@example.com' };
    const key = { 'Idempotency-Key': randomUUID() };
    const { body: user } = await team.post(users, body, key);
    expect((await team.post(users, body, key)).headers.get('idempotent-replayed')).toBe('true');
    expect((await team.post(users, body)).status).toBe(409);
    expect((await team.patch(`${users}/${String(user.id)}`, { role: 'viewer' })).status).toBe(200);
    expect((await linesOf(team)).map(({ action }) => action)).toEqual(['user.invited']);
  });

  test('has the changes of webhook subscriptions, their secrets and templates', async () => {
    const team = await api.newTeam();
    const made = await team.post('/v2/partner/webhook-subscriptions', {
      target_url: 'https://hooks.example.com/',
      event_types: ['*'],
    });
    const hook = `/v2/partner/webhook-subscriptions/${String(made.body.id)}`;
    await team.patch(hook, { is_active: false });
    await team.post(`${hook}/rotate-secret`);
    await team.delete(hook);
    const { body: template } = await team.post('/v2/partner/templates', { name: 'One' });
    await team.post(`/v2/partner/templates/${String(template.id)}/archive`);
    const { body: copy } = await team.post(
      `/v2/partner/templates/${String(template.id)}/duplicate`,
    );
    const lines = await linesOf(team, 'filter[action][neq]=webhook_subscription.event_types_set');
    expect(lines.map(({ action, resource_id }) => [action, resource_id])).toEqual([
      ['template.created', copy.id],
      ['template.archived', template.id],
      ['template.created', template.id],
      ['webhook_subscription.deleted', made.body.id],
      ['webhook_subscription.secret_rotated', made.body.id],
      ['webhook_subscription.updated', made.body.id],
      ['webhook_subscription.created', made.body.id],
    ]);
    expect(lines[5].changed_fields).toEqual(['is_active']);
  });

  test('has the changes of landing pages', async () => {
    const team = await api.newTeam();
    const { body: page } = await team.post('/v2/partner/landing-pages', {
      name: 'Welcome',
      slug: 'welcome',
    });
    const at = `/v2/partner/landing-pages/${String(page.id)}`;
    await team.patch(at, { title: 'Hello' });
    await team.post(`${at}/archive`);
    await team.post(`${at}/unarchive`);
    const lines = await linesOf(team);
    expect(lines.map(({ action }) => action)).toEqual([
      'landing_page.unarchived',
      'landing_page.archived',
      'landing_page.updated',
      'landing_page.created',
    ]);
    expect(lines[2].changed_fields).toContain('title');
  });

  test('leaves the data of contacts to their events, except deletion, correction and copies', async () => {
    const team = await api.newTeam();
    await team.post('/v2/partner/contacts', { unique_id: 'c-1' });
    expect(await linesOf(team)).toEqual([]);
    const audited = endpoints.filter(
      ({ method, audit }) => method !== 'GET' && actionOf(audit) !== undefined,
    );
    const data = /\/(contacts|accounts|engagement-events|completions)\b/;
    expect(audited.filter(({ path: name }) => data.test(name)).map(({ id }) => id)).toEqual([
      ...['deleteContact', 'mergeContact', 'eraseContact', 'resetContactIdentityLock'],
      ...['deleteAccount', 'voidObjectiveCompletion', 'exportContact'],
    ]);
  });

  test('is read with a scope of its own, filtered, and never another team’s', async () => {
    const team = await api.newTeam();
    const id = await aUser(team);
    await aUser(team);
    await aUser(await api.newTeam());
    expect(await linesOf(team)).toHaveLength(2);
    expect(await linesOf(team, `filter[resource_id]=${id}`)).toHaveLength(1);
    expect(await linesOf(team, 'filter[action]=user.deleted')).toHaveLength(0);
    const other = await team.withScopes('partner:users:write');
    expect((await other.get(path)).body.errors[0].meta.required_scope).toBe('partner:audit:read');
  });
});

describe('the seal', () => {
  const seal = () =>
    sealAll({
      database: api.db.database,
      keyring: api.keyring,
      log,
    });
  const verify = async (team: TestTeam, ...args: string[]) => {
    const lines: string[] = [];
    const program = createAdmin((line) => lines.push(line));
    const command = ['audit', 'verify', '--team', team.id, ...args, '--json'];
    const failure = await program.parseAsync(command, { from: 'user' }).then(
      () => undefined,
      (error: unknown) => String(error),
    );
    const [row] = JSON.parse(lines.join('\n'));
    return { ...row, failure };
  };
  async function sealedTeam(): Promise<{ team: TestTeam; ids: string[] }> {
    const team = await api.newTeam();
    for (let at = 0; at < 3; at += 1) await aUser(team);
    await seal();
    const lines = await linesOf(team, 'sort=occurred_at');
    return { team, ids: lines.map(({ id }) => id) };
  }
  const asOwner = (statement: string, ...values: string[]) =>
    api.db.look((sql) => sql.unsafe(statement, values));

  test('covers every line, and continues with later ones', async () => {
    const { team } = await sealedTeam();
    const first = await verify(team);
    expect(first).toMatchObject({ lines: 3, waiting: 0, breaches: 0, failure: undefined });
    await aUser(team);
    expect(await verify(team)).toMatchObject({ lines: 3, waiting: 1, breaches: 0 });
    await seal();
    const later = await verify(team, '--noted', first.last);
    expect(later).toMatchObject({ lines: 4, waiting: 0, breaches: 0, failure: undefined });
  });

  test('is made once by concurrent runs', async () => {
    const team = await api.newTeam();
    await Promise.all(Array.from({ length: 8 }, () => aUser(team)));
    await Promise.all([seal(), seal(), seal()]);
    expect(await verify(team)).toMatchObject({ lines: 8, waiting: 0, breaches: 0 });
  });

  test('shows a line that was changed', async () => {
    const { team, ids } = await sealedTeam();
    await asOwner(`update audit_events set action = 'user.updated' where id = $1`, ids[1] ?? '');
    const { breaches, failure } = await verify(team);
    expect(breaches).toBe(1);
    expect(failure).toContain(
      `line 2, event ${String(ids[1])}: its event, or the chain, was changed`,
    );
  });

  test('shows a line that was removed, with its seal or without', async () => {
    const { team, ids } = await sealedTeam();
    await asOwner('delete from audit_events where id = $1', ids[1] ?? '');
    expect((await verify(team)).failure).toContain(
      `event ${String(ids[1])}: its event was removed`,
    );
    await asOwner('delete from audit_seals where event_id = $1', ids[1] ?? '');
    expect((await verify(team)).failure).toContain('lines before it were removed from the chain');
  });

  test('shows a truncated end by an earlier seal that was noted', async () => {
    const { team, ids } = await sealedTeam();
    const { last } = await verify(team);
    await asOwner('delete from audit_events where id = $1', ids[2] ?? '');
    await asOwner('delete from audit_seals where event_id = $1', ids[2] ?? '');
    expect(await verify(team)).toMatchObject({ breaches: 0 });
    expect((await verify(team, '--noted', last)).failure).toContain('is gone or another');
  });

  test('shows an inserted line, and one that was deleted before it was sealed', async () => {
    const { team, ids } = await sealedTeam();
    await aUser(team);
    await asOwner(
      'delete from audit_events where team_id = $1 and not id = any($2::uuid[])',
      ...[team.id, `{${ids.join()}}`],
    );
    expect((await verify(team)).failure).toContain('1 events were removed before their seal');
    await asOwner(
      `insert into audit_events
        (team_id, action, resource_type, resource_id, changed_fields, client_id, request_id)
      select team_id, action, resource_type, resource_id, changed_fields, client_id, 'forged'
      from audit_events where id = $1`,
      ids[0] ?? '',
    );
    expect((await verify(team)).failure).toContain('it is in no chain');
  });

  test('cannot be changed by the application itself', async () => {
    for (const table of ['audit_events', 'audit_seals']) {
      const attempt = api.db.database.read((sql) => sql.unsafe(`delete from ${table}`));
      await expect(attempt).rejects.toMatchObject({ code: '42501' });
    }
  });
});
