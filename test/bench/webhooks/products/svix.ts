import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { findFreePort } from '../../../../src/local/ports.ts';
import { connectDatabase } from '../../../../src/platform/database/client.ts';
import { ensureDatabase } from '../../../../src/platform/database/create-database.ts';
import { cpuSecondsOf } from '../../cpu.ts';
import { filling } from '../product.ts';
import type { Product } from '../product.ts';
import { walBytes } from '../wal.ts';
import { callerOf } from './calls.ts';
import { answersAt, openStores, ownSettings, required, runProgram } from './servers.ts';

const eventType = 'contact.created';
/** Size of an event without its filling. */
const bareBytes = 60;

/** As fast as it was found to be on two cores; see README.md. */
const settings = {
  RUST_LOG: 'error',
  ...{ SVIX_DB_POOL_MAX_SIZE: '20', SVIX_WORKER_MAX_TASKS: '100' },
  ...{ SVIX_QUEUE_TYPE: 'redis', SVIX_CACHE_TYPE: 'memory' },
  SVIX_WHITELABEL_HEADERS: 'true',
  SVIX_RETRY_SCHEDULE: '[1,1,1,1,1,1,1,1,1]',
  // Receivers are on this machine.
  SVIX_WHITELIST_SUBNETS: '[127.0.0.1/32]',
};

/** svix/svix-webhooks, API and worker in one process, with Redis and Postgres. */
export async function openProduct(note: (line: string) => void): Promise<Product> {
  const command = required('SVIX_BINARY', 'the path of svix-server');
  const stores = await openStores('svix', note);
  const { place, postgres, redis, redisPort } = stores;
  const databaseUrl = await ensureDatabase(postgres.url, 'svix');
  const listen = `127.0.0.1:${String(await findFreePort())}`;
  const env = {
    ...settings,
    ...{ SVIX_LISTEN_ADDRESS: listen, SVIX_JWT_SECRET: randomUUID() },
    SVIX_DB_DSN: databaseUrl,
    SVIX_REDIS_DSN: `redis://127.0.0.1:${String(redisPort)}`,
    ...ownSettings('SVIX_SETTINGS'),
  };
  const about = { cwd: place.directory, env };
  const { stdout } = await promisify(execFile)(command, ['jwt', 'generate'], about);
  const url = `http://${listen}`;
  const server = await runProgram(place, {
    ...{ name: 'svix', command, args: ['--run-migrations'], env },
    isReady: answersAt(`${url}/api/v1/health/`),
  });
  const call = callerOf(url, stdout.trim().split(' ').at(-1) ?? '');
  const database = connectDatabase({
    ...{ url: databaseUrl, maxConnections: 1, applicationName: 'bench' },
  });
  return {
    ...{ name: 'svix', url, databaseServerUrl: postgres.url },
    async subscribe(targets) {
      const { id } = await call('POST', '/api/v1/app/', { name: 'bench' });
      for (const target of targets)
        await call('POST', `/api/v1/app/${id}/endpoint/`, { url: target });
      return {
        ...{ most: 1, reach: targets.length },
        publish: ([mark], bytes, isKeyed = false) => ({
          ...{ method: 'POST', path: `/api/v1/app/${id}/msg/`, headers: call.headers },
          body: JSON.stringify({
            ...(isKeyed && { eventId: mark }),
            ...{ eventType, payload: { mark, note: filling(bytes - bareBytes) } },
          }),
        }),
        close: () => call('DELETE', `/api/v1/app/${id}/`),
      };
    },
    cpu: () => cpuSecondsOf([server.pid, redis.pid, postgres.pid]),
    wal: () => walBytes(database),
    async close() {
      await server.stop();
      await database.close();
      await stores.close();
    },
  };
}
