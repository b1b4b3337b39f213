import type { Sql } from '../../platform/database/sql.ts';
import type { Limits } from './limits/queries.ts';

/** A delivery that is to be attempted, with all that the attempt needs but its call settings. */
export interface DueDelivery extends Limits {
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
  /** The context of the request that caused the event, if it is traced. */
  traceparent: string | null;
  /** Changes with every change of the subscription, its secrets apart. */
  subscription_version: number;
}

/** Columns of delivery d and event e for an attempt; the others are of the subscription. */
export const dueColumns = `d.day, d.id, d.team_id, d.subscription_id, d.event_id, d.event_type, d.trigger,
  d.attempt_count, d.schedule_step, d.renewed_at, e.body, e.traceparent`;

export interface StateRow {
  team_id: string;
  subscription_id: string;
  owned_by_recovery: boolean;
  recovery_due_at: string | null;
  recovery_token: number;
  consecutive_permanent_failures: number;
  last_error: string | null;
  failing_since: string | null;
  window_started_at: string | null;
  window_tries: number;
  window_failures: number;
  probe_pause_ms: number | null;
  probe_at: string | null;
  retry_all_after_probe: boolean;
  failing_noticed_at: string | null;
  /** An operator holds attempts back until then. */
  paused_until: string | null;
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
