import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectDatabase } from '../../../src/platform/database/client.ts';
import { ensureDatabase } from '../../../src/platform/database/create-database.ts';
import { findFreePort } from '../../../src/local/ports.ts';
import { openPostgres } from '../../world/servers.ts';
import { startChild } from '../child.ts';
import { cpuSecondsOf } from '../cpu.ts';
import { filling } from './product.ts';
import type { Product } from './product.ts';
import { walBytes } from './wal.ts';

/** Size of an event without its filling. */
const bareBytes = 150;

/** pg-boss and undici in a process with a Postgres of their own. */
export async function openLibrary(note: (line: string) => void): Promise<Product> {
  const directory = await mkdtemp(join(tmpdir(), 'onward-bench-'));
  const postgres = await openPostgres({ directory, onNotice: note }, await findFreePort());
  const databaseUrl = await ensureDatabase(postgres.url, 'queue');
  const child = startChild('test/bench/peers/pg-boss.ts', { DATABASE_URL: databaseUrl });
  const { url } = await child.ask({ ask: 'url' });
  const database = connectDatabase({
    ...{ url: databaseUrl, maxConnections: 1, applicationName: 'bench' },
  });
  return {
    ...{ name: 'pg_boss', url },
    subscribe: async (targets) => ({
      ...{ most: 1, reach: targets.length },
      publish: ([mark], bytes) => ({
        ...{ method: 'POST', path: '/events', headers: { 'content-type': 'application/json' } },
        body: JSON.stringify({ targets, event: { mark, note: filling(bytes - bareBytes) } }),
      }),
      close: async () => undefined,
    }),
    cpu: () => cpuSecondsOf([child.process.pid ?? 0, postgres.pid]),
    wal: () => walBytes(database),
    async close() {
      child.stop();
      await database.close();
      await postgres.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
