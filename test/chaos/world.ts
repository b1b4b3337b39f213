import { existsSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { newKeyFile, openKeyring } from '../../src/auth/keyring.ts';
import type { Keyring } from '../../src/auth/keyring.ts';
import { applyMigrations } from '../../src/commands/apply-migrations.ts';
import { connectDatabase } from '../../src/database/client.ts';
import type { Database } from '../../src/database/client.ts';
import { ensureDatabase } from '../../src/database/create-database.ts';
import { isPortFree } from '../../src/local/ports.ts';
import { removePostgres } from '../../src/local/postgres.ts';
import { isAlive } from '../../src/local/processes.ts';
import type { Victim } from './kills.ts';
import { startLedger } from './ledger.ts';
import type { Ledger } from './ledger.ts';
import { startMember } from './processes.ts';
import type { Member } from './processes.ts';
import type { Random } from './random.ts';
import { openPostgres, openTemporal } from './servers.ts';
import type { PostgresServer, TemporalServer } from './servers.ts';

/** The whole service on this machine, with every part in reach of a kill. */
export interface World {
  postgres: PostgresServer;
  temporal: TemporalServer;
  apis: readonly Member[];
  workers: readonly Member[];
  /** Addresses of the API processes. */
  bases: readonly string[];
  /** What can be killed with -9, by its kind. */
  victims: Readonly<Record<'api' | 'worker' | 'postgres' | 'temporal', readonly Victim[]>>;
  ledger: Ledger;
  /** A pool with the owner's role, to look behind the API. */
  database: Database;
  keyring: Keyring;
  random: Random;
  isShort: boolean;
  /** Tells whoever watches how it goes. */
  note: (line: string) => void;
  /** Ends everything; the logs stay where they are when asked to. */
  close(options: { keepLogs: boolean }): Promise<void>;
}

const root = resolve('.onward/chaos');

export interface WorldOptions {
  random: Random;
  isShort: boolean;
  onNotice: (line: string) => void;
}

/** Starts Postgres, Temporal, two API processes, two workers and the receiver of webhooks. */
export async function openWorld({ random, isShort, onNotice }: WorldOptions): Promise<World> {
  await removeLeftovers();
  const directory = join(root, String(process.pid));
  const place = { directory, onNotice };
  const ports = await choosePorts(7);
  const [postgresPort = 0, port = 0, uiPort = 0, ...memberPorts] = ports;
  const [postgres, temporal, ledger] = await Promise.all([
    openPostgres(place, postgresPort),
    openTemporal(place, { port, uiPort }),
    startLedger(),
  ]);
  const ownerUrl = await ensureDatabase(postgres.url, 'onward');
  const databaseUrl = new URL(ownerUrl);
  databaseUrl.username = 'onward_chaos';
  databaseUrl.password = 'onward_chaos';
  await applyMigrations(ownerUrl, databaseUrl.href);
  const keys = newKeyFile();
  const env = {
    DATABASE_URL: databaseUrl.href,
    TEMPORAL_ADDRESS: temporal.address,
    ONWARD_KEYS: JSON.stringify(keys),
    PUBLIC_BASE_URL: 'http://onward.test',
    HOST: '127.0.0.1',
    LOG_LEVEL: 'warn',
    WEBHOOK_ALLOW_HTTP: 'true',
    WEBHOOK_ALLOW_LOOPBACK: 'true',
    // Short, so that what a kill delays is soon made good; many failures in a row are no reason
    // to switch a subscription off here.
    WEBHOOK_RETRY_SCHEDULE_SECONDS: '0,1,1,2,2,3,3,5,5,5,5,5,5,5,5,5,5,5,5,5',
    WEBHOOK_DISABLE_AFTER: '1000',
    WEBHOOK_BREAKER_FIRST_PAUSE_SECONDS: '1',
    WEBHOOK_BREAKER_LONGEST_PAUSE_SECONDS: '5',
  };
  const member = (name: string, entry: string, at: number, setting: string) => {
    const memberPort = String(memberPorts[at]);
    const url = `http://127.0.0.1:${memberPort}`;
    const about = { name, entry, url, ...place };
    return startMember({ ...about, env: { ...env, [setting]: memberPort } });
  };
  const [api0, api1, worker0, worker1] = await Promise.all([
    member('api-1', 'src/server.ts', 0, 'PORT'),
    member('api-2', 'src/server.ts', 1, 'PORT'),
    member('worker-1', 'src/worker.ts', 2, 'METRICS_PORT'),
    member('worker-2', 'src/worker.ts', 3, 'METRICS_PORT'),
  ]);
  const apis = [api0, api1];
  const workers = [worker0, worker1];
  const database = connectDatabase({
    url: ownerUrl,
    maxConnections: 4,
    applicationName: 'onward-chaos',
  });
  return {
    ...{ postgres, temporal, apis, workers, ledger, database, random, isShort },
    bases: apis.map(({ url }) => url),
    victims: {
      api: apis,
      worker: workers,
      postgres: [
        { name: 'postgres', kill: () => postgres.signal('SIGKILL'), back: () => postgres.back() },
      ],
      temporal: [
        { name: 'temporal', kill: () => temporal.signal('SIGKILL'), back: () => temporal.back() },
      ],
    },
    keyring: openKeyring(keys),
    note: onNotice,
    async close({ keepLogs }) {
      await Promise.all([...apis, ...workers].map((process) => process.stop()));
      await Promise.all([database.close(), ledger.stop()]);
      await Promise.all([temporal.stop(), postgres.stop()]);
      if (!keepLogs) await rm(directory, { recursive: true, force: true });
    },
  };
}

/**
 * Below the ports that the system gives to outgoing connections: while a server is down, one of
 * those could otherwise take its port, or connect to itself.
 */
async function choosePorts(count: number): Promise<number[]> {
  const ports: number[] = [];
  const first = 12_000 + (process.pid % 1_000) * 16;
  for (let port = first; ports.length < count; port += 1) {
    if (await isPortFree(port)) ports.push(port);
  }
  return ports;
}

/** What a killed run left behind. */
async function removeLeftovers(): Promise<void> {
  if (!existsSync(root)) return;
  for (const name of readdirSync(root)) {
    if (isAlive(Number(name))) continue;
    await removePostgres(join(root, name, 'postgres')).catch(() => undefined);
    await rm(join(root, name), { recursive: true, force: true });
  }
}
