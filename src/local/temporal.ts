import { execFile } from 'node:child_process';
import { chmod, mkdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { lockDirectory } from './directory-lock.ts';
import { LocalFailure } from './local-failure.ts';
import { choosePort, onFreePort, rememberPort } from './ports.ts';
import { listProcesses, stopProcess } from './processes.ts';
import { runService, type StartingServer } from './service.ts';

export { findTemporalProgram } from './temporal-program.ts';

export interface TemporalOptions {
  /** A `temporal` program, see findTemporalProgram. */
  program: string;
  /** Directory of the store, ports and log. */
  directory: string;
  /** Absent: that of the last start, else 7233, else a free one. */
  port?: number;
  /** Absent: that of the last start, else 8233, else a free one. */
  uiPort?: number;
  namespace?: string;
  /** Name to type, such as `{ TeamId: 'Keyword' }`. */
  searchAttributes?: Readonly<Record<string, string>>;
  /** Receives notices for the person who runs it: a restart, a server left over. */
  onNotice?: (line: string) => void;
}

export interface RunningTemporal {
  /** host:port of gRPC. */
  address: string;
  uiUrl: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/**
 * Settings of the server; src/local/temporal-dynamic-config.yaml gives the same to the one in
 * docker-compose.yml. The first three are the difference between 146 ms and 29 ms for a workflow of
 * one activity: one shard's queue readers are limited to 20 polls a second by default.
 */
export const dynamicConfig = {
  'history.transferProcessorMaxPollRPS': 2_000,
  'history.timerProcessorMaxPollRPS': 2_000,
  'history.visibilityProcessorMaxPollRPS': 200,
  // Timers fire up to this much late; the default is a second.
  'history.timerProcessorMaxTimeShift': '100ms',
  'system.enableActivityEagerExecution': true,
  // One matching host serves all partitions of a queue, so that more would only add hops.
  'matching.numTaskqueueReadPartitions': 1,
  'matching.numTaskqueueWritePartitions': 1,
  'frontend.rps': 20_000,
  'frontend.namespaceRPS': 20_000,
  'frontend.enableServerVersionCheck': false,
} as const;

const readyWithinMs = 60_000;

/**
 * Starts a Temporal server with its UI on 127.0.0.1, its store in a SQLite file, and keeps it
 * running until `stop` or the end of this process. Throws LocalFailure.
 */
export async function startTemporal(options: TemporalOptions): Promise<RunningTemporal> {
  const { onNotice = () => undefined } = options;
  const directory = resolve(options.directory);
  const lock = lockDirectory(directory);
  if (!('release' in lock)) {
    throw new LocalFailure(
      `Temporal in ${directory} is in use by process ${String(lock.pid)} (${lock.command}). End that process first.`,
    );
  }
  try {
    // The store holds ids of teams and workflows.
    await mkdir(directory, { recursive: true });
    await chmod(directory, 0o700);
    const store = join(directory, 'temporal.db');
    await stopLeftover(store, onNotice);
    const { service, address, uiPort } = await onFreePort(() => runOnce(options, directory, store));
    return {
      address,
      uiUrl: `http://127.0.0.1:${String(uiPort)}`,
      get pid() {
        return service.pid;
      },
      async stop() {
        await service.stop();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function runOnce(options: TemporalOptions, directory: string, store: string) {
  const { program, namespace = 'default', onNotice = () => undefined } = options;
  const port =
    options.port === undefined
      ? await rememberPort(join(directory, 'port'), 7233)
      : await choosePort('Temporal', options.port, 'the option port');
  const uiPort =
    options.uiPort === undefined
      ? await rememberPort(join(directory, 'ui-port'), 8233)
      : await choosePort("Temporal's UI", options.uiPort, 'the option uiPort');
  const address = `127.0.0.1:${String(port)}`;
  // Its own home and a bare environment: settings of the user's own `temporal` do not apply.
  const env = { HOME: directory, PATH: '/usr/bin:/bin', TEMPORAL_VERSION_CHECK_DISABLED: '1' };
  const service = await runService({
    name: 'Temporal',
    command: program,
    args: listArguments({ ...options, store, port, uiPort, namespace }),
    cwd: directory,
    env,
    logFile: join(directory, 'temporal.log'),
    stopSignal: 'SIGTERM',
    graceMs: 15_000,
    readyWithinMs,
    waitUntilReady: (server) => waitForNamespace({ program, address, namespace, env, server }),
    onNotice,
  });
  return { service, address, uiPort };
}

/** Removes the store. Throws LocalFailure while a server uses it. */
export async function removeTemporal(directory: string): Promise<void> {
  const path = resolve(directory);
  const lock = lockDirectory(path);
  if (!('release' in lock)) {
    throw new LocalFailure(`Temporal in ${path} is in use by process ${String(lock.pid)}.`);
  }
  await stopLeftover(join(path, 'temporal.db'), () => undefined);
  await rm(path, { recursive: true, force: true });
}

interface ServerSettings {
  store: string;
  port: number;
  uiPort: number;
  namespace: string;
  searchAttributes?: Readonly<Record<string, string>>;
}

function listArguments(settings: ServerSettings): string[] {
  const { store, port, uiPort, namespace, searchAttributes = {} } = settings;
  const pairs = (flag: string, values: Readonly<Record<string, unknown>>, inJson: boolean) =>
    Object.entries(values).flatMap(([name, value]) => [
      flag,
      `${name}=${inJson ? JSON.stringify(value) : String(value)}`,
    ]);
  return [
    'server',
    'start-dev',
    '--db-filename',
    store,
    '--ip',
    '127.0.0.1',
    '--port',
    String(port),
    '--ui-port',
    String(uiPort),
    '--ui-disable-news-fetch',
    '--namespace',
    namespace,
    '--log-level',
    'warn',
    '--color',
    'never',
    ...pairs('--sqlite-pragma', { journal_mode: 'WAL', synchronous: 'NORMAL' }, false),
    ...pairs('--search-attribute', searchAttributes, false),
    ...pairs('--dynamic-config-value', dynamicConfig, true),
  ];
}

/** Stops a server whose owner and keeper were both killed: without a lock, no process uses it. */
async function stopLeftover(store: string, onNotice: (line: string) => void) {
  const ours = listProcesses().filter(({ command }) => command.includes(`--db-filename ${store} `));
  for (const { pid } of ours) {
    onNotice(`Stopping Temporal (process ${String(pid)}), left over from an earlier run`);
    await stopProcess(pid, [
      { signal: 'SIGTERM', waitMs: 10_000 },
      { signal: 'SIGKILL', waitMs: 5_000 },
    ]);
  }
}

interface NamespaceQuestion {
  program: string;
  address: string;
  namespace: string;
  env: Readonly<Record<string, string>>;
  server: StartingServer;
}

// Printed once the server listens. Another server at the same address would answer just as well.
const listening = /^Temporal Server:/;

async function waitForNamespace(question: NamespaceQuestion) {
  const { program, address, namespace, env, server } = question;
  const { signal } = server;
  while (!server.hasPrinted(listening)) await pause(30, undefined, { signal });
  for (;;) {
    signal.throwIfAborted();
    try {
      await promisify(execFile)(
        program,
        ['operator', 'namespace', 'describe', '--namespace', namespace, '--address', address],
        { env, signal, timeout: 5_000 },
      );
      return;
    } catch {
      await pause(100, undefined, { signal });
    }
  }
}
