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

/** What an attempt needs, of delivery d, event e and subscription w. */
export const dueColumns = `d.day, d.id, d.team_id, d.subscription_id, d.event_id, d.event_type, d.trigger,
  d.attempt_count, d.schedule_step, d.renewed_at, e.body, w.target_url,
  w.lock_version as subscription_version`;

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
