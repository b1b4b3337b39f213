import { Client, Connection } from '@temporalio/client';
import type { WorkflowHandle } from '@temporalio/client';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { searchAttributes } from '../../src/platform/temporal/search-attributes.ts';
import { erasureWorkflowId } from '../../workflows/erase-copies.ts';
import { exportWorkflowId } from '../../workflows/write-export.ts';
import { startTestApi } from '../support/api.ts';
import type { TestApi, TestTeam } from '../support/api.ts';
import { environmentNames, required } from '../support/environment.ts';
import { eventually } from '../support/eventually.ts';
import { recordHistory } from '../support/histories.ts';
import { newNamespace, startTestWorker } from '../support/worker.ts';
import type { TestWorker } from '../support/worker.ts';

// With RECORD_HISTORIES=1 the runs below are stored under test/histories.
let api: TestApi;
let worker: TestWorker;
let connection: Connection;
let client: Client;
let team: TestTeam;

beforeAll(async () => {
  api = await startTestApi();
  const namespace = await newNamespace();
  connection = await Connection.connect({ address: required(environmentNames.temporalAddress) });
  client = new Client({ connection, namespace });
  worker = await startTestWorker(api, { namespace });
  await eventually(() => Promise.resolve(worker.isPolling()), Boolean, 30_000);
  team = await api.newTeam();
}, 60_000);
afterAll(async () => {
  await worker.close();
  await connection.close();
  await api.stop();
}, 60_000);

const outcomeOf = async (handle: WorkflowHandle) =>
  (await handle.describe()).typedSearchAttributes.get(searchAttributes.outcome);

/** The workflow once it exists, with its details at its end. */
async function ended(workflowId: string) {
  const handle = client.workflow.getHandle(workflowId);
  await eventually(
    () =>
      handle.result().then(
        () => true,
        () => false,
      ),
    Boolean,
    60_000,
  );
  const { currentDetails }: { currentDetails?: string } = await handle.query(
    '__temporal_workflow_metadata',
  );
  return { handle, currentDetails };
}

test('the workflow of an export ends with its file, and its details describe the result', async () => {
  await team.post('/v2/partner/contacts', { unique_id: 'a' });
  const { body } = await team.post('/v2/partner/exports', { kind: 'contacts' });
  const { handle, currentDetails } = await ended(exportWorkflowId(String(body.id)));
  expect(currentDetails).toMatch(/^The export of contacts is succeeded: 1 rows, \d+ bytes\.$/);
  expect(await handle.result()).toEqual({
    outcome: 'succeeded',
    kind: 'contacts',
    rows: 1,
    sizeBytes: expect.any(Number),
  });
  expect(await outcomeOf(handle)).toBe('succeeded');
  await recordHistory(handle, 'write-export/completed');
});

test('a cancellation request in Temporal ends an export for good', async () => {
  // Its parts are refused, so that it stays open.
  await api.db.look((sql) =>
    sql.unsafe('alter table export_parts add constraint refused check (false) not valid'),
  );
  const { body } = await team.post('/v2/partner/exports', { kind: 'contacts' });
  const handle = client.workflow.getHandle(exportWorkflowId(String(body.id)));
  await eventually(
    async () => (await handle.describe().catch(() => undefined))?.status.name,
    (status) => status === 'RUNNING',
    30_000,
  );
  await handle.cancel();
  const shown = async () => (await team.get(`/v2/partner/exports/${String(body.id)}`)).body;
  const canceled = await eventually(shown, ({ status }) => status === 'failed', 5_000);
  expect(canceled.error).toEqual({
    code: 'canceled',
    detail: expect.stringContaining('canceled by an operator'),
  });
  await api.db.look((sql) => sql.unsafe('alter table export_parts drop constraint refused'));
  const status = await eventually(
    async () => (await handle.describe()).status.name,
    (name) => name !== 'RUNNING',
    30_000,
  );
  expect(status).toBe('CANCELLED');
  expect(await outcomeOf(handle)).toBe('canceled');
  expect(await shown()).toEqual(canceled);
}, 60_000);

test('the workflow of erasures ends when no erasure is left', async () => {
  const { body } = await team.post('/v2/partner/contacts', { unique_id: 'b' });
  const asked = await team.post(`/v2/partner/contacts/${String(body.id)}/erase`);
  const { handle, currentDetails } = await ended(erasureWorkflowId(team.id));
  expect(currentDetails).toBe('0 erasures of the team are not completed.');
  const { body: erasure } = await team.get(String(asked.headers.get('location')));
  expect(erasure.status).toBe('completed');
  expect(await handle.result()).toEqual({ outcome: 'completed', completed: 1 });
  expect(await outcomeOf(handle)).toBe('completed');
  await recordHistory(handle, 'erase-copies/completed');
});
