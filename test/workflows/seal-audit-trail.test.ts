import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { startTestApi } from '../support/api.ts';
import type { TestApi } from '../support/api.ts';
import { environmentNames, required } from '../support/environment.ts';
import { eventually } from '../support/eventually.ts';
import { recordHistory } from '../support/histories.ts';
import { newNamespace, startTestWorker } from '../support/worker.ts';
import type { TestWorker } from '../support/worker.ts';
import { auditScheduleId } from '../../workflows/seal-audit-trail.ts';

let api: TestApi;
let worker: TestWorker;
let connection: Connection;
let client: Client;

beforeAll(async () => {
  api = await startTestApi();
  const namespace = await newNamespace();
  connection = await Connection.connect({ address: required(environmentNames.temporalAddress) });
  client = new Client({ connection, namespace });
  worker = await startTestWorker(api, { namespace });
}, 60_000);
afterAll(async () => {
  await worker.close();
  await connection.close();
  await api.stop();
});

test('the schedule seals committed lines, and its run reports their number', async () => {
  const team = await api.newTeam();
  await team.post('/v2/partner/users', { email: 'ada@example.com' });
  const schedule = client.schedule.getHandle(auditScheduleId);
  await eventually(
    () =>
      schedule.trigger().then(
        () => true,
        () => false,
      ),
    Boolean,
  );
  const [seal] = await eventually(
    () =>
      api.db.look(
        (sql) => sql<{ number: number }[]>`
        select number from audit_seals where team_id = ${team.id}`,
      ),
    (seals) => seals.length > 0,
    30_000,
  );
  expect(seal?.number).toBe(1);
  const [action] = (await schedule.describe()).info.recentActions;
  if (action?.action.type !== 'startWorkflow') throw new Error('the schedule starts no workflow');
  const run = client.workflow.getHandle(action.action.workflow.workflowId);
  const { events, teams } = await run.result();
  expect(events).toBeGreaterThanOrEqual(teams);
  await recordHistory(run, 'seal-audit-trail/scheduled');
}, 60_000);
