import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import postgres from 'postgres';
import { removePostgres, startPostgres, type RunningPostgres } from '../../src/local/postgres.ts';
import { isAlive, sendSignal } from '../../src/local/processes.ts';
import { untilTrue } from '../support/eventually.ts';
import { scratchDirectory } from './scratch.ts';

const root = scratchDirectory();
chmodSync(root, 0o755);

async function ask<T>(url: string, work: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined, connect_timeout: 5 });
  try {
    return await work(sql);
  } finally {
    await sql.end({ timeout: 1 });
  }
}

const countNotes = (url: string) =>
  ask(url, async (sql) => (await sql`select * from notes`).length).catch(() => -1);

describe('an embedded Postgres', () => {
  const directory = join(root, 'kept');
  let server: RunningPostgres;

  beforeAll(async () => {
    server = await startPostgres({ directory, settings: { max_connections: '23' } });
    await ask(server.url, (sql) => sql`create table notes as select 1 as id`);
  });

  afterAll(async () => {
    await server.stop();
  });

  test('is version 18, in UTF8, compared by bytes, and takes the settings it was given', async () => {
    const [row] = await ask(
      server.url,
      (sql) => sql`
        select current_setting('server_version_num')::int / 10000 as major,
          current_setting('server_encoding') as encoding,
          current_setting('max_connections') as connections,
          current_setting('fsync') as fsync,
          current_setting('max_wal_size') as wal,
          pg_size_bytes(current_setting('shared_buffers')) between 134217728 and 1073741824 as has_memory,
          (select datcollate from pg_database where datname = current_database()) as collation`,
    );
    expect(row).toEqual({
      major: 18,
      encoding: 'UTF8',
      connections: '23',
      fsync: 'on',
      wal: '4GB',
      has_memory: true,
      collation: 'C',
    });
  });

  test('requires the password, whose file only its owner can read', async () => {
    const wrong = new URL(server.url);
    wrong.password = 'wrong';
    await expect(ask(wrong.href, (sql) => sql`select 1`)).rejects.toMatchObject({ code: '28P01' });
    expect(statSync(join(directory, 'password')).mode & 0o777).toBe(0o600);
  });

  test('cannot be started twice in one directory', async () => {
    await expect(startPostgres({ directory })).rejects.toThrow(/in use by process \d+/);
  });

  test('comes back by itself with its data when the server is killed', async () => {
    const { pid } = server;
    sendSignal(pid, 'SIGKILL');
    await untilTrue(() => server.pid !== pid && isAlive(server.pid));
    await untilTrue(async () => (await countNotes(server.url)) === 1);
  });

  test('retains data, port and password across stop and start', async () => {
    const { url, pid } = server;
    await server.stop();
    expect(isAlive(pid)).toBe(false);
    server = await startPostgres({ directory });
    expect(server.url).toBe(url);
    expect(await countNotes(server.url)).toBe(1);
  });
});

test('names the port and the remedy when a given port is taken', async () => {
  const squatter = createServer();
  await new Promise<void>((resolve) => squatter.listen(0, '127.0.0.1', resolve));
  const address = squatter.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  await expect(startPostgres({ directory: join(root, 'taken'), port })).rejects.toThrow(
    new RegExp(`Port ${String(port)}, wanted for Postgres, .*choose another port`),
  );
  squatter.close();
});

test('refuses data of another major version and names the command to start afresh', async () => {
  const directory = join(root, 'old');
  mkdirSync(join(directory, 'data'), { recursive: true });
  writeFileSync(join(directory, 'data', 'PG_VERSION'), '15\n');
  await expect(startPostgres({ directory })).rejects.toThrow(/PostgreSQL 15.*npm run reset/);
});

test('clears away what an interrupted first start left, and is removed whole', async () => {
  const directory = join(root, 'interrupted');
  mkdirSync(join(directory, 'data.new-left'), { recursive: true });
  const server = await startPostgres({ directory });
  await server.stop();
  expect(readdirSync(directory).filter((name) => name.startsWith('data'))).toEqual(['data']);
  await removePostgres(directory);
  expect(readdirSync(root)).not.toContain('interrupted');
});
