import type { Sql } from './sql.ts';

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

/** Deletes one chunk of the keys of engagement events that no longer exist. */
export async function pruneEngagementKeys(
  sql: Sql,
  months: number,
  limit: number,
): Promise<number> {
  const keys = await sql`
    delete from engagement_event_keys
    where (team_id, kind, unique_id) in (
      select team_id, kind, unique_id from engagement_event_keys
      where occurred_at < now() - make_interval(months => ${months}) limit ${limit}
    )`;
  return keys.count;
}

/** Deletes idempotency keys and revocations whose time is over, a chunk of each. */
export async function pruneExpired(sql: Sql, limit: number): Promise<number> {
  const keys = await sql`
    delete from idempotency_keys
    where (team_id, client_id, key_hash) in (
      select team_id, client_id, key_hash from idempotency_keys
      where expires_at < now() limit ${limit}
    )`;
  const tokens = await sql`
    delete from revoked_tokens
    where token_id in (select token_id from revoked_tokens where expires_at < now() limit ${limit})`;
  return Math.max(keys.count, tokens.count);
}

/** Deletes what deduplication no longer needs, and old counts of refused calls, a chunk of each. */
export async function pruneInbound(sql: Sql, limit: number): Promise<number> {
  const keys = await sql`
    delete from inbound_dedup_keys
    where (team_id, receiver_id, dedup_key) in (
      select team_id, receiver_id, dedup_key from inbound_dedup_keys
      where expires_at < now() limit ${limit}
    ) and expires_at < now()`;
  const tokens = await sql`
    delete from inbound_tokens
    where (team_id, receiver_id, token_hash) in (
      select team_id, receiver_id, token_hash from inbound_tokens
      where received_at < now() - interval '8 days' limit ${limit}
    )`;
  const proofs = await sql`
    delete from inbound_proofs
    where proof_hash in (
      select proof_hash from inbound_proofs
      where received_at < now() - interval '8 days' limit ${limit}
    ) /* any team: maintenance serves all */`;
  const rejections = await sql`
    delete from inbound_rejections
    where (team_id, receiver_id, hour) in (
      select team_id, receiver_id, hour from inbound_rejections
      where hour < now() - interval '90 days' limit ${limit}
    )`;
  const bounces = await sql`
    delete from inbound_soft_bounces
    where (team_id, address, delivery_id) in (
      select team_id, address, delivery_id from inbound_soft_bounces
      where bounced_at < now() - interval '90 days' limit ${limit}
    )`;
  const pruned = [keys, tokens, proofs, rejections, bounces];
  return Math.max(...pruned.map(({ count }) => count));
}

/** Deletes unused budgets: they are full again, as new ones are. */
export async function pruneBudgets(sql: Sql, limit: number): Promise<number> {
  const budgets = await sql`
    delete from rate_budgets
    where (team_id, class) in (
      select team_id, class from rate_budgets
      where refilled_at < now() - interval '1 hour' limit ${limit}
      for update skip locked
    )`;
  return budgets.count;
}
