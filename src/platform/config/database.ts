import { isLoopbackHost } from './hosts.ts';
import { choice, file, flag, integer, url } from './kinds.ts';
import { readGroup } from './setting.ts';
import type { ValuesOf } from './setting.ts';
import type { SettingsReader } from './settings-reader.ts';

const protocols = ['postgres:', 'postgresql:'];
const sslModes = ['disable', 'require', 'verify-ca', 'verify-full'] as const;

export const databaseSettings = {
  databaseUrl: url('DATABASE_URL', protocols, {
    required:
      'the address of Postgres 18 with the application role, postgres://user:password@host/database',
    shown: { development: 'embedded server' },
    meaning:
      "`postgres://user:password@host:port/database` with the application's role. Its parameters `sslmode`, `sslrootcert`, `sslcert` and `sslkey` have the meaning of libpq and override the settings below",
  }),
  databaseOwnerUrl: url('DATABASE_OWNER_URL', protocols, {
    shown: { production: 'for `npm run migrate`' },
    meaning: 'The same database with the role that owns it and may create roles',
  }),
  databasePoolSize: integer('DATABASE_POOL_SIZE', {
    default: 10,
    range: [2, 200],
    meaning: 'Connections of one process; a worker has one more',
  }),
  mode: choice('DATABASE_SSL_MODE', sslModes, {
    shown: { development: '`disable`', production: '`verify-full`, on loopback `disable`' },
    meaning:
      "`verify-full` checks the authority and the name in the server's certificate, TLS 1.2 or newer",
  }),
  sslrootcert: file('DATABASE_SSL_CA_FILE', {
    meaning: 'PEM file with the authority of the server; without it, the authorities of Node.js',
  }),
  sslcert: file('DATABASE_SSL_CERT_FILE', {
    meaning:
      'PEM file with the client certificate, for a server that demands one. It is read for every new connection, so a renewed certificate needs no restart',
  }),
  sslkey: file('DATABASE_SSL_KEY_FILE', {
    meaning: 'PEM file with the key of `DATABASE_SSL_CERT_FILE`',
  }),
  isPrivate: flag('DATABASE_PRIVATE_LINK', {
    default: false,
    shown: { development: '–' },
    meaning:
      '`true` accepts a weaker mode than `verify-full` to a host that is not loopback, because nobody else reaches the network between. The process logs it as a warning at the start',
  }),
};

type Given = ValuesOf<typeof databaseSettings>;

/**
 * The URLs carry their TLS settings as the parameters of libpq: sslmode, sslrootcert and others.
 * Without `databaseUrl` the embedded server is used (only `npm start`); the owner's is for migrations.
 */
export type DatabaseConfig = Pick<Given, 'databaseUrl' | 'databaseOwnerUrl' | 'databasePoolSize'>;

/** Shorter passwords can be guessed offline from one captured login. */
const minPasswordLength = 16;

export function readDatabase(reader: SettingsReader): DatabaseConfig {
  const given = readGroup(databaseSettings, reader);
  const complete = (field: 'databaseUrl' | 'databaseOwnerUrl') =>
    given[field] && completeAddress(reader, given, databaseSettings[field].name, given[field]);
  return {
    databaseUrl: complete('databaseUrl'),
    databaseOwnerUrl: complete('databaseOwnerUrl'),
    databasePoolSize: given.databasePoolSize,
  };
}

function completeAddress(
  reader: SettingsReader,
  given: Given,
  name: string,
  address: string,
): string {
  const url = new URL(address);
  checkPassword(reader, name, url);
  completeTls(reader, given, name, url);
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
function completeTls(reader: SettingsReader, given: Given, name: string, url: URL): void {
  const { development, problems } = reader;
  const { searchParams: parameters } = url;
  const isLocal = isLoopbackHost(url.hostname);
  const mode =
    parameters.get('sslmode') ?? given.mode ?? (development || isLocal ? 'disable' : 'verify-full');
  if (!sslModes.some((known) => known === mode)) {
    problems.push(`sslmode in ${name} must be one of ${sslModes.join(', ')}`);
  }
  parameters.set('sslmode', mode);
  for (const parameter of ['sslrootcert', 'sslcert', 'sslkey'] as const) {
    const own = parameters.get(parameter);
    const path = own === null ? given[parameter] : reader.readable(`${parameter} in ${name}`, own);
    if (path !== undefined) parameters.set(parameter, path);
  }
  if (parameters.has('sslcert') !== parameters.has('sslkey')) {
    problems.push(
      'DATABASE_SSL_CERT_FILE and DATABASE_SSL_KEY_FILE belong together: set both or none',
    );
  }
  if (mode !== 'verify-full' && !isLocal) {
    reader.acceptLink(
      'DATABASE_PRIVATE_LINK',
      given.isPrivate,
      `The connection of ${name} to ${url.hostname} has sslmode=${mode}, so the server is not verified: use verify-full`,
    );
  }
}
