import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { startTestApi } from '../support/api.ts';
import type { TestApi, TestTeam } from '../support/api.ts';
import { environmentNames, required } from '../support/environment.ts';
import { scratchDirectory } from '../local/scratch.ts';
import { samplesRunBy } from '../site/samples.ts';
import { eventually } from '../support/eventually.ts';
import { refuseInPassing } from '../support/passing-faults.ts';
import { runTemporalCommands } from '../support/temporal-shell.ts';
import { newNamespace, startTestWorker } from '../support/worker.ts';
import type { TestWorker } from '../support/worker.ts';
import { aCompleteTemplate, aLaunchedTemplate, at, inHours } from '../campaigns/a-template.ts';
import { jobId } from '../../src/platform/jobs/shape.ts';
import { exportJob, templateJob } from '../../workflows/jobs.ts';

let api: TestApi;
let connection: Connection;
let client: Client;
let namespace: string;
let team: TestTeam;
const workers: TestWorker[] = [];
const directory = scratchDirectory();

beforeAll(async () => {
  api = await startTestApi();
  namespace = await newNamespace();
  connection = await Connection.connect({ address: required(environmentNames.temporalAddress) });
  client = new Client({ connection, namespace });
  team = await api.newTeam();
});
afterAll(async () => {
  for (const worker of workers) await worker.close();
  await connection.close();
  await api.stop();
});

/** Starts a worker, and waits until it polls. */
async function start(version: string): Promise<void> {
  const worker = await startTestWorker(api, { namespace, version });
  workers.push(worker);
  await eventually(() => Promise.resolve(worker.isPolling()), Boolean);
}

/** Runs each command until the server has seen the pollers of the version that it names. */
async function operate(...commands: string[]): Promise<void> {
  for (const command of commands) {
    await eventually(
      () =>
        runTemporalCommands(command, { directory, namespace }).then(
          () => '',
          (error: unknown) => String(error),
        ),
      (failure) => failure === '',
    );
  }
}

/** The commands of docs/operators.md, for the version `second`. */
const [sample] = samplesRunBy('docs/operators.md', 'test/workflows/worker-versions.test.ts');
const lines = sample?.text.split('\n').filter((line) => line !== '') ?? [];
const [starting = '', describe = '', ramp = '', setCurrent = '', setBack = ''] = lines;
const second = /^TEMPORAL_WORKER_BUILD_ID=(\S+) npm run worker/.exec(starting)?.[1] ?? '';

/** The version of the worker that completed the last task of a workflow. */
async function versionOf(workflowId: string): Promise<string | null | undefined> {
  const described = await connection.workflowService
    .describeWorkflowExecution({ namespace, execution: { workflowId } })
    .catch(() => undefined);
  return described?.workflowExecutionInfo?.versioningInfo?.deploymentVersion?.buildId;
}

const isOn = (workflowId: string, version: string) =>
  eventually(
    () => versionOf(workflowId),
    (found) => found === version,
  );

let hours = 1;

/** A new deadline is a task for the workflow of the template; the server needs a moment to switch. */
const moves = (templateId: string, version: string) =>
  eventually(
    async () => {
      hours += 1;
      await team.patch(at(templateId), { deadline_at: inHours(hours) });
      return versionOf(jobId(templateJob, templateId));
    },
    (found) => found === version,
  );

test('by the commands of docs/operators.md templates move to the version that is current, and back with it; an export stays', async () => {
  await start('first');
  await operate(setCurrent.replace(second, 'first'));
  const id = await aLaunchedTemplate(team, { deadline_at: inHours(1) });
  await isOn(jobId(templateJob, id), 'first');
  const goOn = await refuseInPassing(api.db, 'export_parts');
  await team.post('/v2/partner/contacts', { unique_id: 'a' });
  const { body } = await team.post('/v2/partner/exports', { kind: 'contacts' });
  const exporting = jobId(exportJob, String(body.id));
  await isOn(exporting, 'first');

  await start(second);
  await operate(describe, ramp, setCurrent);
  await moves(id, second);
  const begun = await aLaunchedTemplate(team, { deadline_at: inHours(1) });
  await isOn(jobId(templateJob, begun), second);
  await goOn();
  expect(await client.workflow.getHandle(exporting).result()).toMatchObject({
    outcome: 'succeeded',
  });
  await isOn(exporting, 'first');

  await operate(setBack.replace('<before>', 'first'));
  await moves(id, 'first');
  const scheduled_at = new Date(Date.now() + 1_500).toISOString();
  const due = await aCompleteTemplate(team, { scheduled_at, deadline_at: inHours(1) });
  await eventually(
    async () => (await team.get(at(due))).body.status,
    (status) => status === 'launched',
  );
  for (const workflowId of [jobId(templateJob, id), exporting]) {
    const { events } = await client.workflow.getHandle(workflowId).fetchHistory();
    const failed = events?.filter((event) => event.workflowTaskFailedEventAttributes);
    expect(failed).toEqual([]);
  }
});
