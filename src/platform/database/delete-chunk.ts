import type { Fragment, Sql } from './sql.ts';

interface Chunk {
  table: string;
  /** Columns of the primary key, with commas. */
  key: string;
  /** Rows to delete. */
  where: Fragment;
  limit: number;
  /** Leaves out rows that another transaction writes, instead of waiting for it. */
  skipsLocked?: boolean;
}

/** Deletes at most `limit` rows, so that a statement of maintenance ends soon; returns their number. */
export async function deleteChunk(sql: Sql, chunk: Chunk): Promise<number> {
  const table = sql.unsafe(chunk.table);
  const key = sql.unsafe(chunk.key);
  const locking = sql.unsafe(chunk.skipsLocked === true ? 'for update skip locked' : '');
  const rows = await sql`
    delete from ${table}
    where (${key}) in (
      select ${key} from ${table} where ${chunk.where} limit ${chunk.limit} ${locking}
    )`;
  return rows.count;
}
