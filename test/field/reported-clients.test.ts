import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import { verdictOf } from '../contract/answers.ts';
import type { TestTeam } from '../support/api.ts';
import { useTestApi } from '../support/use-test-api.ts';

// Public bug reports of those who call the interfaces of other products; README.md lists them.

const api = useTestApi();
const contacts = '/v2/partner/contacts';
let team: TestTeam;

beforeAll(async () => {
  team = await api.newTeam();
  for (const last_name of ['Boole', 'Gödel', 'Hopper']) {
    await team.post(contacts, { unique_id: randomUUID(), last_name });
  }
});

const namesIn = ({ body }: { body: { data: { last_name: string }[] } }) =>
  body.data.map(({ last_name }) => last_name);

test.each(['page[size]=2', 'page%5Bsize%5D=2', 'page%5bsize%5d=2', 'page%5Bsize%5D%3D2'])(
  'a page is asked for by %s',
  async (query) => {
    const reply = await team.get(`${contacts}?sort=last_name&${query}`);
    // The last one encodes "=" as well: a parameter of another name.
    if (query.endsWith('%3D2')) expect(verdictOf(reply)).toBe('400 invalid_query_parameter');
    else expect(namesIn(reply)).toEqual(['Boole', 'Gödel']);
  },
);

test('a cursor holds for its list and order alone, and as it was given', async () => {
  const first = await team.get(`${contacts}?sort=last_name&page[size]=1`);
  const after = String(first.body.page.next_cursor);
  const ask = (path: string, cursor: string, sort = 'last_name') =>
    team.get(`${path}?sort=${sort}&page[size]=1&page[after]=${encodeURIComponent(cursor)}`);
  expect(namesIn(await ask(contacts, after))).toEqual(['Gödel']);
  const refused = [
    ask(contacts, `${after}!`),
    ask(contacts, after.slice(0, -1)),
    ask(contacts, '5'),
    ask(contacts, after, '-last_name'),
    ask(contacts, after, 'last_name,email'),
    ask('/v2/partner/templates', after, 'inserted_at'),
  ];
  for (const reply of await Promise.all(refused)) {
    expect(verdictOf(reply)).toBe('410 cursor_invalid');
  }
});

test.each(['0', '-1', '1.5', '1e2', 'ten', ''])('a page of %j rows is refused', async (size) => {
  const reply = await team.get(`${contacts}?page[size]=${size}`);
  expect(verdictOf(reply)).toBe('400 invalid_page_size');
});

test.each([
  'application/json; charset=utf-8',
  'application/json;charset=UTF-8',
  'application/json; charset="utf-8"',
  'application/json; utf-8',
  'APPLICATION/JSON',
])('a body of the type %s is taken', async (type) => {
  const body = JSON.stringify({ unique_id: randomUUID(), first_name: 'Zoë' });
  const reply = await team.call('POST', contacts, { raw: body, headers: { 'Content-Type': type } });
  expect(verdictOf(reply)).toBe('201');
  expect(reply.body.first_name).toBe('Zoë');
});

test('a body in another character set is refused, not misread', async () => {
  const bytes = Buffer.from(
    JSON.stringify({ unique_id: randomUUID(), first_name: 'Zoë' }),
    'latin1',
  );
  const reply = await team.call('POST', contacts, {
    ...{ raw: bytes, headers: { 'Content-Type': 'application/json; charset=cp1252' } },
  });
  expect([400, 415]).toContain(reply.status);
});

test('a token answers as RFC 6749 says, and its scheme has no case', async () => {
  const form = new URLSearchParams({
    ...{ grant_type: 'client_credentials', client_id: team.clientId },
    client_secret: team.clientSecret,
  });
  const { body } = await api.call('POST', '/oauth2/token', {
    raw: form.toString(),
    headers: { 'Content-Type': 'application/x-www-form-urlencoded; charset=UTF-8' },
  });
  expect(body).toMatchObject({ token_type: 'Bearer', expires_in: expect.any(Number) });
  for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
    const headers = { Authorization: `${scheme} ${String(body.access_token)}` };
    expect((await api.call('GET', contacts, { headers })).status).toBe(200);
  }
});

test('a key in quotes, as the draft of the header writes it, is a key like another', async () => {
  const body = { unique_id: randomUUID() };
  const key = `"${randomUUID()}"`;
  const [first, second] = [
    await team.post(contacts, body, { 'Idempotency-Key': key }),
    await team.post(contacts, body, { 'Idempotency-Key': key }),
  ];
  expect([first.status, second.status]).toEqual([201, 201]);
  expect(second.body.id).toBe(first.body.id);
  expect(second.headers.get('idempotent-replayed')).toBe('true');
});
