import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { createAdmin } from '../../src/commands/admin/program.ts';
import { newKeyFile } from '../../src/platform/auth/keyring.ts';
import { searchFor } from '../../src/contacts/contact-erasures/sweeping/identity.ts';
import { eraseOperationCopies } from '../../src/operations/erasing/erase.ts';
import { scratchDirectory } from '../local/scratch.ts';
import { bodies, providersPath } from '../messaging/a-sending-provider.ts';
import type { TestTeam } from '../support/api.ts';
import { untilTrue } from '../support/eventually.ts';
import { useTestApi } from '../support/use-test-api.ts';

// Public reports of rights that nobody gave, in portals, keys, links, exports and logs of other
// products; test/field/README.md lists them.

const keys = JSON.stringify(newKeyFile());
const keyFile = join(scratchDirectory(), 'keys.json');
const api = useTestApi({ ONWARD_KEYS: keys, REQUEST_LOG: 'true' });
const portal = '/v2/partner/portal-sessions';
const exportsPath = '/v2/partner/exports';
let team: TestTeam;
let other: TestTeam;

beforeAll(async () => {
  writeFileSync(keyFile, keys);
  process.env['DATABASE_OWNER_URL'] = api.db.ownerUrl;
  process.env['ONWARD_KEYS_FILE'] = keyFile;
  [team, other] = [await api.newTeam(), await api.newTeam()];
});

async function admin(...args: string[]) {
  const lines: string[] = [];
  await createAdmin((line) => lines.push(line)).parseAsync([...args, '--json'], { from: 'user' });
  return JSON.parse(lines.join('\n'));
}

const secretOf = (url: string) => new URL(url).hash.slice(1);
const verdictOf = ({ status, body }: { status: number; body: any }) =>
  [status, body?.errors?.[0]?.code].filter((part) => part !== undefined).join(' ');
const as = (token: string, method: string, path: string, body?: object, headers: object = {}) =>
  api.call(method, path, {
    headers: { Authorization: `Bearer ${token}`, ...headers },
    ...(body && { body }),
  });

async function aLink(by: TestTeam, body: object = {}): Promise<{ id: string; secret: string }> {
  const made = await by.post(portal, body);
  expect([made.status, made.body.errors]).toEqual([201, undefined]);
  return { id: String(made.body.id), secret: secretOf(made.body.url) };
}
const open = ({ id, secret }: { id: string; secret: string }, headers: object = {}) =>
  api.call('POST', `${portal}/${id}/open`, { body: { secret }, headers: { ...headers } });

async function aPageToken(by: TestTeam, body: object = {}): Promise<string> {
  const opened = await open(await aLink(by, body));
  expect(opened.status).toBe(200);
  return String(opened.body.access_token);
}

test('a scanner of mail that follows a link does not use it up', async () => {
  const link = await aLink(team);
  for (const method of ['GET', 'HEAD', 'GET']) {
    const seen = await api.call(method, `/portal/${link.id}/requests`, {
      headers: { 'User-Agent': 'HeadlessChrome' },
    });
    expect(seen.status).toBeLessThan(500);
    const asked = await api.call(method, `${portal}/${link.id}/open?secret=${link.secret}`);
    expect(asked.status).not.toBe(200);
  }
  expect((await open(link)).status).toBe(200);
});

test('a link that was used opens nothing again, also as a repeat of the same request', async () => {
  const link = await aLink(team);
  const repeat = { 'Idempotency-Key': 'the-same-for-both' };
  const first = await open(link, repeat);
  expect(first.status).toBe(200);
  const again = await open(link, repeat);
  expect(again.status).not.toBe(200);
  expect(JSON.stringify(again.body)).not.toContain(first.body.access_token);
});

test('rights that are left out, empty or doubled widen none', async () => {
  const reader = await team.withScopes('partner:portal_sessions:write', 'partner:contacts:read');
  expect(verdictOf(await reader.post(portal, { scopes: [] }))).toBe('422 validation_failed');
  for (const scope of ['*', 'partner:*', 'partner:contacts:read partner:contacts:write']) {
    expect(verdictOf(await reader.post(portal, { scopes: [scope] }))).toBe('422 validation_failed');
  }
  const token = await aPageToken(reader);
  expect((await as(token, 'GET', '/v2/partner/contacts')).status).toBe(200);
  const writes = [
    await as(token, 'POST', '/v2/partner/contacts', { unique_id: 'x' }),
    await as(token, 'POST', portal, {}),
    await as(token, 'GET', portal),
  ];
  expect(writes.map(verdictOf)).toEqual(Array(3).fill('401 scope_missing'));
});

test('a token that only reads makes no link that writes', async () => {
  const scopes = ['partner:contacts:read', 'partner:portal_sessions:read'];
  const reader = await team.withScopes(...scopes);
  const asked = await reader.post(portal, { scopes: ['partner:contacts:write'] });
  expect(verdictOf(asked)).toBe('401 scope_missing');
});

test('what a page makes acts with the rights of the page, not of its client', async () => {
  const token = await aPageToken(team, { scopes: ['partner:webhooks:write'] });
  const made = await as(token, 'POST', '/v2/partner/webhook-subscriptions', {
    ...{ target_url: 'https://example.com/hook', event_types: ['contact.created'] },
  });
  expect(made.status).toBe(201);
  const id = String(made.body.id);
  const contact = await team.post('/v2/partner/contacts', {
    unique_id: 'u',
    first_name: 'Augusta',
  });
  expect(contact.status).toBe(201);
  const [delivery] = (await team.get(`/v2/partner/webhook-subscriptions/${id}/deliveries`)).body
    .data;
  const path = `/v2/partner/webhook-subscriptions/${id}/deliveries/${String(delivery.id)}?include=event`;
  const seen = await as(token, 'GET', path);
  expect(JSON.stringify(seen.body)).not.toContain('Augusta');
  const [row] = await api.db.look(
    (sql) => sql`select * from webhook_subscriptions where id = ${id}`,
  );
  expect(JSON.stringify(row)).not.toContain('partner:contacts:read');
});

test('the end of a client ends its links and pages', async () => {
  const client = await team.withScopes('partner:portal_sessions:write', 'partner:contacts:read');
  const link = await aLink(client);
  const token = await aPageToken(client);
  await admin('clients', 'suspend', client.clientId, '--reason', 'left the company');
  await untilTrue(async () => (await as(token, 'GET', '/v2/partner/contacts')).status === 401);
  expect(verdictOf(await open(link))).toBe('404 not_found');
  await admin('clients', 'resume', client.clientId, '--reason', 'came back');
  expect(verdictOf(await open(link))).toBe('404 not_found');
  expect((await as(token, 'GET', '/v2/partner/contacts')).status).toBe(401);
});

test('the id of another team in path, query, body or header reaches nothing of it', async () => {
  const { id } = (await other.post('/v2/partner/contacts', { unique_id: 'theirs' })).body;
  const link = await aLink(other);
  const provider = (await other.post(providersPath, bodies.sms_b())).body;
  const headers = { 'X-Team-Id': other.id, 'X-Tenant-Id': other.id, 'X-Org-Id': other.id };
  const answers = [
    await as(team.token, 'GET', `/v2/partner/contacts/${String(id)}`, undefined, headers),
    await as(team.token, 'GET', `${portal}/${link.id}`, undefined, headers),
    await as(team.token, 'DELETE', `${portal}/${link.id}`, undefined, headers),
    await as(team.token, 'POST', `${providersPath}/${String(provider.id)}/release`, {}, headers),
  ];
  expect(answers.map(verdictOf)).toEqual(Array(4).fill('404 not_found'));
  const listed = await as(team.token, 'GET', '/v2/partner/contacts', undefined, headers);
  expect(JSON.stringify(listed.body)).not.toContain(other.id);
  const asked = await team.get(`/v2/partner/contacts?team_id=${other.id}`);
  expect(verdictOf(asked)).toBe('400 invalid_query_parameter');
  // Fields of answers may be sent back: this one is ignored.
  const made = await team.post('/v2/partner/contacts', { unique_id: 'v', team_id: other.id });
  expect([made.status, made.body.team_id]).toEqual([201, team.id]);
});

test('the log of requests shows neither link, secret nor token', async () => {
  const [linked, provided] = [randomUUID(), randomUUID()];
  const made = await team.post(portal, {}, { 'X-Request-Id': linked });
  const link = { id: String(made.body.id), secret: secretOf(made.body.url) };
  const opened = await open(link);
  const provider = bodies.sms_b();
  await team.post(providersPath, provider, { 'X-Request-Id': provided });
  for (const id of [linked, provided]) {
    await untilTrue(async () => {
      const { body } = await team.get(`/v2/meta/requests?filter[request_id]=${id}`);
      return body.data.length > 0;
    });
  }
  const rows = await api.db.look((sql) => sql`select * from request_log`);
  const text = JSON.stringify(rows);
  const wrong = await open({ ...link, secret: link.secret.replaceAll('a', 'b') });
  for (const secret of [link.secret, opened.body.access_token, provider.secret]) {
    expect(text).not.toContain(secret);
  }
  expect(JSON.stringify(wrong.body)).not.toContain(link.secret);
});

test('an export shows whom it names to those only who may read them', async () => {
  const email = 'hidden@example.com';
  await team.post('/v2/partner/contacts', { unique_id: 'hidden', email });
  const made = await team.post(exportsPath, {
    ...{ kind: 'contacts', format: 'csv', filters: { 'filter[email][eq]': email } },
  });
  expect(made.status).toBe(202);
  const path = `${exportsPath}/${String(made.body.id)}`;
  const blind = await team.withScopes('partner:exports:read');
  const reader = await team.withScopes('partner:exports:read', 'partner:contacts:read');
  for (const at of [path, exportsPath]) {
    expect(JSON.stringify((await blind.get(at)).body)).not.toContain(email);
    expect(JSON.stringify((await reader.get(at)).body)).toContain(email);
  }
  expect(verdictOf(await blind.get(`${path}/file`))).toBe('401 scope_missing');
  expect(verdictOf(await other.get(`${path}/file`))).toBe('404 not_found');
  expect((await api.call('GET', `${path}/file`)).status).toBe(401);
});

test('nothing of an export names a person who is erased', async () => {
  const email = 'erased@example.com';
  const ask = async (by: TestTeam, address: string) => {
    const filters = { 'filter[email][eq]': address };
    const made = await by.post(exportsPath, { kind: 'contacts', format: 'csv', filters });
    expect(made.status).toBe(202);
    return String(made.body.id);
  };
  const [named, deleted] = [await ask(team, email), await ask(team, email.toUpperCase())];
  await team.call('DELETE', `${exportsPath}/${deleted}`);
  const kept = [await ask(team, 'stays@example.com'), await ask(other, email)];
  const search = searchFor([{ emails: [email], phones: [], keys: [] }]);
  const { needles } = search;
  const persons = { teamId: team.id, contactIds: [randomUUID()], needles, addresses: [] };
  const { database } = api.db;
  const sweep = { database, keyring: api.keyring, persons, search };
  expect(await eraseOperationCopies(sweep)).toBe(true);
  const rows = await api.db.look(
    (sql) => sql<{ id: string; text: string }[]>`
      select id, filters::text || conditions::text as text from exports
      where id = any(${[named, deleted, ...kept]}::uuid[])`,
  );
  const texts = new Map(rows.map(({ id, text }) => [id, text]));
  expect([named, deleted].map((id) => texts.get(id))).toEqual(['{}[]', '{}[]']);
  for (const id of kept) expect(texts.get(id)).toContain('@example.com');
  expect((await team.get(`${exportsPath}/${named}`)).status).toBe(404);
});
