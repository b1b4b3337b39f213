import { randomUUID } from 'node:crypto';
import { Connection } from '@temporalio/client';
import Long from 'long';
import type { Keyring } from '../../src/platform/auth/keyring.ts';
import type { TemporalSettings } from '../../src/platform/temporal/client.ts';
import { createLog } from '../../src/platform/observability/log.ts';
import type { Log } from '../../src/platform/observability/log.ts';
import { startWorker } from '../../src/app/start-worker.ts';
import { installRuntime } from '../../src/platform/temporal/install-runtime.ts';
import type { WorkerProcess } from '../../src/app/start-worker.ts';
import type { TestApi } from './api.ts';
import { environmentNames, required } from './environment.ts';

export interface TestWorker extends WorkerProcess {
  namespace: string;
}

/** A namespace of its own, so that test files do not see each other's lanes. */
export async function newNamespace(): Promise<string> {
  const namespace = `test-${randomUUID()}`;
  const address = required(environmentNames.temporalAddress);
  const connection = await Connection.connect({ address });
  await connection.workflowService.registerNamespace({
    namespace,
    workflowExecutionRetentionPeriod: { seconds: Long.fromNumber(86_400) },
  });
  await connection.close();
  return namespace;
}

let hasRuntime = false;

/** The real worker on the test's database and a real Temporal server. */
export async function startTestWorker(
  api: TestApi,
  options: {
    namespace?: string;
    sftpPort?: number;
    log?: Log;
    temporal?: Pick<TemporalSettings, 'temporalAddress' | 'temporalProfile'>;
    /** Instead of the keys of the API. */
    keyring?: Keyring;
    /** Whether payloads are encrypted. */
    encrypts?: boolean;
    /** Build id, for Worker Versioning. */
    version?: string;
  } = {},
): Promise<TestWorker> {
  const namespace = options.namespace ?? (await newNamespace());
  const log = options.log ?? createLog(process.env['TEST_LOG_LEVEL'] ?? 'silent', 'worker');
  if (!hasRuntime) installRuntime(log);
  hasRuntime = true;
  const worker = await startWorker(
    {
      ...api.config,
      sftp: { ...api.config.sftp, listenPort: options.sftpPort },
      temporalAddress: required(environmentNames.temporalAddress),
      ...options.temporal,
      temporalNamespace: namespace,
      temporalEncrypts: options.encrypts ?? false,
      ...(options.version !== undefined && {
        temporalVersion: { deploymentName: 'onward', buildId: options.version },
      }),
      databasePoolSize: 12,
    },
    options.keyring ?? api.keyring,
    log,
  );
  return { ...worker, namespace };
}
