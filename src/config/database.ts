import type { SettingsReader } from './settings-reader.ts';

export interface DatabaseConfig {
  /** Application role; undefined means the embedded server (only `npm start`). */
  databaseUrl: string | undefined;
  /** Role that owns the schema; used by migrations only. */
  databaseOwnerUrl: string | undefined;
  databasePoolSize: number;
}

export function readDatabase({ integer, url, required }: SettingsReader): DatabaseConfig {
  return {
    databaseUrl: required(
      'DATABASE_URL',
      url('DATABASE_URL', ['postgres:', 'postgresql:']),
      'the address of Postgres 18 with the application role, postgres://user:password@host/database',
    ),
    databaseOwnerUrl: url('DATABASE_OWNER_URL', ['postgres:', 'postgresql:']),
    databasePoolSize: integer('DATABASE_POOL_SIZE', 10, 2, 200),
  };
}
