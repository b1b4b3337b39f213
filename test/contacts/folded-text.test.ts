import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { foldingOf } from '../../src/platform/database/folded.ts';
import { aRequestable, anOrder } from '../messaging/a-requested-send.ts';
import { anUnboundedTeam } from '../support/sending-service.ts';
import { useTestApi } from '../support/use-test-api.ts';
import type { TestTeam } from '../support/api.ts';

// Text is compared regardless of case, and of composed or decomposed letters, in one way everywhere:
// by the function `folded` of the database.

const api = useTestApi();

test.each([
  ['ADA@EXAMPLE.COM', 'ada@example.com', true],
  ['Jürgen', 'JÜRGEN', true],
  ['Jürgen'.normalize('NFD'), 'JÜRGEN', true],
  ['Straße', 'STRASSE', true],
  ['ΣΊΣΥΦΟΣ', 'σίσυφος', true],
  ['ПРИВЕТ', 'привет', true],
  ['Ğ', 'ğ', true],
  ['ÃO', 'ão', true],
  ['ﬁn', 'FIN', true],
  ['e', 'é', false],
  ['ı', 'i', false],
  ['a', 'а', false],
  ['ａ', 'a', false],
])('%s is %s: %s', async (left, right, isSame) => {
  const [row] = await api.db.look<{ same: boolean }>(
    (sql) => sql`select folded(${left}) = folded(${right}) as same`,
  );
  expect(row?.same).toBe(isSame);
});

test('the service folds text as the database does', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(fc.string(), fc.string({ unit: 'grapheme' })), { maxLength: 5 }),
      async (given) => {
        const texts = given.map((text) => text.replaceAll('\0', ''));
        const folded = await api.db.database.read((sql) => foldingOf(sql, texts));
        const rows = await api.db.look<{ form: string }>(
          (sql) => sql`select folded(text) as form from unnest(${texts}::text[]) as text`,
        );
        expect(texts.map(folded)).toEqual(rows.map(({ form }) => form));
      },
    ),
    { numRuns: 50 },
  );
});

const anEmail = () => `${randomUUID().slice(0, 8)}.Unal@Example.com`;
const contacts = '/v2/partner/contacts';
const suppressions = '/v2/partner/suppressions';

async function made(team: TestTeam, path: string, body: object): Promise<any> {
  const reply = await team.post(path, body);
  if (reply.status >= 300) throw new Error(JSON.stringify(reply.body));
  return reply.body;
}

const emailStatusOf = async (team: TestTeam, id: unknown) =>
  (await team.get(`${contacts}/${String(id)}`)).body.email_status;

test('a suppression holds for its address in any letter case, for contacts now and later', async () => {
  const team = await api.newTeam();
  const email = anEmail();
  const before = await made(team, contacts, { email });
  const suppression = await made(team, suppressions, {
    ...{ channel: 'email', address: email.toUpperCase(), reason: 'complaint' },
  });
  expect(await emailStatusOf(team, before.id)).toBe('complained');
  const later = await made(team, contacts, { email: email.toLowerCase() });
  expect(later.email_status).toBe('complained');
  const changed = await made(team, contacts, { unique_id: 'x' });
  await team.patch(`${contacts}/${String(changed.id)}`, { email });
  expect(await emailStatusOf(team, changed.id)).toBe('complained');

  const again = { channel: 'email', address: email.toLowerCase(), reason: 'complaint' };
  const repeated = await team.post(suppressions, again);
  expect([repeated.status, repeated.body.id]).toEqual([200, suppression.id]);
  expect((await team.delete(`${suppressions}/${String(suppression.id)}`)).status).toBe(204);
  for (const { id } of [before, later, changed]) {
    expect(await emailStatusOf(team, id)).toBe('unknown');
  }
});

test.each(['ada.case@example.com', 'ADA.CASE@EXAMPLE.COM', 'Ada.Case@Example.com'])(
  'no message is sent to Ada.Case@example.com while %s is suppressed',
  async (address) => {
    const team = await anUnboundedTeam(api);
    const { path } = await aRequestable(team);
    await made(team, suppressions, { channel: 'email', address });
    const { id: contact_id } = await made(team, contacts, { email: 'Ada.Case@example.com' });
    expect(await emailStatusOf(team, contact_id)).toBe('suppressed');
    const send = await made(team, path, { contact_id, data: anOrder() });
    expect(send).toMatchObject({ status: 'skipped', skip_reason: 'suppressed' });
  },
);

test('suppressions and contacts are found by their address in any letter case', async () => {
  const team = await api.newTeam();
  const email = 'Eve.Filter@Example.COM';
  await made(team, suppressions, { channel: 'email', address: email });
  await made(team, contacts, { email });
  for (const address of [
    email,
    email.toLowerCase(),
    email.toUpperCase(),
    'eve.FILTER@example.com',
  ]) {
    for (const query of [`=${address}`, `[in]=x@example.com,${address}`]) {
      const found = await team.get(`${suppressions}?filter[address]${query}`);
      expect([query, found.body.data.length]).toEqual([query, 1]);
      const people = await team.get(`${contacts}?filter[email]${query}`);
      expect([query, people.body.data.length]).toEqual([query, 1]);
    }
    for (const [op, value, count] of [
      ['eq', address, 1],
      ['in', [address], 1],
      ['neq', address, 0],
      ['nin', [address], 0],
    ]) {
      const definition = { field: 'contact.email', op, value };
      const { body } = await team.post('/v2/partner/cohorts/preview', { definition });
      expect([op, address, body.count]).toEqual([op, address, count]);
    }
  }
});

test('a change of letter case is no change of the address: what is known of it stays', async () => {
  const team = await api.newTeam();
  const email = anEmail();
  const contact = await made(team, contacts, { email, unique_id: 'ada' });
  await api.db.look(
    (sql) => sql`update contacts set email_status = 'bounced' where id = ${contact.id}`,
  );
  await team.patch(`${contacts}/${String(contact.id)}`, { email: email.toUpperCase() });
  expect(await emailStatusOf(team, contact.id)).toBe('bounced');
});

test('filters of lists and rules of cohorts find text in any letter case', async () => {
  const team = await api.newTeam();
  await made(team, contacts, { unique_id: 'a', email: 'JURGEN.Strasse@Example.com' });
  await made(team, contacts, { unique_id: 'b', last_name: 'ΣΊΣΥΦΟΣ', attributes: { city: 'São' } });
  const found = async (query: string) =>
    (await team.get(`${contacts}?${query}`)).body.data.map((one: any) => one.unique_id);
  const asked = (operator: string, text: string) =>
    found(`filter[email][${operator}]=${encodeURIComponent(text)}`);
  expect(await asked('contains', 'gen.STRASSE')).toEqual(['a']);
  expect(await asked('starts_with', 'jurgen')).toEqual(['a']);
  expect(await asked('ends_with', 'STRASSE@EXAMPLE.com')).toEqual(['a']);
  expect(await asked('ends_with', 'trasse@example.co')).toEqual([]);
  expect(await asked('eq', 'jurgen.strasse@example.com')).toEqual(['a']);
  expect(await asked('in', 'x@example.com,JURGEN.STRASSE@EXAMPLE.COM')).toEqual(['a']);
  expect(await asked('neq', 'jurgen.strasse@example.com')).toEqual(['b']);
  expect(await asked('nin', 'jurgen.strasse@example.com')).toEqual(['b']);
  expect(await found(`filter[attributes.city][contains]=${encodeURIComponent('SÃO')}`)).toEqual([
    'b',
  ]);
  const { body } = await team.post('/v2/partner/cohorts/preview', {
    definition: { field: 'contact.last_name', op: 'starts_with', value: 'σίσυ' },
  });
  expect(body.count).toBe(1);
});

describe('text of any alphabet is found in any letter case', () => {
  const names = [
    ...['Überblick Ärzte', 'überblick klein', 'Ελλάδα ΟΔΟΣ', 'Привет МИР'],
    ...['São Paulo', 'SÃO PAULO'],
  ];
  let team: TestTeam;
  beforeAll(async () => {
    team = await api.newTeam();
    for (const name of names) {
      await made(team, '/v2/partner/templates', { name });
      await made(team, contacts, { unique_id: name, attributes: { city: name } });
    }
  });

  test.each([
    ['überblick', 2],
    ['ÜBERBLICK', 2],
    ['u\u0308berblick', 2],
    ['ärzte', 1],
    ['ελλάδα', 1],
    ['οδοσ', 1],
    ['οδος', 1],
    ['привет', 1],
    ['ПРИВЕТ мир', 1],
    ['são', 2],
    ['SÃO', 2],
    ['paulo', 2],
    ['sao', 0],
    ['uberblick', 0],
  ])('%s', async (text, count) => {
    const value = encodeURIComponent(text);
    const found = async (path: string) => (await team.get(path)).body.data.length;
    expect(await found(`/v2/partner/templates?filter[name][contains]=${value}`)).toBe(count);
    expect(await found(`${contacts}?filter[attributes.city][contains]=${value}`)).toBe(count);
    const { body } = await team.post('/v2/partner/cohorts/preview', {
      definition: { field: 'contact.attributes.city', op: 'contains', value: text },
    });
    expect(body.count).toBe(count);
  });
});

test('names and addresses that are taken are taken in any letter case', async () => {
  const team = await api.newTeam();
  const definition = { field: 'contact.status', op: 'eq', value: 'active' };
  const cohort = { kind: 'dynamic', definition };
  await made(team, '/v2/partner/cohorts', { ...cohort, name: 'Große Kunden' });
  const taken = await team.post('/v2/partner/cohorts', { ...cohort, name: 'GROSSE KUNDEN' });
  expect(taken.status).toBe(409);
  const user = { role: 'viewer' };
  await made(team, '/v2/partner/users', { ...user, email: 'jurgen@bank.example' });
  const other = await team.post('/v2/partner/users', { ...user, email: 'JURGEN@bank.example' });
  expect(other.status).toBe(409);
});

test('a user may write the own address in another letter case', async () => {
  const team = await api.newTeam();
  const { id } = await made(team, '/v2/partner/users', {
    role: 'viewer',
    email: 'ada@bank.example',
  });
  const changed = await team.patch(`/v2/partner/users/${String(id)}`, {
    email: 'ADA@bank.example',
  });
  expect([changed.status, changed.body.email]).toEqual([200, 'ADA@bank.example']);
});

test('a contact is found by its address in any letter case, and made once for all of them', async () => {
  const team = await api.newTeam();
  const email = anEmail();
  const found = async (address: string) => {
    const path = '/v2/ipaas/operations/contacts.lookup/execute';
    const { results } = (await team.post(path, { items: [{ email: address }] })).body;
    return results[0].output.contacts.map((contact: any) => [contact.id, contact.asked]);
  };
  const { id } = await made(team, contacts, { email });
  expect(await found(email.toUpperCase())).toEqual([[id, undefined]]);

  const { path } = await aRequestable(team);
  const address = anEmail();
  const { status, body } = await team.post(`${path}/batch`, {
    sends: [email.toUpperCase(), address, address.toUpperCase()].map((one) => {
      return { email: one, data: anOrder() };
    }),
  });
  expect(status).toBe(202);
  const contactIds = body.results.map((result: any) => result.output.contact_id);
  expect([contactIds[0], contactIds[1]]).toEqual([id, contactIds[2]]);
  const all = (await team.get(`${contacts}?filter[email]=${address}`)).body.data;
  expect(all).toHaveLength(1);
});
