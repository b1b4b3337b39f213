import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sumHours } from '../../../src/insights/rollups/queries.ts';
import { badItem, contactsOf, countContacts, keysOf, whenRun } from '../runs/a-run.ts';
import { startTestApi } from '../../support/api.ts';
import type { TestApi, TestTeam } from '../../support/api.ts';
import { startTestWorker } from '../../support/worker.ts';
import type { TestWorker } from '../../support/worker.ts';

const path = '/v2/ipaas/operations/contacts.bulk_upsert/execute';

let api: TestApi;
let worker: TestWorker;
let team: TestTeam;

beforeAll(async () => {
  api = await startTestApi({ BATCH_CPU_SHARE: '1' });
  worker = await startTestWorker(api);
  team = await api.newTeam();
});
afterAll(async () => {
  await worker.close();
  await api.stop();
});

async function countExecutions(of: TestTeam): Promise<number> {
  const { body } = await of.get('/v2/ipaas/executions?meta=count');
  return body.meta.count;
}

test('a request above the threshold runs in the background: 202, poll Location, read the result', async () => {
  const keys = keysOf(150);
  const items = contactsOf(keys);
  items[3] = badItem(keys[3] ?? '');
  const before = await countContacts(team);
  const asked = await team.post(path, { items });
  expect(asked.status).toBe(202);
  expect(asked.body).toMatchObject({ type: 'operation_execution', status: 'queued' });
  const location = String(asked.headers.get('location'));
  expect(location).toBe(`/v2/ipaas/executions/${String(asked.body.id)}`);
  expect(Number(asked.headers.get('retry-after'))).toBeGreaterThan(0);

  const done = await whenRun(team, location);
  expect(done).toMatchObject({
    status: 'succeeded_with_errors',
    operation_kind: 'contacts.bulk_upsert',
    summary: { total: 150, succeeded: 149, failed: 1, skipped: 0 },
  });
  const failed = await team.get(`${location}/result?filter[status]=failed`);
  expect(failed.body.data).toMatchObject([{ index: 3, errors: [{ code: 'validation_failed' }] }]);
  expect(await countContacts(team)).toBe(before + 149);
});

test('a single input runs in the background with Prefer: respond-async, once per Idempotency-Key', async () => {
  const [key = ''] = keysOf(1);
  const headers = { Prefer: 'respond-async, wait=5', 'Idempotency-Key': crypto.randomUUID() };
  const first = await team.post(path, { input: { unique_id: key } }, headers);
  const second = await team.post(path, { input: { unique_id: key } }, headers);
  expect(first.status).toBe(202);
  expect(second.status).toBe(202);
  expect(second.body).toEqual(first.body);
  expect(second.headers.get('location')).toBe(first.headers.get('location'));
  expect(first.body.idempotency_key).toBe(headers['Idempotency-Key']);
  const done = await whenRun(team, String(first.headers.get('location')));
  expect(done).toMatchObject({ status: 'succeeded', summary: { total: 1, succeeded: 1 } });
});

test.each([
  ['respond-async', 202],
  ['Respond-Async', 202],
  ['respond-async; wait=10', 202],
  ['wait=10, respond-async', 202],
  ['return=minimal,respond-async', 202],
  ['respond-asynchronously', 200],
  ['wait=10', 200],
])('Prefer: %s is answered %d', async (Prefer, status) => {
  const [key] = keysOf(1);
  const headers = { Prefer, 'Idempotency-Key': crypto.randomUUID() };
  const reply = await team.post(path, { input: { unique_id: key } }, headers);
  expect(reply.status).toBe(status);
});

test('an item that an operation skips is skipped in the items and in the result', async () => {
  const [known = '', unknown] = keysOf(2);
  await team.post('/v2/partner/contacts', { unique_id: known });
  const items = [{ unique_id: known }, { unique_id: unknown }];
  const lookup = '/v2/ipaas/operations/contacts.lookup/execute';
  const asked = await team.post(lookup, { items }, { Prefer: 'respond-async' });
  const location = String(asked.headers.get('location'));
  const done = await whenRun(team, location);
  expect(done).toMatchObject({ status: 'succeeded', summary: { succeeded: 1, skipped: 1 } });
  for (const place of ['items', 'result']) {
    const { body } = await team.get(`${location}/${place}`);
    expect(body.data).toMatchObject([{ status: 'unchanged' }, { status: 'skipped' }]);
  }
});

test('an input that breaks the schema is refused at once, also with respond-async', async () => {
  const reply = await team.post(path, { input: { unique_id: 1 } }, { Prefer: 'respond-async' });
  expect(reply.status).toBe(422);
  expect(reply.body.errors[0].meta.pointer).toBe('/input/unique_id');
});

test.each([
  { name: 'messages', period: 'PT30H', bucket: 'hour' },
  { name: 'performance', period: 'P30D', bucket: 'day' },
  { name: 'template-opt-in-widget', period: 'P300D', bucket: 'week' },
  { name: 'template-secure-personalization', period: 'P24M', bucket: 'month' },
])('an export of $name keeps the answer by the $bucket', async ({ name, period, bucket }) => {
  const made = await team.post('/v2/partner/templates', { name: 'T' });
  const template_id = String(made.body.id);
  const exports = '/v2/ipaas/operations/insights.export/execute';
  const headers = { 'Idempotency-Key': crypto.randomUUID() };
  const asked = await team.post(exports, { input: { name, template_id, period } }, headers);
  expect(asked.status).toBe(202);
  const location = String(asked.headers.get('location'));
  expect(await whenRun(team, location)).toMatchObject({ status: 'succeeded' });
  const [result] = (await team.get(`${location}/result`)).body.data;
  const place = name.startsWith('template-')
    ? `templates/${template_id}/insights/${name.slice('template-'.length)}?`
    : `insights/advanced/${name}?filter[template_id]=${template_id}&`;
  const now = await team.get(`/v2/partner/${place}period=${period}`);
  expect(result.output).toMatchObject({ name: now.body.name, source: { bucket } });
  expect(Object.keys(result.output.value).sort()).toEqual(Object.keys(now.body.value).sort());
  expect(result.output.source.kind).toBe(now.body.source.kind);
});

test('an export of an insight with rollups is computed from them', async () => {
  const mine = await api.newTeam();
  await api.db.database.transact((sql) => sumHours(sql, mine.id, { changed: 10, passed: 10_000 }));
  const exports = '/v2/ipaas/operations/insights.export/execute';
  const headers = { 'Idempotency-Key': crypto.randomUUID() };
  const asked = await mine.post(exports, { input: { name: 'messages', period: 'P90D' } }, headers);
  const location = String(asked.headers.get('location'));
  expect(await whenRun(mine, location)).toMatchObject({ status: 'succeeded' });
  const [result] = (await mine.get(`${location}/result`)).body.data;
  expect(result.output).toMatchObject({ name: 'messages', source: { kind: 'rollup' } });
});

test('the execution of an evaluation ends with the cohort, and counts the new members', async () => {
  const mine = await api.newTeam();
  await mine.post('/v2/partner/contacts', { unique_id: 'a', locale: 'en' });
  const made = await mine.post('/v2/partner/cohorts', {
    ...{ name: 'English', kind: 'dynamic', evaluation_mode: 'on_demand' },
    definition: { field: 'contact.locale', op: 'eq', value: 'en' },
  });
  const cohort = `/v2/partner/cohorts/${String(made.body.id)}`;
  const evaluate = '/v2/ipaas/operations/cohorts.evaluate/execute';
  const input = { cohort_id: made.body.id };
  const unkeyed = await mine.post(evaluate, { input });
  expect(unkeyed.body.errors[0].code).toBe('idempotency_key_required');
  const headers = { 'Idempotency-Key': crypto.randomUUID() };
  const asked = await mine.post(evaluate, { input }, headers);
  expect(asked.status).toBe(202);
  const again = await mine.post(evaluate, { input }, headers);
  expect(again.body.id).toBe(asked.body.id);
  const location = String(asked.headers.get('location'));
  expect(await whenRun(mine, location)).toMatchObject({ status: 'succeeded' });
  const { body } = await mine.get(cohort);
  expect(body).toMatchObject({ evaluation_status: 'ready', member_count: 1 });
  const result = await mine.get(`${location}/result`);
  expect(result.body.data).toMatchObject([
    {
      ...{ status: 'updated', resource_type: 'cohort', resource_id: made.body.id },
      output: { joined: 1, left: 0, member_count: 1, last_evaluated_at: body.last_evaluated_at },
    },
  ]);

  await mine.post('/v2/partner/contacts', { unique_id: 'b', locale: 'en' });
  const posted = await mine.post(`${cohort}/evaluate`);
  expect(posted.status).toBe(202);
  expect(posted.body).toMatchObject({
    evaluation_status: 'queued',
    execution_id: expect.any(String),
  });
  expect(posted.headers.get('location')).toBe(
    `${cohort}/evaluations/${String(posted.body.execution_id)}`,
  );
  const second = String(posted.headers.get('location'));
  expect(await whenRun(mine, second)).toMatchObject({ status: 'succeeded' });
  expect((await mine.get(cohort)).body).toMatchObject({ member_count: 2 });
});

test('a request to evaluate a static cohort is refused immediately', async () => {
  const made = await team.post('/v2/partner/cohorts', { name: 'list', kind: 'static' });
  const headers = { 'Idempotency-Key': crypto.randomUUID() };
  const path = '/v2/ipaas/operations/cohorts.evaluate/execute';
  const before = await countExecutions(team);
  for (const [cohort_id, code] of [
    [made.body.id, 'invalid_state_transition'],
    [crypto.randomUUID(), 'not_found'],
  ]) {
    for (const body of [{ input: { cohort_id } }, { items: [{ cohort_id }] }]) {
      const { status, body: answer } = await team.post(path, body, headers);
      expect([status, answer.errors[0].code]).toEqual([422, 'operation_failed']);
      expect(answer.errors[0].meta.items).toMatchObject([{ index: 0, errors: [{ code }] }]);
    }
  }
  expect(await countExecutions(team)).toBe(before);
  // The key is free for a cohort that can be evaluated.
  const dynamic = await team.post('/v2/partner/cohorts', {
    ...{ name: 'All', kind: 'dynamic', evaluation_mode: 'on_demand' },
    definition: { field: 'contact.status', op: 'eq', value: 'active' },
  });
  const asked = await team.post(path, { input: { cohort_id: dynamic.body.id } }, headers);
  expect(asked.status).toBe(202);
});

test('a dry run of many items leaves nothing, and returns the results of a real run', async () => {
  const before = await countContacts(team);
  const items = contactsOf(keysOf(120));
  const asked = await team.post(path, { items, options: { dry_run: true } });
  const location = String(asked.headers.get('location'));
  const done = await whenRun(team, location);
  expect(done).toMatchObject({ dry_run: true, summary: { total: 120, succeeded: 120 } });
  expect(await countContacts(team)).toBe(before);
});
