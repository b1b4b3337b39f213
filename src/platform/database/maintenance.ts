import { deleteChunk } from './delete-chunk.ts';
import type { Fragment, Sql } from './sql.ts';

/** Makes the partitions of the coming days and months; returns how many were missing. */
export async function ensurePartitions(sql: Sql): Promise<number> {
  const [row] = await sql<[{ made: number }]>`
    select ensure_day_partitions() + ensure_month_partitions() as made`;
  return row.made;
}

/** Drops the partitions of older days of these tables; returns their number. */
export async function dropOldDays(
  sql: Sql,
  tables: readonly string[],
  days: number,
): Promise<number> {
  const [row] = await sql<[{ dropped: number }]>`
    select coalesce(sum(drop_day_partitions(name, current_date - ${days}::int)), 0)::int as dropped
    from unnest(${[...tables]}::text[]) as name`;
  return row.dropped;
}

/** Drops the partitions of older months of a table; returns their number. */
export async function dropOldMonths(sql: Sql, table: string, months: number): Promise<number> {
  const [row] = await sql<[{ dropped: number }]>`
    select drop_month_partitions(${table},
      (current_date - make_interval(months => ${months}))::date) as dropped`;
  return row.dropped;
}

/** Drops the empty partitions of past months of a table; returns their number. */
export async function dropEmptyMonths(sql: Sql, table: string): Promise<number> {
  const [row] = await sql<[{ dropped: number }]>`
    select drop_empty_month_partitions(${table}) as dropped`;
  return row.dropped;
}

/** Deletes one chunk of the keys of engagement events that no longer exist. */
export async function pruneEngagementKeys(
  sql: Sql,
  months: number,
  limit: number,
): Promise<number> {
  const where = sql`occurred_at < now() - make_interval(months => ${months})`;
  const key = 'team_id, kind, unique_id';
  return deleteChunk(sql, { table: 'engagement_event_keys', key, where, limit });
}

/** Deletes idempotency keys and revocations whose time is over, a chunk of each. */
export async function pruneExpired(sql: Sql, limit: number): Promise<number> {
  const where = sql`expires_at < now()`;
  const key = 'team_id, client_id, key_hash';
  return Math.max(
    await deleteChunk(sql, { table: 'idempotency_keys', key, where, limit }),
    await deleteChunk(sql, { table: 'revoked_tokens', key: 'token_id', where, limit }),
  );
}

/** Deletes what deduplication no longer needs, and old counts of refused calls, a chunk of each. */
export async function pruneInbound(sql: Sql, limit: number): Promise<number> {
  // A callback that comes meanwhile gives its key a new window.
  const keys = await sql`
    delete from inbound_dedup_keys
    where (team_id, receiver_id, dedup_key) in (
      select team_id, receiver_id, dedup_key from inbound_dedup_keys
      where expires_at < now() limit ${limit}
    ) and expires_at < now()`;
  const old = (table: string, key: string, where: Fragment) =>
    deleteChunk(sql, { table, key, where, limit });
  const isPastProof = sql`received_at < now() - interval '8 days'`;
  return Math.max(
    keys.count,
    await old('inbound_tokens', 'team_id, receiver_id, token_hash', isPastProof),
    await old('inbound_proofs', 'proof_hash', isPastProof),
    await old(
      'inbound_rejections',
      'team_id, receiver_id, hour',
      sql`hour < now() - interval '90 days'`,
    ),
    await old(
      'inbound_soft_bounces',
      'team_id, address, delivery_id',
      sql`bounced_at < now() - interval '90 days'`,
    ),
  );
}

/** Deletes unused budgets: they are full again, as new ones are. */
export async function pruneBudgets(sql: Sql, limit: number): Promise<number> {
  const where = sql`refilled_at < now() - interval '1 hour'`;
  const key = 'team_id, class';
  return deleteChunk(sql, { table: 'rate_budgets', key, where, limit, skipsLocked: true });
}
