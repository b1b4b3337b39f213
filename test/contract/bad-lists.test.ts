import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { useTestApi } from '../support/use-test-api.ts';
import type { TestTeam } from '../support/api.ts';
import { codesOf, expectHouseForm, verdictOf } from './answers.ts';

const api = useTestApi();
let team: TestTeam;
let cursor: string;

const contacts = '/v2/partner/contacts';
const lastNames = ['Ada', 'ada', 'Bob', '100%', 'a_b', 'c:\\x'];

beforeAll(async () => {
  team = await api.newTeam();
  for (const last_name of lastNames) {
    await team.post(contacts, { unique_id: randomUUID(), last_name, email: 'a@example.com' });
  }
  const page = await team.get(`${contacts}?page[size]=2`);
  cursor = String(page.body.page.next_cursor);
});

const list = (query: string, caller = team) => caller.get(`${contacts}?${query}`);

describe('an invalid list query is refused with the reason', () => {
  test.each([
    ['sort=', 'invalid_sort_field'],
    ['sort=,', 'invalid_sort_field'],
    ['sort=-', 'invalid_sort_field'],
    ['sort=--email', 'invalid_sort_field'],
    ['sort=+email', 'invalid_sort_field'],
    ['sort=email,email', 'invalid_sort_field'],
    ['sort=email,-email', 'invalid_sort_field'],
    ['sort=EMAIL', 'invalid_sort_field'],
    ['sort=nothing', 'invalid_sort_field'],
    ['sort=email,nothing', 'invalid_sort_field'],
    ['sort=unique_id', 'invalid_sort_field'],
    ['sort=sealed_date_of_birth', 'invalid_sort_field'],
    ['sort=id', 'invalid_sort_field'],
    ['sort=team_id', 'invalid_sort_field'],
    ['sort=email;drop table contacts', 'invalid_sort_field'],
    ['sort=email&sort=-email', 'invalid_sort_field'],
    ['filter[nothing]=1', 'invalid_filter_field'],
    ['filter[team_id]=1', 'invalid_filter_field'],
    ['filter[sealed_date_of_birth]=1', 'invalid_filter_field'],
    ['filter[lock_version]=1', 'invalid_filter_field'],
    ['filter=1', 'invalid_filter_field'],
    ['filter[]=1', 'invalid_filter_field'],
    ['filter[email=1', 'invalid_filter_field'],
    ['filter[email][eq][x]=1', 'invalid_filter_op'],
    ['filter[email][]=1', 'invalid_filter_op'],
    ['filter[email][EQ]=1', 'invalid_filter_op'],
    ['filter[email][like]=1', 'invalid_filter_op'],
    ['filter[inserted_at][contains]=1', 'invalid_filter_op'],
    ['filter[email][gt]=1', 'invalid_filter_op'],
    ['filter[nothing][like]=1', 'invalid_filter_field'],
    ['filter[status]=nothing', 'invalid_filter_value'],
    ['filter[inserted_at]=2026-13-01T00:00:00Z', 'invalid_filter_value'],
    ['filter[inserted_at]=2026-02-30T00:00:00Z', 'invalid_filter_value'],
    ['filter[inserted_at]=2026-01-01', 'invalid_filter_value'],
    ['filter[inserted_at]=2026-01-01T00:00:00', 'invalid_filter_value'],
    ['filter[inserted_at]=2026-01-01T00:00:00+00:00', 'invalid_filter_value'],
    ['filter[inserted_at][gt]=2020-01-01T00:00:00+0000', 'invalid_filter_value'],
    ['filter[inserted_at]=infinity', 'invalid_filter_value'],
    ['filter[inserted_at]=now', 'invalid_filter_value'],
    ['filter[inserted_at]=%2B294277-01-01T00:00:00Z', 'invalid_filter_value'],
    ['filter[email][present]=maybe', 'invalid_filter_value'],
    ['filter[email]=a%00b', 'invalid_filter_value'],
    ['filter[email][in]=', 'invalid_filter_value'],
    [`filter[email][in]=${[...Array(101).keys()].join(',')}`, 'invalid_filter_value'],
    ['page[size]=0', 'invalid_page_size'],
    ['page[size]=-1', 'invalid_page_size'],
    ['page[size]=1.5', 'invalid_page_size'],
    ['page[size]=1e2', 'invalid_page_size'],
    ['page[size]=abc', 'invalid_page_size'],
    ['page[size]=', 'invalid_page_size'],
    ['page[size]=101', 'invalid_page_size'],
    ['page[size]=9999999999999999999', 'invalid_page_size'],
    ['page[size]=10&page[size]=10', 'invalid_page_size'],
    ['page[size]=%2010', 'invalid_page_size'],
    ['include=nothing', 'invalid_include'],
    ['include=accounts.contact', 'invalid_include'],
    ['include=accounts&include=accounts', 'invalid_include'],
    ['meta=other', 'invalid_meta'],
    ['meta=', 'invalid_meta'],
    ['meta=count&meta=count', 'invalid_meta'],
    ['page=1', 'invalid_query_parameter'],
    ['page[number]=1', 'invalid_query_parameter'],
    ['limit=10', 'invalid_query_parameter'],
    ['email=a', 'invalid_query_parameter'],
    ['Sort=email', 'invalid_query_parameter'],
    ['=1', 'invalid_query_parameter'],
  ])('%s', async (query, code) => {
    const reply = await list(query);
    expectHouseForm(reply);
    expect(reply.status).toBe(400);
    expect(codesOf(reply)[0]).toBe(code);
    expect(reply.body.errors[0].meta.parameter).toEqual(expect.any(String));
  });

  test('names every problem at once', async () => {
    const reply = await list('sort=x&filter[y]=1&filter[email][like]=1&page[size]=0&meta=z&q=1');
    expect(codesOf(reply).sort()).toEqual([
      'invalid_filter_field',
      'invalid_filter_op',
      'invalid_meta',
      'invalid_page_size',
      'invalid_query_parameter',
      'invalid_sort_field',
    ]);
  });
});

describe('an unusual but unambiguous list query is answered', () => {
  test.each([
    ['filter%5Blast_name%5D=x', undefined],
    ['filter%5Bemail%5D%5Bcontains%5D=example', 6],
    ['filter[email]=a@example.com&filter[email]=b@example.com', 0],
    ['filter[email]=', 0],
    ['filter[email][in]=a@example.com,a@example.com', 6],
    ['filter[email][starts_with]=%25', 0],
    ['filter[email][contains]=_', 0],
    ['filter[email][contains]=\\', 0],
    ["filter[email]=' or 1=1 --", 0],
    ['filter[inserted_at][gt]=2020-01-01t00:00:00z', 6],
    ['filter[inserted_at][gt]=2020-01-01T00:00:00%2B00:00', 6],
    ['filter[inserted_at][gt]=2020-01-01T00:00:00%2B0000', 6],
    ['filter[inserted_at][gt]=2020-01-01T00:00:00-0330', 6],
    ['filter[inserted_at][gt]=0001-01-01T00:00:00Z', 6],
    ['filter[inserted_at][lt]=9999-12-31T23:59:59Z', 6],
    ['filter[inserted_at][gt]=2020-01-01T00:00:00.123456789Z', 6],
    ['filter[email]=%ff', 0],
    ['page[size]=100', 6],
    ['include=', 6],
    ['include=accounts,accounts', 6],
  ])('%s', async (query, count) => {
    const reply = await list(query);
    expectHouseForm(reply);
    if (count === undefined) return;
    expect(reply.status).toBe(200);
    expect(reply.body.data).toHaveLength(count);
    expect(reply.body.meta).toBeUndefined();
  });

  test('a HEAD request has the headers of a GET, and a path is taken literally', async () => {
    const head = await team.call('HEAD', contacts);
    expect([head.status, head.body]).toEqual([200, undefined]);
    for (const path of [
      `${contacts}/`,
      '/v2/partner//contacts',
      '/V2/partner/contacts',
      '/v2/partner/Contacts',
    ]) {
      expect(verdictOf(await team.get(path))).toMatch(/^404 (route_)?not_found$/);
    }
  });
});

describe('a cursor that was not issued for this list is 410 cursor_invalid', () => {
  const ask = (value: string, query = '', caller = team) =>
    list(`page[after]=${encodeURIComponent(value)}${query}`, caller);

  test('an unaltered cursor works, also with another size, count or include', async () => {
    for (const query of ['', '&page[size]=1', '&meta=count', '&include=accounts']) {
      expect((await ask(cursor, query)).status).toBe(200);
    }
  });

  test('after and before exclude each other', async () => {
    const reply = await ask(cursor, `&page[before]=${cursor}`);
    expect(verdictOf(reply)).toBe('400 invalid_page_params');
    expect(verdictOf(await ask(cursor, `&page[after]=${cursor}`))).toBe('400 invalid_page_params');
  });

  test('altered in any way', async () => {
    const text = Buffer.from(cursor, 'base64').toString();
    const encode = (changed: string) => Buffer.from(changed).toString('base64');
    const altered = [
      '',
      'garbage',
      '%00',
      '=',
      `${cursor}A`,
      `${cursor} `,
      `${cursor}====`,
      cursor.slice(1),
      cursor.slice(0, -4),
      cursor.slice(0, 20),
      encodeURIComponent(encodeURIComponent('+/=')),
      'A'.repeat(10_000),
      encode(text.replace('Contacts', 'Templates')),
      encode(text.replace(/"p":\[.*\]/, '"p":[]')),
      encode(text.replace(/\.[0-9a-f]{32}\./, `.${'0'.repeat(32)}.`)),
      encode(text.replace(/^1\./, '2.')),
      encode(text.replace(/^1\.[^.]+/, '1.none')),
      encode('{"o":"listContacts"}'),
      encode('null'),
      Buffer.from(cursor, 'base64').toString('base64url').split('').reverse().join(''),
    ];
    for (let at = 0; at < cursor.length; at += 7) {
      const other = cursor[at] === 'A' ? 'B' : 'A';
      altered.push(`${cursor.slice(0, at)}${other}${cursor.slice(at + 1)}`);
    }
    for (const value of altered) {
      const reply = await ask(value);
      expectHouseForm(reply);
      expect([value, verdictOf(reply)]).toEqual([value, '410 cursor_invalid']);
      expect(reply.body.errors[0].meta.reason).toEqual(expect.any(String));
    }
  });

  test('on another list, of another team, with another sort or other filters', async () => {
    const stranger = await api.newTeam();
    expect(verdictOf(await ask(cursor, '', stranger))).toBe('410 cursor_invalid');
    for (const query of [
      '&sort=email',
      '&sort=inserted_at',
      '&filter[email]=a',
      '&filter[status][in]=active',
    ]) {
      expect(verdictOf(await ask(cursor, query))).toBe('410 cursor_invalid');
    }
    for (const path of ['/v2/partner/accounts', '/v2/partner/webhook-subscriptions']) {
      const reply = await team.get(`${path}?page[after]=${cursor}`);
      expect(verdictOf(reply)).toBe('410 cursor_invalid');
    }
  });

  test('but the order and the values of filters may differ', async () => {
    const first = await list('filter[status]=active&filter[email][contains]=a&page[size]=1');
    const next = String(first.body.page.next_cursor);
    const again = await ask(next, '&filter[email][contains]=x&filter[status][eq]=active');
    expect(again.status).toBe(200);
  });
});

test('an include needs the read scope of the included resource', async () => {
  const client = await team.withScopes('partner:contacts:read');
  expect((await client.get(`${contacts}?include=accounts`)).status).toBe(200);
});
