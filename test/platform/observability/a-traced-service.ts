import type { ChildProcess } from 'node:child_process';
import { newKeyFile } from '../../../src/platform/auth/keyring.ts';
import { endOf, startEntry, untilTrueWhileRunning } from '../../commands/spawn.ts';
import { startTestApi } from '../../support/api.ts';
import type { TestApi } from '../../support/api.ts';
import { environmentNames, required } from '../../support/environment.ts';
import { takePort } from '../../support/ports.ts';
import { newNamespace } from '../../support/worker.ts';

export interface ServiceProcesses {
  /** In this process, on the same database: makes teams and tokens, and is not traced. */
  api: TestApi;
  url: string;
  /** The lines that the API has logged. */
  lines: () => any[];
  stop(): Promise<void>;
}

/** API and worker, each in its own process as in production, with further settings. */
export async function startProcesses(
  settings: Readonly<Record<string, string>>,
): Promise<ServiceProcesses> {
  const keys = JSON.stringify(newKeyFile());
  const api = await startTestApi({ ONWARD_KEYS: keys });
  const port = await takePort();
  const ports = [await takePort(), await takePort()];
  const shared = {
    DATABASE_URL: api.db.url,
    ONWARD_KEYS: keys,
    HOST: '127.0.0.1',
    PORT: String(port),
    PUBLIC_BASE_URL: 'http://onward.test',
    PUBLIC_HOSTS: '127.0.0.1',
    TEMPORAL_ADDRESS: required(environmentNames.temporalAddress),
    TEMPORAL_NAMESPACE: await newNamespace(),
    SENDING_EXAMPLE_DOMAINS: 'true',
    WEBHOOK_ALLOW_HTTP: 'true',
    WEBHOOK_ALLOW_LOOPBACK: 'true',
    SFTP_ENABLED: 'false',
    ...settings,
  };
  let output = '';
  const children: ChildProcess[] = ['src/api.ts', 'src/worker.ts'].map((entry, at) =>
    startEntry(entry, [], { ...shared, METRICS_PORT: String(ports[at]) }),
  );
  children[0]?.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  children[1]?.stdout?.resume();
  for (const [at, child] of children.entries()) {
    await untilTrueWhileRunning(child, () => isReady(ports[at] ?? 0));
  }
  return {
    api,
    url: `http://127.0.0.1:${String(port)}`,
    lines: () =>
      output
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line)),
    async stop() {
      const ends = children.map(endOf);
      for (const child of children) child.kill('SIGTERM');
      await Promise.all(ends);
      await api.stop();
    },
  };
}

async function isReady(port: number): Promise<boolean> {
  const reply = await fetch(`http://127.0.0.1:${String(port)}/readyz`).catch(() => undefined);
  return reply?.status === 200;
}
