import { expect, test } from '@jest/globals';
import { Validator } from '@seriousme/openapi-schema-validator';
import { listParameters } from '../../../src/platform/lists/parameters.ts';
import { problemsOf, things } from './lists.ts';

const parameters = listParameters(things);
const byName = new Map(parameters.map((parameter) => [parameter.name, parameter]));

test('the parameters of a list are valid in an OpenAPI 3.1 document', async () => {
  const result = await new Validator().validate({
    openapi: '3.1.0',
    info: { title: 'Lists', version: '1' },
    paths: { '/things': { get: { parameters, responses: { 200: { description: 'A page' } } } } },
  });
  expect(result).toMatchObject({ valid: true });
});

test('no parameter is described twice', () => {
  expect(byName.size).toBe(parameters.length);
});

test('every parameter that is described is taken, and every enum value of it', () => {
  const id = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
  const samples: Record<string, string> = {
    uuid: id,
    'date-time': '2026-01-01T00:00:00Z',
    date: '2026-01-01',
    integer: '1',
    boolean: 'true',
    string: 'a',
  };
  for (const { name, schema } of parameters) {
    if (name === 'filter') continue;
    const { type, format, enum: values } = schema.items ?? schema;
    for (const value of values ?? [samples[format ?? type]]) {
      expect([
        name,
        value,
        problemsOf(new URLSearchParams({ [name]: String(value) }).toString()),
      ]).toEqual([name, value, []]);
    }
  }
});

test('only whitelisted names are described', () => {
  expect(byName.get('sort')?.schema.items).toMatchObject({
    enum: expect.arrayContaining(['name', '-name', 'inserted_at', '-inserted_at']),
  });
  expect(byName.get('sort')?.schema.default).toEqual(['-inserted_at']);
  // It would make generators write a set, which has no order.
  expect(byName.get('sort')?.schema).not.toHaveProperty('uniqueItems');
  expect(byName.get('page[size]')?.schema).toMatchObject({ maximum: 100, default: 25 });
  expect(byName.has('filter[slug][in]')).toBe(true);
  expect(byName.has('filter[slug][contains]')).toBe(false);
  expect(byName.has('filter[secret]')).toBe(false);
  expect(byName.has('filter[tags]')).toBe(true);
  expect(byName.has('filter[tags][in]')).toBe(false);
  expect(byName.get('filter')?.schema.patternProperties).toEqual({
    '^attributes\\.[a-z][a-z0-9_]{0,63}$': { type: 'string' },
  });
});

test('a list without relations has no include', () => {
  const names = listParameters({ fields: things.fields, defaultSort: 'name' }).map(
    ({ name }) => name,
  );
  expect(names).not.toContain('include');
});
