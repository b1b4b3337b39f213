import type { Sql } from './sql.ts';

/**
 * Makes Postgres plan the later statements of the transaction for the current tables. A cached plan
 * may be from when a table was empty, and then scans the table for each row. Planning takes some
 * milliseconds, so this is for work on many rows.
 */
export async function forceCustomPlans(sql: Sql): Promise<void> {
  await sql`select set_config('plan_cache_mode', 'force_custom_plan', true)`;
}

/**
 * Makes Postgres plan the later statements of the transaction in the order of an index where one has
 * it. For the first few of many rows of which the statistics may know nothing yet: it would otherwise
 * read and sort all of them, since few are expected.
 */
export async function avoidSorts(sql: Sql): Promise<void> {
  await sql`select set_config('enable_sort', 'off', true)`;
}

/**
 * Lets the rest of the transaction sort in 64 MB and hash in `hashMegabytes` instead of on the
 * disk. Statements get custom plans.
 */
export async function setWorkMem(sql: Sql, hashMegabytes = 128): Promise<void> {
  await sql`
    select set_config('work_mem', '64MB', true),
      set_config('hash_mem_multiplier', ${String(hashMegabytes / 64)}, true),
      set_config('plan_cache_mode', 'force_custom_plan', true)`;
}
