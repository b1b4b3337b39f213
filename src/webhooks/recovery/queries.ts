import type { Sql } from '../../platform/database/sql.ts';
import { limitColumns } from '../dispatch/limits/queries.ts';
import { dueColumns } from '../dispatch/queries.ts';
import type { DueDelivery } from '../dispatch/queries.ts';
import { isHeld } from '../suspending/queries.ts';

type OffCause = 'subscription_deleted' | 'subscription_inactive' | 'subscription_disabled';

/** Reason why a subscription accepts no deliveries now; null if it does. */
export async function findOffCause(sql: Sql, teamId: string, id: string): Promise<OffCause | null> {
  const [row] = await sql<{ cause: OffCause | null }[]>`
    select case when deleted_at is not null then 'subscription_deleted'
      when not is_active then 'subscription_inactive'
      when is_disabled_for_failures then 'subscription_disabled' end as cause
    from webhook_subscriptions
    where team_id = ${teamId} and id = ${id}`;
  return row ? row.cause : 'subscription_deleted';
}

/** Ends a chunk of what waits without attempting it; returns how many there were. */
export async function endUnattempted(
  sql: Sql,
  teamId: string,
  subscriptionId: string,
  outcome: { status: 'suppressed' | 'canceled' | 'failed'; error_code: string },
  bounds: { limit: number; renewedBefore?: string },
): Promise<number> {
  const rows = await sql`
    with chosen as (
      select day, id from webhook_deliveries
      where team_id = ${teamId} and subscription_id = ${subscriptionId}
        and status in ('pending', 'retrying')
        and renewed_at < coalesce(${bounds.renewedBefore ?? null}::timestamptz, 'infinity')
      limit ${bounds.limit}
      for update skip locked
    )
    update webhook_deliveries d
    set status = ${outcome.status}, error_code = ${outcome.error_code}, next_attempt_at = null,
      completed_at = now(), updated_at = now()
    from chosen c
    where d.day = c.day and d.id = c.id
    returning d.id`;
  return rows.length;
}

const isRequested = `(trigger = 'test' or (trigger = 'manual' and status = 'pending'))`;

export interface Waiting {
  waiting: number;
  next_attempt_at: string | null;
  oldest_renewed_at: string | null;
  /**
   * Tests and manual retries are attempted in every state of the breaker: a client waits for them.
   */
  asked_at: string | null;
}

/** Number of waiting deliveries of a subscription, and the time when the first is due. */
export async function countWaiting(sql: Sql, teamId: string, subscriptionId: string) {
  const [row] = await sql<[Waiting]>`
    select count(*)::int as waiting, min(next_attempt_at) as next_attempt_at,
      min(renewed_at) as oldest_renewed_at,
      min(next_attempt_at) filter (where ${sql.unsafe(isRequested)}) as asked_at
    from (
      select next_attempt_at, renewed_at, trigger, status from webhook_deliveries
      where team_id = ${teamId} and subscription_id = ${subscriptionId}
        and status in ('pending', 'retrying')
      limit 100000
    ) w`;
  return row;
}

/** Deliveries of one subscription whose time has come, the oldest first. */
export async function claimDue(
  sql: Sql,
  teamId: string,
  subscriptionId: string,
  bounds: { asOf: string; limit: number; requestedOnly: boolean },
): Promise<DueDelivery[]> {
  return sql<DueDelivery[]>`
    select ${sql.unsafe(dueColumns)}, w.lock_version as subscription_version,
      ${sql.unsafe(limitColumns)}
    from (
      select * from webhook_deliveries
      where team_id = ${teamId} and subscription_id = ${subscriptionId}
        and status in ('pending', 'retrying') and next_attempt_at <= ${bounds.asOf}::timestamptz
        and (not ${bounds.requestedOnly} or ${sql.unsafe(isRequested)})
      order by next_attempt_at, position
      limit least(${bounds.limit}::int, (
        select least(max_concurrency, rate_limit_per_second) from webhook_delivery_settings
        where team_id = ${teamId} and subscription_id = ${subscriptionId}))
    ) d
    join webhook_subscriptions w
      on w.team_id = d.team_id and w.id = d.subscription_id and w.deleted_at is null
      and w.is_active and not w.is_disabled_for_failures
    left join webhook_delivery_settings p
      on p.team_id = d.team_id and p.subscription_id = d.subscription_id
    join webhook_events e on e.day = d.day and e.id = d.event_id`;
}

/**
 * Next deliveries of a subscription in strict order, in the order of recording, and none after one
 * that is not yet due. A delivery that is started over keeps its position; tests have none.
 */
export async function claimInOrder(
  sql: Sql,
  teamId: string,
  subscriptionId: string,
  bounds: { asOf: string; limit: number },
): Promise<DueDelivery[]> {
  const rows = await sql<(DueDelivery & { is_due: boolean })[]>`
    select ${sql.unsafe(dueColumns)}, w.lock_version as subscription_version,
      ${sql.unsafe(limitColumns)}, d.next_attempt_at <= ${bounds.asOf}::timestamptz as is_due
    from (
      select * from webhook_deliveries
      where team_id = ${teamId} and subscription_id = ${subscriptionId}
        and status in ('pending', 'retrying') and trigger <> 'test'
      order by position
      limit least(${bounds.limit}::int, (
        select ceil(rate_limit_per_second / 5.0)::int from webhook_delivery_settings
        where team_id = ${teamId} and subscription_id = ${subscriptionId}))
    ) d
    join webhook_subscriptions w
      on w.team_id = d.team_id and w.id = d.subscription_id and w.deleted_at is null
      and w.is_active and not w.is_disabled_for_failures
    left join webhook_delivery_settings p
      on p.team_id = d.team_id and p.subscription_id = d.subscription_id
    join webhook_events e on e.day = d.day and e.id = d.event_id
    order by d.position`;
  const end = rows.findIndex(({ is_due }) => !is_due);
  return end === -1 ? rows : rows.slice(0, end);
}

/** When the head of a subscription in strict order is due; null when only tests wait. */
export async function findHeadDue(
  sql: Sql,
  teamId: string,
  subscriptionId: string,
): Promise<string | null> {
  const [row] = await sql<{ next_attempt_at: string }[]>`
    select next_attempt_at from webhook_deliveries
    where team_id = ${teamId} and subscription_id = ${subscriptionId}
      and status in ('pending', 'retrying') and trigger <> 'test'
    order by position
    limit 1`;
  return row?.next_attempt_at ?? null;
}

/** Makes all waiting deliveries due now: the receiver responds again at a changed address. */
export async function bringForward(sql: Sql, teamId: string, subscriptionId: string, asOf: string) {
  await sql`
    update webhook_deliveries set next_attempt_at = ${asOf}::timestamptz, updated_at = now()
    where team_id = ${teamId} and subscription_id = ${subscriptionId}
      and status = 'retrying' and next_attempt_at > ${asOf}::timestamptz`;
}

/** Makes all waiting deliveries due now, also with an open breaker: the next attempt is its probe. */
export async function retryNow(sql: Sql, teamId: string, subscriptionId: string): Promise<void> {
  // The time of the database: the clock of a worker may be off.
  await bringForward(sql, teamId, subscriptionId, 'now');
  await sql`
    update webhook_subscription_states
    set recovery_due_at = now(), probe_at = case when probe_at is not null then now() end
    where team_id = ${teamId} and subscription_id = ${subscriptionId}`;
}

/**
 * Holds attempts of a subscription back for a while: its recovery owns it until then. Null goes on.
 * Returns the end of the pause.
 */
export async function setPause(
  sql: Sql,
  teamId: string,
  subscriptionId: string,
  seconds: number | null,
): Promise<string | null> {
  const [row] = await sql<{ paused_until: string | null }[]>`
    update webhook_subscription_states
    set paused_until = now() + make_interval(secs => ${seconds}), recovery_due_at = now(),
      owned_by_recovery = owned_by_recovery or ${seconds !== null}
    where team_id = ${teamId} and subscription_id = ${subscriptionId}
    returning paused_until`;
  return row?.paused_until ?? null;
}

/** Subscriptions whose recovery is overdue: its workflow was lost, or its signal was. */
export async function listOverdueRecoveries(sql: Sql, overdueSeconds: number) {
  return sql<{ team_id: string; subscription_id: string }[]>`
    select team_id, subscription_id from webhook_subscription_states s
    where owned_by_recovery and not ${sql.unsafe(isHeld('s'))}
      and recovery_due_at < now() - make_interval(secs => ${overdueSeconds})
    limit 500`;
}

/**
 * Marks recoveries as due that sleep until a retry although other work is due now: a new event, or
 * a delivery that was started over. With an open breaker they continue to sleep, since its probe
 * decides for all.
 */
export async function signalDueRecoveries(sql: Sql, since: string) {
  return sql<{ team_id: string; subscription_id: string }[]>`
    with recursive walk (shard, subscription_id, team_id) as (
      (select shard, subscription_id, team_id from webhook_deliveries
       where status = 'pending' and day >= ${since}::date
       order by shard, subscription_id limit 1)
      union all
      select next.* from walk cross join lateral (
        select shard, subscription_id, team_id from webhook_deliveries
        where status = 'pending' and day >= ${since}::date
          and (shard, subscription_id) > (walk.shard, walk.subscription_id)
        order by shard, subscription_id limit 1
      ) next
    ),
    asleep as (
      select s.team_id, s.subscription_id
      from walk
      join webhook_subscription_states s
        on s.team_id = walk.team_id and s.subscription_id = walk.subscription_id
      where s.owned_by_recovery and s.probe_at is null
        and (s.paused_until is null or s.paused_until < now())
        and not ${sql.unsafe(isHeld('s'))}
        and s.recovery_due_at > now() + interval '1 second'
        -- In strict order the head decides.
        and not exists (
          select from webhook_delivery_settings p
          where p.team_id = s.team_id and p.subscription_id = s.subscription_id
            and p.ordering = 'fifo'
        )
      for update of s skip locked
    )
    update webhook_subscription_states s set recovery_due_at = now()
    from asleep
    where s.team_id = asleep.team_id and s.subscription_id = asleep.subscription_id
    returning s.team_id, s.subscription_id`;
}

/**
 * Assigns deliveries to the recovery that were recorded while their subscription was switched off.
 */
export async function assignToRecovery(sql: Sql) {
  return sql<{ team_id: string; subscription_id: string }[]>`
    update webhook_subscription_states s
    set owned_by_recovery = true, recovery_due_at = now()
    from webhook_subscriptions w
    where w.team_id = s.team_id and w.id = s.subscription_id and not s.owned_by_recovery
      and (w.deleted_at is not null or not w.is_active or w.is_disabled_for_failures)
      and exists (
        select from webhook_deliveries d
        where d.subscription_id = w.id and d.status in ('pending', 'retrying')
      )
    returning s.team_id, s.subscription_id`;
}

/** Claims the recovery of a subscription: its previous owner may not record any more. */
export async function claimRecovery(sql: Sql, teamId: string, subscriptionId: string) {
  const [row] = await sql<{ recovery_token: number }[]>`
    update webhook_subscription_states set recovery_token = recovery_token + 1
    where team_id = ${teamId} and subscription_id = ${subscriptionId}
    returning recovery_token`;
  return row?.recovery_token;
}
