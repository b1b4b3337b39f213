import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findFreePort } from '../../../../src/local/ports.ts';
import { runService } from '../../../../src/local/service.ts';
import type { Service } from '../../../../src/local/service.ts';
import { openPostgres } from '../../../world/servers.ts';
import type { PostgresServer } from '../../../world/servers.ts';
import { comesTrue } from '../../../world/moments.ts';

/** Where the servers of a product keep their files. */
export interface Place {
  directory: string;
  note: (line: string) => void;
}

interface Program {
  /** Also the name of its directory. */
  name: string;
  command: string;
  args?: readonly string[];
  env?: Readonly<Record<string, string>>;
  isReady: () => Promise<boolean>;
}

/** Runs a server of a product until `stop`. */
export async function runProgram(place: Place, program: Program): Promise<Service> {
  const { name, command, args = [], env = {}, isReady } = program;
  const cwd = join(place.directory, name);
  await mkdir(cwd, { recursive: true });
  return runService({
    ...{ name, command, args, cwd, logFile: join(cwd, 'log'), onNotice: place.note },
    env: { PATH: process.env['PATH'] ?? '', HOME: cwd, LANG: 'C.UTF-8', ...env },
    ...{ stopSignal: 'SIGTERM', graceMs: 20_000, readyWithinMs: 60_000 },
    async waitUntilReady({ signal }) {
      await comesTrue(async () => signal.aborted || (await isReady()), 60_000, 100);
      signal.throwIfAborted();
    },
  });
}

/** A setting of the person who measures, such as the path of a program. */
export function required(name: string, meaning: string): string {
  const value = process.env[name];
  if (value) return value;
  throw new Error(`${name} is not set: ${meaning} (test/bench/webhooks/products/README.md)`);
}

/** Settings that replace those of the module, as a JSON object in an environment variable. */
export function ownSettings(name: string): Record<string, string> {
  return JSON.parse(process.env[name] ?? '{}');
}

const acceptsConnections = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    const settle = (accepts: boolean) => {
      socket.destroy();
      resolve(accepts);
    };
    socket.once('connect', () => settle(true));
    socket.once('error', () => settle(false));
  });

export const answersAt = (url: string) => async () =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );

export interface Stores {
  place: Place;
  postgres: PostgresServer;
  redis: Service;
  redisPort: number;
  close(): Promise<void>;
}

/** A Postgres as all measured products have it, and a Redis that appends to its file. */
export async function openStores(name: string, note: Place['note']): Promise<Stores> {
  const directory = await mkdtemp(join(tmpdir(), `onward-bench-${name}-`));
  const place = { directory, note };
  const postgres = await openPostgres({ directory, onNotice: note }, await findFreePort());
  const redisPort = await findFreePort();
  const redis = await runProgram(place, {
    ...{ name: 'redis', command: process.env['REDIS_BINARY'] ?? '/usr/bin/redis-server' },
    args: [
      ...['--port', String(redisPort), '--bind', '127.0.0.1', '--save', ''],
      ...['--appendonly', 'yes', '--appendfsync', 'everysec'],
    ],
    isReady: () => acceptsConnections(redisPort),
  });
  return {
    ...{ place, postgres, redis, redisPort },
    async close() {
      await Promise.all([redis.stop(), postgres.stop()]);
      await rm(directory, { recursive: true, force: true });
    },
  };
}

export interface Rabbit extends Service {
  url: string;
}

/** A RabbitMQ of one node with its own name and ports. */
export async function startRabbit(place: Place): Promise<Rabbit> {
  const [port, distributionPort, epmdPort] = [
    await findFreePort(),
    await findFreePort(),
    await findFreePort(),
  ];
  const home = join(place.directory, 'rabbitmq');
  const service = await runProgram(place, {
    name: 'rabbitmq',
    // The script itself: Debian's wrapper of it changes the user.
    command: process.env['RABBITMQ_BINARY'] ?? '/usr/lib/rabbitmq/bin/rabbitmq-server',
    env: {
      RABBITMQ_NODENAME: `bench-${String(port)}@localhost`,
      RABBITMQ_NODE_IP_ADDRESS: '127.0.0.1',
      RABBITMQ_NODE_PORT: String(port),
      RABBITMQ_DIST_PORT: String(distributionPort),
      RABBITMQ_MNESIA_BASE: join(home, 'data'),
      RABBITMQ_LOG_BASE: join(home, 'logs'),
      RABBITMQ_ENABLED_PLUGINS_FILE: join(home, 'plugins'),
      RABBITMQ_CONFIG_FILE: join(home, 'none'),
      RABBITMQ_CONF_ENV_FILE: join(home, 'none.env'),
      RABBITMQ_PID_FILE: join(home, 'pid'),
      ERL_EPMD_PORT: String(epmdPort),
      ERL_EPMD_ADDRESS: '127.0.0.1',
      // Without a shell between, signals and CPU seconds are those of the server.
      RUNNING_UNDER_SYSTEMD: '1',
    },
    isReady: () => acceptsConnections(port),
  });
  return {
    url: `amqp://guest:guest@127.0.0.1:${String(port)}`,
    get pid() {
      return service.pid;
    },
    async stop() {
      await service.stop();
      // Erlang's directory of nodes, which the server has started as a daemon.
      await promisify(execFile)('epmd', ['-port', String(epmdPort), '-kill']).catch(
        () => undefined,
      );
    },
  };
}
