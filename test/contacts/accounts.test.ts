import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { useTestApi } from '../support/use-test-api.ts';
import type { Reply, TestTeam } from '../support/api.ts';
import { eventsOf, eventTypesOf, subscribe } from '../support/recorded-events.ts';
import { maxCents } from '../../src/platform/schema/fields.ts';

const path = '/v2/partner/accounts';
const opened = '2026-01-10T09:00:00.000Z';
const closed = '2026-02-10T09:00:00.000Z';

const api = useTestApi();
let team: TestTeam;

beforeAll(async () => {
  team = await api.newTeam();
  await subscribe(api, team);
});

async function aContact(of = team): Promise<string> {
  const reply = await of.post('/v2/partner/contacts', { unique_id: `key-${randomUUID()}` });
  expect(reply.status).toBe(201);
  return reply.body.id;
}

const accountsOf = (contactId: string) => `/v2/partner/contacts/${contactId}/accounts`;

async function anAccount(fields: object = {}, contactId?: string): Promise<Record<string, any>> {
  const reply = await team.post(accountsOf(contactId ?? (await aContact())), {
    kind: 'deposit',
    ...fields,
  });
  expect(reply.status).toBe(201);
  return reply.body;
}

const problemsOf = ({ body }: Reply) =>
  body.errors.map(({ code, meta }: any) => [code, meta.rule, meta.pointer]);

describe('creating', () => {
  test('an account is answered with every written field and the server-owned fields', async () => {
    const contact_id = await aContact();
    const written = {
      unique_id: 'acc-1',
      name: 'Savings',
      kind: 'deposit',
      product_id: randomUUID(),
      opened_at: opened,
      balance_cents: -1250,
      is_primary: true,
      attributes: { branch: 'north' },
    };
    const reply = await team.post(accountsOf(contact_id), written);
    expect(reply.status).toBe(201);
    expect(reply.headers.get('location')).toBe(`${path}/${reply.body.id}`);
    expect(reply.body).toEqual({
      ...written,
      id: expect.any(String),
      type: 'account',
      team_id: team.id,
      contact_id,
      status: 'open',
      currency: 'USD',
      inserted_at: expect.any(String),
      updated_at: expect.any(String),
    });
    const read = await team.get(`${path}/${reply.body.id}`);
    expect(read.body).toEqual(reply.body);
    expect(read.headers.get('etag')).toBe(reply.headers.get('etag'));
    expect((await team.get(`/v2/partner/contacts/${contact_id}`)).body.account_count).toBe(1);
  });

  test('an account needs only a kind, and its status is then pending', async () => {
    expect(await anAccount({ kind: 'other' })).toMatchObject({
      kind: 'other',
      status: 'pending',
      is_primary: false,
    });
  });

  test('the full resource of the interface document is accepted, with the contact of the path', async () => {
    const contactId = await aContact();
    const body = await anAccount(
      {
        id: randomUUID(),
        type: 'account',
        contact_id: randomUUID(),
        team_id: randomUUID(),
        status: 'closed',
        currency: 'EUR',
        inserted_at: opened,
        updated_at: opened,
      },
      contactId,
    );
    expect(body).toMatchObject({
      contact_id: contactId,
      team_id: team.id,
      status: 'pending',
      currency: 'USD',
    });
  });

  test('times are stored in UTC with milliseconds, and finer fractions are truncated', async () => {
    const account = await anAccount({
      opened_at: '2026-01-10T10:00:00.9999+01:00',
      product_id: randomUUID().toUpperCase(),
    });
    expect(account['opened_at']).toBe('2026-01-10T09:00:00.999Z');
  });

  test.each([-maxCents, 0, maxCents])(
    'a balance of %d cents is stored exactly',
    async (balance_cents) => {
      expect((await anAccount({ balance_cents }))['balance_cents']).toBe(balance_cents);
    },
  );

  test.each([
    ['required', '/kind', { kind: undefined }],
    ['type', '/kind', { kind: null }],
    ['enum', '/kind', { kind: 'mortgage' }],
    ['enum', '/type', { type: 'contact' }],
    ['unknown_field', '/iban', { iban: 'x' }],
    ['format', '/product_id', { product_id: 'x' }],
    ['format', '/opened_at', { opened_at: '2026-01-10' }],
    ['max_length', '/name', { name: 'x'.repeat(121) }],
    ['max_length', '/unique_id', { unique_id: 'x'.repeat(256) }],
    ['type', '/balance_cents', { balance_cents: 1.5 }],
    ['type', '/is_primary', { is_primary: null }],
    ['unknown_field', '/attributes/Bad Key', { attributes: { 'Bad Key': 1 } }],
    ['date_order', '/closed_at', { opened_at: closed, closed_at: opened }],
  ])('the rule %s refuses %s', async (rule, pointer, fields) => {
    const reply = await team.post(accountsOf(await aContact()), { kind: 'loan', ...fields });
    expect(reply.status).toBe(422);
    expect(problemsOf(reply)).toContainEqual([
      'validation_failed',
      rule === 'type' && pointer === '/kind' ? expect.any(String) : rule,
      pointer,
    ]);
  });

  test('a balance beyond 2^53−1 is refused', async () => {
    const reply = await team.call('POST', accountsOf(await aContact()), {
      raw: '{"kind":"loan","balance_cents":9007199254740993}',
    });
    expect([400, 422]).toContain(reply.status);
  });

  test('an account may open and close at the same time', async () => {
    expect((await anAccount({ opened_at: opened, closed_at: opened }))['status']).toBe('closed');
  });

  test('unique_id is unique among the accounts of a contact only', async () => {
    const contactId = await aContact();
    const first = await anAccount({ unique_id: 'one' }, contactId);
    await anAccount({ unique_id: 'one' });
    const reply = await team.post(accountsOf(contactId), { kind: 'loan', unique_id: 'one' });
    expect(reply.status).toBe(409);
    expect(reply.body.errors[0]).toMatchObject({
      code: 'unique_id_taken',
      meta: { id: first['id'] },
    });
  });

  test('exactly one of 20 parallel creates with one unique_id succeeds', async () => {
    const contactId = await aContact();
    const replies = await Promise.all(
      Array.from({ length: 20 }, () =>
        team.post(accountsOf(contactId), { kind: 'loan', unique_id: 'one' }),
      ),
    );
    const created = replies.filter(({ status }) => status === 201);
    const refused = replies.filter(({ status }) => status === 409);
    expect([created.length, refused.length]).toEqual([1, 19]);
    for (const { body } of refused) expect(body.errors[0].meta.id).toBe(created[0]?.body.id);
  });

  test('a contact has at most 200 accounts, even with parallel creates', async () => {
    const contactId = await aContact();
    await api.db.look(
      (sql) => sql`
      insert into accounts (team_id, contact_id, kind, currency)
      select ${team.id}, ${contactId}, 'loan', 'USD' from generate_series(1, 195)`,
    );
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => team.post(accountsOf(contactId), { kind: 'loan' })),
    );
    const refused = replies.filter(({ status }) => status === 422);
    expect(refused).toHaveLength(5);
    expect(refused[0]?.body.errors[0]).toMatchObject({
      code: 'quota_exceeded',
      meta: { quota: 'accounts_per_contact', limit: 200 },
    });
    const { body } = await team.get(`/v2/partner/contacts/${contactId}`);
    expect(body.account_count).toBe(200);
    const [some] = (await team.get(accountsOf(contactId))).body.data;
    await team.delete(`${path}/${some.id}`);
    await anAccount({}, contactId);
  });

  test.each([[randomUUID()], ['no-uuid']])('the contact %s does not exist: 404', async (id) => {
    expect((await team.post(accountsOf(id), { kind: 'loan' })).status).toBe(404);
  });

  test('a create that is repeated with its key is executed once', async () => {
    const contactId = await aContact();
    const headers = { 'Idempotency-Key': randomUUID() };
    const first = await team.post(accountsOf(contactId), { kind: 'loan' }, headers);
    const again = await team.post(accountsOf(contactId), { kind: 'loan' }, headers);
    expect(again.body).toEqual(first.body);
    expect((await team.get(accountsOf(contactId))).body.data).toHaveLength(1);
  });
});

describe('changing', () => {
  test('absent fields are unchanged, null clears, attributes are merged, other fields are replaced', async () => {
    const before = await anAccount({ name: 'A', balance_cents: 5, attributes: { a: 1, b: 2 } });
    const reply = await team.patch(`${path}/${before['id']}`, {
      name: null,
      kind: 'credit',
      attributes: { b: null, c: 3 },
    });
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({
      kind: 'credit',
      balance_cents: 5,
      attributes: { a: 1, c: 3 },
    });
    expect(reply.body).not.toHaveProperty('name');
    expect(reply.body.attributes).not.toHaveProperty('b');
    expect((await team.get(`${path}/${before['id']}`)).body).toEqual(reply.body);
  });

  test('the full resource sent back unchanged changes nothing and records no event', async () => {
    const account = await anAccount({
      product_id: randomUUID(),
      balance_cents: 1,
      attributes: { zz: 1, a: ['x'] },
    });
    const reply = await team.patch(`${path}/${account['id']}`, account);
    expect(reply.body).toEqual(account);
    expect(reply.headers.get('etag')).toBe('"1"');
    expect(await eventTypesOf(api, team, account['id'])).toEqual(['account.created']);
  });

  test('the same time in another zone is no change', async () => {
    const { id } = await anAccount({ opened_at: opened });
    const reply = await team.patch(`${path}/${id}`, { opened_at: '2026-01-10T10:00:00+01:00' });
    expect(reply.headers.get('etag')).toBe('"2"');
    expect(await eventTypesOf(api, team, id)).toEqual(['account.created', 'account.opened']);
  });

  test('server-owned fields are ignored: an account remains with its contact', async () => {
    const account = await anAccount();
    const reply = await team.patch(`${path}/${account['id']}`, {
      contact_id: await aContact(),
      status: 'closed',
      currency: 'EUR',
    });
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual(account);
  });

  test('a unique_id of another account of the contact is refused with the id of that account', async () => {
    const contactId = await aContact();
    const holder = await anAccount({ unique_id: 'one' }, contactId);
    const other = await anAccount({ unique_id: 'two' }, contactId);
    const reply = await team.patch(`${path}/${other['id']}`, { unique_id: 'one' });
    expect(reply.status).toBe(409);
    expect(reply.body.errors[0]).toMatchObject({
      code: 'unique_id_taken',
      meta: { id: holder['id'] },
    });
    expect((await team.get(`${path}/${other['id']}`)).body).toEqual(other);
  });

  test('one of two changes to the same version succeeds and the other is refused with 412', async () => {
    const { id } = await anAccount();
    const replies = await Promise.all(
      [1, 2].map((balance_cents) =>
        team.patch(`${path}/${id}`, { balance_cents }, { 'If-Match': '"1"' }),
      ),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 412]);
  });

  test('a stale version is refused before the validation rules', async () => {
    const { id } = await anAccount();
    const reply = await team.patch(`${path}/${id}`, { closed_at: closed }, { 'If-Match': '"9"' });
    expect(reply.status).toBe(412);
  });
});

describe('the states of an account', () => {
  const pending = {};
  const open = { opened_at: opened };
  const shut = { opened_at: opened, closed_at: closed };
  const neverOpened = { closed_at: closed };

  test.each([
    ['pending', 'opens', pending, { opened_at: opened }, 'open', 'account.opened'],
    ['pending', 'opens and closes', pending, shut, 'closed', 'account.closed'],
    ['pending', 'closes', pending, { closed_at: closed }, 'closed', 'account.closed'],
    ['never opened', 'reopens', neverOpened, { closed_at: null }, 'pending', 'account.updated'],
    [
      'never opened',
      'has its opening added',
      neverOpened,
      { opened_at: opened },
      'closed',
      'account.updated',
    ],
    ['open', 'closes', open, { closed_at: closed }, 'closed', 'account.closed'],
    ['open', 'has its opening corrected', open, { opened_at: closed }, 'open', 'account.updated'],
    ['closed', 'reopens', shut, { closed_at: null }, 'open', 'account.updated'],
    ['closed', 'has its end corrected', shut, { closed_at: opened }, 'closed', 'account.updated'],
  ])('a PATCH of its stamps: a %s account %s', async (_, __, before, patch, status, event) => {
    const { id } = await anAccount(before);
    const told = (await eventsOf(api, team, id)).length;
    const reply = await team.patch(`${path}/${id}`, patch);
    expect(reply.status).toBe(200);
    expect(reply.body.status).toBe(status);
    const events = await eventsOf(api, team, id);
    expect(events.slice(told).map(({ type }) => type)).toEqual([event]);
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, at) => at + 1));
    expect(reply.headers.get('etag')).toBe(`"${String(events.length)}"`);
  });

  test.each([
    ['open', 'unopen', open, { opened_at: null }, ['close']],
    ['closed', 'unopen', { ...shut }, { opened_at: null }, ['reopen']],
  ])('a %s account does not %s by PATCH', async (state, action, before, patch, allowed_actions) => {
    const account = await anAccount(before);
    const reply = await team.patch(`${path}/${account['id']}`, patch);
    expect(reply.status).toBe(409);
    expect(reply.body.errors[0]).toMatchObject({
      code: 'invalid_state_transition',
      meta: { resource: 'account', state, action, allowed_actions },
    });
    expect((await team.get(`${path}/${account['id']}`)).body).toEqual(account);
  });

  test.each([
    [open, { closed_at: '2026-01-10T08:59:59.999Z' }],
    [shut, { opened_at: '2026-02-10T09:00:00.001Z' }],
  ])('%j cannot become %j: it would close before it opened', async (before, patch) => {
    const { id } = await anAccount(before);
    const reply = await team.patch(`${path}/${id}`, patch);
    expect(reply.status).toBe(422);
    expect(problemsOf(reply)).toEqual([['validation_failed', 'date_order', '/closed_at']]);
  });

  test('close sets the given time, or the current time', async () => {
    const { id } = await anAccount(open);
    const at = await team.post(`${path}/${id}/close`, { closed_at: closed });
    expect(at.status).toBe(200);
    expect(at.body).toMatchObject({ status: 'closed', closed_at: closed });
    const other = await anAccount(open);
    const now = await team.post(`${path}/${other['id']}/close`);
    expect(now.body.status).toBe('closed');
    expect(Math.abs(Date.parse(now.body.closed_at) - Date.now())).toBeLessThan(60_000);
  });

  test('close refuses a time before the opening, and unknown fields', async () => {
    const { id } = await anAccount(open);
    const early = await team.post(`${path}/${id}/close`, { closed_at: '2025-01-01T00:00:00Z' });
    expect(problemsOf(early)).toEqual([['validation_failed', 'date_order', '/closed_at']]);
    const unknown = await team.post(`${path}/${id}/close`, { reason: 'x' });
    expect(problemsOf(unknown)).toEqual([['validation_failed', 'unknown_field', '/reason']]);
  });

  test('reopen clears the closing time', async () => {
    const { id } = await anAccount(shut);
    const reply = await team.post(`${path}/${id}/reopen`);
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({ status: 'open', opened_at: opened });
    expect(reply.body).not.toHaveProperty('closed_at');
  });

  test.each([
    ['pending', 'reopen', pending, ['open', 'close']],
    ['open', 'reopen', open, ['close']],
    ['closed', 'close', shut, ['reopen']],
  ])('a %s account refuses to %s', async (state, action, fields, allowed_actions) => {
    const { id } = await anAccount(fields);
    const reply = await team.post(`${path}/${id}/${action}`);
    expect(reply.status).toBe(409);
    expect(reply.body.errors[0]).toMatchObject({
      code: 'invalid_state_transition',
      meta: { resource: 'account', state, action, allowed_actions },
    });
  });

  test('one of 10 parallel closes succeeds, and one event records it', async () => {
    const { id } = await anAccount(open);
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => team.post(`${path}/${id}/close`)),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(replies.filter(({ status }) => status === 409)).toHaveLength(9);
    expect(await eventTypesOf(api, team, id)).toEqual([
      'account.created',
      'account.opened',
      'account.closed',
    ]);
  });

  test('events contain the account as answered and the previous values', async () => {
    const { id } = await anAccount(open);
    const { body } = await team.patch(`${path}/${id}`, { closed_at: closed, name: 'N' });
    const events = await eventsOf(api, team, id);
    expect(events[1]?.previous).toEqual({ opened_at: null, status: 'pending' });
    expect(events[2]?.data).toEqual(body);
    expect(events[2]?.previous).toEqual({ closed_at: null, name: null, status: 'open' });
  });
});

describe('deleting', () => {
  test('is soft: 204, then 404, and neither list nor count shows it', async () => {
    const contactId = await aContact();
    const { id } = await anAccount({ unique_id: 'one' }, contactId);
    expect((await team.delete(`${path}/${id}`)).status).toBe(204);
    const replies = await Promise.all([
      team.get(`${path}/${id}`),
      team.patch(`${path}/${id}`, { name: 'A' }),
      team.delete(`${path}/${id}`),
      team.post(`${path}/${id}/close`),
      team.post(`${path}/${id}/reopen`),
    ]);
    expect(replies.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
    expect((await team.get(accountsOf(contactId))).body.data).toEqual([]);
    expect((await team.get(`${path}?filter[contact_id]=${contactId}`)).body.data).toEqual([]);
    expect((await team.get(`/v2/partner/contacts/${contactId}`)).body.account_count).toBe(0);
    await anAccount({ unique_id: 'one' }, contactId);
  });

  test('needs the delete scope of contacts', async () => {
    const { id } = await anAccount();
    const writer = await team.withScopes('partner:contacts:write', 'partner:contacts:read');
    const reply = await writer.delete(`${path}/${id}`);
    expect(reply.status).toBe(401);
    expect(reply.body.errors[0].meta.required_scope).toBe('partner:contacts:delete');
  });
});

test('another team can neither see, change, close, reopen nor delete an account', async () => {
  const { id } = await anAccount({ opened_at: opened });
  const stranger = await api.newTeam();
  const replies = await Promise.all([
    stranger.get(`${path}/${id}`),
    stranger.patch(`${path}/${id}`, { name: 'X' }),
    stranger.delete(`${path}/${id}`),
    stranger.post(`${path}/${id}/close`),
    stranger.post(`${path}/${id}/reopen`),
  ]);
  expect(replies.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
  expect((await stranger.get(path)).body.data).toEqual([]);
});

describe('listing', () => {
  let listed: TestTeam;
  let ann = '';
  let bob = '';
  const product_id = randomUUID();

  beforeAll(async () => {
    listed = await api.newTeam();
    ann = await aContact(listed);
    bob = await aContact(listed);
    const make = async (contactId: string, fields: object) => {
      expect((await listed.post(accountsOf(contactId), fields)).status).toBe(201);
    };
    await make(ann, { unique_id: 'a', kind: 'deposit', balance_cents: 300 });
    await make(ann, { unique_id: 'b', kind: 'loan', opened_at: opened, product_id });
    await make(bob, {
      unique_id: 'c',
      kind: 'loan',
      opened_at: '2025-01-01T00:00:00Z',
      closed_at: closed,
      balance_cents: -5,
    });
  });

  const namesOf = ({ body }: Reply) => body.data.map(({ unique_id }: any) => unique_id);

  test.each([
    ['', ['c', 'b', 'a']],
    ['sort=inserted_at', ['a', 'b', 'c']],
    ['sort=opened_at', ['c', 'b', 'a']],
    ['sort=-closed_at,inserted_at', ['a', 'b', 'c']],
    ['sort=balance_cents', ['c', 'a', 'b']],
    ['filter[unique_id]=b', ['b']],
    ['filter[kind]=loan', ['c', 'b']],
    ['filter[kind][nin]=loan,credit', ['a']],
    ['filter[status]=pending', ['a']],
    ['filter[status][in]=open,closed', ['c', 'b']],
    ['filter[opened_at][lt]=2026-01-01T00:00:00Z', ['c']],
    ['filter[closed_at][missing]=true', ['b', 'a']],
    ['filter[balance_cents][gte]=0', ['a']],
    ['filter[product_id][present]=true', ['b']],
  ])('?%s shows %j', async (query, names) => {
    const reply = await listed.get(`${path}?${query}`);
    expect(reply.status).toBe(200);
    expect(namesOf(reply)).toEqual(names);
  });

  test('filters find the accounts of a contact and of a product', async () => {
    expect(namesOf(await listed.get(`${path}?filter[contact_id]=${ann}`))).toEqual(['b', 'a']);
    expect(namesOf(await listed.get(`${path}?filter[product_id]=${product_id}`))).toEqual(['b']);
  });

  test('the list below a contact shows only its accounts, page by page', async () => {
    const first = await listed.get(`${accountsOf(ann)}?page[size]=1&meta=count`);
    expect(namesOf(first)).toEqual(['b']);
    expect(first.body.meta).toEqual({ count: 2 });
    const next = await listed.get(
      `${accountsOf(ann)}?page[size]=1&page[after]=${first.body.page.next_cursor}`,
    );
    expect(namesOf(next)).toEqual(['a']);
    expect((await listed.get(accountsOf(randomUUID()))).status).toBe(404);
  });

  test('include=contact embeds the contact, without its date of birth', async () => {
    await listed.patch(`/v2/partner/contacts/${ann}`, { date_of_birth: '1990-05-17' });
    const { body } = await listed.get(`${path}?include=contact`);
    expect(body.data.map(({ relationships }: any) => relationships.contact.id)).toEqual([
      bob,
      ann,
      ann,
    ]);
    expect(body.data[1].relationships.contact).toMatchObject({ type: 'contact', account_count: 2 });
    expect(JSON.stringify(body)).not.toContain('date_of_birth');
  });

  test.each([
    ['sort=name', 'invalid_sort_field'],
    ['filter[name]=A', 'invalid_filter_field'],
    ['filter[status]=archived', 'invalid_filter_value'],
    ['include=journeys', 'invalid_include'],
  ])('?%s is refused: %s', async (query, code) => {
    const reply = await listed.get(`${path}?${query}`);
    expect(reply.status).toBe(400);
    expect(reply.body.errors[0].code).toBe(code);
  });
});
