import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newKeyFile } from '../../src/platform/auth/keyring.ts';
import { createAdmin } from '../../src/commands/admin/program.ts';
import { startTestApi } from '../support/api.ts';
import type { TestApi } from '../support/api.ts';
import { aCompleteTemplate, aLaunchedTemplate } from '../campaigns/a-template.ts';
import { scratchDirectory } from '../local/scratch.ts';
import { runEntry } from './spawn.ts';

const file = join(scratchDirectory(), 'keys.json');
let api: TestApi;

beforeAll(async () => {
  const keys = JSON.stringify(newKeyFile());
  writeFileSync(file, keys);
  api = await startTestApi({ ONWARD_KEYS: keys });
  process.env['DATABASE_OWNER_URL'] = api.db.ownerUrl;
  process.env['ONWARD_KEYS_FILE'] = file;
});
afterAll(() => api.stop());

const ask = async (...args: string[]) => {
  const lines: string[] = [];
  const program = createAdmin((line) => lines.push(line));
  await program.parseAsync([...args, '--json'], { from: 'user' });
  return JSON.parse(lines.join('\n'));
};
const getToken = (clientId: string, secret: string) =>
  api.call('POST', '/oauth2/token', {
    raw: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: secret,
    }).toString(),
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  });

test('a team and its client are created, and the client works until it is suspended', async () => {
  const team = await ask('teams', 'create', '--name', 'First Bank', '--tier', 'plus');
  const client = await ask(
    ...['clients', 'create', '--team', team.id, '--name', 'backend'],
    ...['--scope', 'partner:contacts:read', '--scope', 'meta:capabilities:read'],
  );
  const reply = await getToken(client.client_id, client.client_secret);
  expect([reply.status, reply.body.scope]).toEqual([
    200,
    'meta:capabilities:read partner:contacts:read',
  ]);
  const capabilities = await api.call('GET', '/v2/meta/capabilities', {
    headers: { Authorization: `Bearer ${String(reply.body.access_token)}` },
  });
  expect(capabilities.body.rate_limits.class).toBe('plus');

  const [listed] = await ask('clients', 'list', '--team', team.id);
  expect(listed.secret_hints).toEqual([client.client_secret.slice(-4)]);
  await ask('clients', 'suspend', client.client_id, '--reason', 'secret was leaked');
  expect((await getToken(client.client_id, client.client_secret)).status).toBe(401);
});

test('an operator opens the pages of a team, which reads, writes nothing and is recorded', async () => {
  const team = await api.newTeam();
  const made = await ask('portal', team.id, '--base-url', api.url);
  const { pathname, hash } = new URL(made.url);
  const [, , id = ''] = pathname.split('/');
  const open = () =>
    api.call('POST', `/v2/partner/portal-sessions/${id}/open`, { body: { secret: hash.slice(1) } });
  const { status, body } = await open();
  expect(status).toBe(200);
  const call = (method: string, path: string) =>
    api.call(method, path, { headers: { Authorization: `Bearer ${String(body.access_token)}` } });
  expect((await call('GET', '/v2/partner/contacts')).status).toBe(200);
  expect((await call('POST', '/v2/partner/contacts')).body.errors[0].code).toBe('scope_missing');
  expect(body.scope.split(' ').filter((scope: string) => !scope.endsWith(':read'))).toEqual([]);
  expect(body.scope).not.toContain('contacts_sensitive');
  expect((await open()).status).toBe(404);
  const trail = await ask('audit', 'list', '--team', team.id);
  expect(trail.map(({ action }: { action: string }) => action)).toEqual(
    expect.arrayContaining(['portal_session.created', 'portal_session.opened']),
  );
  const other = await api.newTeam();
  await ask('portal', other.id, '--base-url', api.url);
  const clients = await ask('clients', 'list', '--team', other.id);
  expect(clients.map(({ name }: { name: string }) => name)).toContain('Pages for operators');
  await expect(ask('portal', '00000000-0000-4000-8000-000000000000')).rejects.toThrow('no team');
});

test('the old secret remains valid for the overlap after a rotation', async () => {
  const team = await api.newTeam();
  const rotated = await ask('clients', 'rotate-secret', team.clientId);
  expect((await getToken(team.clientId, team.clientSecret)).status).toBe(200);
  expect((await getToken(team.clientId, rotated.client_secret)).status).toBe(200);
  await ask('clients', 'rotate-secret', team.clientId, '--overlap-seconds', '0');
  expect((await getToken(team.clientId, rotated.client_secret)).status).toBe(401);
});

test('revoked tokens and narrowed scopes take effect', async () => {
  const team = await api.newTeam();
  const changed = await ask(
    'clients', 'set-scopes', team.clientId, 'partner:contacts:read', 'partner:contacts:write',
  ); // prettier-ignore
  expect(changed.scopes).toEqual(['partner:contacts:read', 'partner:contacts:write']);
  // Its token was never used before, so that nothing of it is cached.
  const refused = await team.get('/v2/partner/contacts');
  expect([refused.status, refused.body.errors[0].code]).toEqual([401, 'token_invalid']);
  expect((await getToken(team.clientId, team.clientSecret)).body.scope).toBe(
    'partner:contacts:read partner:contacts:write',
  );
});

test('an unknown id or file is refused with the command that helps', async () => {
  const unknown = '00000000-0000-4000-8000-000000000000';
  await expect(ask('clients', 'suspend', unknown, '--reason', 'leaked')).rejects.toThrow(
    'see `clients list`',
  );
  await expect(ask('teams', 'set-tier', unknown, 'plus')).rejects.toThrow('see `teams list`');
  await expect(ask('keys', 'init', '--file', file)).rejects.toThrow('nothing is overwritten');
  const nothing = ask('clients', 'create', '--team', unknown, '--name', 'x');
  await expect(nothing).rejects.toThrow('see `scopes list`');
});

test('a mistyped argument is answered with the nearest one and exit code 1', async () => {
  const { code, stdout, stderr } = await runEntry(
    'src/commands/admin.ts',
    [
      'clients',
      'create',
      '--team',
      '00000000-0000-4000-8000-000000000000',
      '--name',
      'x',
      '--scope',
      'partner:contact:read',
    ],
    {},
  );
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain('Did you mean "partner:contacts:read"?');
  expect(stderr).not.toContain('    at ');
});

test('workflows of what is under way are signaled, and no others', async () => {
  const team = await api.newTeam();
  const launched = await aLaunchedTemplate(team);
  await aCompleteTemplate(team);
  await api.db.look((sql) => sql`delete from workflow_outbox`);
  const rows = await ask('workflows', 'reconcile');
  expect(rows).toContainEqual({ workflow: 'template', signaled: 1 });
  expect(rows).toContainEqual({ workflow: 'webhook_recovery', signaled: 0 });
  const entries = await api.db.look(
    (sql) => sql`select workflow, key, team_id from workflow_outbox`,
  );
  expect(entries).toEqual([{ workflow: 'template', key: launched, team_id: team.id }]);
});
