import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { HttpError } from '../../../src/platform/http/errors.ts';
import { codesOf, parse, problemsOf, things } from './lists.ts';

const orderOf = (query: string) =>
  parse(query).order.map(({ name, descending }) => (descending ? `-${name}` : name));
const filtersOf = (query: string) =>
  parse(query).filters.map(({ name, operator, values }) => [name, operator, values]);
const valuesOf = (query: string) => parse(query).filters[0]?.values;
const encoded = (parameter: string, value: string) =>
  `${encodeURIComponent(parameter)}=${encodeURIComponent(value)}`;

describe('sort', () => {
  test('an absent sort is the default, with the id in the same direction behind it', () => {
    expect(orderOf('')).toEqual(['-inserted_at', '-id']);
  });

  test('the id breaks ties in the direction of the last field', () => {
    expect(orderOf('sort=-name,score')).toEqual(['-name', 'score', 'id']);
    expect(orderOf('sort=score,-name')).toEqual(['score', '-name', '-id']);
  });

  test('nothing is compared behind an id that may be sorted by', () => {
    const list = {
      ...things,
      fields: { ...things.fields, id: { type: 'id', sort: true } as const },
    };
    const { order } = parse('sort=name,-id,score', list);
    expect(order.map(({ name, descending }) => [name, descending])).toEqual([
      ['name', false],
      ['id', true],
    ]);
  });

  test.each([
    '',
    ',',
    '-',
    '--name',
    '+name',
    '%2Bname',
    'name,name',
    'name,-name',
    'NAME',
    'id',
    'secret',
    'name,nope',
    'name,',
    'tags',
    '__proto__',
    'constructor',
    'attributes.a',
    'name,status,owner_id,score,is_active,due_on',
  ])('sort=%s is refused as invalid_sort_field', (sort) => {
    const problems = problemsOf(`sort=${sort}`);
    expect(new Set(problems.map(({ code }) => code))).toEqual(new Set(['invalid_sort_field']));
    expect(problems[0]?.meta).toMatchObject({ parameter: 'sort' });
    expect(problems[0]?.meta?.allowed).toContain('inserted_at');
  });

  test('five fields are taken', () => {
    expect(orderOf('sort=name,status,owner_id,score,-is_active')).toHaveLength(6);
  });

  test('every unknown field is named, the known ones are not', () => {
    const details = problemsOf('sort=name,nope,-nah').map(({ detail }) => detail);
    expect(details).toHaveLength(2);
    expect(details[0]).toContain('"nope"');
    expect(details[1]).toContain('"nah"');
  });

  test('a misspelled field is answered with a suggestion', () => {
    expect(problemsOf('sort=NAME')[0]?.detail).toContain('Did you mean "name"?');
    expect(problemsOf('sort=inserted')[0]?.detail).not.toContain('Did you mean');
    expect(problemsOf('sort=+name')[0]?.detail).toContain('no sign');
  });

  test('a repeated sort parameter is refused', () => {
    expect(codesOf('sort=name&sort=score')).toEqual(['invalid_sort_field']);
  });
});

describe('filter names', () => {
  test('encoded brackets are brackets, and the bare form is eq', () => {
    const contains = [['name', 'contains', ['x']]];
    expect(filtersOf('filter%5Bname%5D%5Bcontains%5D=x')).toEqual(contains);
    expect(filtersOf('filter[name][contains]=x')).toEqual(contains);
    expect(filtersOf('filter[name]=x')).toEqual(filtersOf('filter[name][eq]=x'));
  });

  test.each([
    'filter[__proto__]',
    'filter[constructor][eq]',
    'filter[toString]',
    'filter[secret]',
    'filter[nope]',
    'filter',
    'filter[]',
    'filter[name',
    'filter[][eq]',
    'filter[attributes]',
    'filter[attributes.]',
    'filter[attributes.A]',
    'filter[attributes.__proto__]',
    'filter[attributes.<key>]',
    'filter[attributes.a.b]',
    'filter[tags.a]',
    'filter[[name]]',
  ])('%s is refused as invalid_filter_field', (parameter) => {
    const [problem, ...others] = problemsOf(encoded(parameter, '1'));
    expect(problem?.code).toBe('invalid_filter_field');
    expect(problem?.meta?.parameter).toBe(parameter);
    expect(problem?.meta?.allowed).toContain('name');
    expect(others.every(({ code }) => code === 'invalid_filter_op')).toBe(true);
  });

  test.each([
    'filter[name][eq][x]',
    'filter[name][]',
    'filter[name][EQ]',
    'filter[name][__proto__]',
    'filter[name]x',
    'filter[name][lt]',
    'filter[is_active][contains]',
    'filter[is_active][in]',
    'filter[status][starts_with]',
    'filter[tags][in]',
    'filter[tags][neq]',
    'filter[slug][neq]',
    'filter[owner_id][lt]',
    'filter[cohort_id][contains]',
    'filter[attributes.a][gt]',
  ])('%s is refused as invalid_filter_op', (parameter) => {
    const problems = problemsOf(encoded(parameter, 'true'));
    expect(problems.map(({ code }) => code)).toEqual(['invalid_filter_op']);
    expect(problems[0]?.meta).toMatchObject({ parameter, allowed: expect.any(Array) });
  });

  test('an unknown field with a bad operator gets both errors, the field first', () => {
    expect(codesOf('filter[nope][bad]=1')).toEqual(['invalid_filter_field', 'invalid_filter_op']);
    expect(codesOf('filter[name][bad]=1&filter[nope]=1')).toEqual([
      'invalid_filter_field',
      'invalid_filter_op',
    ]);
  });

  test('a misspelled field or operator is answered with a suggestion', () => {
    expect(problemsOf('filter[nmae]=1')[0]?.detail).toContain('"name"');
    expect(problemsOf('filter[name][EQ]=1')[0]?.detail).toContain('Did you mean "eq"?');
    expect(problemsOf('filter[name][start_with]=1')[0]?.detail).toContain('"starts_with"');
  });

  test('the same filter twice stays two filters', () => {
    expect(filtersOf('filter[name]=a&filter[name]=b')).toHaveLength(2);
  });

  test('twenty filters are taken, one more is refused', () => {
    const filters = (n: number) => Array.from({ length: n }, () => 'filter[name]=a').join('&');
    expect(filtersOf(filters(20))).toHaveLength(20);
    expect(codesOf(filters(21))).toEqual(['invalid_filter_field']);
  });

  test('the key of an attribute is parsed separately from its field', () => {
    expect(parse('filter[attributes.tier][neq]=gold').filters).toMatchObject([
      { name: 'attributes.tier', key: 'tier', operator: 'neq', values: ['gold'] },
    ]);
    expect(parse('filter[attributes.constructor]=x').filters[0]?.key).toBe('constructor');
  });
});

describe('filter values', () => {
  const id = '3F2504E0-4F89-41D3-9A0C-0305E82C3301';

  test.each<[string, string, unknown[]]>([
    ['filter[name]', '', ['']],
    ['filter[name]', ' a ', [' a ']],
    ['filter[owner_id]', id, [id.toLowerCase()]],
    ['filter[score]', '-0', [0]],
    ['filter[score]', '-9007199254740991', [-9007199254740991]],
    ['filter[is_active]', 'false', [false]],
    ['filter[due_on]', '2028-02-29', ['2028-02-29']],
    ['filter[status]', 'archived', ['archived']],
    ['filter[name][present]', 'true', [true]],
    ['filter[score][missing]', 'false', [false]],
    ['filter[name][in]', 'a,b,a', ['a', 'b']],
    ['filter[name][in]', 'a, b', ['a', ' b']],
    ['filter[name][in]', 'a\\,b,c', ['a,b', 'c']],
    ['filter[name][in]', 'c:\\x,d\\\\,e', ['c:\\x', 'd\\', 'e']],
    ['filter[name][in]', 'a,', ['a', '']],
    ['filter[owner_id][in]', `${id},${id.toLowerCase()}`, [id.toLowerCase()]],
    ['filter[score][nin]', '1,2,2', [1, 2]],
    ['filter[tags][contains]', 'a,b', ['a,b']],
    ['filter[seen_at][gte]', '2026-01-01T00:00:00Z', ['2026-01-01T00:00:00.000Z']],
    ['filter[seen_at][gte]', '2026-01-01t00:00:00.5z', ['2026-01-01T00:00:00.500Z']],
    ['filter[seen_at][gte]', '2026-01-01T00:00:00.1239+02:00', ['2025-12-31T22:00:00.123Z']],
    ['filter[seen_at][gte]', '2026-01-01T00:00:00+00:00', ['2026-01-01T00:00:00.000Z']],
    ['filter[seen_at][gte]', '2026-01-01T00:00:00+0530', ['2025-12-31T18:30:00.000Z']],
  ])('%s=%s is taken', (parameter, text, values) => {
    expect(valuesOf(encoded(parameter, text))).toEqual(values);
  });

  test('an encoded comma still separates, since values are split after decoding', () => {
    expect(valuesOf('filter[name][in]=a%2Cb')).toEqual(['a', 'b']);
  });

  test.each([
    ['filter[name]', 'a\0b'],
    ['filter[name][contains]', '\0'],
    ['filter[attributes.a]', '\0'],
    ['filter[owner_id]', ''],
    ['filter[owner_id]', 'x'],
    ['filter[owner_id]', `${id} `],
    ['filter[owner_id][in]', `${id},x`],
    ['filter[related_ids][contains]', '1'],
    ['filter[score]', ''],
    ['filter[score]', '1.5'],
    ['filter[score]', '1e2'],
    ['filter[score]', '9007199254740992'],
    ['filter[score]', '99999999999999999999'],
    ['filter[score]', '0x10'],
    ['filter[score]', ' 1'],
    ['filter[score]', 'NaN'],
    ['filter[is_active]', 'TRUE'],
    ['filter[is_active]', '1'],
    ['filter[is_active]', ''],
    ['filter[due_on]', '2026-02-30'],
    ['filter[due_on]', '0000-01-01'],
    ['filter[due_on]', ''],
    ['filter[status]', 'ACTIVE'],
    ['filter[status]', ''],
    ['filter[status][in]', 'active,'],
    ['filter[name][present]', ''],
    ['filter[name][missing]', 'yes'],
    ['filter[name][in]', ''],
    ['filter[score][in]', ''],
    ['filter[score][in]', '1,,2'],
    ['filter[seen_at]', '2026-13-01T00:00:00Z'],
    ['filter[seen_at]', 'infinity'],
    ['filter[seen_at]', '+294277-01-01T00:00:00Z'],
    ['filter[seen_at]', '2026-01-01'],
    ['filter[seen_at]', '2026-01-01T00:00:00'],
    ['filter[seen_at]', 'now'],
    ['filter[seen_at]', '0001-01-01T00:00:00+14:00'],
    ['filter[seen_at]', '2026-12-31T23:59:60Z'],
    ['filter[seen_at]', '2026-01-01T24:00:00Z'],
    ['filter[seen_at]', '1767225600'],
  ])('%s=%j is refused as invalid_filter_value', (parameter, text) => {
    const problems = problemsOf(encoded(parameter, text));
    expect(problems).toMatchObject([{ code: 'invalid_filter_value', meta: { parameter } }]);
  });

  test('a hundred values are taken, one more is refused, repeated ones count once', () => {
    const list = (n: number) => Array.from({ length: n }, (_, index) => String(index)).join(',');
    expect(valuesOf(`filter[score][in]=${list(100)}`)).toHaveLength(100);
    expect(valuesOf(`filter[score][in]=${list(100)},99`)).toHaveLength(100);
    expect(codesOf(`filter[score][in]=${list(101)}`)).toEqual(['invalid_filter_value']);
  });

  test('the detail names the correction of a timestamp', () => {
    const detail = (value: string) => problemsOf(`filter[seen_at]=${value}`)[0]?.detail;
    expect(detail('2026-01-01T00:00:00+00:00')).toContain('%2B');
    expect(detail('2026-01-01')).toContain('time of day');
    expect(detail('2026-01-01T00:00:00')).toContain('zone');
  });

  test('an enum value is refused with the values and the nearest one', () => {
    expect(problemsOf('filter[status]=activ')[0]).toMatchObject({
      detail: expect.stringContaining('Did you mean "active"?'),
      meta: { allowed: ['active', 'suppressed', 'archived'] },
    });
  });

  test('undecodable bytes are replaced and cause no internal error', () => {
    expect(valuesOf('filter[name]=%ff')).toEqual(['\ufffd']);
    expect(valuesOf('filter[name]=%ed%a0%80')).toEqual(['\ufffd\ufffd\ufffd']);
  });
});

describe('pages', () => {
  test.each([
    ['', 25],
    ['page[size]=1', 1],
    ['page[size]=100', 100],
    ['page%5Bsize%5D=7', 7],
  ])('%s gives the size %s', (query, size) => {
    expect(parse(query).size).toBe(size);
  });

  test.each([
    '0',
    '-1',
    '1.5',
    '1e2',
    'abc',
    '',
    '101',
    '9999999999999999999',
    '007',
    ' 5',
    '5&page[size]=6',
  ])('page[size]=%s is refused as invalid_page_size', (size) => {
    expect(problemsOf(`page[size]=${size}`)).toMatchObject([
      { code: 'invalid_page_size', meta: { parameter: 'page[size]', max: 100, default: 25 } },
    ]);
  });

  test('the maximum is the list’s own, and bounds the default', () => {
    expect(parse('page[size]=200', { ...things, maxPageSize: 200 }).size).toBe(200);
    expect(parse('', { ...things, maxPageSize: 10 }).size).toBe(10);
  });

  test('after with before, and either twice, are refused as invalid_page_params', () => {
    expect(codesOf('page[after]=a&page[before]=b')).toEqual(['invalid_page_params']);
    expect(codesOf('page[after]=a&page[after]=a')).toEqual(['invalid_page_params']);
    expect(codesOf('page[before]=a&page[before]=a')).toEqual(['invalid_page_params']);
  });
});

describe('include and meta', () => {
  test('included relations are those of the whitelist, each once', () => {
    expect(parse('include=accounts,cohorts,accounts').include).toEqual(['accounts', 'cohorts']);
    expect(parse('').include).toEqual([]);
    expect(parse('include=').include).toEqual([]);
  });

  test.each([
    'nope',
    'accounts.contact',
    'accounts,',
    'ACCOUNTS',
    'accounts&include=cohorts',
    '__proto__',
  ])('include=%s is refused as invalid_include', (include) => {
    expect(codesOf(`include=${include}`)).toEqual(['invalid_include']);
  });

  test('six relations are refused', () => {
    const includes = ['a', 'b', 'c', 'd', 'e', 'f'];
    expect(codesOf(`include=${includes.join(',')}`, { ...things, includes })).toEqual([
      'invalid_include',
    ]);
  });

  test('meta is count or absent', () => {
    expect(parse('meta=count').count).toBe(true);
    expect(parse('').count).toBe(false);
    for (const meta of ['', 'other', 'count,count', 'count&meta=count']) {
      expect(codesOf(`meta=${meta}`)).toEqual(['invalid_meta']);
    }
  });
});

describe('the whole query', () => {
  test.each([
    'limit',
    'offset',
    'page',
    'page[number]',
    'page[]',
    'Sort',
    'filters[name]',
    'name',
    '__proto__',
    'constructor',
    '',
  ])('the parameter %j is refused as invalid_query_parameter', (parameter) => {
    expect(problemsOf(encoded(parameter, '1'))).toMatchObject([
      { code: 'invalid_query_parameter', meta: { parameter } },
    ]);
  });

  test('a field used as a parameter is answered with its filter', () => {
    expect(problemsOf('name=x')[0]?.detail).toContain('"filter[name]"');
    expect(problemsOf('page[sise]=3')[0]?.detail).toContain('"page[size]"');
  });

  test('all errors are reported in one response', () => {
    const query =
      'sort=nope&filter[nope]=1&filter[name][bad]=1&filter[score]=x&page[size]=0' +
      '&page[after]=a&page[before]=b&include=nope&meta=nope&nope=1';
    expect(codesOf(query).toSorted()).toEqual([
      'invalid_filter_field',
      'invalid_filter_op',
      'invalid_filter_value',
      'invalid_include',
      'invalid_meta',
      'invalid_page_params',
      'invalid_page_size',
      'invalid_query_parameter',
      'invalid_sort_field',
    ]);
  });

  test('a long query full of mistakes is answered with a short list of them', () => {
    const query = Array.from({ length: 1_000 }, (_, index) => `p${String(index)}=1`).join('&');
    expect(problemsOf(query)).toHaveLength(51);
  });

  test('no query string causes an internal error', () => {
    const word = fc.constantFrom(
      'filter',
      'sort',
      'page',
      'meta',
      'include',
      '[',
      ']',
      '=',
      '&',
      ',',
      '-',
      'name',
      'score',
      'in',
      'eq',
      '%',
      '%00',
      '%ff',
      '\\',
      '.',
      'attributes',
      'size',
      'after',
      '1',
      'true',
      '__proto__',
    );
    const query = fc.oneof(
      fc.string(),
      fc.array(word).map((words) => words.join('')),
    );
    fc.assert(
      fc.property(query, (text) => {
        try {
          parse(text);
        } catch (error) {
          expect(error).toBeInstanceOf(HttpError);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
