import { describe, expect, test } from '@jest/globals';
import { Type } from 'typebox';
import { HttpError } from '../../../src/platform/http/errors.ts';
import { readHeader } from '../../../src/operations/uploads/header.ts';
import type { Mapping } from '../../../src/operations/uploads/mapping.ts';

const nullable = (schema: Parameters<typeof Type.Union>[0][number]) =>
  Type.Optional(Type.Union([schema, Type.Null()]));
const input = Type.Object({
  id: Type.Optional(Type.Unknown({ readOnly: true })),
  unique_id: Type.String(),
  email: nullable(Type.String()),
  age: nullable(Type.Integer()),
  is_open: nullable(Type.Boolean()),
  tags: nullable(Type.Array(Type.String())),
  attributes: nullable(
    Type.Record(
      Type.String({ pattern: '^[a-z][a-z0-9_]{0,63}$' }),
      Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]),
    ),
  ),
  consents: Type.Optional(
    Type.Object({
      email: Type.Optional(
        Type.Object({
          status: Type.Enum(['subscribed', 'unsubscribed']),
          source: Type.Optional(Type.String()),
        }),
      ),
    }),
  ),
  objectives: Type.Optional(
    Type.Record(Type.String({ pattern: '^[a-z0-9]+(-[a-z0-9]+)*$' }), Type.Boolean()),
  ),
});

const keys = new Set(['direct-deposit']);
const itemOf = (columns: Record<string, string>, mapping: Mapping = {}) =>
  readHeader({ input }, Object.keys(columns), mapping, keys)(Object.values(columns));

function refusalsOf(header: readonly string[], mapping: Mapping = {}): string[] {
  try {
    readHeader({ input }, header, mapping, keys);
  } catch (error) {
    if (error instanceof HttpError) {
      return error.problems.map(({ detail, meta }) => `${String(meta?.['rule'])}: ${detail}`);
    }
    throw error;
  }
  return [];
}

describe('the cells of a record become the values of fields', () => {
  test('by the type of the field; an empty cell is no value', () => {
    const columns = { unique_id: '007', email: '', age: '42', is_open: 'Yes', tags: 'a; b;' };
    expect(itemOf(columns)).toEqual({ unique_id: '007', age: 42, is_open: true, tags: ['a', 'b'] });
    expect(itemOf({ unique_id: '1', tags: '["a;b"]' })).toEqual({ unique_id: '1', tags: ['a;b'] });
  });

  test('a text that is no value of the type remains text, and the schema refuses it', () => {
    const columns = { unique_id: '1', age: 'many', is_open: 'maybe' };
    expect(itemOf(columns)).toEqual(columns);
  });

  test('attributes are text, and dots lead into fields of fields', () => {
    const columns = {
      unique_id: '1',
      'attributes.zip': '01234',
      'attributes.vip': 'true',
      'consents.email.status': 'subscribed',
    };
    expect(itemOf(columns)).toEqual({
      unique_id: '1',
      attributes: { zip: '01234', vip: 'true' },
      consents: { email: { status: 'subscribed' } },
    });
  });

  test.each([
    ['true', true],
    ['T', true],
    ['yes', true],
    ['Y', true],
    ['1', true],
    ['on', true],
    ['x', true],
    ['false', false],
    ['f', false],
    ['No', false],
    ['n', false],
    ['0', false],
    ['off', false],
  ])('the key of an objective is a column, and %s is %s', (word, value) => {
    expect(itemOf({ unique_id: '1', 'direct-deposit': word })).toEqual({
      unique_id: '1',
      objectives: { 'direct-deposit': value },
    });
  });

  test('fields of the service are ignored, and so are columns that mapping omits', () => {
    const columns = { id: 'x', 'Customer No': '1', Remarks: 'nice' };
    const mapping = { 'Customer No': 'unique_id', Remarks: null };
    expect(itemOf(columns, mapping)).toEqual({ unique_id: '1' });
  });
});

describe('a column of yes and no is a consent', () => {
  const mapping = { 'Marketing OK': { channel: 'email', source: 'Branch form' } } as const;
  const consentOf = (answer: string) =>
    itemOf({ unique_id: '1', 'Marketing OK': answer }, mapping)['consents'];

  test.each([
    ['yes', 'subscribed'],
    ['X', 'subscribed'],
    ['1', 'subscribed'],
    ['No', 'unsubscribed'],
    ['off', 'unsubscribed'],
  ])('%s is %s, with the source of the column', (answer, status) => {
    expect(consentOf(answer)).toEqual({ email: { status, source: 'Branch form' } });
  });

  test('an empty cell says nothing, and another word fails its record', () => {
    expect(consentOf('')).toBeUndefined();
    let problem: unknown;
    try {
      consentOf('perhaps');
    } catch (error) {
      problem = error instanceof HttpError && error.problems[0];
    }
    expect(problem).toMatchObject({
      code: 'record_unreadable',
      meta: { pointer: '/consents/email/status', rule: 'flag' },
    });
    // Cells may be personal data.
    expect(JSON.stringify(problem)).not.toContain('perhaps');
  });

  test('the header is refused where records have no such consent, or a column gives it too', () => {
    const sms = { Texts: { channel: 'sms', source: 'Branch form' } } as const;
    expect(refusalsOf(['unique_id', 'Texts'], sms)).toEqual([
      'no_consents: Column 2 ("Texts"): records of the operation have no consents.',
    ]);
    expect(refusalsOf(['unique_id'], mapping)).toEqual([
      'missing_column: consent_columns names "Marketing OK", which is no column.',
    ]);
    expect(refusalsOf(['Marketing OK', 'consents.email.status'], mapping)).toEqual([
      'duplicate_column: Column 2 ("consents.email.status") gives a field that another gives.',
    ]);
  });
});

describe('a header is refused with all its errors', () => {
  test('unknown columns, each by its place and name', () => {
    expect(
      refusalsOf(['unique_id', 'Phone', '', 'attributes.Bad', 'email.x', 'mobile-banking']),
    ).toEqual([
      'unknown_column: Column 2 ("Phone") is no field of the operation.',
      'unknown_column: Column 3 is no field of the operation.',
      'unknown_column: Column 4 ("attributes.Bad") is no field of the operation.',
      'unknown_column: Column 5 ("email.x") is no field of the operation.',
      'unknown_column: Column 6 ("mobile-banking") is no field of the operation.',
    ]);
  });

  test('columns that stand twice, and those that give the same field', () => {
    expect(refusalsOf(['email', ' email '])).toEqual([
      'duplicate_column: Column 2 ("email") has the name of another.',
    ]);
    expect(refusalsOf(['email', 'Mail'], { Mail: 'email' })).toHaveLength(1);
    expect(refusalsOf(['attributes', 'attributes.zip'])).toHaveLength(1);
    expect(refusalsOf(['attributes.zip', 'attributes'])).toHaveLength(1);
    expect(refusalsOf(['attributes.zip', 'attributes.zip2'])).toEqual([]);
  });

  test('names in mapping that no column has', () => {
    expect(refusalsOf(['email'], { Mail: 'email' })).toEqual([
      'missing_column: mapping names "Mail", which is no column.',
    ]);
  });

  test('the names of what every object has are no fields', () => {
    for (const name of ['__proto__', 'constructor', 'attributes.__proto__', 'toString']) {
      expect(refusalsOf([name])).toHaveLength(1);
    }
  });
});
