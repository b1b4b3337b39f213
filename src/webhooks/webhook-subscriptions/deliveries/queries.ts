import type { Sql } from '../../../platform/database/sql.ts';
import { dayAfter, dayLiteral } from '../../../platform/database/day.ts';
import { announceDeliveries } from '../../../platform/events/record.ts';
import type { RecordedBody } from '../../../platform/events/thin.ts';
import type { RowOf } from '../../../platform/schema/fields.ts';
import { fail } from '../../../platform/http/errors.ts';
import type { ListSource } from '../../../platform/lists/sql.ts';
import type { CountRow, Latency } from './rules.ts';
import type { WebhookAttempt, WebhookDelivery } from './webhook-delivery.ts';

export type DeliveryRow = Omit<RowOf<typeof WebhookDelivery>, 'lock_version'>;

export type AttemptRow = RowOf<typeof WebhookAttempt>;

const columns = `t.*, 'webhook_delivery' as type, t.event_type`;

export function deliverySource(teamId: string, subscriptionId: string): ListSource {
  return {
    from: 'webhook_deliveries t',
    select: columns,
    where: {
      text: 't.team_id = $1 and t.subscription_id = $2',
      values: [teamId, subscriptionId],
    },
  };
}

/** Attempts of one delivery; what the receiver answered only for those who may read its event. */
export function attemptSource(
  teamId: string,
  delivery: { id: string; day: string },
  { isRead }: { isRead: boolean },
): ListSource {
  const hidden = isRead ? '' : ', null as response_headers, null as response_body';
  return {
    from: 'webhook_attempts t',
    select: `t.*, 'webhook_attempt' as type${hidden}`,
    where: {
      text: 't.team_id = $1 and t.delivery_id = $2 and t.day = $3::date',
      values: [teamId, delivery.id, delivery.day],
    },
  };
}

export async function requireDelivery(
  sql: Sql,
  teamId: string,
  subscriptionId: string,
  id: string,
): Promise<DeliveryRow & { day: string }> {
  const [row] = await sql<(DeliveryRow & { day: string })[]>`
    select ${sql.unsafe(columns)} from webhook_deliveries t
    where t.team_id = ${teamId} and t.subscription_id = ${subscriptionId} and t.id = ${id}`;
  if (!row) {
    throw fail('not_found', {
      detail: 'No such delivery.',
      meta: { resource: 'webhook_delivery' },
    });
  }
  return row;
}

/** The body that a delivery sends; undefined after its retention or an erasure. */
export async function findEvent(
  sql: Sql,
  teamId: string,
  { day, event_id }: { day: string; event_id: string },
): Promise<RecordedBody | undefined> {
  const [event] = await sql<{ body: RecordedBody }[]>`
    select body::json as body from webhook_events
    where team_id = ${teamId} and day = ${dayLiteral(sql, day)} and id = ${event_id}
      and not is_erased`;
  return event?.body;
}

/** The newest attempts of a delivery, in their order. */
export async function listAttempts(
  sql: Sql,
  teamId: string,
  { day, id }: { day: string; id: string },
  limit: number,
): Promise<AttemptRow[]> {
  return sql<AttemptRow[]>`
    select * from (
      select *, 'webhook_attempt' as type from webhook_attempts
      where team_id = ${teamId} and day = ${dayLiteral(sql, day)} and delivery_id = ${id}
      order by number desc
      limit ${limit}
    ) newest
    order by number`;
}

/** Origin of a repetition. */
type Asked = { trigger: 'manual'; replayId?: undefined } | { trigger: 'replay'; replayId: string };

/**
 * Starts deliveries of a day over, in any state: the full schedule and the age limit begin now, and
 * the next attempt is due. An attempt in flight is not repeated meanwhile: `recordOutcomes` stores its
 * result and leaves the delivery pending, unless it was delivered.
 */
export async function startOver(
  sql: Sql,
  teamId: string,
  subscriptionId: string,
  { day, ids, ...asked }: { day: string; ids: readonly string[] } & Asked,
): Promise<DeliveryRow[]> {
  const rows = await sql<(DeliveryRow & { shard: number })[]>`
    update webhook_deliveries t
    set status = 'pending', trigger = ${asked.trigger}, schedule_step = 0, error_code = null,
      next_attempt_at = now(), renewed_at = now(), completed_at = null, updated_at = now(),
      last_replay_id = coalesce(${asked.replayId ?? null}::uuid, last_replay_id)
    where t.team_id = ${teamId} and t.subscription_id = ${subscriptionId}
      and t.day = ${dayLiteral(sql, day)} and t.id = any(${[...ids]}::uuid[])
    returning ${sql.unsafe(columns)}`;
  announceDeliveries(sql, rows);
  return rows;
}

/** A span of time; the end is exclusive. */
interface Window {
  start: string;
  end: string;
}

/** Deliveries recorded in a window, in groups, with the attempts that they had. */
export async function countDeliveries(
  sql: Sql,
  teamId: string,
  subscriptionId: string,
  window: Window,
): Promise<CountRow[]> {
  return sql<CountRow[]>`
    select status, event_type, count(*)::int as deliveries, sum(attempt_count) as attempts
    from webhook_deliveries
    where team_id = ${teamId} and subscription_id = ${subscriptionId} and ${isWithin(sql, window)}
    group by status, event_type`;
}

const maxMeasuredAttempts = 10_000;

/** Durations of the attempts of the newest deliveries of a window. */
export async function measureAttempts(
  sql: Sql,
  teamId: string,
  subscriptionId: string,
  window: Window,
): Promise<Latency> {
  const [row] = await sql<[Latency]>`
    select percentile_disc(0.5) within group (order by a.duration_ms) as p50_ms,
      percentile_disc(0.95) within group (order by a.duration_ms) as p95_ms
    from (
      select day, id from webhook_deliveries
      where team_id = ${teamId} and subscription_id = ${subscriptionId} and ${isWithin(sql, window)}
        and attempt_count > 0
      order by inserted_at desc, id desc
      limit ${maxMeasuredAttempts}
    ) d
    join webhook_attempts a
      on a.team_id = ${teamId} and a.day = d.day and a.delivery_id = d.id`;
  return row;
}

/** A condition for deliveries; the days are those that rows of such times are stored under. */
function isWithin(sql: Sql, { start, end }: Window) {
  return sql`inserted_at >= ${start} and inserted_at < ${end}
    and day between ${dayLiteral(sql, start.slice(0, 10))}
      and ${dayLiteral(sql, dayAfter(end.slice(0, 10)))}`;
}

/** The delivery of an event that was recorded a moment ago for one subscription. */
export async function requireEventDelivery(
  sql: Sql,
  teamId: string,
  subscriptionId: string,
  eventId: string,
): Promise<DeliveryRow> {
  const [row] = await sql<[DeliveryRow]>`
    select ${sql.unsafe(columns)} from webhook_deliveries t
    where t.team_id = ${teamId} and t.subscription_id = ${subscriptionId}
      and t.event_id = ${eventId} and t.inserted_at > now() - interval '1 hour'`;
  return row;
}

/** Deletes events and deliveries of teams with a shorter term, up to a limit of deliveries. */
export async function pruneWebhookEvents(sql: Sql, limit: number): Promise<number> {
  const [row] = await sql<[{ pruned: number }]>`select prune_webhook_events(${limit}) as pruned`;
  return row.pruned;
}
