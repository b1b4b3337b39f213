import { existsSync, readdirSync, statfsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { userInfo } from 'node:os';
import path from 'node:path';
import { connectDatabase } from '../../src/platform/database/client.ts';
import { migrate } from '../../src/platform/database/migrate.ts';
import { removePostgres, startPostgres } from '../../src/local/postgres.ts';
import { isAlive } from '../../src/local/processes.ts';
import { findTemporalProgram, startTemporal } from '../../src/local/temporal.ts';
import { searchAttributeTypes } from '../../src/platform/temporal/search-attributes.ts';
import { recordFile } from '../reach/files.ts';
import { appLogin, environmentNames, stops, templateDatabase } from './environment.ts';
import { isWholeRun } from './whole-run.ts';
import type { Project, Run } from './whole-run.ts';

const root = path.join(placeOfTests(), 'tests');

/**
 * In memory where there is room: each test file clones a database of some 1,500 files, which a disk
 * makes in half a second of CPU and memory in a tenth.
 */
function placeOfTests(): string {
  const memory = '/dev/shm';
  if (!existsSync(memory)) return path.resolve('.onward');
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize >= 4 * 1024 ** 3
    ? path.join(memory, `onward-${String(userInfo().uid)}`)
    : path.resolve('.onward');
}

/** Starts what the tests need, once per run: Postgres with a migrated template, and Temporal. */
export default async function globalSetup(run?: Run, project?: Project): Promise<void> {
  if (run && project && isWholeRun(run, project)) await rm(recordFile, { force: true });
  await mkdir(path.dirname(recordFile), { recursive: true });
  await removeLeftovers();
  const directory = path.join(root, String(process.pid));
  stops.push(() => rm(directory, { recursive: true, force: true }));
  const serverUrl = process.env['DATABASE_URL'] ?? (await startTestPostgres(directory));
  const address = process.env['TEMPORAL_ADDRESS'] ?? (await startTestTemporal(directory));
  process.env[environmentNames.serverUrl] = serverUrl;
  process.env[environmentNames.temporalAddress] = address;
  await prepareTemplate(serverUrl);
}

async function startTestPostgres(directory: string): Promise<string> {
  const at = path.join(directory, 'postgres');
  const postgres = await startPostgres({
    directory: at,
    // Nothing is to survive the run, two workers share two cores, and all of it lies in memory.
    settings: {
      shared_buffers: '128MB',
      max_wal_size: '1GB',
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
      max_connections: '300',
    },
  });
  stops.push(async () => {
    await postgres.stop();
    await removePostgres(at);
  });
  return postgres.url;
}

async function startTestTemporal(directory: string): Promise<string> {
  const program = await findTemporalProgram({
    path: process.env['PATH'] ?? '',
    cacheDirectory: process.env['ONWARD_CACHE_DIR'],
    onProgress: (line) => process.stderr.write(`${line}\n`),
  });
  const temporal = await startTemporal({
    program,
    directory: path.join(directory, 'temporal'),
    searchAttributes: searchAttributeTypes,
  });
  stops.push(() => temporal.stop());
  process.env[environmentNames.temporalUiUrl] = temporal.uiUrl;
  return temporal.address;
}

async function prepareTemplate(serverUrl: string): Promise<void> {
  const server = connectDatabase({ url: serverUrl, maxConnections: 1, applicationName: 'tests' });
  await server.read(
    async (sql) => {
      await sql`drop database if exists ${sql(templateDatabase)} with (force)`;
      await sql`create database ${sql(templateDatabase)}`;
    },
    { deadlineMs: 60_000 },
  );
  await server.close();
  const url = new URL(serverUrl);
  url.pathname = `/${templateDatabase}`;
  const template = connectDatabase({ url: url.href, maxConnections: 1, applicationName: 'tests' });
  await migrate(template, appLogin);
  await template.close();
}

/** Removes the remains of a killed run. */
async function removeLeftovers(): Promise<void> {
  if (!existsSync(root)) return;
  for (const name of readdirSync(root)) {
    if (isAlive(Number(name))) continue;
    await removePostgres(path.join(root, name, 'postgres')).catch(() => undefined);
    await rm(path.join(root, name), { recursive: true, force: true });
  }
}
