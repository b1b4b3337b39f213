import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { createSigningKeys } from '../../src/platform/auth/signing-keys.ts';
import { createTokenService } from '../../src/platform/auth/tokens.ts';
import { useTestApi } from '../support/use-test-api.ts';
import type { Reply, TestTeam } from '../support/api.ts';
import { eventsOf, eventTypesOf, subscribe } from '../support/recorded-events.ts';

const path = '/v2/partner/contacts';

const api = useTestApi();
let team: TestTeam;

beforeAll(async () => {
  team = await api.newTeam();
  await subscribe(api, team);
});

const fresh = () => `key-${randomUUID()}`;

async function aContact(fields: object = {}, of = team): Promise<Record<string, any>> {
  const reply = await of.post(path, { unique_id: fresh(), ...fields });
  expect(reply.status).toBe(201);
  return reply.body;
}

/** Code, rule and pointer of every problem. */
const problemsOf = ({ body }: Reply) =>
  body.errors.map(({ code, meta }: any) => [code, meta.rule, meta.pointer]);

describe('creating', () => {
  test('a contact is answered with every written field and the server-owned fields', async () => {
    const written = {
      unique_id: fresh(),
      email: 'Ada@Example.COM',
      first_name: 'Ada',
      last_name: 'Lovelace',
      preferred_name: 'A',
      phone: '+14155550100',
      locale: 'en-US',
      timezone: 'Europe/London',
      postal_code: 'W1J 7NT',
      tags: ['vip', 'new'],
      attributes: { score: 7.5, is_staff: false, plan: 'gold', likes: ['a', 'b'] },
    };
    const reply = await team.post(path, written);
    expect(reply.status).toBe(201);
    expect(reply.headers.get('location')).toBe(`${path}/${reply.body.id}`);
    expect(reply.headers.get('etag')).toBe('"1"');
    expect(reply.body).toEqual({
      ...written,
      email: 'Ada@example.com',
      id: expect.any(String),
      type: 'contact',
      team_id: team.id,
      email_status: 'unknown',
      status: 'active',
      consents: { email: { status: 'never' }, sms: { status: 'never' }, push: { status: 'never' } },
      account_count: 0,
      open_journey_count: 0,
      inserted_at: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
      updated_at: expect.any(String),
    });
    const read = await team.get(`${path}/${reply.body.id}`);
    expect(read.status).toBe(200);
    expect(read.body).toEqual(reply.body);
    expect(read.headers.get('etag')).toBe('"1"');
  });

  test.each([[{ unique_id: 'one' }], [{ email: 'one@example.com' }], [{ phone: '+14155550101' }]])(
    '%j alone identifies a contact',
    async (body) => {
      expect((await team.post(path, body)).status).toBe(201);
    },
  );

  test.each([[{}], [{ first_name: 'Nobody' }], [{ unique_id: null, email: null, phone: null }]])(
    'a contact without an identifier is refused: %j',
    async (body) => {
      const reply = await team.post(path, body);
      expect(reply.status).toBe(422);
      expect(problemsOf(reply)).toEqual([['validation_failed', 'identity_required', '']]);
    },
  );

  test('two contacts may share an address', async () => {
    await aContact({ email: 'home@example.com' });
    await aContact({ email: 'home@example.com' });
  });

  test('a unique_id in use is refused with the id of its holder', async () => {
    const holder = await aContact();
    const reply = await team.post(path, { unique_id: holder['unique_id'] });
    expect(reply.status).toBe(409);
    expect(reply.body.errors[0]).toMatchObject({
      code: 'unique_id_taken',
      meta: { id: holder['id'], pointer: '/unique_id' },
    });
  });

  test('unique_id is case-sensitive and scoped to its team', async () => {
    const key = fresh();
    await aContact({ unique_id: key });
    await aContact({ unique_id: key.toUpperCase() });
    await aContact({ unique_id: key }, await api.newTeam());
  });

  test('exactly one of 20 parallel creates with one unique_id succeeds, and the refusals name its id', async () => {
    const unique_id = fresh();
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => team.post(path, { unique_id })),
    );
    const created = replies.filter(({ status }) => status === 201);
    const refused = replies.filter(({ status }) => status === 409);
    expect([created.length, refused.length]).toEqual([1, 19]);
    for (const { body } of refused) expect(body.errors[0].meta.id).toBe(created[0]?.body.id);
    expect(await eventTypesOf(api, team, created[0]?.body.id)).toEqual(['contact.created']);
  });

  test('server-owned fields are accepted and ignored, even with invalid values', async () => {
    const body = await aContact({
      id: randomUUID(),
      team_id: 'elsewhere',
      email_status: 'bounced',
      status: 'archived',
      account_count: 9,
      open_journey_count: -1,
      last_engaged_at: '2026-01-01T00:00:00Z',
      inserted_at: 4,
      updated_at: null,
      type: 'contact',
    });
    expect(body).toMatchObject({ team_id: team.id, status: 'active', email_status: 'unknown' });
    expect(body['account_count']).toBe(0);
    expect(body).not.toHaveProperty('last_engaged_at');
  });

  test.each([
    ['enum', '/type', { type: 'account' }],
    ['unknown_field', '/nickname', { nickname: 'x' }],
    ['format', '/email', { email: 'nowhere' }],
    ['invalid_phone', '/phone', { phone: '4155550100' }],
    ['format', '/locale', { locale: 'not a locale' }],
    ['format', '/timezone', { timezone: 'Mars/Olympus' }],
    ['format', '/date_of_birth', { date_of_birth: '2001-02-30' }],
    ['max_length', '/last_name', { last_name: 'x'.repeat(101) }],
    ['max_length', '/postal_code', { postal_code: 'x'.repeat(17) }],
    ['max_length', '/unique_id', { unique_id: 'x'.repeat(256) }],
    ['format', '/tags', { tags: ['a', 'a'] }],
    ['max_length', '/tags/0', { tags: ['x'.repeat(65)] }],
    ['max_length', '/tags', { tags: Array.from({ length: 51 }, (_, at) => String(at)) }],
    ['type', '/consents', { consents: null }],
    ['type', '/consents/email', { consents: { email: null } }],
    ['unknown_field', '/consents/fax', { consents: { fax: { status: 'never' } } }],
    ['enum', '/consents/email/status', { consents: { email: { status: 'maybe' } } }],
    ['required', '/consents/sms/source', { consents: { sms: { status: 'subscribed' } } }],
    ['unknown_field', '/attributes/Bad Key', { attributes: { 'Bad Key': 1 } }],
    ['unknown_field', `/attributes/${'k'.repeat(65)}`, { attributes: { ['k'.repeat(65)]: 1 } }],
    ['type', '/attributes/nested', { attributes: { nested: { a: 1 } } }],
    ['type', '/attributes/mixed/1', { attributes: { mixed: ['a', 1] } }],
    ['max_length', '/attributes', { attributes: { text: 'x'.repeat(16_384) } }],
  ])('the rule %s refuses %s', async (rule, pointer, fields) => {
    const reply = await team.post(path, { unique_id: fresh(), ...fields });
    expect(reply.status).toBe(422);
    expect(problemsOf(reply)).toContainEqual(['validation_failed', rule, pointer]);
  });

  test('100 attributes are accepted, and the 101st is refused on create and on merge', async () => {
    const attributes = Object.fromEntries(
      Array.from({ length: 100 }, (_, at) => [`k${String(at)}`, at]),
    );
    const contact = await aContact({ attributes });
    const more = { ...attributes, k100: 100 };
    const created = await team.post(path, { unique_id: fresh(), attributes: more });
    expect(problemsOf(created)).toEqual([['validation_failed', 'max_length', '/attributes']]);
    const merged = await team.patch(`${path}/${contact['id']}`, { attributes: { k100: 100 } });
    expect(problemsOf(merged)).toEqual([['validation_failed', 'max_length', '/attributes']]);
    const swapped = await team.patch(`${path}/${contact['id']}`, {
      attributes: { k0: null, k100: 100 },
    });
    expect(swapped.status).toBe(200);
    expect(Object.keys(swapped.body.attributes)).toHaveLength(100);
  });

  test('a refusal repeats no submitted value', async () => {
    const reply = await team.post(path, { unique_id: 'secret-value', email: 'secret-value' });
    expect(reply.status).toBe(422);
    expect(JSON.stringify(reply.body)).not.toContain('secret-value');
  });
});

describe('changing', () => {
  test('absent fields are unchanged, null clears, other fields are replaced', async () => {
    const before = await aContact({
      first_name: 'A',
      last_name: 'B',
      tags: ['x'],
      postal_code: '1',
    });
    const reply = await team.patch(`${path}/${before['id']}`, {
      first_name: 'C',
      last_name: null,
      tags: ['y', 'z'],
    });
    expect(reply.status).toBe(200);
    expect(reply.headers.get('etag')).toBe('"2"');
    expect(reply.body).toMatchObject({ first_name: 'C', tags: ['y', 'z'], postal_code: '1' });
    expect(reply.body).not.toHaveProperty('last_name');
    expect(reply.body.inserted_at).toBe(before['inserted_at']);
    expect((await team.get(`${path}/${before['id']}`)).body).toEqual(reply.body);
  });

  test('null empties tags and attributes', async () => {
    const { id } = await aContact({ tags: ['x'], attributes: { a: 1 } });
    const { body } = await team.patch(`${path}/${id}`, { tags: null, attributes: null });
    expect(body).toMatchObject({ tags: [], attributes: {} });
  });

  test('attributes are merged by key, and null removes a key', async () => {
    const { id } = await aContact({ attributes: { a: 1, b: 2, constructor: 'x' } });
    const { body } = await team.patch(`${path}/${id}`, {
      attributes: { b: null, c: ['3'], d: null },
    });
    expect(body.attributes).toEqual({ a: 1, c: ['3'], constructor: 'x' });
  });

  test('consents are merged by channel and stamped by the service', async () => {
    const { id } = await aContact({ consents: { sms: { status: 'pending', source: 'form' } } });
    const { body } = await team.patch(`${path}/${id}`, {
      consents: {
        email: {
          status: 'subscribed',
          source: 'page',
          evidence: 'v3',
          updated_at: '2001-01-01T00:00:00Z',
        },
      },
    });
    expect(body.consents.email).toMatchObject({
      status: 'subscribed',
      source: 'page',
      evidence: 'v3',
    });
    expect(Date.parse(body.consents.email.updated_at)).toBeGreaterThan(Date.parse('2020-01-01'));
    expect(body.consents.sms).toMatchObject({ status: 'pending', source: 'form' });
    expect(body.consents.push).toEqual({ status: 'never' });
  });

  test('a recorded consent never returns to never', async () => {
    const { id } = await aContact({
      consents: { email: { status: 'unsubscribed', source: 'call' } },
    });
    const reply = await team.patch(`${path}/${id}`, { consents: { email: { status: 'never' } } });
    expect(problemsOf(reply)).toEqual([['validation_failed', 'enum', '/consents/email/status']]);
  });

  test('the full resource sent back unchanged changes nothing and records no event', async () => {
    const contact = await aContact({
      email: 'round@Example.com',
      attributes: { zz: 1, a: ['x'], mm: true },
      tags: ['b', 'a'],
      consents: { email: { status: 'subscribed', source: 'page', evidence: 'x' } },
    });
    const reply = await team.patch(`${path}/${contact['id']}`, contact);
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual(contact);
    expect(reply.headers.get('etag')).toBe('"1"');
    expect(await eventTypesOf(api, team, contact['id'])).toEqual(['contact.created']);
  });

  test('the full resource with one edit changes only that field', async () => {
    const contact = await aContact({ first_name: 'A' });
    const reply = await team.patch(`${path}/${contact['id']}`, {
      ...contact,
      id: randomUUID(),
      status: 'suppressed',
      first_name: 'B',
    });
    expect(reply.body).toEqual({ ...contact, first_name: 'B', updated_at: expect.any(String) });
  });

  test('the last identifier of a contact can be replaced but not cleared', async () => {
    const { id, unique_id } = await aContact();
    const cleared = await team.patch(`${path}/${id}`, { unique_id: null });
    expect(problemsOf(cleared)).toEqual([['validation_failed', 'identity_required', '']]);
    expect((await team.get(`${path}/${id}`)).body.unique_id).toBe(unique_id);
    const swapped = await team.patch(`${path}/${id}`, {
      unique_id: null,
      email: 'now@example.com',
    });
    expect(swapped.status).toBe(200);
    expect(swapped.body).not.toHaveProperty('unique_id');
  });

  test('a unique_id of another contact is refused with the id of that contact, and nothing is written', async () => {
    const holder = await aContact();
    const other = await aContact();
    const reply = await team.patch(`${path}/${other['id']}`, {
      unique_id: holder['unique_id'],
      first_name: 'X',
    });
    expect(reply.status).toBe(409);
    expect(reply.body.errors[0]).toMatchObject({
      code: 'unique_id_taken',
      meta: { id: holder['id'] },
    });
    expect((await team.get(`${path}/${other['id']}`)).body).toEqual(other);
    expect(await eventTypesOf(api, team, other['id'])).toEqual(['contact.created']);
  });

  test('exactly one of 20 contacts that set one unique_id at once succeeds', async () => {
    const contacts = await Promise.all(Array.from({ length: 20 }, () => aContact()));
    const unique_id = fresh();
    const replies = await Promise.all(
      contacts.map(({ id }) => team.patch(`${path}/${id}`, { unique_id })),
    );
    const winner = replies.find(({ status }) => status === 200);
    const refused = replies.filter(({ status }) => status === 409);
    expect(refused).toHaveLength(19);
    for (const { body } of refused) expect(body.errors[0].meta.id).toBe(winner?.body.id);
  });

  test('one of two changes to the same version succeeds and the other is refused with 412', async () => {
    const { id } = await aContact();
    const replies = await Promise.all(
      ['A', 'B'].map((first_name) =>
        team.patch(`${path}/${id}`, { first_name }, { 'If-Match': '"1"' }),
      ),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 412]);
    const refused = replies.find(({ status }) => status === 412);
    expect(refused?.body.errors[0]).toMatchObject({
      code: 'precondition_failed',
      meta: { current_etag: '"2"' },
    });
  });

  test('20 parallel merges of different attributes lose none', async () => {
    const { id } = await aContact();
    const keys = Array.from({ length: 20 }, (_, at) => `k${String(at)}`);
    await Promise.all(keys.map((key) => team.patch(`${path}/${id}`, { attributes: { [key]: 1 } })));
    expect(Object.keys((await team.get(`${path}/${id}`)).body.attributes)).toHaveLength(20);
  });
});

describe('the date of birth', () => {
  const birthDate = '1990-05-17';

  async function sensitive(): Promise<TestTeam['call']> {
    const { database } = api.db;
    const tokens = createTokenService(
      database,
      createSigningKeys(database, api.keyring),
      api.config.publicBaseUrl,
    );
    const token = await tokens.issue({
      teamId: team.id,
      clientId: team.clientId,
      scopes: ['read', 'write']
        .map((action) => `partner:contacts:${action}`)
        .concat('partner:contacts_sensitive:read'),
    });
    return (method, url, options = {}) =>
      api.call(method, url, {
        ...options,
        headers: { Authorization: `Bearer ${token}`, ...options.headers },
      });
  }

  test('is never shown to a token without the sensitive scope, and never stored or sent in clear text', async () => {
    const ordinary = await team.withScopes('partner:contacts:read', 'partner:contacts:write');
    const { body } = await ordinary.post(path, { unique_id: fresh(), date_of_birth: birthDate });
    const changed = await ordinary.patch(`${path}/${body.id}`, { date_of_birth: '1991-01-01' });
    const read = await ordinary.get(`${path}/${body.id}`);
    const list = await ordinary.get(`${path}?filter[unique_id]=${body.unique_id}`);
    const events = await eventsOf(api, team, body.id);
    expect(events.map(({ type }) => type)).toEqual(['contact.created', 'contact.updated']);
    for (const shown of [body, changed.body, read.body, list.body, events]) {
      expect(JSON.stringify(shown)).not.toMatch(/date_of_birth|199\d-\d\d-/);
    }
    const rows = await api.db.look(
      (sql) => sql<{ text: string }[]>`
      select to_jsonb(c)::text as text from contacts c where team_id = ${team.id} and id = ${body.id}`,
    );
    expect(rows[0]?.text).not.toContain('1991-01-01');
    expect(rows[0]?.text).toContain('sealed_date_of_birth');
  });

  test('is shown to a token with the scope, and can be sent back, changed and cleared', async () => {
    const call = await sensitive();
    const created = await call('POST', path, {
      body: { unique_id: fresh(), date_of_birth: birthDate },
    });
    expect(created.body.date_of_birth).toBe(birthDate);
    const at = `${path}/${created.body.id}`;
    const same = await call('PATCH', at, { body: created.body });
    expect(same.headers.get('etag')).toBe('"1"');
    const changed = await call('PATCH', at, { body: { date_of_birth: '1991-01-01' } });
    expect(changed.body.date_of_birth).toBe('1991-01-01');
    expect(changed.headers.get('etag')).toBe('"2"');
    expect((await call('GET', at)).body.date_of_birth).toBe('1991-01-01');
    const kept = await call('PATCH', at, { body: { first_name: 'A' } });
    expect(kept.body.date_of_birth).toBe('1991-01-01');
    const cleared = await call('PATCH', at, { body: { date_of_birth: null } });
    expect(cleared.body).not.toHaveProperty('date_of_birth');
  });

  test('is sealed in the stored answer of an idempotent request', async () => {
    const call = await sensitive();
    const options = {
      body: { unique_id: fresh(), date_of_birth: birthDate },
      headers: { 'Idempotency-Key': randomUUID() },
    };
    const first = await call('POST', path, options);
    const again = await call('POST', path, options);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.body).toEqual(first.body);
    const kept = await api.db.look(
      (sql) => sql<{ body: string }[]>`
      select body from idempotency_keys where team_id = ${team.id}`,
    );
    expect(kept.map(({ body }) => body).join()).not.toContain(birthDate);
  });
});

describe('deleting', () => {
  test('archives: 204, then 404 for every path of the contact and its accounts', async () => {
    const { id } = await aContact();
    const account = await team.post(`${path}/${id}/accounts`, { kind: 'loan' });
    expect((await team.delete(`${path}/${id}`)).status).toBe(204);
    const replies = await Promise.all([
      team.get(`${path}/${id}`),
      team.patch(`${path}/${id}`, { first_name: 'A' }),
      team.delete(`${path}/${id}`),
      team.get(`${path}/${id}/accounts`),
      team.post(`${path}/${id}/accounts`, { kind: 'loan' }),
      team.get(`/v2/partner/accounts/${account.body.id}`),
    ]);
    expect(replies.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404]);
    expect(await eventTypesOf(api, team, id)).toEqual(['contact.created', 'contact.deleted']);
  });

  test('frees the unique_id', async () => {
    const { id, unique_id } = await aContact();
    await team.delete(`${path}/${id}`);
    await aContact({ unique_id });
  });

  test('respects If-Match', async () => {
    const { id } = await aContact();
    const stale = await team.call('DELETE', `${path}/${id}`, { headers: { 'If-Match': '"7"' } });
    expect(stale.status).toBe(412);
    expect((await team.get(`${path}/${id}`)).status).toBe(200);
  });

  test('needs its own scope', async () => {
    const { id } = await aContact();
    const writer = await team.withScopes('partner:contacts:write');
    const reply = await writer.delete(`${path}/${id}`);
    expect(reply.status).toBe(401);
    expect(reply.body.errors[0].meta.required_scope).toBe('partner:contacts:delete');
  });
});

describe('events', () => {
  test('record each change once, in sequence, with the previous values', async () => {
    const contact = await aContact({ first_name: 'A', attributes: { a: 1 } });
    const at = `${path}/${contact['id']}`;
    const changed = await team.patch(at, { first_name: 'B', last_name: 'L', attributes: { b: 2 } });
    await team.delete(at);
    const events = await eventsOf(api, team, contact['id']);
    expect(events.map(({ type, sequence }) => [type, sequence])).toEqual([
      ['contact.created', 1],
      ['contact.updated', 2],
      ['contact.deleted', 3],
    ]);
    expect(events[0]?.data).toEqual(contact);
    expect(events[1]?.data).toEqual(changed.body);
    expect(events[1]?.previous).toEqual({ first_name: 'A', last_name: null, attributes: { a: 1 } });
    expect(events[2]?.data).toMatchObject({ id: contact['id'], status: 'archived' });
  });
});

describe('other teams', () => {
  test('cannot read, change, delete or list a contact, nor create accounts for it', async () => {
    const { id } = await aContact();
    const stranger = await api.newTeam();
    const replies = await Promise.all([
      stranger.get(`${path}/${id}`),
      stranger.patch(`${path}/${id}`, { first_name: 'X' }),
      stranger.delete(`${path}/${id}`),
      stranger.get(`${path}/${id}/accounts`),
      stranger.post(`${path}/${id}/accounts`, { kind: 'loan' }),
    ]);
    expect(replies.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
    expect((await stranger.get(path)).body.data).toEqual([]);
  });
});

describe('listing', () => {
  let listed: TestTeam;
  const ids: Record<string, string> = {};

  beforeAll(async () => {
    listed = await api.newTeam();
    const make = async (name: string, fields: object) => {
      ids[name] = (await aContact({ unique_id: name, ...fields }, listed))['id'];
    };
    await make('ann', {
      email: 'ann@x.example',
      last_name: 'Zed',
      tags: ['vip', 'new'],
      attributes: { plan: 'gold' },
    });
    await make('bob', {
      email: 'Bob@y.example',
      last_name: 'Abe',
      phone: '+14155550100',
      locale: 'de-DE',
    });
    await make('cid', { tags: ['new'], attributes: { plan: 'tin', n: 5 } });
    await make('dan', { email: 'dan@x.example', last_name: 'Kay' });
    await listed.delete(`${path}/${ids['dan']}`);
  });

  const namesOf = ({ body }: Reply) => body.data.map(({ unique_id }: any) => unique_id);

  test.each([
    ['', ['cid', 'bob', 'ann']],
    ['sort=inserted_at', ['ann', 'bob', 'cid']],
    ['sort=last_name', ['bob', 'ann', 'cid']],
    ['sort=-email', ['cid', 'ann', 'bob']],
    ['sort=updated_at', ['ann', 'bob', 'cid']],
    ['sort=last_engaged_at,inserted_at', ['ann', 'bob', 'cid']],
    ['filter[unique_id]=bob', ['bob']],
    ['filter[unique_id][in]=ann,cid', ['cid', 'ann']],
    ['filter[email]=Bob@y.example', ['bob']],
    ['filter[email][ends_with]=@X.example', ['ann']],
    ['filter[email][missing]=true', ['cid']],
    ['filter[phone]=%2B14155550100', ['bob']],
    ['filter[locale]=de-DE', ['bob']],
    ['filter[tags][contains]=new', ['cid', 'ann']],
    ['filter[tags][missing]=true', ['bob']],
    ['filter[attributes.plan]=gold', ['ann']],
    ['filter[attributes.n]=5', ['cid']],
    ['filter[attributes.plan][missing]=true', ['bob']],
    ['filter[email_status]=unknown', ['cid', 'bob', 'ann']],
    ['filter[status]=active', ['cid', 'bob', 'ann']],
    ['filter[status]=archived', ['dan']],
    ['filter[status][in]=active,archived&sort=inserted_at', ['ann', 'bob', 'cid', 'dan']],
    ['filter[last_engaged_at][present]=true', []],
    ['filter[inserted_at][gt]=2020-01-01T00:00:00Z', ['cid', 'bob', 'ann']],
  ])('?%s shows %j', async (query, names) => {
    const reply = await listed.get(`${path}?${query}`);
    expect(reply.status).toBe(200);
    expect(namesOf(reply)).toEqual(names);
  });

  test.each([
    ['sort=first_name', 'invalid_sort_field'],
    ['filter[first_name]=A', 'invalid_filter_field'],
    ['filter[date_of_birth]=1990-01-01', 'invalid_filter_field'],
    ['filter[sealed_date_of_birth]=x', 'invalid_filter_field'],
    ['filter[unique_id][contains]=a', 'invalid_filter_op'],
    ['include=completions', 'invalid_include'],
  ])('?%s is refused: %s', async (query, code) => {
    const reply = await listed.get(`${path}?${query}`);
    expect(reply.status).toBe(400);
    expect(reply.body.errors[0].code).toBe(code);
  });

  test('pages contain every contact once, forward and backward', async () => {
    const first = await listed.get(`${path}?page[size]=2&meta=count`);
    expect(first.body.meta).toEqual({ count: 3 });
    const next = await listed.get(
      `${path}?page[size]=2&page[after]=${first.body.page.next_cursor}`,
    );
    expect([namesOf(first), namesOf(next)]).toEqual([['cid', 'bob'], ['ann']]);
    const back = await listed.get(
      `${path}?page[size]=2&page[before]=${next.body.page.prev_cursor}`,
    );
    expect(namesOf(back)).toEqual(['cid', 'bob']);
  });

  test('include=accounts embeds the latest 25 accounts and reports a truncated list', async () => {
    const team = await api.newTeam();
    const { id } = await aContact({}, team);
    const { id: without } = await aContact({}, team);
    for (let number = 0; number < 26; number += 1) {
      await team.post(`${path}/${id}/accounts`, { kind: 'loan', unique_id: String(number) });
    }
    const { body } = await team.get(`${path}?include=accounts`);
    const [empty, full] = body.data;
    expect([empty.id, empty.relationships]).toEqual([without, { accounts: [] }]);
    expect(empty).not.toHaveProperty('truncated_relationships');
    expect(Object.keys(full.relationships)).toEqual(['accounts']);
    expect(full.relationships.accounts).toHaveLength(25);
    expect(full.truncated_relationships).toEqual(['accounts']);
    expect(full.relationships.accounts[0]).toMatchObject({
      type: 'account',
      unique_id: '25',
      contact_id: id,
    });
    expect(full.account_count).toBe(26);
  });

  test('include=cohorts embeds the cohorts of each contact, without archived ones', async () => {
    const team = await api.newTeam();
    const { id } = await aContact({}, team);
    await aContact({}, team);
    const [open, archived] = await Promise.all(
      ['Open', 'Archived'].map(async (name) => {
        const made = await team.post('/v2/partner/cohorts', { name, kind: 'static' });
        await team.post(`/v2/partner/cohorts/${made.body.id}/members/add`, { contact_ids: [id] });
        return made.body;
      }),
    );
    await team.post(`/v2/partner/cohorts/${archived.id}/archive`);
    const { body } = await team.get(`${path}?include=cohorts`);
    const shown = body.data.map((one: any) => one.relationships.cohorts.map((c: any) => c.id));
    expect(shown).toEqual([[], [open.id]]);
    const reader = await team.withScopes('partner:contacts:read');
    expect((await reader.get(`${path}?include=cohorts`)).status).toBe(401);
  });
});
