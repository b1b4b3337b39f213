import { startApi } from '../../src/app/start-api.ts';
import { newKeyFile, openKeyring, parseKeyFile } from '../../src/platform/auth/keyring.ts';
import type { Keyring } from '../../src/platform/auth/keyring.ts';
import { readConfig } from '../../src/platform/config.ts';
import type { Config } from '../../src/platform/config.ts';
import { endpoints } from '../../src/app/endpoints.ts';
import { createLog } from '../../src/platform/observability/log.ts';
import { issueClientSecret } from '../../src/team/oauth2/client-secret.ts';
import { knownScopes } from '../../src/team/oauth2/endpoints.ts';
import { insertClient } from '../../src/team/oauth2/queries.ts';
import { createTeam } from '../../src/commands/create-team.ts';
import { noteAnswer } from '../reach/record.ts';
import { cloneDatabase, patience } from './database.ts';
import type { TestDatabase } from './database.ts';
import { checkDeclaredHeaders } from './declared-headers.ts';
import { checkWebhookIds } from './webhook-ids.ts';

export interface Reply {
  status: number;
  headers: Headers;
  /** Parsed body; undefined for none. */
  body: any;
}

export interface CallOptions {
  body?: unknown;
  /** Sent as it is, instead of `body`. */
  raw?: string | Uint8Array;
  headers?: Record<string, string> | undefined;
}

export interface TestTeam {
  id: string;
  clientId: string;
  clientSecret: string;
  token: string;
  /** To make what the API has no way to make. */
  db: TestDatabase;
  call(method: string, path: string, options?: CallOptions): Promise<Reply>;
  get(path: string): Promise<Reply>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>;
  patch(path: string, body: unknown, headers?: Record<string, string>): Promise<Reply>;
  put(path: string, body: unknown, headers?: Record<string, string>): Promise<Reply>;
  delete(path: string): Promise<Reply>;
  /** A client of the same team with these scopes only. */
  withScopes(...scopes: string[]): Promise<TestTeam>;
}

export interface TestApi {
  url: string;
  db: TestDatabase;
  keyring: Keyring;
  config: Config & { databaseUrl: string };
  newTeam(options?: { tier?: string }): Promise<TestTeam>;
  /** A request without a token. */
  call(method: string, path: string, options?: CallOptions): Promise<Reply>;
  stop(): Promise<void>;
}

/**
 * The real API on a database of its own and a free port; with the keys of ONWARD_KEYS if given, and
 * with `parameters` of Postgres.
 */
export async function startTestApi(
  settings: Record<string, string> = {},
  outside: Parameters<typeof startApi>[3] = {},
  parameters: Record<string, string> = {},
): Promise<TestApi> {
  const db = await cloneDatabase();
  const { ONWARD_KEYS: keys } = settings;
  const keyring = openKeyring(keys === undefined ? newKeyFile() : parseKeyFile(keys));
  const config = {
    ...readConfig(
      { development: true },
      {
        LOG_LEVEL: 'silent',
        PUBLIC_BASE_URL: 'http://onward.test',
        REQUEST_LOG: 'false',
        // All tests call from one address.
        UNAUTHENTICATED_BURST: '1000000',
        // On a slow machine a lower value would let tests read earlier answers.
        INSIGHTS_CACHE_MIN_MS: '3600000',
        UNDECLARED_ERRORS_FILE: process.env['UNDECLARED_ERRORS_FILE'] ?? '',
        ...settings,
      },
    ),
    host: '127.0.0.1',
    port: 0,
    databaseUrl: `${db.url}?${new URLSearchParams(parameters).toString()}`,
  };
  const api = await startApi(config, keyring, createLog('silent', 'api'), {
    onAnswer: noteAnswer,
    patience,
    ...outside,
  });
  const call = (method: string, path: string, options: CallOptions = {}) =>
    send(api.url, method, path, options);

  async function newClient(teamId: string, scopes: readonly string[]): Promise<TestTeam> {
    const { clientId, clientSecret } = await db.database.transact(async (sql) => {
      const client = await insertClient(sql, teamId, {
        name: 'tests',
        scopes,
        allowWildcards: false,
      });
      const secret = await issueClientSecret(sql, keyring, { teamId, clientId: client.id }, 0);
      return { clientId: client.id, clientSecret: secret };
    });
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
    });
    const reply = await call('POST', '/oauth2/token', {
      raw: form.toString(),
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    });
    const token = String(reply.body.access_token);
    const withToken = (method: string, path: string, options: CallOptions = {}) =>
      call(method, path, {
        ...options,
        headers: { Authorization: `Bearer ${token}`, ...options.headers },
      });
    return {
      id: teamId,
      clientId,
      clientSecret,
      token,
      db,
      call: withToken,
      get: (path) => withToken('GET', path),
      post: (path, body, headers) => withToken('POST', path, { body, headers }),
      patch: (path, body, headers) => withToken('PATCH', path, { body, headers }),
      put: (path, body, headers) => withToken('PUT', path, { body, headers }),
      delete: (path) => withToken('DELETE', path),
      withScopes: (...names) => newClient(teamId, names),
    };
  }

  return {
    url: api.url,
    db,
    keyring,
    config,
    call,
    async newTeam({ tier = 'unlimited' } = {}) {
      const team = await db.database.transact((sql) => createTeam(sql, { name: 'Test', tier }));
      return newClient(team.id, knownScopes(endpoints));
    },
    async stop() {
      await api.close();
      await db.stop();
    },
  };
}

async function send(
  url: string,
  method: string,
  path: string,
  { body, raw, headers }: CallOptions,
): Promise<Reply> {
  const content = raw ?? (body === undefined ? undefined : JSON.stringify(body));
  const response = await fetch(`${url}${path}`, {
    method,
    redirect: 'manual',
    headers: {
      ...(content !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(content !== undefined && { body: content }),
  });
  checkDeclaredHeaders(method, path, response);
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
  const answer = text === '' ? undefined : isJson ? JSON.parse(text) : text;
  checkWebhookIds(answer);
  return { status: response.status, headers: response.headers, body: answer };
}
