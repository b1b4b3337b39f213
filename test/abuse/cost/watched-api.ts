import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { newKeyFile } from '../../../src/platform/auth/keyring.ts';
import { startTestApi } from '../../support/api.ts';
import type { TestApi } from '../../support/api.ts';

/** The API twice on one database: here, for what tests prepare, and watched in its own process. */
export interface WatchedApi {
  api: TestApi;
  /** URL of the watched process. */
  url(): string;
  /** For how long its event loop was blocked at most since the last such question, in ms. */
  blockedMs(): Promise<number>;
  /** Ends one whose event loop does not come back, and starts another. */
  replace(): Promise<void>;
  stop(): Promise<void>;
}

export async function startWatchedApi(): Promise<WatchedApi> {
  const keys = JSON.stringify(newKeyFile());
  const api = await startTestApi({ ONWARD_KEYS: keys });
  const { PATH = '', HOME = '' } = process.env;
  const env = {
    ...{ PATH, HOME, ONWARD_KEYS: keys, DATABASE_URL: api.config.databaseUrl },
    ...{ PUBLIC_BASE_URL: 'http://onward.test', UNAUTHENTICATED_BURST: '1000000' },
    ...{ CHECK_RESPONSES: 'false', REQUEST_LOG: 'true', INSIGHTS_CACHE_MIN_MS: '3600000' },
  };
  let { child, url } = await startChild(env);
  const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  };
  return {
    api,
    url: () => url,
    async blockedMs() {
      child.send('how long?');
      const [{ blockedMs }] = await once(child, 'message');
      return Number(blockedMs);
    },
    async replace() {
      await end('SIGKILL');
      ({ child, url } = await startChild(env));
    },
    async stop() {
      await end('SIGTERM');
      await api.stop();
    },
  };
}

async function startChild(
  env: Record<string, string>,
): Promise<{ child: ChildProcess; url: string }> {
  const child = fork('src/local/run.mjs', ['test/abuse/cost/api-fixture.ts'], {
    ...{ cwd: new URL('../../../', import.meta.url), execArgv: [], env },
  });
  const [{ url }] = await once(child, 'message');
  return { child, url: String(url) };
}
