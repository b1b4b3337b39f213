import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { readConfig } from '../../src/platform/config.ts';
import { dynamicConfig } from '../../src/local/temporal.ts';
import { searchAttributeTypes } from '../../src/platform/temporal/search-attributes.ts';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const compose: unknown = parse(read('docker-compose.yml'), { merge: true });

function at(...path: readonly string[]): unknown {
  return path.reduce<unknown>((value, name) => new Map(entriesOf(value)).get(name), compose);
}

function entriesOf(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}

test('the API and the worker are services of their own that can be scaled', () => {
  for (const name of ['api', 'worker']) {
    expect(at('services', name, 'container_name')).toBeUndefined();
    expect(at('services', name, 'deploy', 'replicas')).toMatch(/REPLICAS/);
    expect(entriesOf(at('services', name, 'environment')).map(([setting]) => setting)).toEqual(
      expect.arrayContaining([
        'DATABASE_URL',
        'TEMPORAL_ADDRESS',
        'TEMPORAL_NAMESPACE',
        'TEMPORAL_UI_URL',
        'PUBLIC_BASE_URL',
        'PUBLIC_HOSTS',
        'TRUSTED_PROXIES',
        'ONWARD_KEYS_FILE',
        'LOG_LEVEL',
      ]),
    );
  }
});

test('each service runs what its npm script runs, without npm in between', () => {
  const { scripts }: { scripts: Record<string, string> } = JSON.parse(read('package.json'));
  const pairs = { api: 'server', worker: 'worker', migrate: 'migrate' };
  for (const [service, script] of Object.entries(pairs)) {
    expect(at('services', service, 'command')).toEqual(scripts[script]?.split(' '));
  }
  expect(read('Dockerfile')).toContain(
    `CMD ${JSON.stringify(scripts['server']?.split(' ')).replaceAll(',', ', ')}`,
  );
});

test('the plain connections inside the network of the file are accepted by name, and warned of', () => {
  const text = (value: unknown) => String(value).replace(/\$\{\w+:[-?]([^}]*)\}/g, '$1');
  const environment = Object.fromEntries(
    entriesOf(at('services', 'worker', 'environment')).map(([name, value]) => [name, text(value)]),
  );
  const settings = {
    ...environment,
    ...{ DATABASE_URL: 'postgres://app:a-password-of-the-test@postgres:5432/onward' },
    PUBLIC_BASE_URL: 'http://localhost:3000',
    ONWARD_KEYS: '{}',
  };
  expect(readConfig({ development: false }, settings).warnings).toEqual([
    expect.stringContaining('DATABASE_PRIVATE_LINK=true'),
    expect.stringContaining('TEMPORAL_PRIVATE_LINK=true'),
  ]);
  for (const name of ['DATABASE_PRIVATE_LINK', 'TEMPORAL_PRIVATE_LINK']) {
    expect(() => readConfig({ development: false }, { ...settings, [name]: 'false' })).toThrow(
      `or set ${name}=true`,
    );
  }
});

test('Postgres has connections for three API processes, four workers and Temporal', () => {
  const command = String(at('services', 'postgres', 'command'));
  const most = Number(/max_connections=\$\{\w+:-(\d+)\}/.exec(command)?.[1]);
  const { databasePoolSize: pool } = readConfig({ development: true }, {});
  const [store, visibility] = ['SQL_MAX_CONNS', 'SQL_VIS_MAX_CONNS'].map((name) =>
    Number(at('services', 'temporal', 'environment', name)),
  );
  // Frontend, history, matching and worker have pools of their own; a worker process also listens.
  const temporal = 4 * (Number(store) + Number(visibility));
  const needed = 3 * pool + 4 * (pool + 1) + temporal;
  expect(read('docs/scaling.md')).toContain(`| ${String(needed)} `);
  // For the superuser, admin commands, backup and monitoring.
  expect(most).toBeGreaterThanOrEqual(needed + 30);
});

test('the store of Temporal is made with shards for several hosts', () => {
  expect(at('services', 'temporal', 'environment', 'NUM_HISTORY_SHARDS')).toBe('512');
});

test("only the migration is given the owner's password", () => {
  const holders = entriesOf(at('services'))
    .filter(([, service]) => JSON.stringify(service).includes('DATABASE_OWNER_PASSWORD'))
    .map(([name]) => name);
  expect(holders.sort()).toEqual(['migrate', 'postgres']);
  expect(at('services', 'migrate', 'environment', 'DATABASE_OWNER_URL')).toMatch(/onward_owner/);
  expect(at('services', 'api', 'environment', 'DATABASE_URL')).toMatch(/onward_app_login/);
});

const services = entriesOf(at('services'));

test('no service gets more rights than it starts with, or all memory of the machine', () => {
  for (const [name, service] of services) {
    expect([name, service]).toEqual([
      name,
      expect.objectContaining({
        security_opt: ['no-new-privileges:true'],
        cap_drop: ['ALL'],
        pids_limit: expect.any(Number),
        mem_limit: expect.any(String),
      }),
    ]);
  }
});

test('our own processes and Postgres cannot change their file systems', () => {
  for (const name of ['api', 'worker', 'migrate', 'postgres']) {
    expect([name, at('services', name, 'read_only')]).toEqual([name, true]);
  }
});

test('Postgres and Temporal can be reached by the services of the file only, and reach nothing', () => {
  expect(at('networks', 'data', 'internal')).toBe(true);
  for (const name of ['postgres', 'temporal', 'temporal-schema', 'temporal-namespace']) {
    expect([name, at('services', name, 'networks')]).toEqual([name, ['data']]);
    expect(at('services', name, 'ports')).toBeUndefined();
  }
});

test('calls to the addresses of partners leave by a separate network', () => {
  const members = services.filter(([name]) =>
    JSON.stringify(at('services', name, 'networks')).includes('egress'),
  );
  expect(members.map(([name]) => name)).toEqual(['worker']);
  expect(at('networks', 'egress', 'driver_opts')).toEqual({
    'com.docker.network.bridge.name': 'onward-egress',
  });
});

test('a visitor of the Temporal UI cannot end workflows', () => {
  expect(at('services', 'temporal-ui', 'environment', 'TEMPORAL_DISABLE_WRITE_ACTIONS')).toBe(
    '${TEMPORAL_UI_READ_ONLY:-true}',
  );
});

test('every image of others has a version and a digest, and the operator can give another', () => {
  const given = [
    ...services.map(([name]) => String(at('services', name, 'image'))),
    ...[...read('Dockerfile').matchAll(/^ARG (NODE_IMAGE=.*)$/gm)].map(([, text]) => text ?? ''),
  ].filter((image) => image !== 'onward');
  expect([...new Set(given)]).toHaveLength(5);
  for (const image of given) {
    expect(image).toMatch(/^\$\{[A-Z_]+_IMAGE:-|^NODE_IMAGE=/);
    const pinned = image.replace(/^\$\{\w+:-|^NODE_IMAGE=|\}$/g, '');
    expect(pinned).toMatch(/^[a-z/-]+:\d+\.\d+[^@]*@sha256:[0-9a-f]{64}$/);
  }
  expect(read('.devcontainer/devcontainer.json')).toMatch(/"image": "[^"@]+@sha256:[0-9a-f]{64}"/);
});

test('every setting that compose insists on is in the example, and none has a real value', () => {
  const wanted = [...read('docker-compose.yml').matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name);
  const example = read('.env.example');
  for (const name of new Set(wanted)) {
    expect(example).toMatch(new RegExp(`^${String(name)}=`, 'm'));
  }
  expect(example.match(/PASSWORD=(?!change-me$).*/m)).toBeNull();
});

test('the Temporal of docker-compose.yml has the settings of the local one', () => {
  const settings: unknown = parse(read('src/local/temporal-dynamic-config.yaml'));
  const expected = Object.entries(dynamicConfig).map(([name, value]) => [name, [{ value }]]);
  expect(settings).toEqual(Object.fromEntries(expected));
});

test('docker-compose.yml registers every search attribute with its type', () => {
  const command = String(at('services', 'temporal-namespace', 'command'));
  const [, pairs = ''] = /for pair in (.+); do/.exec(command) ?? [];
  const registered = pairs.split(' ').map((pair) => pair.split('='));
  expect(Object.fromEntries(registered)).toEqual(searchAttributeTypes);
});
