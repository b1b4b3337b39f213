import type { Sql } from '../../../platform/database/sql.ts';

/** Limits of the deliveries of a subscription; null for no limit. */
export interface Limits {
  rate_limit_per_second: number | null;
  max_concurrency: number | null;
  ordering: Ordering;
}

/** With `fifo` one delivery at a time, in the order in which they were recorded. */
export type Ordering = 'none' | 'fifo';

/** The limits, of settings p of a subscription, which may have none. */
export const limitColumns = `p.rate_limit_per_second, p.max_concurrency,
  coalesce(p.ordering, 'none') as ordering`;

/** Whether settings p limit anything. */
export const limitsSomething = `(p.rate_limit_per_second is not null
  or p.max_concurrency is not null or coalesce(p.ordering, 'none') <> 'none')`;

export async function findOrdering(
  sql: Sql,
  teamId: string,
  subscriptionId: string,
): Promise<Ordering> {
  const [row] = await sql<{ ordering: Ordering }[]>`
    select ordering from webhook_delivery_settings
    where team_id = ${teamId} and subscription_id = ${subscriptionId}`;
  return row?.ordering ?? 'none';
}

export interface RequestedSlots {
  teamId: string;
  subscriptionId: string;
  count: number;
}

/** Moments at which calls may begin, evenly spread. */
export interface Slots {
  subscription_id: string;
  /** Relative to now; below 0 if the first may begin immediately. */
  starts_in_ms: number;
  gap_ms: number;
}

/** Unused slots of this period can be used later; more would be a burst. */
const madeUpForSeconds = 0.05;

/**
 * Assigns the next slots of some subscriptions, each to one caller. Unused slots are lost, so that
 * no call is sooner than the limit allows. A subscription without a limit is left out.
 */
export async function reserveSlots(
  sql: Sql,
  requested: readonly RequestedSlots[],
): Promise<Slots[]> {
  return sql<Slots[]>`
    update webhook_delivery_settings p
    set next_slot_at =
      greatest(p.next_slot_at, clock_timestamp() - make_interval(secs => ${madeUpForSeconds}))
        + make_interval(secs => requested.count::float8 / p.rate_limit_per_second)
    from unnest(${requested.map(({ teamId }) => teamId)}::uuid[],
      ${requested.map(({ subscriptionId }) => subscriptionId)}::uuid[],
      ${requested.map(({ count }) => count)}::int[]) as requested (team_id, subscription_id, count)
    where p.team_id = requested.team_id and p.subscription_id = requested.subscription_id
      and p.rate_limit_per_second is not null
    returning p.subscription_id,
      extract(epoch from p.next_slot_at - clock_timestamp())::float8 * 1000
        - requested.count * 1000.0 / p.rate_limit_per_second as starts_in_ms,
      1000.0 / p.rate_limit_per_second as gap_ms`;
}

/**
 * Transfers limited subscriptions to their recovery when a first attempt has waited past the age
 * limit. The recovery fails expired deliveries, and continues at the rate of the limit.
 */
export async function releaseExpiredLimits(sql: Sql, maxAgeMs: number) {
  return sql<{ team_id: string; subscription_id: string }[]>`
    update webhook_subscription_states s
    set owned_by_recovery = true, recovery_due_at = now()
    from webhook_delivery_settings p
    where p.team_id = s.team_id and p.subscription_id = s.subscription_id
      and not s.owned_by_recovery
      and ${sql.unsafe(limitsSomething)}
      and exists (
        select from webhook_deliveries d
        where d.subscription_id = p.subscription_id and d.team_id = p.team_id
          and d.status in ('pending', 'retrying')
          and d.next_attempt_at < now() - make_interval(secs => ${maxAgeMs / 1_000})
      )
    returning s.team_id, s.subscription_id /* any team: repairs serve all */`;
}
