import { Client, Connection } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import { createLog } from '../../src/platform/observability/log.ts';
import { bundleWorkflows } from '../../src/platform/temporal/bundle.ts';
import { installRuntime } from '../../src/platform/temporal/install-runtime.ts';
import { taskQueues } from '../../src/platform/temporal/task-queues.ts';
import { environmentNames, required } from '../support/environment.ts';
import { newNamespace } from '../support/worker.ts';

/** Runs the workflows on a real server, with the given activities on every queue. */
export async function startGivenWork(activities: object): Promise<{
  client: Client;
  stop(): Promise<void>;
}> {
  const address = required(environmentNames.temporalAddress);
  installRuntime(createLog('silent', 'worker'));
  const namespace = await newNamespace();
  const connection = await Connection.connect({ address });
  const native = await NativeConnection.connect({ address });
  const workflowBundle = await bundleWorkflows();
  const workers = await Promise.all(
    Object.values(taskQueues).map((taskQueue) =>
      Worker.create({
        ...{ connection: native, namespace, activities, taskQueue },
        ...(taskQueue === taskQueues.main && { workflowBundle }),
      }),
    ),
  );
  const running = Promise.all(workers.map((worker) => worker.run()));
  return {
    client: new Client({ connection, namespace }),
    async stop() {
      for (const worker of workers) worker.shutdown();
      await running;
      await connection.close();
      await native.close();
    },
  };
}
