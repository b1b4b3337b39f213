import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { removePostgres, startPostgres } from '../../src/local/postgres.ts';
import { sendSignal } from '../../src/local/processes.ts';
import { findTemporalProgram, startTemporal } from '../../src/local/temporal.ts';
import { searchAttributeTypes } from '../../src/platform/temporal/search-attributes.ts';
import { mustComeTrue } from './moments.ts';
import { describeWasteful, planLogSettings } from './plan-log.ts';

const backWithinMs = 90_000;

/** A server with a supervisor of its own (src/local/service.ts), which starts it again. */
interface Server {
  readonly pid: number;
  signal(name: NodeJS.Signals): void;
  /** Waits until it answers again after the last signal. */
  back(): Promise<void>;
  stop(): Promise<void>;
}

export interface PostgresServer extends Server {
  url: string;
}

export interface TemporalServer extends Server {
  address: string;
  start(): Promise<void>;
  /** Deletes everything it knows; it must be stopped. */
  deleteStore(): Promise<void>;
}

interface Place {
  directory: string;
  onNotice: (line: string) => void;
}

/** A Postgres as it comes: what it has acknowledged is on the disk. */
export async function openPostgres(place: Place, port: number): Promise<PostgresServer> {
  const directory = join(place.directory, 'postgres');
  const durable = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' };
  const settings = { ...durable, ...planLogSettings() };
  const server = await startPostgres({ directory, port, settings, onNotice: place.onNotice });
  let killed = 0;
  return {
    url: server.url,
    get pid() {
      return server.pid;
    },
    signal(name) {
      killed = server.pid;
      sendSignal(killed, name);
    },
    back: () => mustComeTrue('Postgres answers', () => server.pid !== killed, backWithinMs),
    async stop() {
      await server.stop();
      const log = await readFile(join(directory, 'postgres.log'), 'utf8').catch(() => '');
      for (const line of describeWasteful(log)) place.onNotice(line);
      await removePostgres(directory);
    },
  };
}

export async function openTemporal(
  place: Place,
  ports: { port: number; uiPort: number },
): Promise<TemporalServer> {
  const directory = join(place.directory, 'temporal');
  const program = await findTemporalProgram({
    path: process.env['PATH'] ?? '',
    cacheDirectory: process.env['ONWARD_CACHE_DIR'],
    onProgress: place.onNotice,
  });
  const { onNotice } = place;
  const start = () =>
    startTemporal({
      program,
      directory,
      ...ports,
      searchAttributes: searchAttributeTypes,
      onNotice,
    });
  let server = await start();
  let killed = 0;
  return {
    address: server.address,
    get pid() {
      return server.pid;
    },
    signal(name) {
      killed = server.pid;
      sendSignal(killed, name);
    },
    back: () => mustComeTrue('Temporal answers', () => server.pid !== killed, backWithinMs),
    stop: () => server.stop(),
    async start() {
      server = await start();
    },
    async deleteStore() {
      for (const ending of ['', '-wal', '-shm']) {
        await rm(join(directory, `temporal.db${ending}`), { force: true });
      }
    },
  };
}
