import { existsSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { newKeyFile, openKeyring } from '../../src/platform/auth/keyring.ts';
import type { Keyring } from '../../src/platform/auth/keyring.ts';
import { applyMigrations } from '../../src/commands/apply-migrations.ts';
import { connectDatabase } from '../../src/platform/database/client.ts';
import type { Database } from '../../src/platform/database/client.ts';
import { ensureDatabase } from '../../src/platform/database/create-database.ts';
import { removePostgres } from '../../src/local/postgres.ts';
import { isAlive } from '../../src/local/processes.ts';
import { takePorts } from '../support/ports.ts';
import { startMember } from './processes.ts';
import type { Member } from './processes.ts';
import { openPostgres, openTemporal } from './servers.ts';
import type { PostgresServer, TemporalServer } from './servers.ts';

/** The whole service on this machine, with every part a process of its own. */
export interface Machine {
  /** Where data and logs lie. */
  directory: string;
  postgres: PostgresServer;
  temporal: TemporalServer;
  apis: readonly Member[];
  workers: readonly Member[];
  /** Addresses of the API processes. */
  bases: readonly string[];
  /** A pool with the owner's role, to look behind the API. */
  database: Database;
  /** URL of the role of the API and the worker. */
  databaseUrl: string;
  /** Environment of the API and worker processes, except for their ports. */
  environment: Readonly<Record<string, string>>;
  keyring: Keyring;
  /** Ends everything; optionally retains the logs. */
  close(options: { keepLogs: boolean }): Promise<void>;
}

export interface MachineOptions {
  /** Such as chaos: data and logs lie in .onward/<name>/<pid>. */
  name: string;
  apis: number;
  workers: number;
  /** Settings of the API and worker processes beyond what makes them run here. */
  settings: Readonly<Record<string, string>>;
  /** For Node itself, such as --cpu-prof. */
  nodeArguments?: readonly string[];
  onNotice: (line: string) => void;
}

/** Starts Postgres, Temporal, API and worker processes, with nothing in the database. */
export async function openMachine(options: MachineOptions): Promise<Machine> {
  const { name: purpose, settings, nodeArguments = [], onNotice } = options;
  const root = resolve('.onward', purpose);
  await removeLeftovers(root);
  const directory = join(root, String(process.pid));
  const place = { directory, onNotice };
  const ports = await takePorts(3 + 2 * options.apis + options.workers);
  const [postgresPort = 0, port = 0, uiPort = 0, ...memberPorts] = ports;
  const [postgres, temporal] = await Promise.all([
    openPostgres(place, postgresPort),
    openTemporal(place, { port, uiPort }),
  ]);
  const ownerUrl = await ensureDatabase(postgres.url, 'onward');
  const databaseUrl = new URL(ownerUrl);
  databaseUrl.username = 'onward_app_test';
  databaseUrl.password = 'onward_app_test_password';
  await applyMigrations(ownerUrl, databaseUrl.href);
  const keys = newKeyFile();
  const env = {
    DATABASE_URL: databaseUrl.href,
    TEMPORAL_ADDRESS: temporal.address,
    ONWARD_KEYS: JSON.stringify(keys),
    PUBLIC_BASE_URL: 'http://onward.test',
    PUBLIC_HOSTS: '127.0.0.1',
    HOST: '127.0.0.1',
    LOG_LEVEL: 'warn',
    SENDING_EXAMPLE_DOMAINS: 'true',
    WEBHOOK_ALLOW_HTTP: 'true',
    WEBHOOK_ALLOW_LOOPBACK: 'true',
    SFTP_ENABLED: 'false',
    ...settings,
  };
  const nextPort = () => String(memberPorts.shift());
  const start = (kind: string, count: number, entry: string, setting: string) =>
    Array.from({ length: count }, async (_, index) => {
      const memberPort = nextPort();
      const url = `http://127.0.0.1:${memberPort}`;
      const about = { name: `${kind}-${String(index + 1)}`, entry, url, nodeArguments, ...place };
      const own = { METRICS_PORT: setting === 'PORT' ? nextPort() : memberPort };
      return startMember({ ...about, env: { ...env, ...own, [setting]: memberPort } });
    });
  const [apis, workers] = await Promise.all([
    Promise.all(start('api', options.apis, 'src/api.ts', 'PORT')),
    Promise.all(start('worker', options.workers, 'src/worker.ts', 'METRICS_PORT')),
  ]);
  const database = connectDatabase({
    url: ownerUrl,
    maxConnections: 4,
    applicationName: `onward-${purpose}`,
  });
  return {
    ...{ directory, postgres, temporal, apis, workers, database },
    databaseUrl: databaseUrl.href,
    environment: env,
    bases: apis.map(({ url }) => url),
    keyring: openKeyring(keys),
    async close({ keepLogs }) {
      await Promise.all([...apis, ...workers].map((process) => process.stop()));
      await database.close();
      await Promise.all([temporal.stop(), postgres.stop()]);
      if (!keepLogs) await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Removes the remains of a killed run. */
async function removeLeftovers(root: string): Promise<void> {
  if (!existsSync(root)) return;
  for (const name of readdirSync(root)) {
    if (isAlive(Number(name))) continue;
    await removePostgres(join(root, name, 'postgres')).catch(() => undefined);
    await rm(join(root, name), { recursive: true, force: true });
  }
}
