import { execFile } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { findFreePort } from '../../../../src/local/ports.ts';
import { connectDatabase } from '../../../../src/platform/database/client.ts';
import { ensureDatabase } from '../../../../src/platform/database/create-database.ts';
import { cpuSecondsOf } from '../../cpu.ts';
import { filling } from '../product.ts';
import type { Product } from '../product.ts';
import { walBytes } from '../wal.ts';
import { callerOf } from './calls.ts';
import {
  answersAt,
  openStores,
  ownSettings,
  required,
  runProgram,
  startRabbit,
} from './servers.ts';

const topic = 'contact.created';
/** Size of an event without its filling. */
const bareBytes = 60;

/** As fast as it was found to be on two cores; see README.md. */
const settings = {
  LOG_LEVEL: 'error',
  TOPICS: topic,
  ...{
    PUBLISH_MAX_CONCURRENCY: '128',
    DELIVERY_MAX_CONCURRENCY: '128',
    LOG_MAX_CONCURRENCY: '128',
  },
  DESTINATIONS_WEBHOOK_MODE: 'standard',
  MAX_DESTINATIONS_PER_TENANT: '1000',
  RETRY_SCHEDULE: '1,1,1,1,1,1,1,1,1',
  // A retry reads its event from the log, which has to be there after a second.
  ...{ LOG_BATCH_THRESHOLD_SECONDS: '1', RETRY_VISIBILITY_TIMEOUT_SECONDS: '1' },
  DISABLE_TELEMETRY: 'true',
};

/** hookdeck/outpost, all services in one process, with RabbitMQ, Redis and Postgres. */
export async function openProduct(note: (line: string) => void): Promise<Product> {
  const command = required('OUTPOST_BINARY', 'the path of outpost-server, with outpost beside it');
  const stores = await openStores('outpost', note);
  const { place, postgres, redis, redisPort } = stores;
  const rabbit = await startRabbit(place);
  const databaseUrl = await ensureDatabase(postgres.url, 'outpost');
  const port = String(await findFreePort());
  const key = randomUUID();
  const env = {
    ...settings,
    ...{ API_PORT: port, API_KEY: key, API_JWT_SECRET: randomUUID() },
    AES_ENCRYPTION_SECRET: randomBytes(16).toString('hex'),
    ...{ REDIS_HOST: '127.0.0.1', REDIS_PORT: String(redisPort) },
    POSTGRES_URL: `${databaseUrl}?sslmode=disable`,
    RABBITMQ_SERVER_URL: rabbit.url,
    ...ownSettings('OUTPOST_SETTINGS'),
  };
  const migrate = ['migrate', 'apply', '--yes'];
  await promisify(execFile)(join(dirname(command), 'outpost'), migrate, {
    ...{ cwd: place.directory, env },
  });
  const url = `http://127.0.0.1:${port}`;
  const isReady = answersAt(`${url}/healthz`);
  const server = await runProgram(place, { name: 'outpost', command, env, isReady });
  const call = callerOf(url, key);
  const database = connectDatabase({
    ...{ url: databaseUrl, maxConnections: 1, applicationName: 'bench' },
  });
  return {
    ...{ name: 'outpost', url, databaseServerUrl: postgres.url },
    async subscribe(targets) {
      const tenant = randomUUID();
      await call('PUT', `/api/v1/tenants/${tenant}`);
      for (const target of targets) {
        const destination = { type: 'webhook', topics: [topic], config: { url: target } };
        await call('POST', `/api/v1/tenants/${tenant}/destinations`, destination);
      }
      return {
        ...{ most: 1, reach: targets.length },
        publish: ([mark], bytes, isKeyed = false) => ({
          ...{ method: 'POST', path: '/api/v1/publish', headers: call.headers },
          body: JSON.stringify({
            ...(isKeyed && { id: mark }),
            ...{ tenant_id: tenant, topic, data: { mark, note: filling(bytes - bareBytes) } },
          }),
        }),
        close: () => call('DELETE', `/api/v1/tenants/${tenant}`),
      };
    },
    cpu: () => cpuSecondsOf([server.pid, redis.pid, rabbit.pid, postgres.pid]),
    wal: () => walBytes(database),
    async close() {
      await server.stop();
      await Promise.all([database.close(), rabbit.stop()]);
      await stores.close();
    },
  };
}
