import type { Sql } from './client.ts';

/**
 * Lets the rest of the transaction sort in 64 MB and hash in `hashMegabytes` what else goes to the
 * disk. Statements are planned for what they are about, and not compiled, which takes longer than
 * they do.
 */
export async function giveRoom(sql: Sql, hashMegabytes = 128): Promise<void> {
  await sql`
    select set_config('work_mem', '64MB', true),
      set_config('hash_mem_multiplier', ${String(hashMegabytes / 64)}, true),
      set_config('jit', 'off', true), set_config('plan_cache_mode', 'force_custom_plan', true)`;
}
