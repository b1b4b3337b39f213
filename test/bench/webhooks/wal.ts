import type { Database } from '../../../src/platform/database/client.ts';

/** Bytes of write-ahead log that this Postgres has written since it was made. */
export async function walBytes(database: Database): Promise<number> {
  const [row] = await database.read(
    (sql) => sql<[{ bytes: number }]>`
      select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as bytes`,
  );
  return row.bytes;
}
