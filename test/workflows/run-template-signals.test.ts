import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import type { WorkflowBundle } from '@temporalio/worker';
import type { TemplateOutlook } from '../../activities/run-template.ts';
import { bundleWorkflows } from '../../src/platform/temporal/bundle.ts';
import { installRuntime } from '../../src/platform/temporal/install-runtime.ts';
import { createLog } from '../../src/platform/observability/log.ts';
import { environmentNames, required } from '../support/environment.ts';
import { runTemplate, templateChanged, templateWorkflowId } from '../../workflows/run-template.ts';

const address = required(environmentNames.temporalAddress);
let connection: Connection;
let native: NativeConnection;
let client: Client;
let workflowBundle: WorkflowBundle;

beforeAll(async () => {
  installRuntime(createLog('silent', 'worker'));
  workflowBundle = await bundleWorkflows();
  connection = await Connection.connect({ address });
  native = await NativeConnection.connect({ address });
  client = new Client({ connection });
});
afterAll(async () => {
  await connection.close();
  await native.close();
});

/** Runs the workflow with these results of its activity, each made at its call. */
async function run(answers: ((templateId: string) => Promise<TemplateOutlook>)[]) {
  const templateId = randomUUID();
  const asOf: number[] = [];
  const worker = await Worker.create({
    connection: native,
    taskQueue: templateId,
    workflowBundle,
    activities: {
      advanceTemplate({ asOfMs }: { asOfMs: number }): Promise<TemplateOutlook> {
        asOf.push(asOfMs);
        const answer = answers[asOf.length - 1];
        if (!answer) throw new Error('the workflow asks too often');
        return answer(templateId);
      },
    },
  });
  await worker.runUntil(
    client.workflow.execute(runTemplate, {
      workflowId: templateWorkflowId(templateId),
      taskQueue: templateId,
      args: [{ v: 1, teamId: randomUUID(), templateId }],
    }),
  );
  return asOf;
}

const nothing = { status: 'draft', next: null } as const;
const signal = (id: string) =>
  client.workflow.getHandle(templateWorkflowId(id)).signal(templateChanged);

test('a signal during the read of the row makes the workflow read it again', async () => {
  const asOf = await run([
    async (id) => {
      await signal(id);
      return nothing;
    },
    () => Promise.resolve(nothing),
  ]);
  expect(asOf).toHaveLength(2);
});

test('a transition that is not yet due by the clock of the database is retried, never skipped', async () => {
  const dueAtMs = Date.now() + 400;
  const asOf = await run([
    () => Promise.resolve({ status: 'launched', next: { action: 'expire', atMs: dueAtMs } }),
    () => Promise.resolve({ status: 'expired', next: null }),
  ]);
  expect(asOf[1]).toBeGreaterThanOrEqual(dueAtMs);
});

test('an activity that fails is retried', async () => {
  const asOf = await run([
    () => Promise.reject(new Error('the database is away')),
    () => Promise.resolve(nothing),
  ]);
  expect(asOf).toHaveLength(2);
});
