import type { Sql } from '../../../database/client.ts';

/** A delivery that is to be attempted, with all that the attempt needs but the secrets. */
export interface DueDelivery {
  day: string;
  id: string;
  team_id: string;
  subscription_id: string;
  event_id: string;
  event_type: string;
  trigger: string;
  attempt_count: number;
  schedule_step: number;
  renewed_at: string;
  body: string;
  target_url: string;
  /** Changes with every change of the subscription, its secrets apart. */
  subscription_version: number;
}

const dueColumns = `d.day, d.id, d.team_id, d.subscription_id, d.event_id, d.event_type, d.trigger,
  d.attempt_count, d.schedule_step, d.renewed_at, e.body, w.target_url,
  w.lock_version as subscription_version`;

/** A place in the walk over shards and subscriptions. */
export interface Place {
  shard: number;
  subscriptionId: string;
}

export const firstPlace: Place = {
  shard: -1,
  subscriptionId: '00000000-0000-0000-0000-000000000000',
};

export interface ClaimRequest {
  shards: { from: number; to: number };
  /** Where the last walk ended: the next one begins behind it, so that nobody starves. */
  after: Place;
  /** Deliveries under way, which this process must not take twice. */
  underWay: readonly string[];
  /** Subscriptions that have enough under way. */
  busy: readonly string[];
  /** Deliveries of one subscription at most. */
  perSubscription: number;
  limit: number;
  /** First day that can have waiting deliveries. */
  since: string;
}

/**
 * First attempts that wait in a range of shards, a few of each subscription: the subscriptions
 * with work are found by jumps in the index of what waits, so that a backlog of one neither
 * starves the others nor is read through. What the recovery holds, or is switched off, is not its.
 */
export async function claimWaiting(sql: Sql, request: ClaimRequest) {
  const { shards, after, underWay, busy, perSubscription, limit, since } = request;
  return sql<(DueDelivery & { shard: number })[]>`
    with recursive walk (shard, subscription_id) as (
      (select shard, subscription_id from webhook_deliveries
       where status = 'pending' and day >= ${since}::date
         and shard between ${shards.from} and ${shards.to}
         and (shard, subscription_id) > (${after.shard}, ${after.subscriptionId}::uuid)
       order by shard, subscription_id limit 1)
      union all
      select next.shard, next.subscription_id
      from walk cross join lateral (
        select shard, subscription_id from webhook_deliveries
        where status = 'pending' and day >= ${since}::date and shard <= ${shards.to}
          and (shard, subscription_id) > (walk.shard, walk.subscription_id)
        order by shard, subscription_id limit 1
      ) next
    )
    select d.shard, ${sql.unsafe(dueColumns)}
    from walk
    cross join lateral (
      select * from webhook_deliveries
      where status = 'pending' and day >= ${since}::date
        and shard = walk.shard and subscription_id = walk.subscription_id
        and id <> all(${[...underWay]}::uuid[])
      order by inserted_at, id
      limit ${perSubscription}
    ) d
    join webhook_subscription_states s
      on s.team_id = d.team_id and s.subscription_id = d.subscription_id and not s.held_by_recovery
    join webhook_subscriptions w
      on w.team_id = d.team_id and w.id = d.subscription_id and w.deleted_at is null
      and w.is_active and not w.is_disabled_for_failures
    join webhook_events e on e.day = d.day and e.id = d.event_id
    where walk.subscription_id <> all(${[...busy]}::uuid[])
    limit ${limit} /* any team: lanes serve all */`;
}

/** First day with a waiting delivery, or today. */
export async function firstWaitingDay(sql: Sql): Promise<string> {
  const [row] = await sql<[{ day: string }]>`
    select coalesce(min(day), (now() at time zone 'UTC')::date) as day from webhook_deliveries
    where status = 'pending' /* any team: lanes serve all */`;
  return row.day;
}

/** Takes over a lane: whoever drained it before may not record any more. */
export async function takeLane(sql: Sql, lane: number, holdMs: number): Promise<number> {
  const [row] = await sql<[{ token: number }]>`
    update webhook_lanes
    set token = token + 1,
      draining_until = clock_timestamp() + make_interval(secs => ${holdMs / 1_000})
    where lane = ${lane}
    returning token`;
  return row.token;
}

/** Says that the lane is still drained; false when somebody else has taken it over. */
export async function keepLane(sql: Sql, lane: number, token: number, holdMs: number) {
  const rows = await sql`
    update webhook_lanes
    set draining_until = clock_timestamp() + make_interval(secs => ${holdMs / 1_000})
    where lane = ${lane} and token = ${token}
    returning lane`;
  return rows.length > 0;
}

export async function leaveLane(sql: Sql, lane: number, token: number): Promise<void> {
  await sql`
    update webhook_lanes set draining_until = '-infinity', woken_at = '-infinity'
    where lane = ${lane} and token = ${token}`;
}

/**
 * Lanes with work that nobody drains and that were not woken a moment ago; marks them as woken, so
 * that several relays wake a lane once.
 */
export async function claimSleepingLanes(sql: Sql, lanes: number, since: string) {
  return sql<{ lane: number }[]>`
    update webhook_lanes l set woken_at = clock_timestamp()
    where l.lane < ${lanes}
      and l.draining_until < clock_timestamp()
      and l.woken_at < clock_timestamp() - interval '3 seconds'
      and exists (
        with recursive walk (shard, subscription_id, team_id) as (
          (select shard, subscription_id, team_id from webhook_deliveries
           where status = 'pending' and day >= ${since}::date
             and shard >= ceil(l.lane * 256.0 / ${lanes}::int)
             and shard < ceil((l.lane + 1) * 256.0 / ${lanes}::int)
           order by shard, subscription_id limit 1)
          union all
          select next.* from walk cross join lateral (
            select shard, subscription_id, team_id from webhook_deliveries
            where status = 'pending' and day >= ${since}::date
              and shard < ceil((l.lane + 1) * 256.0 / ${lanes}::int)
              and (shard, subscription_id) > (walk.shard, walk.subscription_id)
            order by shard, subscription_id limit 1
          ) next
        )
        select from walk
        join webhook_subscription_states s
          on s.team_id = walk.team_id and s.subscription_id = walk.subscription_id
        where not s.held_by_recovery
      )
    returning l.lane /* any team: lanes serve all */`;
}

/** What became of an attempt, as it is written down. */
export interface Settlement {
  day: string;
  id: string;
  status: 'delivered' | 'retrying' | 'failed';
  /** Whether the attempt used up a step of the schedule; a failed probe does not. */
  uses_step: boolean;
  next_attempt_at: string | null;
  trigger: string;
  url: string;
  remote_ip: string | null;
  requested_at: string;
  responded_at: string | null;
  duration_ms: number;
  http_status: number | null;
  response_headers: Readonly<Record<string, string>> | null;
  response_body: string | null;
  response_truncated: boolean;
  error_code: string | null;
  error_detail: string | null;
}

/** Who may record: the holder of a lane or of a subscription's recovery. */
export type Fence =
  { lane: number; token: number } | { teamId: string; subscriptionId: string; token: number };

/** Locks the fence for this transaction; false when somebody else has taken over. */
export async function holdFence(sql: Sql, fence: Fence): Promise<boolean> {
  const rows =
    'lane' in fence
      ? await sql`
          select lane from webhook_lanes
          where lane = ${fence.lane} and token = ${fence.token} for share`
      : await sql`
          select team_id from webhook_subscription_states
          where team_id = ${fence.teamId} and subscription_id = ${fence.subscriptionId}
            and recovery_token = ${fence.token}
          for update`;
  return rows.length > 0;
}

/**
 * Writes down attempts of one day and what they mean for their deliveries. Returns the ids that
 * were still open: one that was canceled or settled meanwhile keeps its state.
 */
export async function settle(sql: Sql, day: string, settlements: readonly Settlement[]) {
  const rows = settlements.map((settlement) => ({ ...settlement }));
  return sql<{ id: string; team_id: string; subscription_id: string; trigger: string }[]>`
    with results as (
      select * from json_to_recordset(${sql.json(rows)}::json) as r (
        id uuid, status text, uses_step boolean, next_attempt_at timestamptz, trigger text,
        url text, remote_ip text, requested_at timestamptz, responded_at timestamptz,
        duration_ms int, http_status int, response_headers jsonb, response_body text,
        response_truncated boolean, error_code text, error_detail text
      )
    ),
    settled as (
      update webhook_deliveries d
      set status = r.status,
        error_code = r.error_code,
        http_status = r.http_status,
        attempt_count = d.attempt_count + 1,
        schedule_step = d.schedule_step + case when r.uses_step then 1 else 0 end,
        next_attempt_at = r.next_attempt_at,
        last_attempt_at = r.requested_at,
        completed_at = case when r.status <> 'retrying' then now() end,
        updated_at = now()
      from results r
      where d.day = ${day}::date and d.id = r.id and d.status in ('pending', 'retrying')
      returning d.id, d.team_id, d.subscription_id, d.attempt_count, d.trigger
    ),
    logged as (
      insert into webhook_attempts
        (day, delivery_id, number, team_id, subscription_id, trigger, url, remote_ip, requested_at,
         responded_at, duration_ms, http_status, response_headers, response_body,
         response_truncated, error_code, error_detail, next_attempt_at)
      select ${day}::date, s.id, s.attempt_count, s.team_id, s.subscription_id, r.trigger, r.url,
        r.remote_ip, r.requested_at, r.responded_at, r.duration_ms, r.http_status,
        r.response_headers, r.response_body, r.response_truncated, r.error_code, r.error_detail,
        r.next_attempt_at
      from settled s join results r on r.id = s.id
    )
    select id, team_id, subscription_id, trigger from settled /* any team: lanes serve all */`;
}

/**
 * Stamps the last delivery, at most once a second, and names the subscriptions whose failure count
 * has to go back to zero.
 */
export async function stampDelivered(
  sql: Sql,
  subscriptionIds: readonly string[],
  teamIds: readonly string[],
) {
  return sql<{ team_id: string; subscription_id: string }[]>`
    with given as (
      select distinct * from unnest(${[...teamIds]}::uuid[], ${[...subscriptionIds]}::uuid[])
        as g (team_id, subscription_id)
    ),
    stamped as (
      update webhook_subscription_states s set last_delivered_at = now()
      from given g
      where s.team_id = g.team_id and s.subscription_id = g.subscription_id
        and (s.last_delivered_at is null or s.last_delivered_at < now() - interval '1 second')
    )
    select s.team_id, s.subscription_id from webhook_subscription_states s
    join given g on s.team_id = g.team_id and s.subscription_id = g.subscription_id
    where s.consecutive_permanent_failures > 0 or s.window_failures > 0
      or s.probe_at is not null`;
}

export interface StateRow {
  team_id: string;
  subscription_id: string;
  held_by_recovery: boolean;
  next_wake_at: string | null;
  recovery_token: number;
  consecutive_permanent_failures: number;
  last_error: string | null;
  troubled_since: string | null;
  window_started_at: string | null;
  window_tries: number;
  window_failures: number;
  probe_pause_ms: number | null;
  probe_at: string | null;
  brings_forward: boolean;
  failing_noticed_at: string | null;
}

/** The state of a subscription, locked: its counters change under this lock only. */
export async function lockState(sql: Sql, teamId: string, subscriptionId: string) {
  const [row] = await sql<StateRow[]>`
    select * from webhook_subscription_states
    where team_id = ${teamId} and subscription_id = ${subscriptionId}
    for update`;
  return row;
}

export async function updateState(
  sql: Sql,
  teamId: string,
  subscriptionId: string,
  changes: Partial<StateRow> & { disabled_reason?: string },
): Promise<void> {
  await sql`
    update webhook_subscription_states set ${sql(changes)}
    where team_id = ${teamId} and subscription_id = ${subscriptionId}`;
}

/** Disables a subscription for its failures; false when it already was. */
export async function disableSubscription(sql: Sql, teamId: string, id: string): Promise<boolean> {
  const rows = await sql`
    update webhook_subscriptions
    set is_disabled_for_failures = true, lock_version = lock_version + 1, updated_at = now()
    where team_id = ${teamId} and id = ${id} and not is_disabled_for_failures
      and deleted_at is null
    returning id`;
  return rows.length > 0;
}

/** Why a subscription takes no deliveries now, or null when it does. */
export async function findOffCause(sql: Sql, teamId: string, id: string) {
  const [row] = await sql<{ cause: string | null }[]>`
    select case when deleted_at is not null then 'subscription_deleted'
      when not is_active then 'subscription_inactive'
      when is_disabled_for_failures then 'subscription_disabled' end as cause
    from webhook_subscriptions
    where team_id = ${teamId} and id = ${id}`;
  return row ? row.cause : 'subscription_deleted';
}

/** Settles a chunk of what waits without attempting it; returns how many there were. */
export async function settleUnattempted(
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

export interface Waiting {
  waiting: number;
  next_attempt_at: string | null;
  oldest_renewed_at: string | null;
  /** Tests are attempted whatever the breaker says: somebody waits for them. */
  test_at: string | null;
}

/** How many deliveries of a subscription wait, and when the first is due. */
export async function countWaiting(sql: Sql, teamId: string, subscriptionId: string) {
  const [row] = await sql<[Waiting]>`
    select count(*)::int as waiting, min(next_attempt_at) as next_attempt_at,
      min(renewed_at) as oldest_renewed_at,
      min(next_attempt_at) filter (where trigger = 'test') as test_at
    from (
      select next_attempt_at, renewed_at, trigger from webhook_deliveries
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
  bounds: { asOf: string; limit: number; testsOnly: boolean },
): Promise<DueDelivery[]> {
  return sql<DueDelivery[]>`
    select ${sql.unsafe(dueColumns)}
    from (
      select * from webhook_deliveries
      where team_id = ${teamId} and subscription_id = ${subscriptionId}
        and status in ('pending', 'retrying') and next_attempt_at <= ${bounds.asOf}::timestamptz
        and (not ${bounds.testsOnly} or trigger = 'test')
      order by next_attempt_at, id
      limit ${bounds.limit}
    ) d
    join webhook_subscriptions w
      on w.team_id = d.team_id and w.id = d.subscription_id and w.deleted_at is null
      and w.is_active and not w.is_disabled_for_failures
    join webhook_events e on e.day = d.day and e.id = d.event_id`;
}

/** Makes everything that waits due now: the receiver answers again at a changed address. */
export async function bringForward(sql: Sql, teamId: string, subscriptionId: string, asOf: string) {
  await sql`
    update webhook_deliveries set next_attempt_at = ${asOf}::timestamptz, updated_at = now()
    where team_id = ${teamId} and subscription_id = ${subscriptionId}
      and status = 'retrying' and next_attempt_at > ${asOf}::timestamptz`;
}

/** Subscriptions whose recovery is overdue: its workflow was lost, or its signal was. */
export async function listOverdueRecoveries(sql: Sql, overdueSeconds: number) {
  return sql<{ team_id: string; subscription_id: string }[]>`
    select team_id, subscription_id from webhook_subscription_states
    where held_by_recovery
      and next_wake_at < now() - make_interval(secs => ${overdueSeconds})
    limit 500`;
}

/** Hands deliveries to the recovery that were recorded just as their subscription went off. */
export async function holdStrays(sql: Sql) {
  return sql<{ team_id: string; subscription_id: string }[]>`
    update webhook_subscription_states s
    set held_by_recovery = true, next_wake_at = now()
    from webhook_subscriptions w
    where w.team_id = s.team_id and w.id = s.subscription_id and not s.held_by_recovery
      and (w.deleted_at is not null or not w.is_active or w.is_disabled_for_failures)
      and exists (
        select from webhook_deliveries d
        where d.subscription_id = w.id and d.status in ('pending', 'retrying')
      )
    returning s.team_id, s.subscription_id`;
}

/** Takes over the recovery of a subscription: whoever ran it before may not record any more. */
export async function takeRecovery(sql: Sql, teamId: string, subscriptionId: string) {
  const [row] = await sql<{ recovery_token: number }[]>`
    update webhook_subscription_states set recovery_token = recovery_token + 1
    where team_id = ${teamId} and subscription_id = ${subscriptionId}
    returning recovery_token`;
  return row?.recovery_token;
}

/** Age of the oldest first attempt that a lane should have taken up; 0 when there is none. */
export async function oldestWaitingSeconds(sql: Sql): Promise<number> {
  const [row] = await sql<[{ age: number }]>`
    with recursive walk (shard, subscription_id, team_id, inserted_at) as (
      (select shard, subscription_id, team_id, inserted_at from webhook_deliveries
       where status = 'pending'
       order by shard, subscription_id, inserted_at limit 1)
      union all
      select next.* from walk cross join lateral (
        select shard, subscription_id, team_id, inserted_at from webhook_deliveries
        where status = 'pending'
          and (shard, subscription_id) > (walk.shard, walk.subscription_id)
        order by shard, subscription_id, inserted_at limit 1
      ) next
    )
    select coalesce(extract(epoch from now() - min(walk.inserted_at)), 0)::float8 as age
    from walk
    join webhook_subscription_states s
      on s.team_id = walk.team_id and s.subscription_id = walk.subscription_id
    where not s.held_by_recovery`;
  return row.age;
}
