import type { Sql } from '../database/sql.ts';

/** Tables whose rows are lanes: the end of the lease, and the time of the last signal. */
export type LaneTable = 'cohort_lanes' | 'journey_lanes';

/** Sets the end of the lane's lease. The row stays locked until the transaction ends. */
export async function extendLease(
  sql: Sql,
  table: LaneTable,
  lane: number,
  holdMs: number,
): Promise<void> {
  await sql`
    update ${sql(table)}
    set leased_until = clock_timestamp() + make_interval(secs => ${holdMs / 1_000})
    where lane = ${lane}`;
}

/** Ends the lease, so that the lane can be signaled immediately. */
export async function releaseLease(sql: Sql, table: LaneTable, lane: number): Promise<void> {
  await sql`
    update ${sql(table)} set leased_until = '-infinity', signaled_at = '-infinity'
    where lane = ${lane}`;
}
