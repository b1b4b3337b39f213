import { beforeEach, describe, expect, test } from '@jest/globals';
import type { WorkflowHandle } from '@temporalio/client';
import { newKeyFile } from '../../src/platform/auth/keyring.ts';
import { searchAttributes } from '../../src/platform/temporal/search-attributes.ts';
import {
  aBatch,
  badItem,
  contactsOf,
  countContacts,
  freePlaces,
  holdPlaces,
  isOver,
  itemsOf,
  keysOf,
  whenRun,
} from '../operations/runs/a-run.ts';
import { startTestApi } from '../support/api.ts';
import type { TestTeam } from '../support/api.ts';
import { environmentNames, required } from '../support/environment.ts';
import { eventually } from '../support/eventually.ts';
import { detailsNow, failureOf, detailsOf, useService } from '../support/use-service.ts';
import { recordHistory } from '../support/histories.ts';
import { newNamespace } from '../support/worker.ts';
import { startChildWorker } from '../webhooks/a-worker.ts';
import { jobId } from '../../src/platform/jobs/shape.ts';
import { batchJob, operationRunJob } from '../../workflows/jobs.ts';

// With RECORD_HISTORIES=1 the runs below are stored under test/histories.
const { api, temporal } = useService();
let team: TestTeam;

beforeEach(async () => {
  team = await api.newTeam();
});

const handleOf = (path: string): WorkflowHandle =>
  temporal.handleOf(jobId(batchJob, path.split('/').at(-1) ?? ''));

test('the workflow of a batch ends with it, and its details describe the result', async () => {
  const keys = keysOf(600);
  const items = [...contactsOf(keys), badItem('bad')];
  const path = await aBatch(team, { items });
  await whenRun(team, path);
  expect(await handleOf(path).result()).toEqual({
    outcome: 'succeeded_with_errors',
    kind: 'contacts.bulk_upsert',
    total: 601,
    processed: 601,
    failed: 1,
    skipped: 0,
    failures: { validation_failed: 1 },
    failedItems: [{ index: 600, code: 'validation_failed', field: '/email' }],
  });
  expect(await detailsNow(handleOf(path))).toContain(
    'contacts.bulk_upsert is succeeded_with_errors: 601 of 601 items done, 1 of them failed ' +
      '(1 validation_failed), 0 skipped. Failed items by their index from 0: ' +
      '600 validation_failed /email.',
  );
  const described = await handleOf(path).describe();
  expect(await described.staticSummary()).toBe('Batch of an integration operation');
  expect(await described.staticDetails()).toContain(`\`${path}\``);
  const [asked] = await api.db.look<{ client_id: string; request_id: string }>(
    (sql) => sql`
      select client_id, request_id from audit_events
      where team_id = ${team.id} and resource_id = ${String(path.split('/').at(-1))}`,
  );
  expect(described.memo).toEqual({
    teamId: team.id,
    resource: path,
    clientId: asked?.client_id,
    requestId: asked?.request_id,
  });
  const { typedSearchAttributes: shown } = described;
  expect([
    shown.get(searchAttributes.teamId),
    shown.get(searchAttributes.operationKind),
    shown.get(searchAttributes.outcome),
    shown.get(searchAttributes.waiting),
  ]).toEqual([team.id, 'contacts.bulk_upsert', 'succeeded_with_errors', 0]);
});

test('a workflow names the first twenty failed items, and nothing of their contents', async () => {
  const items = Array.from({ length: 25 }, () => ({
    ...{ unique_id: 'ada@example.com', first_name: 'Ada' },
    attributes: { 'ada@example.com': { secret: 1 } },
  }));
  const path = await aBatch(team, { items });
  await whenRun(team, path);
  const { failedItems } = await failureOf(handleOf(path));
  await recordHistory(handleOf(path), 'run-job/failed');
  expect(failedItems).toHaveLength(20);
  expect(failedItems?.[19]).toMatchObject({ index: 19, field: '/attributes' });
  const details = await detailsNow(handleOf(path));
  expect(details).toMatch(/19 validation_failed \/attributes, and 5 more\./);
  expect(details).not.toContain('ada');
});

test('a team has five concurrent runs, the oldest first; the others wait for their turn', async () => {
  const held = await holdPlaces(team);
  const paths: string[] = [];
  for (const key of ['first', 'second']) {
    paths.push(await aBatch(team, { items: contactsOf([key]) }));
  }
  const [first = '', second = ''] = paths;
  await detailsOf(handleOf(second), 'waits: 6 runs');
  expect(await detailsNow(handleOf(first))).toContain('waits: 5 runs of the team come first');
  expect((await team.get(second)).body.status).toBe('queued');

  await freePlaces(team, held.slice(0, 2));
  const done = await Promise.all(paths.map((path) => whenRun(team, path)));
  expect(done.map(({ status }) => status)).toEqual(['succeeded', 'succeeded']);
  await handleOf(second).result();
});

test('a batch that is canceled midway retains its applied items, and applies no more', async () => {
  const path = await aBatch(team, { items: contactsOf(keysOf(5_000)) });
  await whenRun(team, path, ({ processed_count }) => processed_count > 0);
  const asked = await team.post(`${path}/cancel`);
  expect([asked.status, asked.body.status]).toEqual([200, 'canceling']);
  const { processed_count: applied } = asked.body;
  const canceled = await whenRun(team, path);
  expect(canceled).toMatchObject({ status: 'canceled', processed_count: applied });
  expect(applied).toBeLessThan(5_000);
  expect(await countContacts(team)).toBe(applied);
  expect(await itemsOf(team, `${path}/items`)).toHaveLength(applied);
  const again = await team.post(`${path}/cancel`);
  expect([again.status, again.body.errors[0].code]).toEqual([409, 'execution_finished']);
  const result = await handleOf(path).result();
  expect(result).toMatchObject({ outcome: 'canceled', total: 5_000, processed: applied });
});

describe('a cancellation request in Temporal', () => {
  const canceled = (path: string) =>
    eventually(
      async () => (await team.get(path)).body,
      ({ status }) => status === 'canceled',
    );
  const ended = (handle: WorkflowHandle) =>
    eventually(
      async () => (await handle.describe()).status.name,
      (status) => status !== 'RUNNING',
    );

  test('cancels a batch midway, for good', async () => {
    const path = await aBatch(team, { items: contactsOf(keysOf(5_000)) });
    await whenRun(team, path, ({ processed_count }) => processed_count > 0);
    await handleOf(path).cancel();
    const { processed_count: applied } = await canceled(path);
    expect(applied).toBeLessThan(5_000);
    expect(await ended(handleOf(path))).toBe('CANCELLED');
    const { typedSearchAttributes: shown } = await handleOf(path).describe();
    expect(shown.get(searchAttributes.outcome)).toBe('canceled');
    await recordHistory(handleOf(path), 'run-job/canceled');
    // A request of the reconciler finds nothing to do.
    await api.db.look(
      (sql) => sql`
        insert into workflow_outbox (workflow, key, team_id)
        values ('batch', ${String(path.split('/').at(-1))}, ${team.id})`,
    );
    await eventually(
      async () => (await handleOf(path).describe()).status.name,
      (status) => status === 'COMPLETED',
    );
    expect((await team.get(path)).body).toMatchObject({
      status: 'canceled',
      processed_count: applied,
    });
    expect(await countContacts(team)).toBe(applied);
    const audited = await api.db.look<{ action: string; actor: string }>(
      (sql) => sql`
        select action, actor from audit_events
        where team_id = ${team.id} and action like '%.canceled'`,
    );
    expect(audited).toEqual([{ action: 'batch_operation.canceled', actor: 'operator@temporal' }]);
  });

  test('cancels an execution that waits for its turn', async () => {
    const held = await holdPlaces(team);
    const items = contactsOf(keysOf(150));
    const execute = '/v2/ipaas/operations/contacts.bulk_upsert/execute';
    const asked = await team.post(execute, { items });
    expect([asked.status, asked.body.errors]).toEqual([202, undefined]);
    const handle = temporal.handleOf(jobId(operationRunJob, String(asked.body.id)));
    await eventually(
      async () => (await handle.describe().catch(() => undefined))?.status.name,
      (status) => status === 'RUNNING',
    );
    await handle.cancel();
    await canceled(`/v2/ipaas/executions/${String(asked.body.id)}`);
    expect(await ended(handle)).toBe('CANCELLED');
    await freePlaces(team, held);
  });
});

test('a batch continues after a kill of its worker: every item is applied once', async () => {
  const settings = { ONWARD_KEYS: JSON.stringify(newKeyFile()) };
  const other = await startTestApi(settings);
  try {
    const theirs = await other.newTeam();
    const addresses = {
      ...settings,
      TEMPORAL_ADDRESS: required(environmentNames.temporalAddress),
      TEMPORAL_NAMESPACE: await newNamespace(),
    };
    const count = 3_000;
    const path = await aBatch(theirs, { items: contactsOf(keysOf(count)) });
    const first = await startChildWorker(other, addresses);
    const seen: number[] = [];
    await whenRun(theirs, path, (run) => {
      seen.push(run.processed_count);
      return run.processed_count > 0;
    });
    await first.kill();
    expect(seen.at(-1)).toBeLessThan(count);
    const second = await startChildWorker(other, addresses);
    try {
      const done = await whenRun(theirs, path, (run) => {
        seen.push(run.processed_count);
        return isOver(run);
      });
      expect(done).toMatchObject({ status: 'succeeded', succeeded_count: count });
    } finally {
      await second.stop();
    }
    // Progress never goes back.
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
    const items = await itemsOf(theirs, `${path}/items`);
    expect(items.map(({ index }) => index)).toEqual(Array.from({ length: count }, (_, at) => at));
    expect(new Set(items.map(({ status }) => status))).toEqual(new Set(['created']));
    expect(await countContacts(theirs)).toBe(count);
  } finally {
    await other.stop();
  }
});
