import type { SettingsReader } from './settings-reader.ts';

export interface DatabaseConfig {
  /** Application role; undefined means the embedded server (only `npm start`). */
  databaseUrl: string | undefined;
  /** Role that owns the schema; used by migrations only. */
  databaseOwnerUrl: string | undefined;
  databasePoolSize: number;
}

/** Shorter passwords can be guessed offline from one captured login. */
const minPasswordLength = 16;

export function readDatabase(settings: SettingsReader): DatabaseConfig {
  const { integer, required } = settings;
  return {
    databaseUrl: required(
      'DATABASE_URL',
      readAddress(settings, 'DATABASE_URL'),
      'the address of Postgres 18 with the application role, postgres://user:password@host/database',
    ),
    databaseOwnerUrl: readAddress(settings, 'DATABASE_OWNER_URL'),
    databasePoolSize: integer('DATABASE_POOL_SIZE', 10, 2, 200),
  };
}

function readAddress(settings: SettingsReader, name: string): string | undefined {
  const { development, problems, url } = settings;
  const given = url(name, ['postgres:', 'postgresql:']);
  if (given === undefined) return undefined;
  const password = decode(new URL(given).password);
  if (password === undefined) {
    problems.push(`The password in ${name} has a "%" that must be written as "%25"`);
  } else if (!development && password.length < minPasswordLength) {
    problems.push(
      `The password in ${name} needs at least ${String(minPasswordLength)} characters: make one with \`openssl rand -hex 24\``,
    );
  }
  return given;
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
