import type { Sql } from '../../platform/database/sql.ts';

/** Makes enrollments by one token wait for each other: the second finds what the first has made. */
export async function holdToken(sql: Sql, tokenId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`enrollment ${tokenId}`}, 0))`;
}
