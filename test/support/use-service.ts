import { afterAll, beforeAll } from '@jest/globals';
import { Client, Connection, WorkflowFailedError } from '@temporalio/client';
import type { WorkflowHandle } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { startTestApi } from './api.ts';
import type { TestApi } from './api.ts';
import { environmentNames, required } from './environment.ts';
import { eventually } from './eventually.ts';
import { newNamespace, startTestWorker } from './worker.ts';
import type { TestWorker } from './worker.ts';

export interface TestTemporal {
  namespace: string;
  client: Client;
  /** A test that ends it puts another one in its place. */
  worker: TestWorker;
  handleOf(workflowId: string): WorkflowHandle;
}

/**
 * As `useTestApi`, with a worker in a namespace of its own and a client of Temporal. The hooks of a
 * file that come later find all of it started.
 */
export function useService(...options: Parameters<typeof startTestApi>): {
  api: TestApi;
  temporal: TestTemporal;
} {
  const service = { api: {} as TestApi, temporal: {} as TestTemporal };
  const { api, temporal } = service;
  let connection: Connection | undefined;
  beforeAll(async () => {
    Object.assign(api, await startTestApi(...options));
    const namespace = await newNamespace();
    connection = await Connection.connect({ address: required(environmentNames.temporalAddress) });
    const client = new Client({ connection, namespace });
    const worker = await startTestWorker(api, { namespace });
    const handleOf = (workflowId: string) => client.workflow.getHandle(workflowId);
    Object.assign(temporal, { namespace, client, worker, handleOf });
    await eventually(() => Promise.resolve(worker.isPolling()), Boolean);
  });
  afterAll(async () => {
    await temporal.worker.close();
    await connection?.close();
    await api.stop();
  });
  return service;
}

/** Details that the Temporal UI shows of a workflow; empty until it runs. */
export async function detailsNow(handle: WorkflowHandle): Promise<string> {
  const metadata: { currentDetails?: string } = await handle
    .query<{ currentDetails?: string }>('__temporal_workflow_metadata')
    .catch(() => ({}));
  return metadata.currentDetails ?? '';
}

/** The same, once it contains the words. */
export const detailsOf = (handle: WorkflowHandle, words: string): Promise<string> =>
  eventually(
    () => detailsNow(handle),
    (details) => details.includes(words),
  );

/** The result of a workflow whose row has failed, which is that of its failure. */
export async function failureOf(handle: WorkflowHandle): Promise<{ failedItems?: object[] }> {
  const error: unknown = await handle.result().catch((one: unknown) => one);
  if (!(error instanceof WorkflowFailedError)) throw new Error('the workflow has not failed');
  if (!(error.cause instanceof ApplicationFailure)) throw error;
  return Object(error.cause.details?.[0]);
}
