import type { Sql } from '../../../platform/database/sql.ts';
import { claimLanesToSignal } from '../../../platform/database/leases.ts';
import { dayLiteral } from '../../../platform/database/day.ts';
import { limitColumns, limitsSomething } from '../limits/queries.ts';
import { dueColumns } from '../queries.ts';
import type { DueDelivery } from '../queries.ts';
import { isHeld } from '../../suspending/queries.ts';

/** Position of the scan over shards and subscriptions. */
export interface ScanCursor {
  shard: number;
  subscriptionId: string;
}

export const firstCursor: ScanCursor = {
  shard: -1,
  subscriptionId: '00000000-0000-0000-0000-000000000000',
};

/** First and last shard. */
export interface ShardRange {
  from: number;
  to: number;
}

export type ClaimedDelivery = DueDelivery & { shard: number };

export interface ClaimRequest {
  ranges: readonly ShardRange[];
  /**
   * The subscription that ended the last scan, of which more may wait: the next one continues there,
   * so that no subscription starves.
   */
  start: ScanCursor;
  /** Deliveries that this process has already, and must not take twice. */
  taken: readonly string[];
  /** Number of deliveries to claim of each subscription; 0 skips it. */
  allowances: ReadonlyMap<string, number>;
  limit: number;
  /** Leaves limited subscriptions out. */
  skipsLimited: boolean;
  /** Days that can have waiting deliveries. */
  days: WaitingDays;
}

/** First and last day with a waiting delivery; today where there is none. */
export interface WaitingDays {
  first: string;
  last: string;
}

/** Limit of deliveries of one subscription in a claim; and the default allowance. */
const maxClaimedOfSubscription = 128;
export const usualAllowance = 8;
/** Claimed deliveries of a subscription in strict order; each waits for the one before. */
const inOrderAhead = 16;

/**
 * Claims waiting first attempts in ranges of shards, a few of each subscription. It finds
 * subscriptions with work by jumps in the index, so that a backlog of one neither starves the
 * others nor is scanned. Subscriptions in recovery, switched off or suspended are excluded.
 */
export async function claimWaiting(sql: Sql, request: ClaimRequest) {
  const { ranges, start, taken, allowances, limit, skipsLimited, days } = request;
  const from = dayLiteral(sql, days.first);
  const until = dayLiteral(sql, days.last);
  return sql<ClaimedDelivery[]>`
    with recursive walk (shard, subscription_id, team_id, last_shard) as (
      select first.shard, first.subscription_id, first.team_id, range.last_shard
      from unnest(${ranges.map(({ from }) => from)}::int[], ${ranges.map(({ to }) => to)}::int[])
        as range (first_shard, last_shard)
      cross join lateral (
        select shard, subscription_id, team_id from webhook_deliveries
        where status = 'pending' and day between ${from} and ${until}
          and shard between range.first_shard and range.last_shard
          and (shard, subscription_id) >= (${start.shard}, ${start.subscriptionId}::uuid)
        order by shard, subscription_id limit 1
      ) first
      union all
      select next.shard, next.subscription_id, next.team_id, walk.last_shard
      from walk cross join lateral (
        select shard, subscription_id, team_id from webhook_deliveries
        where status = 'pending' and day between ${from} and ${until}
          and shard <= walk.last_shard
          and (shard, subscription_id) > (walk.shard, walk.subscription_id)
        order by shard, subscription_id limit 1
      ) next
    ),
    -- One step after the other, each written down: left to itself the planner walks once for every
    -- subscription that there is.
    requested as materialized (
      select walk.shard, walk.subscription_id, walk.team_id,
        coalesce(allowed.count, ${usualAllowance}::int) as allowance
      from walk
      left join unnest(${[...allowances.keys()]}::uuid[], ${[...allowances.values()]}::int[])
        as allowed (subscription_id, count) on allowed.subscription_id = walk.subscription_id
      where coalesce(allowed.count, ${usualAllowance}::int) > 0
    ),
    served as materialized (
      select requested.shard, requested.subscription_id, w.lock_version, requested.allowance,
        ${sql.unsafe(limitColumns)}
      from requested
      join webhook_subscription_states s
        on s.team_id = requested.team_id and s.subscription_id = requested.subscription_id
          and not s.owned_by_recovery
      join webhook_subscriptions w
        on w.team_id = requested.team_id and w.id = requested.subscription_id and w.deleted_at is null
          and w.is_active and not w.is_disabled_for_failures
      left join webhook_delivery_settings p
        on p.team_id = requested.team_id and p.subscription_id = requested.subscription_id
      where not (${skipsLimited} and ${sql.unsafe(limitsSomething)})
        and not ${sql.unsafe(isHeld('requested'))}
      order by requested.shard, requested.subscription_id
    ),
    claimed as materialized (
      select d.*, served.lock_version, served.rate_limit_per_second, served.max_concurrency,
        served.ordering
      from served
      cross join lateral (
        select *, row_number() over (order by position) as place
        from webhook_deliveries
        where status = 'pending' and day between ${from} and ${until}
          and shard = served.shard and subscription_id = served.subscription_id
          -- By a hash: an array would be compared with each row, element by element.
          and id not in (select unnest(${[...taken]}::uuid[]))
        order by position
        limit ${maxClaimedOfSubscription}
      ) d
      -- A limited one gets its share of a fifth of a second. The limit above cannot express this:
      -- it has to be a constant, since the planner estimates any other as a tenth of all rows.
      where d.place <= least(served.allowance, served.max_concurrency,
        ceil(served.rate_limit_per_second / 5.0)::int,
        case when served.ordering = 'fifo' then ${inOrderAhead}::int end)
      limit ${limit}
    )
    select d.shard, ${sql.unsafe(dueColumns)}, d.lock_version as subscription_version,
      d.rate_limit_per_second, d.max_concurrency, d.ordering
    from claimed d
    -- With a limit each event is looked up by its key, also while a new day has no statistics.
    cross join lateral (
      select body, traceparent from webhook_events
      where day = d.day and id = d.event_id and day between ${from} and ${until}
      limit 1
    ) e
    order by d.shard, d.subscription_id, d.position /* any team: lanes serve all */`;
}

/** Retention of deliveries in days; a replay may make one of the first day wait again. */
const keptDays = 90;

/** Finds the days with waiting deliveries. On another clock tomorrow may have begun. */
export async function findWaitingDays(sql: Sql): Promise<WaitingDays> {
  const [row] = await sql<[WaitingDays]>`
    select least(min(days.day), today) as first, greatest(max(days.day), today) as last
    from (select (now() at time zone 'UTC')::date as today) clock
    left join lateral (
      select today - back as day
      from generate_series(${keptDays}::int, -1, -1) as back
      cross join lateral (
        select from webhook_deliveries d
        where d.day = today - back and d.status = 'pending'
        order by shard, subscription_id, position
        limit 1
      ) waiting
    ) days on true
    group by today /* any team: lanes serve all */`;
  return row;
}

/**
 * Idle lanes with work. The bounds of shards are cast to integers: compared as numerics, they would
 * not use the index, and read all pending rows for each lane. `offset 0` keeps the planner from
 * reading the states of all subscriptions first.
 */
export async function claimIdleLanes(sql: Sql, lanes: number, since: string) {
  const hasWork = sql`
    l.lane < ${lanes}
      and exists (
        with recursive walk (shard, subscription_id, team_id) as (
          (select shard, subscription_id, team_id from webhook_deliveries
           where status = 'pending' and day >= ${since}::date
             and shard >= ceil(l.lane * 256.0 / ${lanes}::int)::int
             and shard < ceil((l.lane + 1) * 256.0 / ${lanes}::int)::int
           order by shard, subscription_id limit 1)
          union all
          select next.* from walk cross join lateral (
            select shard, subscription_id, team_id from webhook_deliveries
            where status = 'pending' and day >= ${since}::date
              and shard < ceil((l.lane + 1) * 256.0 / ${lanes}::int)::int
              and (shard, subscription_id) > (walk.shard, walk.subscription_id)
            order by shard, subscription_id limit 1
          ) next
        )
        select from walk cross join lateral (
          select from webhook_subscription_states s
          where s.team_id = walk.team_id and s.subscription_id = walk.subscription_id
            and not s.owned_by_recovery and not ${sql.unsafe(isHeld('walk'))}
          offset 0
        ) served
      ) /* any team: lanes serve all */`;
  return claimLanesToSignal(sql, 'webhook_lanes', hasWork);
}

/**
 * Age of the oldest first attempt that a lane should have claimed; 0 if there is none. Limited
 * subscriptions are excluded, since their limit causes waiting.
 */
export async function oldestWaitingSeconds(sql: Sql): Promise<number> {
  const [row] = await sql<[{ age: number }]>`
    with recursive walk (shard, subscription_id, team_id, renewed_at) as (
      (select shard, subscription_id, team_id, renewed_at from webhook_deliveries
       where status = 'pending'
       order by shard, subscription_id, position limit 1)
      union all
      select next.* from walk cross join lateral (
        select shard, subscription_id, team_id, renewed_at from webhook_deliveries
        where status = 'pending'
          and (shard, subscription_id) > (walk.shard, walk.subscription_id)
        order by shard, subscription_id, position limit 1
      ) next
    )
    select coalesce(extract(epoch from now() - min(walk.renewed_at)), 0)::float8 as age
    from walk
    join webhook_subscription_states s
      on s.team_id = walk.team_id and s.subscription_id = walk.subscription_id
    left join webhook_delivery_settings p
      on p.team_id = walk.team_id and p.subscription_id = walk.subscription_id
    where not s.owned_by_recovery and not ${sql.unsafe(isHeld('walk'))}
      and not ${sql.unsafe(limitsSomething)}`;
  return row.age;
}
