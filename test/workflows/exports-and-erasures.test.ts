import type { WorkflowHandle } from '@temporalio/client';
import { beforeAll, expect, test } from '@jest/globals';
import { searchAttributes } from '../../src/platform/temporal/search-attributes.ts';
import type { TestTeam } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { eventTypesOf, eventsOf, subscribe } from '../support/recorded-events.ts';
import { refuseInPassing } from '../support/passing-faults.ts';
import { detailsNow, useService } from '../support/use-service.ts';
import { recordHistory } from '../support/histories.ts';
import { jobId } from '../../src/platform/jobs/shape.ts';
import { erasureJob, exportJob } from '../../workflows/jobs.ts';

// With RECORD_HISTORIES=1 the runs below are stored under test/histories.
const { api, temporal } = useService();
let team: TestTeam;

beforeAll(async () => {
  team = await api.newTeam();
  await subscribe(api, team);
});

const outcomeOf = async (handle: WorkflowHandle) =>
  (await handle.describe()).typedSearchAttributes.get(searchAttributes.outcome);

/** The workflow once it exists, with its details at its end. */
async function ended(workflowId: string) {
  const handle = temporal.handleOf(workflowId);
  await eventually(
    () =>
      handle.result().then(
        () => true,
        () => false,
      ),
    Boolean,
  );
  return { handle, currentDetails: await detailsNow(handle) };
}

test('the workflow of an export ends with its file, and its details describe the result', async () => {
  await team.post('/v2/partner/contacts', { unique_id: 'a' });
  const { body } = await team.post('/v2/partner/exports', { kind: 'contacts' });
  const { handle, currentDetails } = await ended(jobId(exportJob, String(body.id)));
  expect(currentDetails).toMatch(/^The export of contacts is succeeded: 1 rows, \d+ bytes\.$/);
  expect(await handle.result()).toEqual({
    outcome: 'succeeded',
    kind: 'contacts',
    rows: 1,
    sizeBytes: expect.any(Number),
  });
  expect(await outcomeOf(handle)).toBe('succeeded');
  const [event, ...more] = await eventsOf(api, team, String(body.id));
  expect([event?.type, more]).toEqual(['export.completed', []]);
  // Filters may name persons.
  expect(event?.data).toMatchObject({ status: 'succeeded', row_count: 1 });
  expect(event?.data).not.toHaveProperty('filters');
  await recordHistory(handle, 'run-job/ended');
});

test('a cancellation request in Temporal ends an export for good', async () => {
  const goOn = await refuseInPassing(api.db, 'export_parts');
  const { body } = await team.post('/v2/partner/exports', { kind: 'contacts' });
  const handle = temporal.handleOf(jobId(exportJob, String(body.id)));
  await eventually(
    async () => (await handle.describe().catch(() => undefined))?.status.name,
    (status) => status === 'RUNNING',
  );
  await handle.cancel();
  const shown = async () => (await team.get(`/v2/partner/exports/${String(body.id)}`)).body;
  const canceled = await eventually(shown, ({ status }) => status === 'failed');
  expect(canceled.error).toEqual({
    code: 'canceled',
    detail: expect.stringContaining('canceled by an operator'),
  });
  await goOn();
  const status = await eventually(
    async () => (await handle.describe()).status.name,
    (name) => name !== 'RUNNING',
  );
  expect(status).toBe('CANCELLED');
  expect(await outcomeOf(handle)).toBe('canceled');
  expect(await shown()).toEqual(canceled);
  expect(await eventTypesOf(api, team, String(body.id))).toEqual(['export.canceled']);
});

test('the workflow of erasures ends when no erasure is left', async () => {
  const { body } = await team.post('/v2/partner/contacts', { unique_id: 'b' });
  const asked = await team.post(`/v2/partner/contacts/${String(body.id)}/erase`);
  const { handle, currentDetails } = await ended(jobId(erasureJob, team.id));
  expect(await eventTypesOf(api, team, String(asked.body.id))).toContain(
    'contact_erasure.completed',
  );
  expect(currentDetails).toMatch(
    /^No erasure of the team is open\. \d+ were completed by this workflow\.$/,
  );
  const { body: erasure } = await team.get(String(asked.headers.get('location')));
  expect(erasure.status).toBe('completed');
  expect(await handle.result()).toEqual({ outcome: 'completed', completed: 1 });
  expect(await outcomeOf(handle)).toBe('completed');
});
