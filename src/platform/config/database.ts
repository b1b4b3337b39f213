import { isLoopbackHost } from './hosts.ts';
import type { SettingName } from './settings.ts';
import type { SettingsReader } from './settings-reader.ts';

/**
 * The URLs carry their TLS settings as the parameters of libpq: sslmode, sslrootcert and others.
 */
export interface DatabaseConfig {
  /** Application role; undefined means the embedded server (only `npm start`). */
  databaseUrl: string | undefined;
  /** Role that owns the schema; used by migrations only. */
  databaseOwnerUrl: string | undefined;
  databasePoolSize: number;
}

/** Shorter passwords can be guessed offline from one captured login. */
const minPasswordLength = 16;

const sslModes = ['disable', 'require', 'verify-ca', 'verify-full'] as const;

/** Settings that a parameter of the URL overrides. */
const files: Readonly<Record<string, SettingName>> = {
  sslrootcert: 'DATABASE_SSL_CA_FILE',
  sslcert: 'DATABASE_SSL_CERT_FILE',
  sslkey: 'DATABASE_SSL_KEY_FILE',
};

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

function readAddress(settings: SettingsReader, name: SettingName): string | undefined {
  const given = settings.url(name, ['postgres:', 'postgresql:']);
  if (given === undefined) return undefined;
  const url = new URL(given);
  checkPassword(settings, name, url);
  readTls(settings, name, url);
  return url.href;
}

function checkPassword({ development, problems }: SettingsReader, name: string, url: URL) {
  const password = decode(url.password);
  if (password === undefined) {
    problems.push(`The password in ${name} has a "%" that must be written as "%25"`);
  } else if (!development && password.length < minPasswordLength) {
    problems.push(
      `The password in ${name} needs at least ${String(minPasswordLength)} characters: make one with \`openssl rand -hex 24\``,
    );
  }
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Completes the URL with the settings, and rejects connections that others could read or forge. */
function readTls(settings: SettingsReader, name: string, url: URL): void {
  const { development, problems, choice, file, readable } = settings;
  const { searchParams: parameters } = url;
  const isLocal = isLoopbackHost(url.hostname);
  const mode =
    parameters.get('sslmode') ??
    choice('DATABASE_SSL_MODE', sslModes) ??
    (development || isLocal ? 'disable' : 'verify-full');
  if (!sslModes.some((known) => known === mode)) {
    problems.push(`sslmode in ${name} must be one of ${sslModes.join(', ')}`);
  }
  parameters.set('sslmode', mode);
  for (const [parameter, setting] of Object.entries(files)) {
    const given = parameters.get(parameter);
    const path = given === null ? file(setting) : readable(`${parameter} in ${name}`, given);
    if (path !== undefined) parameters.set(parameter, path);
  }
  if (parameters.has('sslcert') !== parameters.has('sslkey')) {
    problems.push(
      'DATABASE_SSL_CERT_FILE and DATABASE_SSL_KEY_FILE belong together: set both or none',
    );
  }
  if (mode !== 'verify-full' && !isLocal) {
    settings.acceptedLink(
      'DATABASE_PRIVATE_LINK',
      `The connection of ${name} to ${url.hostname} has sslmode=${mode}, so the server is not verified: use verify-full`,
    );
  }
}
