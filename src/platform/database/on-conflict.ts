import type { Sql } from './sql.ts';
import { isUniqueViolation } from './failures.ts';

/**
 * Runs a write that may break a unique index; undefined where it does, with the transaction as
 * usable as before.
 */
export async function unlessConflict<Row>(
  sql: Sql,
  index: string,
  write: () => Promise<Row>,
): Promise<Row | undefined> {
  await sql`savepoint unless_taken`;
  try {
    return await write();
  } catch (error) {
    if (!isUniqueViolation(error, index)) throw error;
    await sql`rollback to savepoint unless_taken`;
    return undefined;
  }
}
