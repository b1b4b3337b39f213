import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import type { InboundOutlook } from '../../activities/project-inbound.ts';
import { bundleWorkflows } from '../../src/platform/temporal/bundle.ts';
import { installRuntime } from '../../src/platform/temporal/install-runtime.ts';
import { createLog } from '../../src/platform/observability/log.ts';
import { environmentNames, required } from '../support/environment.ts';
import {
  inboundChanged,
  inboundWorkflowId,
  projectInbound,
} from '../../workflows/project-inbound.ts';

const address = required(environmentNames.temporalAddress);
let connection: Connection;
let native: NativeConnection;
let client: Client;

beforeAll(async () => {
  installRuntime(createLog('silent', 'worker'));
  connection = await Connection.connect({ address });
  native = await NativeConnection.connect({ address });
  client = new Client({ connection });
});
afterAll(async () => {
  await connection.close();
  await native.close();
});

test('signals during every read do not delay the next run, which continues the counts', async () => {
  const receiverId = randomUUID();
  const workflowId = inboundWorkflowId(receiverId);
  const handle = client.workflow.getHandle(workflowId);
  const runs = new Set<string>();
  let rounds = 0;
  const worker = await Worker.create({
    connection: native,
    taskQueue: receiverId,
    workflowBundle: await bundleWorkflows(),
    activities: {
      async applyDueCallbacks(): Promise<InboundOutlook> {
        rounds += 1;
        runs.add((await handle.describe()).runId);
        const outlook = { applied: 1, givenUp: 0, waiting: 0 };
        if (runs.size > 1) return outlook;
        await Promise.all(Array.from({ length: 100 }, () => handle.signal(inboundChanged)));
        return { ...outlook, nextAtMs: Date.now() + 3_600_000 };
      },
    },
  });
  const result = await worker.runUntil(
    client.workflow.execute(projectInbound, {
      workflowId,
      taskQueue: receiverId,
      memo: { teamId: 'team' },
      args: [{ v: 1, teamId: randomUUID(), receiverId }],
    }),
  );
  expect(runs.size).toBe(2);
  const last = await handle.describe();
  expect(last.memo).toEqual({ teamId: 'team' });
  expect(result).toEqual({ outcome: 'applied', applied: rounds, givenUp: 0 });
});
