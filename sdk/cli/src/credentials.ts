import { readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { UsageError } from './failures.ts';
import { configFile, writePrivate } from './private-files.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** A service, and a client of it. */
export interface Credentials {
  url: string;
  clientId: string;
  clientSecret: string;
  /** Where they are from, for `whoami`. */
  source: string;
  /** Whether the secret may travel without TLS to another machine. */
  allowHttp?: boolean;
}

/** Links of a service of this machine. */
export interface LocalService extends Credentials {
  docsUrl: string;
  temporalUrl: string | undefined;
  temporalNamespace: string;
  /** Secret of the addresses of its pages; unknown to an earlier version. */
  pageKey: string | undefined;
}

export interface CredentialOptions {
  url?: string;
  clientId?: string;
  clientSecret?: string;
}

export const defaultUrl = 'http://127.0.0.1:3000';

/**
 * Options first, then the environment, then the last login, then the service of this machine. A secret
 * goes to the address that is given with it, and to none that a file of the folder names.
 */
export function findCredentials(options: CredentialOptions, environment: Environment): Credentials {
  const id = options.clientId ?? environment['ONWARD_CLIENT_ID'];
  const secret = options.clientSecret ?? environment['ONWARD_CLIENT_SECRET'];
  const url = options.url ?? environment['ONWARD_BASE_URL'];
  if (id !== undefined && secret !== undefined) {
    const source = 'options or environment';
    const given = { url: trim(url ?? defaultUrl), clientId: id, clientSecret: secret, source };
    return { ...given, allowHttp: allowsHttp(environment) };
  }
  const fits = (known: Credentials) => url === undefined || trim(url) === known.url;
  const known = [readLogin(environment), findLocalService(environment)];
  const found = known.find((one) => one !== undefined && fits(one));
  if (found) return { ...found, allowHttp: allowsHttp(environment) };
  throw new UsageError(
    'Sign in with `onward login`, or set ONWARD_BASE_URL, ONWARD_CLIENT_ID and ONWARD_CLIENT_SECRET.' +
      ' For a service of this machine, start it with `npm start` in its folder.',
  );
}

/** In a private network, an operator may decide so. */
export const allowsHttp = ({ ONWARD_ALLOW_HTTP }: Environment) => ONWARD_ALLOW_HTTP === 'true';

const trim = (url: string) => url.replace(/\/+$/, '');

/** `$XDG_CONFIG_HOME/onward/credentials.json`. */
const loginFile = (environment: Environment) => configFile(environment, 'credentials.json');

function readLogin(environment: Environment): Credentials | undefined {
  const path = loginFile(environment);
  const { url, client_id: clientId, client_secret: clientSecret } = readObject(path);
  if (!url || !clientId || !clientSecret) return undefined;
  return { url, clientId, clientSecret, source: path };
}

/** Stores a login in a file that only its owner can read. */
export function storeLogin(environment: Environment, login: Credentials): string {
  const path = loginFile(environment);
  const { url, clientId: client_id, clientSecret: client_secret } = login;
  const text = JSON.stringify({ url, client_id, client_secret }, undefined, 2);
  writePrivate(path, `${text}\n`);
  return path;
}

/** The demo client that `npm start` wrote in this folder, or in one above it. */
export function findLocalService(environment: Environment): LocalService | undefined {
  const path = demoFile(environment);
  const demo = path === undefined ? {} : readObject(path);
  const { base_url: url, client_id: clientId, client_secret: clientSecret } = demo;
  if (path === undefined || !url || !clientId || !clientSecret) return undefined;
  return {
    ...{ url, clientId, clientSecret, source: path },
    docsUrl: demo['docs_url'] ?? `${url}/docs`,
    temporalUrl: demo['temporal_ui_url'],
    pageKey: demo['page_key'],
    temporalNamespace: demo['temporal_namespace'] ?? 'default',
  };
}

/** The documentation of the service that commands go to; that of this machine where none is known. */
export function findDocsUrl(options: CredentialOptions, environment: Environment): string {
  const local = findLocalService(environment);
  const url = options.url ?? environment['ONWARD_BASE_URL'] ?? readLogin(environment)?.url;
  if (local && (url === undefined || trim(url) === local.url)) return local.docsUrl;
  return `${trim(url ?? defaultUrl)}/docs`;
}

function demoFile(environment: Environment): string | undefined {
  const given = environment['ONWARD_DATA_DIR'];
  if (given) return join(resolve(given), 'demo.json');
  for (let folder = process.cwd(); ; folder = dirname(folder)) {
    const path = join(folder, '.onward', 'demo.json');
    if (isOwn(path)) return path;
    if (folder === dirname(folder)) return undefined;
  }
}

/**
 * Whether a file of this user is there. A folder such as /tmp may hold one of another user, who would
 * get the secrets that are typed.
 */
function isOwn(path: string): boolean {
  const file = statSync(path, { throwIfNoEntry: false });
  // Windows has no numbers of users.
  const user = process.getuid?.();
  return file !== undefined && (user === undefined || file.uid === user);
}

/** The texts of a JSON file; nothing where it is missing, damaged or of another user. */
function readObject(path: string): Record<string, string | undefined> {
  try {
    if (!isOwn(path)) return {};
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    const entries = typeof value === 'object' && value ? Object.entries(value) : [];
    return Object.fromEntries(
      entries.flatMap(([name, text]) => (typeof text === 'string' ? [[name, text]] : [])),
    );
  } catch {
    return {};
  }
}
