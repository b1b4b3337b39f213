import { randomUUID } from 'node:crypto';
import { connectDatabase } from '../../src/platform/database/client.ts';
import type { Database } from '../../src/platform/database/client.ts';
import type { Sql } from '../../src/platform/database/sql.ts';
import { noteRows } from '../reach/record.ts';
import { appLogin, environmentNames, required, templateDatabase } from './environment.ts';

export interface TestDatabase {
  /** URL of the application's role. */
  url: string;
  /** URL of the owner, for what an operator may do. */
  ownerUrl: string;
  /** A pool with the application's role. */
  database: Database;
  /** One statement as the owner, to look behind the API. */
  look<Row extends object>(work: (sql: Sql) => Promise<readonly Row[]>): Promise<Row[]>;
  stop(): Promise<void>;
}

/** Waits for Postgres that are long enough for a machine with too much work. */
export const patience = { acquireTimeoutMs: 60_000, deadlineMs: 60_000 };

/** A database of its own, cloned from the migrated template in some 100 ms. */
export async function cloneDatabase(): Promise<TestDatabase> {
  const serverUrl = required(environmentNames.serverUrl);
  const name = `onward_test_${randomUUID().replaceAll('-', '')}`;
  const common = { applicationName: 'tests', ...patience };
  const server = connectDatabase({ ...common, url: serverUrl, maxConnections: 1 });
  await server.read(async (sql) => {
    // Two clones of one template at once would refuse each other.
    await sql`select pg_advisory_lock(hashtext('clone'))`;
    await sql`create database ${sql(name)} template ${sql(templateDatabase)}`;
    await sql`select pg_advisory_unlock(hashtext('clone'))`;
  });
  const ownerUrl = new URL(serverUrl);
  ownerUrl.pathname = `/${name}`;
  const url = new URL(ownerUrl);
  url.username = appLogin.user;
  url.password = appLogin.password;
  const owner = connectDatabase({ ...common, url: ownerUrl.href, maxConnections: 2 });
  const database = connectDatabase({ ...common, url: url.href, maxConnections: 6 });
  return {
    url: url.href,
    ownerUrl: ownerUrl.href,
    database,
    look: async (work) => [...(await owner.read(work))],
    async stop() {
      await noteRows(owner);
      await Promise.all([owner.close(), database.close()]);
      await server.read((sql) => sql`drop database if exists ${sql(name)} with (force)`);
      await server.close();
    },
  };
}
