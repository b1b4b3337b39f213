import { beforeAll, expect, test } from '@jest/globals';
import { useTestApi } from '../support/use-test-api.ts';
import type { TestTeam } from '../support/api.ts';

const api = useTestApi();
let team: TestTeam;
beforeAll(async () => {
  team = await api.newTeam();
});

const name = { field: 'contact.first_name', op: 'eq', value: 'Ada' };
const since = { field: 'contact.inserted_at', op: 'within_last', value: 'P10Y' };
const kind = { field: 'kind', op: 'eq', value: 'checking' };
const of = <T>(count: number, value: T) => Array.from({ length: count }, () => value);
const anId = '00000000-0000-4000-8000-000000000000';

const preview = (definition: unknown) => team.post('/v2/partner/cohorts/preview', { definition });

test.each<[string, unknown, string[]]>([
  [
    'a field more than a group has',
    { op: 'all', rules: [name], 'a/b~': 1 },
    ['unknown_field /a~1b~0'],
  ],
  ['a rule of no kind', { wish: {} }, ['one_of ']],
  ['a rule that is no object', { event: 'opened' }, ['type /event']],
  ['a field of something else', { ...name, field: 'account.kind' }, ['enum /field']],
  ['a value where none is taken', { ...name, op: 'present', value: 'yes' }, ['type /value']],
  ['a list without values', { ...name, op: 'in', value: [] }, ['max_items /value']],
  ['a list of too many values', { ...name, op: 'in', value: of(101, 'a') }, ['max_items /value']],
  ['a list with a number', { ...name, op: 'in', value: ['a', 1] }, ['type /value/1']],
  ['an empty text', { ...name, value: '' }, ['type /value']],
  ['a time that is none', { ...since, op: 'lt', value: 'yesterday' }, ['format /value']],
  ['a span of more than ten years', { ...since, value: 'P11Y' }, ['format /value']],
  ['conditions that are no list', { account: { where: {} } }, ['type /account/where']],
  ['more than twenty conditions', { account: { where: of(21, kind) } }, ['type /account/where']],
  ['a condition that is none', { account: { where: [1] } }, ['type /account/where/0']],
  ['a count that is none', { account: { count: 1 } }, ['type /account/count']],
  [
    'a count with all its parts wrong',
    { event: { kind: 'x', times: { op: 'near', value: -1, by: 1 } } },
    ['unknown_field /event/times/by', 'enum /event/times/op', 'range /event/times/value'],
  ],
  ['an objective named twice', { objective: { id: anId, key: 'a' } }, ['one_of /objective']],
  ['an objective named not at all', { objective: {} }, ['one_of /objective']],
  ['an id that is none', { cohort: { id: 'x' } }, ['format /cohort/id']],
  ['a flag that is a word', { cohort: { id: anId, member: 'yes' } }, ['type /cohort/member']],
  [
    'a status that is none',
    { journey: { template_id: anId, status: ['active', 'lost'] } },
    ['enum /journey/status/1'],
  ],
  ['a consent of nothing', { consent: {} }, ['enum /consent/channel', 'enum /consent/status']],
])('%s is refused with its pointer', async (_, definition, problems) => {
  const { status, body } = await preview(definition);
  const found = body.errors.map(({ meta }: any) => {
    const place = String(meta.pointer).slice('/definition'.length);
    return `${String(meta.rule)} ${place}`;
  });
  expect([status, found.toSorted()]).toEqual([422, problems.toSorted()]);
});

test('a nearly correct field name is answered with the correct one', async () => {
  const { body } = await preview({ ...name, field: 'contact.fist_name' });
  expect(body.errors[0].detail).toMatch(/first_name/);
});

test.each<[string, object]>([
  ['twenty conditions', { account: { where: of(20, kind) } }],
  ['a hundred values', { ...name, op: 'in', value: of(100, 'a') }],
  ['a span of ten years', since],
])('%s are accepted', async (_, definition) => {
  const { status, body } = await preview(definition);
  expect([status, body.errors]).toEqual([200, undefined]);
});

test('the kind of a cohort is immutable', async () => {
  const { body } = await team.post('/v2/partner/cohorts', { name: 'Static', kind: 'static' });
  const reply = await team.patch(`/v2/partner/cohorts/${String(body.id)}`, { kind: 'dynamic' });
  expect([reply.status, reply.body.errors]).toMatchObject([
    422,
    [{ code: 'immutable_field', meta: { pointer: '/kind' } }],
  ]);
});
