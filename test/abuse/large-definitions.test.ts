import { expect, test } from '@jest/globals';
import { useTestApi } from '../support/use-test-api.ts';

const api = useTestApi();

const values = (count: number, from = 0) =>
  Array.from({ length: count }, (_, at) => `v${String(from + at)}`);
/** A definition with so many lists of 100 values, 20 in a leaf. */
const definitionOf = (lists: number) => ({
  op: 'any',
  rules: Array.from({ length: Math.ceil(lists / 20) }, (_, leaf) => ({
    account: {
      where: Array.from({ length: Math.min(20, lists - leaf * 20) }, (__, at) => ({
        ...{ field: 'attributes.plan', op: 'in' },
        value: values(100, at * 100),
      })),
    },
  })),
});

test('a definition with more values than the driver accepts is refused without a server error', async () => {
  const team = await api.newTeam();
  const definition = definitionOf(700);
  const cohort = { name: 'Large', kind: 'dynamic', definition };
  for (const reply of [
    await team.post('/v2/partner/cohorts/preview', { definition }),
    await team.post('/v2/partner/cohorts', cohort),
  ]) {
    expect(reply.status).toBe(422);
    expect(reply.body.errors).toHaveLength(1);
    expect(reply.body.errors[0]).toMatchObject({
      code: 'validation_failed',
      detail: 'A definition compares with at most 2000 values; it has 70000.',
      meta: { pointer: '/definition', rule: 'max_items', expected: 2_000 },
    });
  }
});

test('a definition with the maximum number of values is counted', async () => {
  const team = await api.newTeam();
  const reply = await team.post('/v2/partner/cohorts/preview', { definition: definitionOf(20) });
  expect([reply.status, reply.body.count]).toEqual([200, 0]);
  const more = await team.post('/v2/partner/cohorts/preview', { definition: definitionOf(21) });
  expect(more.status).toBe(422);
});
