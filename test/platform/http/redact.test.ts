import { describe, expect, test } from '@jest/globals';
import { Type } from 'typebox';
import { Email } from '../../../src/platform/schema/email.ts';
import { Cents, Id, OneOf, Timestamp } from '../../../src/platform/schema/fields.ts';
import { maxShown, redactor, textRedactor } from '../../../src/platform/http/redact.ts';
import { endpoints } from '../../../src/app/endpoints.ts';

const id = '7b0e8a52-0a53-4a0c-9a63-0d1c2f6f4b11';
const Thing = Type.Object({
  id: Id(),
  email: Type.Optional(Email()),
  kind: OneOf(['deposit', 'loan']),
  balance_cents: Cents(),
  is_open: Type.Boolean(),
  opened_at: Type.Union([Timestamp(), Type.Null()]),
  tags: Type.Array(Type.String()),
  attributes: Type.Record(Type.String(), Type.Unknown()),
});
const thing = {
  id,
  email: 'ada@example.com',
  kind: 'loan',
  balance_cents: 1250,
  is_open: true,
  opened_at: '2026-01-05T00:00:00.000Z',
  tags: ['vip'],
  attributes: { income: 90_000, nick: 'Ada', vip: true, nothing: null },
};

test('ids, words, numbers, flags and times are shown, any other text by its length', () => {
  expect(JSON.parse(redactor(Thing)(thing))).toEqual({
    ...thing,
    email: '[15 characters]',
    tags: ['[3 characters]'],
    attributes: { income: '[number]', nick: '[3 characters]', vip: '[boolean]', nothing: null },
  });
});

test('a value that does not match the schema is shown by its form', () => {
  const wrong = {
    id: 'ada@example.com',
    kind: 'secret',
    opened_at: 'last night',
    balance_cents: '4155550100',
    password: { value: 'hunter2' },
    'ada@example.com': 1,
  };
  const shown = redactor(Thing)(wrong);
  expect(JSON.parse(shown)).toEqual({
    id: '[15 characters]',
    kind: '[6 characters]',
    opened_at: '[10 characters]',
    balance_cents: '[10 characters]',
    password: { value: '[7 characters]' },
    '[15 characters]': '[number]',
  });
});

test('a value without a schema is shown by its form', () => {
  expect(redactor(undefined)(['a', 1, { b: false }])).toBe(
    '["[1 characters]","[number]",{"b":"[boolean]"}]',
  );
});

test('a large value is cut', () => {
  const many = redactor(Type.Array(Id()))(Array.from({ length: 10_000 }, () => id));
  expect(many).toHaveLength(maxShown);
  expect(many.endsWith('…')).toBe(true);
});

describe('in a query string', () => {
  const shownAs = (schema: object, text: string) => textRedactor(schema)(text);
  test.each([
    [{ type: 'string', format: 'uuid' }, id, id],
    [{ type: 'string', format: 'uuid' }, 'ada', '[3 characters]'],
    [{ type: 'string', format: 'email' }, 'a@b.de', '[6 characters]'],
    [{ type: 'string' }, 'Ada', '[3 characters]'],
    [{ type: 'integer' }, '25', '25'],
    [{ type: 'integer' }, '+4155550100', '[11 characters]'],
    [{ type: 'boolean' }, 'true', 'true'],
    [{ type: 'array', items: { type: 'string', enum: ['a', '-a'] } }, '-a,x', '-a,[1 characters]'],
  ])('%j shows %s as %s', (schema, text, shown) => {
    expect(shownAs(schema, text)).toBe(shown);
  });
});

/** Every text in a schema that is none of the forms that are shown. */
function* freeTexts(schema: unknown): Generator {
  if (typeof schema !== 'object' || schema === null) return;
  const node: Record<string, unknown> = { ...schema };
  if (node['type'] === 'string' && !node['enum'] && !('const' in node)) {
    if (node['format'] !== 'uuid' && node['format'] !== 'date-time') yield node;
  }
  for (const child of Object.values(node)) yield* freeTexts(child);
}

test('no free text of any endpoint is shown', () => {
  const schemas = endpoints.flatMap(({ body, response }) => [body, response]);
  const texts = schemas.flatMap((schema) => [...freeTexts(schema)]);
  expect(texts.length).toBeGreaterThan(500);
  for (const text of texts) expect(redactor(text)('Ada Lovelace')).toBe('"[12 characters]"');
});
