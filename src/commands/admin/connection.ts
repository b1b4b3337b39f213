import { readFile } from 'node:fs/promises';
import { openKeyring, parseKeyFile } from '../../platform/auth/keyring.ts';
import type { Keyring } from '../../platform/auth/keyring.ts';
import { readConfig } from '../../platform/config.ts';
import { connectDatabase } from '../../platform/database/client.ts';
import type { Database } from '../../platform/database/client.ts';
import { LocalFailure } from '../../local/local-failure.ts';
import { findPostgres } from '../../local/running-postgres.ts';
import { explainDatabaseFailure } from '../database-failure.ts';
import { localDatabase, openDataDirectory } from '../data-directory.ts';

/**
 * Runs work on the service's database: the configured one, else that of the `npm start` which runs
 * on this machine. Throws LocalFailure with what to do when there is none.
 */
export async function withDatabase<T>(work: (database: Database) => Promise<T>): Promise<T> {
  const url = await findDatabaseUrl();
  const database = connectDatabase({ url, maxConnections: 2, applicationName: 'onward-admin' });
  try {
    return await work(database);
  } catch (error) {
    throw explainDatabaseFailure(error, url);
  } finally {
    await database.close();
  }
}

async function findDatabaseUrl(): Promise<string> {
  const { databaseOwnerUrl, databaseUrl, dataDirectory } = readConfig({ development: true });
  const given = databaseOwnerUrl ?? databaseUrl;
  if (given !== undefined) return given;
  const directory = openDataDirectory(dataDirectory);
  const server = await findPostgres(directory.postgres);
  if (server === undefined) {
    throw new LocalFailure(
      `No service runs with the data in ${directory.path}. Start it with \`npm start\`, or set DATABASE_URL to the database of another.`,
    );
  }
  const url = new URL(server);
  url.pathname = `/${localDatabase}`;
  return url.href;
}

/** The file of the service's keys: the one that is named, the configured one, or `npm start`'s. */
export function findKeyFile(named: string | undefined): string {
  const { keysFile, keys, dataDirectory } = readConfig({ development: true });
  const path = named ?? keysFile;
  if (path !== undefined) return path;
  if (keys !== undefined) {
    throw new LocalFailure('The keys are in ONWARD_KEYS: name a file that holds them with --file.');
  }
  return openDataDirectory(dataDirectory).keys;
}

/** The text of the key file. Throws LocalFailure when there is none. */
export async function readKeys(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((cause: unknown) => {
    throw new LocalFailure(
      `${path} cannot be read. Name the file with ONWARD_KEYS_FILE, or make one with \`npm run admin -- keys init --file keys.json\`.`,
      { cause },
    );
  });
}

/** The keys with which the service runs. */
export async function openServiceKeys(): Promise<Keyring> {
  const { keys } = readConfig({ development: true });
  return openKeyring(parseKeyFile(keys ?? (await readKeys(findKeyFile(undefined)))));
}
