import { randomUUID } from 'node:crypto';
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { newKeyFile, openKeyring } from '../src/platform/auth/keyring.ts';
import type { KeyFile } from '../src/platform/auth/keyring.ts';
import { createTeam } from '../src/commands/create-team.ts';
import { connectDatabase } from '../src/platform/database/client.ts';
import { issueClientSecret } from '../src/team/oauth2/client-secret.ts';
import { insertClient } from '../src/team/oauth2/queries.ts';
import { endOf } from './commands/spawn.ts';
import { scratchDirectory } from './local/scratch.ts';
import { environmentNames, required } from './support/environment.ts';
import { eventually } from './support/eventually.ts';
import { takePort } from './support/ports.ts';
import { newNamespace } from './support/worker.ts';

const project = new URL('../', import.meta.url).pathname;
const root = scratchDirectory();
const keys: KeyFile = newKeyFile();
const serverUrl = new URL(required(environmentNames.serverUrl));
const name = `onward_test_${randomUUID().replaceAll('-', '')}`;
const roles = ['onward_owner', 'onward_app_login'];
const children: ChildProcess[] = [];
let apiPort = 0;
let apiMetricsPort = 0;
let workerPort = 0;
let temporalMetricsPort = 0;
let sftpPort = 0;

interface Compose {
  services: Record<string, { command: string[]; environment: Record<string, string> }>;
}
const compose: Compose = parse(readFileSync(join(project, 'docker-compose.yml'), 'utf8'), {
  merge: true,
});

const asServer = async (...statements: string[]) => {
  const server = connectDatabase({
    url: serverUrl.href,
    maxConnections: 1,
    applicationName: 'tests',
  });
  for (const statement of statements) {
    await server.read((sql) => sql.unsafe(statement), { deadlineMs: 30_000 });
  }
  await server.close();
};

beforeAll(async () => {
  writeFileSync(join(root, 'keys.json'), JSON.stringify(keys));
  apiPort = await takePort();
  apiMetricsPort = await takePort();
  workerPort = await takePort();
  temporalMetricsPort = await takePort();
  sftpPort = await takePort();
  // The roles that the official Postgres image creates from its environment.
  await asServer(
    `create role onward_owner superuser login password 'owner-role-password'`,
    `create database ${name} owner onward_owner`,
  );
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await asServer(
    `drop database if exists ${name} with (force)`,
    ...roles.map((role) => `drop role if exists ${role}`),
  );
});

/** The environment that docker-compose.yml gives a service, at the addresses of this test. */
async function environmentOf(service: string): Promise<Record<string, string>> {
  const variables: Record<string, string> = {
    DATABASE_APP_PASSWORD: 'application-password',
    DATABASE_OWNER_PASSWORD: 'owner-role-password',
    PUBLIC_BASE_URL: 'http://onward.test',
    PUBLIC_HOSTS: '127.0.0.1',
    TEMPORAL_NAMESPACE: await namespace,
    LOG_LEVEL: 'warn',
  };
  const here = (text: string) =>
    text
      .replace(/\$\{(\w+):([?-])([^}]*)\}/g, (_, variable: string, kind: string, rest: string) => {
        const value = variables[variable] ?? (kind === '-' ? rest : undefined);
        if (value === undefined) throw new Error(`docker-compose.yml asks for ${variable}`);
        return value;
      })
      .replace('@postgres:5432/onward', `@${serverUrl.host}/${name}`)
      .replace('temporal:7233', required(environmentNames.temporalAddress))
      .replace('/run/secrets/onward_keys', join(root, 'keys.json'));
  const given = Object.entries(compose.services[service]?.environment ?? {});
  return {
    ...Object.fromEntries(given.map(([variable, text]) => [variable, here(text)])),
    ...(service === 'api' && { PORT: String(apiPort), METRICS_PORT: String(apiMetricsPort) }),
    ...(service === 'worker' && {
      METRICS_PORT: String(workerPort),
      TEMPORAL_METRICS_PORT: String(temporalMetricsPort),
      SFTP_PORT: String(sftpPort),
    }),
  };
}
const namespace = newNamespace();

/** Starts a service by the command of docker-compose.yml, which is that of the npm script. */
async function start(service: string): Promise<ChildProcess> {
  const [program = '', ...args] = compose.services[service]?.command ?? [];
  const child = spawn(program, args, {
    cwd: project,
    env: { PATH: process.env['PATH'], HOME: root, ...(await environmentOf(service)) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  children.push(child);
  return child;
}

const ready = (port: number) =>
  eventually(
    async () => {
      const reply = await fetch(`http://127.0.0.1:${String(port)}/readyz`).catch(() => undefined);
      return reply && { status: reply.status, body: await reply.json() };
    },
    (answer) => answer?.status === 200,
  );

async function tokenOf(scopes: string[]): Promise<string> {
  const database = connectDatabase({
    url: (await environmentOf('api'))['DATABASE_URL'] ?? '',
    maxConnections: 1,
    applicationName: 'tests',
  });
  const { clientId, secret } = await database.transact(async (sql) => {
    const team = await createTeam(sql, { name: 'Roots', tier: 'standard' });
    const client = await insertClient(sql, team.id, { name: 'c', scopes, allowWildcards: false });
    const ids = { teamId: team.id, clientId: client.id };
    return {
      clientId: client.id,
      secret: await issueClientSecret(sql, openKeyring(keys), ids, 0),
    };
  });
  await database.close();
  const reply = await fetch(`http://127.0.0.1:${String(apiPort)}/oauth2/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: secret,
    }),
  });
  const body: any = await reply.json();
  return String(body.access_token);
}

test('the production commands boot the service from the environment of docker-compose.yml', async () => {
  expect(await endOf(await start('migrate'))).toBe(0);
  expect(await endOf(await start('migrate'))).toBe(0);
  const api = await start('api');
  const worker = await start('worker');
  expect(await ready(apiPort)).toMatchObject({ body: { status: 'ok' } });
  expect(await ready(apiMetricsPort)).toMatchObject({ body: { status: 'ok' } });
  expect(await ready(workerPort)).toMatchObject({
    body: { status: 'ok', checks: { temporal: 'ok', postgres: 'ok', migrations: 'ok' } },
  });

  for (const port of [apiMetricsPort, workerPort]) {
    const reply = await fetch(`http://127.0.0.1:${String(port)}/metrics`);
    expect(reply.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(await reply.text()).toMatch(/^# TYPE onward_\w+ \w+$/m);
  }

  const ofTemporal = await fetch(`http://127.0.0.1:${String(temporalMetricsPort)}/metrics`);
  const sdkMetrics = await ofTemporal.text();
  expect(sdkMetrics).toContain('temporal_worker_task_slots_used{');
  // From the controller of the slots that grow with what the machine has free.
  expect(sdkMetrics).toMatch(/^temporal_resource_slots_cpu_usage/m);

  const drop = connect(sftpPort, '127.0.0.1');
  const [greeting] = await once(drop, 'data');
  expect(String(greeting)).toMatch(/^SSH-2\.0-Onward/);
  drop.destroy();

  const token = await tokenOf(['partner:contacts:write', 'partner:webhooks:write']);
  const post = async (path: string, content: object) => {
    const reply = await fetch(`http://127.0.0.1:${String(apiPort)}${path}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(content),
    });
    const body: any = await reply.json();
    return { status: reply.status, body };
  };
  expect(await post('/v2/partner/contacts', { email: 'roots@example.com' })).toMatchObject({
    status: 201,
  });
  // Loopback is for development only, by either scheme.
  for (const target_url of ['http://127.0.0.1:9/hook', 'https://127.0.0.1/hook']) {
    const refused = await post('/v2/partner/webhook-subscriptions', {
      target_url,
      event_types: ['contact.created'],
    });
    expect(refused).toMatchObject({
      status: 422,
      body: { errors: [{ code: 'target_not_allowed' }] },
    });
  }

  const ends = [api, worker].map(endOf);
  for (const child of [api, worker]) child.kill('SIGTERM');
  expect(await Promise.all(ends)).toEqual([0, 0]);
});
