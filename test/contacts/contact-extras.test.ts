import { createHash, randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { useTestApi } from '../support/use-test-api.ts';
import type { Reply, TestTeam } from '../support/api.ts';
import { eventsOf, subscribe } from '../support/recorded-events.ts';

const path = '/v2/partner/contacts';
const suppressions = '/v2/partner/suppressions';

const api = useTestApi();
let team: TestTeam;

beforeAll(async () => {
  team = await api.newTeam();
  await subscribe(api, team);
});

async function aContact(fields: object = {}, of = team): Promise<Record<string, any>> {
  const reply = await of.post(path, { unique_id: `key-${randomUUID()}`, ...fields });
  expect(reply.status).toBe(201);
  return reply.body;
}

const anEmail = () => `${randomUUID()}@example.com`;
const problemsOf = ({ body }: Reply) =>
  body.errors.map(({ code, meta }: any) => [code, meta.rule, meta.pointer]);

describe('unique_id:<value> in a path stands for the id', () => {
  test('in every path of a contact', async () => {
    const unique_id = `a/b c:${randomUUID()}`;
    const { id } = await aContact({ unique_id });
    const named = `${path}/unique_id:${encodeURIComponent(unique_id)}`;
    expect((await team.get(named)).body.id).toBe(id);
    expect((await team.patch(named, { first_name: 'Ada' })).body).toMatchObject({ id });
    const account = await team.post(`${named}/accounts`, { kind: 'loan' });
    expect(account.body.contact_id).toBe(id);
    expect((await team.get(`${named}/accounts`)).body.data).toHaveLength(1);
    expect((await team.get(`${named}/devices`)).status).toBe(200);
    expect((await team.delete(named)).status).toBe(204);
    expect((await team.get(named)).status).toBe(404);
  });

  test('in its own team only, and never in part', async () => {
    const { unique_id } = await aContact();
    const other = await api.newTeam();
    expect((await other.get(`${path}/unique_id:${unique_id}`)).status).toBe(404);
    for (const wrong of ['unique_id:', `unique_id:${'x'.repeat(256)}`, `UNIQUE_ID:${unique_id}`]) {
      expect((await team.get(`${path}/${wrong}`)).status).toBe(404);
    }
    expect((await team.get(`/v2/partner/accounts/unique_id:${unique_id}`)).status).toBe(404);
  });
});

describe('consents', () => {
  const set = (id: string, channel: string, body: object) =>
    team.call('PUT', `${path}/${id}/consents/${channel}`, { body });

  test('one channel is set, and the change is recorded as an event and in the history with its evidence', async () => {
    const { id } = await aContact({ consents: { email: { status: 'pending', source: 'form' } } });
    const given = { status: 'subscribed', source: 'branch', evidence: 'Paper 12' };
    const reply = await set(id, 'email', given);
    expect(reply.status).toBe(200);
    expect(reply.body.consents.email).toMatchObject(given);
    expect(reply.headers.get('etag')).toBe('"2"');
    await set(id, 'email', { status: 'unsubscribed', source: 'reply' });

    const { body } = await team.get(`${path}/${id}/consent-changes`);
    expect(body.data).toMatchObject([
      { channel: 'email', consent: { status: 'unsubscribed' }, previous: given },
      { channel: 'email', consent: given, previous: { status: 'pending', source: 'form' } },
    ]);
    expect(body.data[0].client_id).toBe(team.clientId);
    const events = await eventsOf(api, team, id);
    expect(events.map(({ type, sequence }) => [type, sequence])).toEqual([
      ['contact.created', 1],
      ['contact.consent_changed', 2],
      ['contact.consent_changed', 3],
    ]);
    expect(events[2]?.previous).toMatchObject({ consents: { email: given } });
  });

  test('the history contains each status of a consent', async () => {
    const { id } = await aContact();
    const statuses = ['pending', 'subscribed', 'unsubscribed', 'subscribed'];
    for (const status of statuses) await set(id, 'sms', { status, source: 'branch' });
    const { body } = await team.get(`${path}/${id}/consent-changes`);
    expect(body.data.reverse()).toMatchObject(
      statuses.map((status, at) => ({
        previous: { status: statuses[at - 1] ?? 'never' },
        consent: { status },
      })),
    );
  });

  test('a change of a consent and of other fields records two events, in order', async () => {
    const { id } = await aContact();
    const reply = await team.patch(`${path}/${id}`, {
      first_name: 'Ada',
      consents: { sms: { status: 'subscribed', source: 'form' } },
    });
    expect(reply.headers.get('etag')).toBe('"3"');
    const events = await eventsOf(api, team, id);
    expect(events.map(({ type, sequence }) => [type, sequence])).toEqual([
      ['contact.created', 1],
      ['contact.updated', 2],
      ['contact.consent_changed', 3],
    ]);
  });

  test('an identical consent is no change', async () => {
    const { id } = await aContact();
    const first = await set(id, 'push', { status: 'subscribed', source: 'app' });
    const again = await set(id, 'push', { status: 'subscribed', source: 'app' });
    expect(again.body).toEqual(first.body);
    expect((await team.get(`${path}/${id}/consent-changes`)).body.data).toHaveLength(1);
  });

  test('a consent needs a source and a known channel, and cannot be set to "never"', async () => {
    const { id } = await aContact();
    expect(problemsOf(await set(id, 'sms', { status: 'subscribed' }))).toEqual([
      ['validation_failed', 'required', '/source'],
    ]);
    expect((await set(id, 'sms', { status: 'never', source: 'x' })).status).toBe(422);
    expect((await set(id, 'fax', { status: 'subscribed', source: 'x' })).status).toBe(404);
  });
});

describe('devices', () => {
  test('a token is hashed in answers and sealed at rest', async () => {
    const { id } = await aContact();
    const token = `token-${randomUUID()}`;
    const reply = await team.post(`${path}/${id}/devices`, { token, platform: 'ios', app_id: 'a' });
    expect(reply.status).toBe(201);
    expect(reply.body).toMatchObject({
      type: 'device',
      contact_id: id,
      token_hash: createHash('sha256').update(token).digest('hex'),
      platform: 'ios',
      is_active: true,
    });
    expect(reply.body).not.toHaveProperty('token');
    const rows = await api.db.look(
      (sql) => sql`select * from contact_devices where team_id = ${team.id}`,
    );
    expect(JSON.stringify(rows)).not.toContain(token);
    const location = reply.headers.get('location') ?? '';
    expect((await team.get(location)).body).toEqual(reply.body);
    expect((await team.delete(location)).status).toBe(204);
    expect((await team.get(`${path}/${id}/devices`)).body.data).toEqual([]);
  });

  test('a token that is registered again moves to the contact of the new registration', async () => {
    const [ann, bob] = [await aContact(), await aContact()];
    const token = randomUUID();
    const first = await team.post(`${path}/${ann['id']}/devices`, { token, platform: 'web' });
    const again = await team.post(`${path}/${bob['id']}/devices`, { token, platform: 'web' });
    expect(again.status).toBe(200);
    expect(again.body).toMatchObject({ id: first.body.id, contact_id: bob['id'] });
    expect((await team.get(`${path}/${ann['id']}/devices`)).body.data).toEqual([]);
  });
});

describe('suppressions', () => {
  test('an address suppresses every contact that has it, and records an event for each', async () => {
    const email = anEmail();
    const [ann, bob] = [await aContact({ email }), await aContact({ email })];
    const made = await team.post(suppressions, { channel: 'email', address: email });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ channel: 'email', address: email, reason: 'manual' });
    for (const { id } of [ann, bob]) {
      const { body } = await team.get(`${path}/${id}`);
      expect(body).toMatchObject({ email_status: 'suppressed', status: 'active' });
      const [, event] = await eventsOf(api, team, id);
      expect(event).toMatchObject({
        type: 'contact.suppressed',
        previous: { email_status: 'unknown' },
      });
    }
    expect((await team.delete(`${suppressions}/${made.body.id}`)).status).toBe(204);
    expect((await team.get(`${path}/${ann['id']}`)).body.email_status).toBe('unknown');
  });

  test('a contact that is created later or moves to the address is suppressed as well', async () => {
    const address = anEmail();
    await team.post(suppressions, { channel: 'email', address, reason: 'hard_bounce' });
    expect((await aContact({ email: address }))['email_status']).toBe('bounced');
    const { id } = await aContact({ email: anEmail() });
    const moved = await team.patch(`${path}/${id}`, { email: address });
    expect(moved.body.email_status).toBe('bounced');
    const away = await team.patch(`${path}/${id}`, { email: anEmail() });
    expect(away.body.email_status).toBe('unknown');
  });

  test('a contact as a whole is suppressed and released', async () => {
    const { id } = await aContact();
    const made = await team.post(suppressions, { channel: 'all', contact_id: id });
    expect((await team.get(`${path}/${id}`)).body.status).toBe('suppressed');
    await team.delete(`${suppressions}/${made.body.id}`);
    expect((await team.get(`${path}/${id}`)).body.status).toBe('active');
  });

  test('parallel creates for one address create one suppression and return it', async () => {
    const body = { channel: 'sms', address: '+4915112345678' };
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => team.post(suppressions, body)),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([...Array(9).fill(200), 201]);
    expect(new Set(replies.map((reply) => reply.body.id)).size).toBe(1);
    const { body: list } = await team.get(
      `${suppressions}?filter[address]=${encodeURIComponent(body.address)}`,
    );
    expect(list.data).toHaveLength(1);
  });

  test.each([
    [{ channel: 'email' }, 'required', '/address'],
    [{ channel: 'email', address: 'nobody' }, 'format', '/address'],
    [{ channel: 'sms', address: '0151' }, 'invalid_phone', '/address'],
    [{ channel: 'all' }, 'required', '/contact_id'],
    [{ channel: 'all', contact_id: randomUUID(), address: 'a@b.c' }, 'unknown_field', '/address'],
    [
      { channel: 'sms', contact_id: randomUUID(), address: '+4915112345678' },
      'unknown_field',
      '/contact_id',
    ],
    [{ channel: 'all', contact_id: randomUUID() }, 'reference_not_found', '/contact_id'],
  ])('%j is refused: %s', async (body, rule, pointer) => {
    expect(problemsOf(await team.post(suppressions, body))).toContainEqual([
      'validation_failed',
      rule,
      pointer,
    ]);
  });

  test('contacts of another team with the address are unchanged', async () => {
    const email = anEmail();
    const other = await api.newTeam();
    const theirs = await aContact({ email }, other);
    await team.post(suppressions, { channel: 'email', address: email });
    expect((await other.get(`${path}/${theirs['id']}`)).body.email_status).toBe('unknown');
  });
});
