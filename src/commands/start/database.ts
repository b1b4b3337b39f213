import { randomBytes } from 'node:crypto';
import type { Config } from '../../platform/config.ts';
import { ensureDatabase } from '../../platform/database/create-database.ts';
import { startPostgres } from '../../local/postgres.ts';
import { readOrMakePrivate } from '../../local/private-file.ts';
import { localDatabase } from '../data-directory.ts';
import type { DataDirectory } from '../data-directory.ts';
import { say } from './progress.ts';

export interface LocalDatabase {
  /** Role that owns the schema. */
  ownerUrl: string;
  /** Role of the application; the migrations make it. */
  databaseUrl: string;
  /** Whether it is the embedded one, which holds nothing but what this machine has put there. */
  isEmbedded: boolean;
  stop(): Promise<void>;
}

const applicationRole = 'onward_app_login';

/**
 * The configured database, or an embedded Postgres. A DATABASE_URL without an owner URL is that of
 * the owner, as is usual in development; the application gets an additional role.
 */
export async function openDatabase(
  config: Config,
  directory: DataDirectory,
): Promise<LocalDatabase> {
  const { databaseUrl, databaseOwnerUrl } = config;
  if (databaseUrl !== undefined && databaseOwnerUrl !== undefined) {
    return {
      ...{ ownerUrl: databaseOwnerUrl, databaseUrl, isEmbedded: false },
      stop: () => Promise.resolve(),
    };
  }
  const password = await readOrMakePrivate(directory.applicationPassword, () =>
    randomBytes(24).toString('base64url'),
  );
  const given = databaseUrl ?? databaseOwnerUrl;
  if (given !== undefined) {
    return {
      ownerUrl: given,
      databaseUrl: asApplication(given, password),
      isEmbedded: false,
      stop: () => Promise.resolve(),
    };
  }
  const server = await startPostgres({ directory: directory.postgres, onNotice: say });
  const ownerUrl = await ensureDatabase(server.url, localDatabase);
  const application = asApplication(ownerUrl, password);
  return { ownerUrl, databaseUrl: application, isEmbedded: true, stop: () => server.stop() };
}

function asApplication(ownerUrl: string, password: string): string {
  const url = new URL(ownerUrl);
  url.username = applicationRole;
  url.password = password;
  return url.href;
}
