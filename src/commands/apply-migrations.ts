import { connectDatabase } from '../platform/database/client.ts';
import { codeOf } from '../platform/database/failures.ts';
import { migrate } from '../platform/database/migrate.ts';
import { LocalFailure } from '../local/local-failure.ts';
import { explainDatabaseFailure } from './database-failure.ts';

/**
 * Brings the schema up to date as its owner, and makes the role with which the application
 * connects. Returns the names of what was applied.
 */
export async function applyMigrations(ownerUrl: string, databaseUrl: string): Promise<string[]> {
  const { username, password, host, pathname } = new URL(databaseUrl);
  const owner = new URL(ownerUrl);
  if (username === '' || password === '') {
    throw new LocalFailure('DATABASE_URL must hold the user and password of the application role.');
  }
  if (username === owner.username) {
    throw new LocalFailure(
      'DATABASE_URL and DATABASE_OWNER_URL name the same role. The application needs one of its own: choose any name and password for it in DATABASE_URL, and it is made.',
    );
  }
  if (pathname !== owner.pathname) {
    throw new LocalFailure(
      `DATABASE_OWNER_URL (database ${owner.pathname.slice(1)}) and DATABASE_URL (database ${pathname.slice(1)} on ${host}) must name the same database.`,
    );
  }
  const database = connectDatabase({
    url: ownerUrl,
    maxConnections: 1,
    applicationName: 'onward-migrate',
  });
  try {
    return await migrate(database, {
      user: decodeURIComponent(username),
      password: decodeURIComponent(password),
    });
  } catch (error) {
    if (codeOf(error) === '42501') {
      throw new LocalFailure(
        `The role ${owner.username} may not do this: ${error instanceof Error ? error.message : ''}. It must own the database and be able to make roles (alter role ${owner.username} createrole).`,
        { cause: error },
      );
    }
    throw explainDatabaseFailure(error, ownerUrl);
  } finally {
    await database.close();
  }
}
