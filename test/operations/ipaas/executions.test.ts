import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { anonymous } from '../../../src/platform/auth/principal.ts';
import { findOperation } from '../../../src/operations/catalog.ts';
import { startRun } from '../../../src/operations/runs/start.ts';
import {
  badItem,
  contactsOf,
  countContacts,
  freePlaces,
  holdPlaces,
  itemsOf,
  keysOf,
  whenRun,
} from '../runs/a-run.ts';
import { startTestApi } from '../../support/api.ts';
import type { TestApi, TestTeam } from '../../support/api.ts';
import { startTestWorker } from '../../support/worker.ts';
import type { TestWorker } from '../../support/worker.ts';

let api: TestApi;
let worker: TestWorker;
let team: TestTeam;

beforeAll(async () => {
  api = await startTestApi();
  worker = await startTestWorker(api);
});
afterAll(async () => {
  await worker.close();
  await api.stop();
});
beforeEach(async () => {
  team = await api.newTeam();
});

/** Starts an execution of the team's client, and answers where it is. */
async function anExecution(items: readonly unknown[]): Promise<string> {
  const operation = findOperation('contacts.bulk_upsert');
  if (!operation) throw new Error('no such operation');
  const scopes = new Set(operation.scopes);
  const principal = { ...anonymous, teamId: team.id, clientId: team.clientId, scopes };
  const run = await api.db.database.transact((sql) =>
    startRun(sql, {
      teamId: team.id,
      surface: 'ipaas',
      operation,
      principal,
      source: 'inline',
      items,
      idempotencyKey: 'nightly-1',
    }),
  );
  return `/v2/ipaas/executions/${run.id}`;
}

test('an execution is polled, and its result read once it has ended', async () => {
  await team.post('/v2/partner/webhook-subscriptions', {
    target_url: 'https://hooks.example.com/executions',
    event_types: ['operation_execution.*'],
  });
  const held = await holdPlaces(team);
  const path = await anExecution([...contactsOf(keysOf(130)), badItem('bad')]);
  const queued = await team.get(path);
  expect(queued.body).toMatchObject({
    type: 'operation_execution',
    operation_kind: 'contacts.bulk_upsert',
    status: 'queued',
    execution_mode: 'async',
    idempotency_key: 'nightly-1',
    input_count: 131,
    progress: { processed: 0, total: 131 },
    requested_by_client_id: team.clientId,
  });
  expect(queued.headers.get('retry-after')).toBe('2');
  const early = await team.get(`${path}/result`);
  expect([early.status, early.body.errors[0].code]).toEqual([409, 'execution_not_finished']);
  expect(early.headers.get('retry-after')).toBe('2');

  await freePlaces(team, held);
  expect(await whenRun(team, path)).toMatchObject({
    status: 'succeeded_with_errors',
    summary: { total: 131, succeeded: 130, failed: 1, skipped: 0 },
    progress: { processed: 131, total: 131 },
  });
  const results = await itemsOf(team, `${path}/result`);
  expect(results).toHaveLength(131);
  expect(results[0]).toMatchObject({ index: 0, status: 'created', resource_type: 'contact' });
  expect(results[130]).toMatchObject({ status: 'failed', errors: [{ code: 'validation_failed' }] });
  expect(await itemsOf(team, `${path}/items`)).toHaveLength(131);
  const told = await team.db.look<{ type: string; id: string }>(
    (sql) => sql`
      select type, resource_id as id from webhook_events
      where team_id = ${team.id} order by sequence`,
  );
  const id = path.split('/').at(-1);
  expect(told).toEqual([
    { type: 'operation_execution.started', id },
    { type: 'operation_execution.partially_succeeded', id },
  ]);

  const retry = await team.post(`${path}/retry`);
  expect([retry.status, retry.body.input_count]).toEqual([202, 1]);
  expect(await whenRun(team, String(retry.headers.get('location')))).toMatchObject({
    status: 'failed',
    error: { code: 'operation_failed' },
    retry_of_id: path.split('/').at(-1),
  });
  expect(await countContacts(team)).toBe(130);
  await team.db.look(
    (sql) => sql`
      update operation_runs set expires_at = now() - interval '1 second'
      where team_id = ${team.id}`,
  );
  const late = await team.get(`${path}/result`);
  expect([late.status, late.body.errors[0].code]).toEqual([410, 'result_expired']);
});
