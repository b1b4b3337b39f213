import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from '@jest/globals';
import { aBatch, askBatch, batchPath, contactsOf, keysOf } from '../runs/a-run.ts';
import { useTestApi } from '../../support/use-test-api.ts';
import type { Reply, TestTeam } from '../../support/api.ts';

// No worker runs here: every batch waits.
const api = useTestApi();
let team: TestTeam;

beforeEach(async () => {
  team = await api.newTeam();
});

const verdict = ({ status, body }: Reply) => `${String(status)} ${String(body.errors?.[0].code)}`;
const one = () => ({ items: contactsOf(keysOf(1)) });

test('a hundred operations of a team wait, and no more', async () => {
  await team.db.look(
    (sql) => sql`
      insert into operation_runs (team_id, surface, operation_kind, failure_mode, source)
      select ${team.id}, 'ipaas', 'contacts.bulk_upsert', 'partial_ok', 'inline'
      from generate_series(1, 99)
      returning id`,
  );
  const asked = await Promise.all([askBatch(team, one()), askBatch(team, one())]);
  expect(asked.map(verdict).sort()).toEqual(['202 undefined', '429 too_many_operations']);
  const refused = asked.find(({ status }) => status === 429);
  expect(refused?.body.errors[0].meta.max).toBe(100);
  expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await askBatch(await api.newTeam(), one())).status).toBe(202);
});

test('a batch needs a key, a known operation, its scopes, and at most 10,000 items', async () => {
  const body = { operation_kind: 'contacts.bulk_upsert', ...one() };
  expect(verdict(await team.post(batchPath, body))).toBe('400 idempotency_key_required');
  expect(verdict(await askBatch(team, { ...one(), operation_kind: 'contacts.none' }))).toBe(
    '404 operation_unknown',
  );
  const narrow = await team.withScopes('batch:operations:write');
  const refused = await askBatch(narrow, one());
  expect(verdict(refused)).toBe('401 scope_missing');
  expect(refused.body.errors[0].meta.missing_scopes).toEqual(['partner:contacts:write']);
  const many = await askBatch(team, { items: contactsOf(keysOf(10_001)) });
  expect(verdict(many)).toBe('422 too_many_items');
  expect(many.body.errors[0].meta.max).toBe(10_000);
  expect(verdict(await askBatch(team, { items: [] }))).toBe('422 validation_failed');
});

test('a repeated request with its key makes one batch', async () => {
  const key = randomUUID();
  const body = { operation_kind: 'contacts.bulk_upsert', ...one() };
  const send = () => team.post(batchPath, body, { 'Idempotency-Key': key });
  const [first, second] = [await send(), await send()];
  expect(second.body).toEqual(first.body);
  expect(second.headers.get('idempotent-replayed')).toBe('true');
  expect((await team.get(batchPath)).body.data).toHaveLength(1);
});

test('a queued batch is canceled at once, and only once', async () => {
  const path = await aBatch(team, one());
  const early = await team.post(`${path}/retry`);
  expect(verdict(early)).toBe('409 execution_not_finished');
  expect(early.headers.get('retry-after')).toBe('2');
  const canceled = await team.post(`${path}/cancel`);
  expect(canceled.body).toMatchObject({ status: 'canceled', completed_at: expect.any(String) });
  expect(verdict(await team.post(`${path}/cancel`))).toBe('409 execution_finished');
  const kept = await team.db.look<{ count: number }>(
    (sql) => sql`
      select count(*)::int as count from operation_chunks where team_id = ${team.id}`,
  );
  expect(kept[0]?.count).toBe(0);
});

test('requests about a transactional batch do not wait while it is applied', async () => {
  const path = await aBatch(team, { ...one(), options: { failure_mode: 'transactional' } });
  const id = path.split('/').at(-1) ?? '';
  // As a worker holds it until all items are applied.
  await api.db.database.transact(async (sql) => {
    await sql`select id from operation_runs where team_id = ${team.id} and id = ${id} for update`;
    const refused = await team.post(`${path}/cancel`);
    expect(verdict(refused)).toBe('409 execution_not_finished');
    expect(refused.headers.get('retry-after')).toBe('1');
  });
  expect((await team.post(`${path}/cancel`)).body.status).toBe('canceled');
});

test('the batches of another team, and executions, are not found', async () => {
  const stranger = await api.newTeam();
  const path = await aBatch(team, one());
  for (const rest of ['', '/items']) {
    expect(verdict(await stranger.get(`${path}${rest}`))).toBe('404 not_found');
  }
  for (const rest of ['/cancel', '/retry']) {
    expect(verdict(await stranger.post(`${path}${rest}`))).toBe('404 not_found');
  }
  const id = path.split('/').at(-1) ?? '';
  expect(verdict(await team.get(`/v2/ipaas/executions/${id}`))).toBe('404 not_found');
});

test('results expire after seven days', async () => {
  const path = await aBatch(team, one());
  await team.post(`${path}/cancel`);
  expect((await team.get(`${path}/items`)).status).toBe(200);
  await team.db.look(
    (sql) => sql`
      update operation_runs set expires_at = now() - interval '1 second'
      where team_id = ${team.id}`,
  );
  expect(verdict(await team.get(`${path}/items`))).toBe('410 result_expired');
  expect(verdict(await team.post(`${path}/retry`))).toBe('410 result_expired');
  expect((await team.get(path)).body.status).toBe('canceled');
});
