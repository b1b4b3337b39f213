import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import { evaluateCohort } from '../../src/cohorts/evaluation/evaluate.ts';
import { markEvaluated } from '../../src/cohorts/evaluation/queries.ts';
import { cohorts } from '../../src/cohorts/queries.ts';
import { useTestApi } from '../support/use-test-api.ts';
import type { TestTeam } from '../support/api.ts';

// Without a worker: a requested evaluation waits.
const path = '/v2/partner/cohorts';
const settled = { isCaughtUp: true };
const api = useTestApi();
let team: TestTeam;
beforeAll(async () => {
  team = await api.newTeam();
});

async function aCohort(mode: 'on_demand' | 'scheduled') {
  const { body } = await team.post(path, {
    name: randomUUID(),
    kind: 'dynamic',
    evaluation_mode: mode,
    definition: { field: 'contact.status', op: 'eq', value: 'active' },
  });
  const id = String(body.id);
  return { id, row: () => api.db.database.read((sql) => cohorts.require(sql, team.id, id)) };
}

test('a requested evaluation survives every other change of the cohort', async () => {
  const asked = await aCohort('on_demand');
  await team.post(`${path}/${asked.id}/evaluate`);
  await team.patch(`${path}/${asked.id}`, { name: randomUUID() });
  expect((await asked.row()).next_evaluation_at).not.toBeNull();

  const scheduled = await aCohort('scheduled');
  await team.patch(`${path}/${scheduled.id}`, { evaluation_mode: 'on_demand' });
  expect(await scheduled.row()).toMatchObject({
    evaluation_status: 'queued',
    next_evaluation_at: expect.any(String),
  });
  const now = new Date().toISOString();
  await api.db.database.transact((sql) => evaluateCohort(sql, team.id, scheduled.id, now, settled));
  expect(await scheduled.row()).toMatchObject({
    evaluation_status: 'ready',
    next_evaluation_at: null,
  });
});

test('an archived cohort has no pending evaluation', async () => {
  const fresh = await aCohort('scheduled');
  const archived = await team.post(`${path}/${fresh.id}/archive`);
  expect(archived.body.evaluation_status).toBe('never');

  const known = await aCohort('scheduled');
  const now = new Date().toISOString();
  await api.db.database.transact((sql) => evaluateCohort(sql, team.id, known.id, now, settled));
  await team.patch(`${path}/${known.id}`, { refresh_interval_seconds: 300 });
  const { body } = await team.post(`${path}/${known.id}/archive`);
  expect(body.evaluation_status).toBe('ready');
});

test('a cohort that is redefined and archived during its evaluation is not due again', async () => {
  const cohort = await aCohort('scheduled');
  await team.post(`${path}/${cohort.id}/archive`);
  const row = await cohort.row();
  const after = await api.db.database.transact((sql) =>
    markEvaluated(sql, row, { joined: 0, left: 0 }, { tookMs: 1, isStale: true, isCaughtUp: true }),
  );
  expect(after.next_evaluation_at).toBeNull();
});
