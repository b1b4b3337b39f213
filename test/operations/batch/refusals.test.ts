import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import {
  aBatch,
  askBatch,
  batchPath,
  contactsOf,
  freePlaces,
  holdPlaces,
  itemsOf,
  whenRun,
} from '../runs/a-run.ts';
import { aLaunchedTemplate } from '../../campaigns/a-template.ts';
import { startTestApi } from '../../support/api.ts';
import type { TestApi, TestTeam } from '../../support/api.ts';
import { startTestWorker } from '../../support/worker.ts';
import type { TestWorker } from '../../support/worker.ts';

let api: TestApi;
let worker: TestWorker;
let team: TestTeam;

beforeAll(async () => {
  api = await startTestApi({ BATCH_CPU_SHARE: '1' });
  worker = await startTestWorker(api);
});
afterAll(async () => {
  await worker.close();
  await api.stop();
});
beforeEach(async () => {
  team = await api.newTeam();
});

const id = randomUUID();

test.each<[string, object, string[]]>([
  ['contacts.erase', {}, ['required /contact_id']],
  ['contacts.erase', { contact_id: id, contact_unique_id: 'a' }, ['exclusive /contact_id']],
  [
    'insights.export',
    { name: 'template-opt-in-widget', channel: 'sms' },
    ['required /template_id', 'unknown_field /channel'],
  ],
  [
    'objectives.complete',
    { contact_unique_id: 'ada', unique_id: 'c1' },
    ['required /objective_id'],
  ],
  [
    'objectives.complete',
    { contact_unique_id: 'ada', unique_id: 'c1', objective_id: id, objective_key: 'a' },
    ['unknown_field /objective_key'],
  ],
])('%s of %j fails with all errors, each with its place', async (operation_kind, item, found) => {
  await team.post('/v2/partner/contacts', { unique_id: 'ada' });
  const path = await aBatch(team, { operation_kind, items: [item] });
  expect(await whenRun(team, path)).toMatchObject({ status: 'failed', failed_count: 1 });
  const [{ errors }] = await itemsOf(team, `${path}/items`);
  const problems = errors.map(({ meta }: any) => `${String(meta.rule)} ${String(meta.pointer)}`);
  expect(problems.toSorted()).toEqual(found.toSorted());
});

test('a run whose operation no longer exists fails with that reason', async () => {
  const places = await holdPlaces(team);
  const asked = await askBatch(team, { items: contactsOf(['ada']) });
  const run = String(asked.body.id);
  await api.db.look(
    (sql) => sql`
      update operation_runs set operation_kind = 'contacts.of_old' where id = ${run}`,
  );
  await freePlaces(team, places);
  const done = await whenRun(team, `/v2/batch/operations/${run}`);
  expect(done).toMatchObject({ status: 'failed', error: { code: 'operation_unknown' } });
  expect((await team.get('/v2/partner/contacts')).body.data).toEqual([]);
});

test('a dry run accepts cohorts that fit one transaction, and enrolls no member of a larger one', async () => {
  const template_id = await aLaunchedTemplate(team);
  const list = await team.post('/v2/partner/cohorts', { name: 'Everybody', kind: 'static' });
  const cohort_id = String(list.body.id);
  const join = (from: number, to: number) =>
    api.db.look(
      (sql) => sql`
        with made as (
          insert into contacts (team_id, id, unique_id, consents)
          select ${team.id}, gen_random_uuid(), 'm' || n, '{}' from generate_series(${from}::int, ${to}) n
          returning id
        )
        insert into cohort_members (team_id, cohort_id, contact_id)
        select ${team.id}, ${cohort_id}, id from made`,
    );
  const rehearse = async () => {
    const wish = { operation_kind: 'templates.enroll_cohort', items: [{ template_id, cohort_id }] };
    const { status: answered, headers, body } = await team.post(`${batchPath}/validate`, wish);
    if (answered === 200) return { status: body.status, item: body.items[0] };
    const path = String(headers.get('location'));
    const { status } = await whenRun(team, path);
    return { status, item: (await itemsOf(team, `${path}/items`))[0] };
  };
  await join(1, 1_000);
  expect(await rehearse()).toMatchObject({ status: 'succeeded', item: { status: 'created' } });
  await join(1_001, 21_001);
  const { status, item } = await rehearse();
  expect([status, item.errors[0]]).toMatchObject([
    'failed',
    { code: 'too_many_items', meta: { max: 20_000, pointer: '/cohort_id' } },
  ]);
  const { body } = await team.get(`/v2/partner/templates/${template_id}`);
  expect(body.enrolled_count).toBe(0);
});

test('a batch that evaluates a static cohort is refused when it is requested', async () => {
  const made = await team.post('/v2/partner/cohorts', { name: 'list', kind: 'static' });
  const items = [{ cohort_id: made.body.id }];
  const request = (options: object) =>
    team.post(
      batchPath,
      { operation_kind: 'cohorts.evaluate', items, options },
      { 'Idempotency-Key': randomUUID() },
    );
  const { status, body } = await request({});
  expect([status, body.errors[0].code]).toEqual([422, 'operation_failed']);
  const errors = [{ code: 'invalid_state_transition' }];
  expect(body.errors[0].meta.items).toMatchObject([{ index: 0, errors }]);
  expect((await team.get(batchPath)).body.data).toEqual([]);
  // Where each item counts by itself, the batch runs and says which of them failed.
  expect((await request({ failure_mode: 'partial_ok' })).status).toBe(202);
});
