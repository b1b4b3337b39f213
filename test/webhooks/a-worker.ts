import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { TestApi } from '../support/api.ts';

const runner = fileURLToPath(new URL('../../src/local/run.mjs', import.meta.url));
const fixture = fileURLToPath(new URL('worker-fixture.ts', import.meta.url));

export interface ChildWorker {
  /** Its log. */
  output(): string;
  /** kill -9: ends without cleanup. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

/** The real worker as a process of its own; resolves when it runs, Temporal there or not. */
export async function startChildWorker(
  api: TestApi,
  settings: Record<string, string>,
): Promise<ChildWorker> {
  const child = spawn(process.execPath, [runner, fixture], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env['PATH'], DATABASE_URL: api.db.url, ...settings },
  });
  const exit = once(child, 'exit');
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  await Promise.race([
    once(child.stdout, 'data'),
    exit.then(([code]) => {
      throw new Error(`the worker ended with ${String(code)}`);
    }),
  ]);
  const end = async (signal: 'SIGKILL' | 'SIGTERM') => {
    child.kill(signal);
    await exit;
  };
  return { output: () => said, kill: () => end('SIGKILL'), stop: () => end('SIGTERM') };
}
