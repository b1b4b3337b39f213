import { expect, test } from '@jest/globals';
import { useTestApi } from '../support/use-test-api.ts';

const api = useTestApi();

test('every team has the twelve standard objectives', async () => {
  const team = await api.newTeam();
  const { body } = await team.get('/v2/partner/objectives?filter[is_standard]=true&meta=count');
  expect(body.meta.count).toBe(12);
});

test('a key is unique in the team', async () => {
  const team = await api.newTeam();
  const sent = { name: 'Loan', key: 'first-loan', category: 'lending', value_cents: 5_000 };
  const made = await team.post('/v2/partner/objectives', sent);
  expect(made.status).toBe(201);
  expect(made.body).toMatchObject({ ...sent, is_standard: false, attribution_window_days: 30 });
  const again = await team.post('/v2/partner/objectives', sent);
  expect(again.status).toBe(409);
  expect(again.body.errors[0]).toMatchObject({ code: 'key_taken', meta: { id: made.body.id } });
  const bad = await team.post('/v2/partner/objectives', { name: 'Loan', key: 'First Loan' });
  expect(bad.body.errors[0].meta).toMatchObject({ pointer: '/key', rule: 'pattern' });
});
