import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { useTestApi } from '../support/use-test-api.ts';
import type { TestTeam } from '../support/api.ts';
import { expectHouseForm, verdictOf } from './answers.ts';

const api = useTestApi();
let team: TestTeam;
let accounts: string;

beforeAll(async () => {
  team = await api.newTeam();
  const contact = await team.post('/v2/partner/contacts', { unique_id: randomUUID() });
  accounts = `/v2/partner/contacts/${String(contact.body.id)}/accounts`;
});

const contacts = '/v2/partner/contacts';
const raw = (path: string, content: string | Uint8Array) =>
  team.call('POST', path, { raw: content, headers: { 'Content-Type': 'application/json' } });

describe('an amount that cannot be stored exactly is refused, never rounded', () => {
  test.each([
    ['9007199254740993', 400],
    ['-9007199254740993', 400],
    ['9007199254740991.4', 400],
    ['9007199254740992', 400],
    ['90071992547409910', 400],
    ['1e400', 400],
    ['-1e400', 400],
    ['1e-400', 400],
    ['100.000000000000000001', 400],
    ['1e16', 422],
    ['1.5', 422],
    ['"100"', 422],
    ['true', 422],
    ['[]', 422],
    ['NaN', 400],
    ['Infinity', 400],
    ['0x10', 400],
    ['01', 400],
    ['+1', 400],
    ['1_000', 400],
  ])('%s', async (amount, status) => {
    const reply = await raw(accounts, `{"kind":"deposit","balance_cents":${amount}}`);
    expectHouseForm(reply);
    expect(reply.status).toBe(status);
    const isNumber = /^-?[1-9]\d*(\.\d+)?(e-?\d+)?$/.test(amount);
    if (isNumber) expect(reply.body.errors[0].meta.pointer).toBe('/balance_cents');
  });

  test.each(['10000000000000', '-10000000000000', '0', '-0', '1e2', '5.0'])(
    '%s is stored',
    async (amount) => {
      const reply = await raw(accounts, `{"kind":"deposit","balance_cents":${amount}}`);
      expect(verdictOf(reply)).toBe('201');
      expect(reply.body.balance_cents).toBe(Number(amount) + 0);
      const read = await team.get(`/v2/partner/accounts/${String(reply.body.id)}`);
      expect(read.body.balance_cents).toBe(Number(amount) + 0);
    },
  );

  test.each([
    '1e400',
    '-1e400',
    '1e-400',
    '123456789012345678901',
    '9007199254740993',
    '0.12345678901234567890123',
    '0.30000000000000000001',
    '1.23456789e-320',
  ])('in a free field too, with the place of the value: %s', async (number) => {
    const before = '"a":{"x":[7]},"b/c~\\u0064":[[1,2],{"e":["f",0.1,';
    const reply = await raw(
      contacts,
      `{"unique_id":"${randomUUID()}","attributes":{${before}${number}]}]}}`,
    );
    expect(verdictOf(reply)).toBe('400 invalid_json');
    expect(reply.body.errors[0].meta.pointer).toBe('/attributes/b~1c~0d/1/e/2');
  });

  test.each([
    '0.1',
    '1e3',
    '1.50',
    '0.1000000000000000000',
    '1.7976931348623157e308',
    '-0',
    '5e-324',
  ])('a number that keeps its value is stored in a free field: %s', async (number) => {
    const reply = await raw(
      contacts,
      `{"unique_id":"${randomUUID()}","attributes":{"a":${number}}}`,
    );
    expect(verdictOf(reply)).toBe('201');
    expect(reply.body.attributes.a).toBe(Number(number) + 0);
  });
});

describe('text that Postgres cannot store is refused with its pointer', () => {
  test.each([
    ['NUL', '"a\\u0000b"'],
    ['a lone high surrogate', '"a\\ud800b"'],
    ['a lone low surrogate', '"\\udc00"'],
    ['surrogates the wrong way round', '"\\udc00\\ud800"'],
  ])('%s', async (_, text) => {
    const plain = await raw(contacts, `{"unique_id":"x","first_name":${text}}`);
    expect(verdictOf(plain)).toBe('422 validation_failed');
    expect(plain.body.errors[0].meta.pointer).toBe('/first_name');
    const nested = await raw(contacts, `{"unique_id":"x","attributes":{"a":["b",${text}]}}`);
    expect(verdictOf(nested)).toBe('422 validation_failed');
    expect(nested.body.errors[0].meta.pointer).toBe('/attributes/a/1');
    const key = await raw(contacts, `{"unique_id":"x","attributes":{${text}:1}}`);
    expect(verdictOf(key)).toBe('422 validation_failed');
  });

  test('all other text is read back unchanged', async () => {
    const texts = [
      '\u202eright to left',
      '\ufeffmark',
      '👩‍👩‍👧‍👦',
      "'; drop table contacts; --",
      '\\',
      '%_',
      '$1 ${x} {{y}}',
      '<script>',
      '\u0001\u001f\u007f\u0085\u2028',
      'e\u0301 é',
      '"quoted"',
      'null',
    ];
    for (const text of texts) {
      const made = await team.post(contacts, {
        unique_id: `${randomUUID()} ${text}`,
        last_name: text,
      });
      expect(verdictOf(made)).toBe('201');
      const read = await team.get(`${contacts}/${String(made.body.id)}`);
      expect(read.body.last_name).toBe(text);
    }
  });
});

describe('JSON that parsers read differently is refused', () => {
  const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
  const keys = (count: number) =>
    `{${Array.from({ length: count }, (_, at) => `"k${String(at)}":1`).join(',')}}`;
  test.each([
    ['the same key twice', '{"unique_id":"a","unique_id":"b"}'],
    ['the same key, once escaped', '{"unique_id":"a","unique\\u005fid":"b"}'],
    ['the same key twice, deep', '{"attributes":{"a":{"b":1,"b":2}}}'],
    ['1,000 levels of arrays', deep(1_000)],
    ['1,000 levels of objects', `${'{"a":'.repeat(1_000)}1${'}'.repeat(1_000)}`],
    ['a level too much', `{"attributes":${deep(32)}}`],
    ['100,000 levels that never close', '['.repeat(100_000)],
    ['20,000 keys', keys(20_000)],
    ['blanks', '  \n'],
    ['half an object', '{"unique_id":"a"'],
    ['two documents', '{} {}'],
    ['a comment', '{/* */}'],
    ['single quotes', "{'unique_id':'a'}"],
    ['a trailing comma', '{"unique_id":"a",}'],
    ['a control character in text', '{"unique_id":"a\nb"}'],
    ['a bad escape', '{"unique_id":"\\x41"}'],
    ['UTF-16', Buffer.from('{"unique_id":"a"}', 'utf16le')],
    ['invalid UTF-8', Buffer.from('7b22756e697175655f6964223a22ff227d', 'hex')],
    ['overlong UTF-8', Buffer.from('7b22756e697175655f6964223a22c080227d', 'hex')],
    ['a surrogate in UTF-8', Buffer.from('7b22756e697175655f6964223a22eda080227d', 'hex')],
  ])('%s', async (_, content) => {
    const reply = await raw(contacts, content);
    expectHouseForm(reply);
    expect(verdictOf(reply)).toBe('400 invalid_json');
  });

  test('more than 10,000 keys in one object are refused, and lists may have more in total', async () => {
    const validate = async (count: number) => {
      const batch = `{"operation_kind":"contacts.bulk_upsert","mapping":${keys(count)}}`;
      return verdictOf(await raw('/v2/batch/operations/validate', batch));
    };
    expect(await validate(10_000)).toBe('422 validation_failed');
    expect(await validate(10_001)).toBe('400 invalid_json');
  });

  test('a byte order mark is skipped', async () => {
    const reply = await raw(contacts, `\ufeff{"unique_id":"${randomUUID()}"}`);
    expect(verdictOf(reply)).toBe('201');
  });

  test.each([
    ['application/json; charset=utf-16'],
    ['application/json; charset=latin1'],
    ['text/json'],
    ['application/x-www-form-urlencoded'],
    ['multipart/form-data; boundary=x'],
    ['application/jsonp'],
    ['*/*'],
    [''],
  ])('the media type "%s" is refused', async (type) => {
    const headers = { 'Content-Type': type };
    const reply = await team.call('POST', contacts, { raw: '{"unique_id":"a"}', headers });
    expect(verdictOf(reply)).toBe('415 unsupported_media_type');
  });

  test.each([['application/json;charset=UTF-8'], ['APPLICATION/JSON ; charset="utf-8"']])(
    'the media type %s is accepted',
    async (type) => {
      const headers = { 'Content-Type': type };
      const content = JSON.stringify({ unique_id: randomUUID() });
      expect(verdictOf(await team.call('POST', contacts, { raw: content, headers }))).toBe('201');
    },
  );
});

describe('a name with a meaning in JavaScript has none in the API:', () => {
  const names = [
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'hasOwnProperty',
    '__defineGetter__',
  ];

  test.each(names)('%s is an unknown field', async (name) => {
    const reply = await raw(
      contacts,
      `{"unique_id":"a","${name}":{"status":"archived","team_id":"x"}}`,
    );
    expect(verdictOf(reply)).toBe('422 validation_failed');
    expect(reply.body.errors).toHaveLength(1);
    expect(reply.body.errors[0].meta).toMatchObject({ pointer: `/${name}`, rule: 'unknown_field' });
  });

  test('as an attribute key it is refused or stored, without an effect', async () => {
    for (const name of names) {
      const reply = await raw(
        contacts,
        `{"unique_id":"${randomUUID()}","attributes":{"${name}":"x"}}`,
      );
      expect([201, 422]).toContain(reply.status);
      if (reply.status === 201)
        expect(Object.entries(reply.body.attributes)).toEqual([[name, 'x']]);
    }
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect('status' in {}).toBe(false);
  });

  test.each(names)(
    'as a query parameter, filter or path segment it has no effect: %s',
    async (name) => {
      for (const path of [
        `${contacts}?${name}=1`,
        `${contacts}?filter[${name}]=1`,
        `${contacts}?filter[${name}][eq]=1`,
        `${contacts}?filter[email][${name}]=1`,
        `${contacts}?filter[attributes.${name}]=1`,
        `${contacts}?sort=${name}`,
        `${contacts}?include=${name}`,
        `/v2/partner/${name}`,
        `/v2/${name}`,
        `/docs/errors/${name}`,
        `/docs/assets/${name}`,
      ]) {
        const reply = await team.get(path);
        expectHouseForm(reply);
        // "constructor" is a valid key of an attribute.
        if (!path.includes('attributes')) expect([400, 404]).toContain(reply.status);
      }
    },
  );
});
