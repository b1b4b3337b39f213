import { expect, test } from '@jest/globals';
import { Type } from 'typebox';
import { HttpError } from '../../../src/platform/http/errors.ts';
import { bodyValidator } from '../../../src/platform/http/validate.ts';

const Body = Type.Object(
  {
    name: Type.String(),
    ids: Type.Array(Type.String({ format: 'uuid' })),
    notes: Type.Optional(
      Type.Union([Type.Null(), Type.Array(Type.Object({ at: Type.Integer() }))]),
    ),
    tags: Type.Optional(
      Type.Record(Type.String({ pattern: '^[a-z/]+$' }), Type.Array(Type.String())),
    ),
    groups: Type.Optional(Type.Array(Type.Object({ ids: Type.Array(Type.Integer()) }))),
    few: Type.Optional(Type.Array(Type.String(), { maxItems: 150 })),
  },
  { additionalProperties: false },
);
const validate = bodyValidator(Body);
const id = '654c01ac-d46b-4624-a153-b49813410cac';
const many = <Item>(item: Item) => Array.from({ length: 200 }, () => item);

function pointersOf(body: object): unknown[] {
  try {
    validate(body);
    return [];
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    return error.problems.map(({ meta }) => [meta?.['pointer'], meta?.['rule']]);
  }
}

test('the errors of a long list are named with their places', () => {
  expect(pointersOf({ name: 'a', ids: many(id) })).toEqual([]);
  expect(pointersOf({ name: 'a', ids: [...many(id), 'x', id, 7] })).toEqual([
    ['/ids/200', 'format'],
    ['/ids/202', 'type'],
  ]);
  const notes = [...many({ at: 1 }), { at: 'x' }, {}];
  expect(pointersOf({ name: 'a', ids: [], notes })).toEqual([
    ['/notes/200/at', 'type'],
    ['/notes/201/at', 'required'],
  ]);
});

test('long lists within maps, and within long lists, are found', () => {
  const tags = { good: many('x'), 'a/b': [...many('x'), 1] };
  expect(pointersOf({ name: 'a', ids: [], tags })).toEqual([['/tags/a~1b/200', 'type']]);
  const groups = [...many({ ids: [] }), { ids: [...many(1), 'x'] }];
  expect(pointersOf({ name: 'a', ids: [], groups })).toEqual([['/groups/200/ids/200', 'type']]);
});

test('errors beside a long list without errors are named', () => {
  expect(pointersOf({ name: 1, ids: many(id), other: true })).toEqual([
    ['/other', 'unknown_field'],
    ['/name', 'type'],
  ]);
  expect(pointersOf({ name: 'a', ids: many(id), few: many('x') })).toEqual([
    ['/few', 'max_length'],
  ]);
});
