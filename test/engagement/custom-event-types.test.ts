import { beforeAll, describe, expect, test } from '@jest/globals';
import { maxCustomEventTypes } from '../../src/engagement/custom-event-types/custom-event-type.ts';
import { useTestApi } from '../support/use-test-api.ts';
import type { Reply, TestTeam } from '../support/api.ts';

const path = '/v2/partner/custom-event-types';
const api = useTestApi();
let team: TestTeam;
beforeAll(async () => {
  team = await api.newTeam();
});

const define = (body: object, of = team) => of.post(path, body);
const problemsOf = ({ body }: Reply) =>
  body.errors.map(({ meta }: any) => [meta.rule, meta.pointer]);
const order = {
  type: 'object',
  properties: { order_id: { type: 'string', maxLength: 20 }, amount_cents: { type: 'integer' } },
  required: ['order_id'],
  additionalProperties: false,
};

test('an event type is defined, listed, changed and deleted', async () => {
  const made = await define({ name: 'custom.order_placed', description: 'Paid', schema: order });
  expect(made.status).toBe(201);
  expect(made.body).toMatchObject({
    ...{ type: 'custom_event_type', team_id: team.id, name: 'custom.order_placed' },
    ...{ description: 'Paid', schema: order },
  });
  const at = `${path}/${made.body.id}`;
  expect((await team.get(`${path}?filter[name]=custom.order_placed`)).body.data).toEqual([
    made.body,
  ]);
  const changed = await team.patch(at, { description: null, schema: { type: 'object' } });
  expect(changed.body).toMatchObject({ schema: { type: 'object' } });
  expect(changed.body).not.toHaveProperty('description');
  expect((await team.delete(at)).status).toBe(204);
  expect((await team.get(at)).status).toBe(404);
  expect((await define({ name: 'custom.order_placed' })).body.schema).toEqual({ type: 'object' });
});

test('a name is unique in the team, and fixed', async () => {
  const made = await define({ name: 'custom.unique' });
  const again = await define({ name: 'custom.unique' });
  expect([again.status, again.body.errors]).toMatchObject([
    409,
    [{ code: 'key_taken', meta: { pointer: '/name', id: made.body.id } }],
  ]);
  const renamed = await team.patch(`${path}/${made.body.id}`, { name: 'custom.other' });
  expect(renamed.body.errors[0]).toMatchObject({
    ...{ code: 'immutable_field', meta: { pointer: '/name' } },
  });
  const other = await api.newTeam();
  expect((await define({ name: 'custom.unique' }, other)).status).toBe(201);
});

test('parallel definitions of one name make one event type', async () => {
  const replies = await Promise.all(
    Array.from({ length: 8 }, () => define({ name: 'custom.parallel' })),
  );
  expect(replies.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)]);
});

test.each([
  'order_placed',
  'custom',
  'custom.',
  'custom.*',
  'custom.Order',
  'custom.a..b',
  'custom.a_',
  'custom.a b',
  'contact.created',
  `custom.${'a'.repeat(58)}`,
])('the name %s is refused', async (name) => {
  const reply = await define({ name });
  expect(reply.status).toBe(422);
  expect(reply.body.errors[0].meta.pointer).toBe('/name');
});

test('a team has two hundred event types at most', async () => {
  const own = await api.newTeam();
  await api.db.look((sql) =>
    sql.unsafe(
      `insert into custom_event_types (team_id, name, schema)
       select '${own.id}', 'custom.n' || n, '{"type": "object"}'
       from generate_series(1, ${String(maxCustomEventTypes - 1)}) n`,
    ),
  );
  expect((await define({ name: 'custom.last' }, own)).status).toBe(201);
  const full = await define({ name: 'custom.more' }, own);
  expect([full.status, full.body.errors]).toMatchObject([
    422,
    [{ code: 'quota_exceeded', meta: { quota: 'custom_event_types', limit: 200 } }],
  ]);
});

describe('a schema', () => {
  const property = (schema: unknown) => ({ type: 'object', properties: { a: schema } });
  const nested = (levels: number): object =>
    levels === 1 ? { type: 'string' } : property(nested(levels - 1));
  const names = (count: number) => Array.from({ length: count }, (_, at) => `n${String(at)}`);

  test('of five levels with every keyword is accepted', async () => {
    const schema = {
      ...{ type: 'object', title: 'T', description: 'D', additionalProperties: true },
      properties: {
        text: { type: 'string', minLength: 1, maxLength: 5, enum: ['a', 'b'] },
        count: { type: 'integer', minimum: 0, maximum: 9, exclusiveMinimum: -1 },
        list: { type: 'array', minItems: 0, maxItems: 3, items: nested(3) },
      },
      required: ['text'],
    };
    expect((await define({ name: 'custom.whole', schema })).body.schema).toEqual(schema);
  });

  test.each([
    ['without a type', {}, ['required', '/schema/type']],
    ['of a list', { type: 'array' }, ['enum', '/schema/type']],
    ['with a pattern', property({ type: 'string', pattern: '(a+)+$' }), unknown('a/pattern')],
    ['with a format', property({ type: 'string', format: 'regex' }), unknown('a/format')],
    ['with a reference', property({ type: 'object', $ref: '#' }), unknown('a/$ref')],
    ['with an id', { type: 'object', $id: 'http://x' }, ['unknown_field', '/schema/$id']],
    ['with a union', property({ type: 'object', anyOf: [{}] }), unknown('a/anyOf')],
    ['with unique items', property({ type: 'array', uniqueItems: true }), unknown('a/uniqueItems')],
    ['with a list of types', property({ type: ['string'] }), ['enum', '/schema/properties/a/type']],
    [
      'with pattern properties',
      { type: 'object', patternProperties: { '^(a+)+$': { type: 'null' } } },
      ['unknown_field', '/schema/patternProperties'],
    ],
    [
      'with a schema of other properties',
      { type: 'object', additionalProperties: { type: 'string' } },
      ['type', '/schema/additionalProperties'],
    ],
    [
      'with a hostile name',
      { type: 'object', properties: JSON.parse('{"__proto__": {"type": "string"}}') },
      ['unknown_field', '/schema/properties/__proto__'],
    ],
    [
      'with the name of a method',
      property({ type: 'object', properties: { toString: { type: 'string' } } }),
      ['pattern', '/schema/properties/a/properties/toString'],
    ],
    [
      'with too many properties',
      {
        type: 'object',
        properties: Object.fromEntries(names(51).map((name) => [name, { type: 'null' }])),
      },
      ['max_length', '/schema/properties'],
    ],
    [
      'with too many values',
      property({ type: 'string', enum: names(101) }),
      ['max_length', '/schema/properties/a/enum'],
    ],
    [
      'of six levels',
      nested(6),
      ['unknown_field', '/schema/properties/a/properties/a/properties/a/properties/a/properties'],
    ],
    [
      'of more than 8 KB',
      {
        type: 'object',
        properties: Object.fromEntries(
          names(5).map((name) => [name, { type: 'string', description: 'x'.repeat(1_900) }]),
        ),
      },
      ['max_length', '/schema'],
    ],
  ])('%s is refused', async (_, schema, problem) => {
    const reply = await define({ name: 'custom.refused', schema });
    expect([reply.status, problemsOf(reply)]).toEqual([422, [problem]]);
    const at = `${path}/${(await define({ name: `custom.t${String(Date.now())}` })).body.id}`;
    expect(problemsOf(await team.patch(at, { schema }))).toEqual([problem]);
  });

  function unknown(place: string) {
    return ['unknown_field', `/schema/properties/${place}`];
  }
});
