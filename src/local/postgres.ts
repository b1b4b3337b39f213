import { readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { totalmem } from 'node:os';
import { lockDirectory } from './directory-lock.ts';
import { LocalFailure } from './local-failure.ts';
import { choosePort, rememberPort } from './ports.ts';
import { initialiseCluster, readPassword } from './postgres-cluster.ts';
import { placePostgres, type Placement } from './postgres-placement.ts';
import { isAlive, listProcesses, stopProcess } from './processes.ts';
import { superuser, urlOf } from './running-postgres.ts';
import { runService, type StartingServer } from './service.ts';

const mebibyte = 1024 ** 2;

/**
 * Memory settings of the server. Its page cache is an eighth of the machine's memory, between 128
 * MB (the default of Postgres) and 1 GB. Checkpoints are rarer than by default, because large
 * imports and cohorts would otherwise write every page several times.
 */
function memorySettings(): Readonly<Record<string, string>> {
  const pages = Math.min(1024, Math.max(128, Math.floor(totalmem() / 8 / mebibyte)));
  return { shared_buffers: `${String(pages)}MB`, max_wal_size: '4GB' };
}

export interface PostgresOptions {
  /** Directory of data, password, port and log. */
  directory: string;
  /** Absent: the port of the last start if it is free, else a free one. */
  port?: number;
  /** Server settings, such as `{ max_connections: '50' }`. */
  settings?: Readonly<Record<string, string>>;
  /** Receives notices for the person who runs it: a restart, a server left over. */
  onNotice?: (line: string) => void;
}

export interface RunningPostgres {
  /** Database `postgres` with the superuser. */
  url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

const readyWithinMs = 120_000;

/**
 * Starts an embedded PostgreSQL 18 on 127.0.0.1, makes its data directory first if there is none,
 * and keeps it running until `stop` or the end of this process. Throws LocalFailure.
 */
export async function startPostgres(options: PostgresOptions): Promise<RunningPostgres> {
  const { settings = {}, onNotice = () => undefined } = options;
  const directory = resolve(options.directory);
  const lock = lockDirectory(directory);
  if (!('release' in lock)) {
    throw new LocalFailure(
      `Postgres in ${directory} is in use by process ${String(lock.pid)} (${lock.command}). End that process first.`,
    );
  }
  try {
    const placement = await placePostgres(directory);
    await stopLeftover(placement, onNotice);
    const password = await readPassword(directory);
    await initialiseCluster({ placement, superuser, password });
    const port = await pickPort(directory, options.port);
    const all = {
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      port: String(port),
      timezone: 'UTC',
      log_timezone: 'UTC',
      ...memorySettings(),
      // Plans that were made for empty tables are soon made again.
      autovacuum_naptime: '15s',
      ...settings,
    };
    const { dataDirectory, programs, account } = placement;
    const service = await runService({
      name: 'Postgres',
      command: programs.postgres,
      args: [
        '-D',
        dataDirectory,
        ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
      ],
      cwd: dataDirectory,
      env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' },
      ...account,
      logFile: join(directory, 'postgres.log'),
      // Fast shutdown: open transactions are rolled back.
      stopSignal: 'SIGINT',
      graceMs: 15_000,
      readyWithinMs,
      waitUntilReady: (server) => waitUntilReady(dataDirectory, server),
      // The backends of a killed server need a moment to notice.
      passing: /pre-existing shared memory block|lock file "postmaster\.pid" already exists/,
      onNotice,
    });
    return {
      url: urlOf(password, String(port)),
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

/** Removes the data directory. Throws LocalFailure while a server uses it. */
export async function removePostgres(directory: string): Promise<void> {
  const path = resolve(directory);
  const lock = lockDirectory(path);
  if (!('release' in lock)) {
    throw new LocalFailure(`Postgres in ${path} is in use by process ${String(lock.pid)}.`);
  }
  const placement = await placePostgres(path);
  await stopLeftover(placement, () => undefined);
  await rm(placement.home, { recursive: true, force: true });
  await rm(path, { recursive: true, force: true });
}

/** Stops a server whose owner and keeper were both killed: without a lock, no process uses it. */
async function stopLeftover({ dataDirectory }: Placement, onNotice: (line: string) => void) {
  const ours = listProcesses().filter(({ command }) => command.includes(`-D ${dataDirectory} `));
  for (const { pid } of ours) {
    onNotice(`Stopping Postgres (process ${String(pid)}), left over from an earlier run`);
    await stopProcess(pid, [
      { signal: 'SIGINT', waitMs: 10_000 },
      { signal: 'SIGQUIT', waitMs: 5_000 },
      { signal: 'SIGKILL', waitMs: 5_000 },
    ]);
  }
  // After a restart of the machine or container the number in the file can be another program's.
  const [recorded] = await readPidFile(dataDirectory);
  if (recorded !== undefined && isAlive(Number(recorded))) {
    await rm(join(dataDirectory, 'postmaster.pid'), { force: true });
  }
}

async function pickPort(directory: string, given: number | undefined): Promise<number> {
  if (given !== undefined) return choosePort('Postgres', given, 'the option port');
  return rememberPort(join(directory, 'port'));
}

async function waitUntilReady(dataDirectory: string, { pid, signal }: StartingServer) {
  for (;;) {
    signal.throwIfAborted();
    const lines = await readPidFile(dataDirectory);
    if (lines[0] === String(pid) && lines[7] === 'ready') return;
    await pause(20, undefined, { signal });
  }
}

async function readPidFile(dataDirectory: string): Promise<string[]> {
  const text = await readFile(join(dataDirectory, 'postmaster.pid'), 'utf8').catch(() => '');
  return text === '' ? [] : text.split('\n').map((line) => line.trim());
}
