import type { Sql } from '../../platform/database/sql.ts';
import type { RowOf } from '../../platform/schema/fields.ts';
import { fail } from '../../platform/http/errors.ts';
import type { ListSource } from '../../platform/lists/sql.ts';
import type { InboundDelivery } from './inbound-delivery.ts';

export type InboundDeliveryRow = Omit<RowOf<typeof InboundDelivery>, 'lock_version'>;

/** Everything but what is personal: payload and headers. */
const shown = `t.id, 'inbound_delivery' as type, t.team_id, t.receiver_id, t.receiver_kind, t.status,
  t.mode, t.signature_status, t.is_test, t.http_status, t.event_type, t.batch_id, t.event_index,
  t.provider_event_id, t.dedup_key, t.duplicate_count, t.do_message_id, t.do_contact_id,
  t.do_journey_id, t.link_error, t.size_bytes, t.body_sha256, t.attempts, t.next_attempt_at, t.error,
  t.error ->> 'code' as last_error, t.received_at, t.processed_at, t.replay_count,
  jsonb_strip_nulls(jsonb_build_object('message_id', t.message_id,
    'message_delivery_id', t.message_delivery_id, 'contact_id', t.contact_id,
    'journey_id', t.journey_id, 'engagement_event_id', t.engagement_event_id)) as linked,
  t.body_sha256 is not null and t.received_at > now() - interval '7 days' as raw_available,
  case when t.body_sha256 is not null then t.received_at + interval '7 days' end as raw_expires_at`;

export function inboundDeliverySource(teamId: string, receiverId: string): ListSource {
  return {
    from: 'inbound_deliveries t',
    select: shown,
    where: {
      text: 't.team_id = $1::uuid and t.receiver_id = $2::uuid',
      values: [teamId, receiverId],
    },
  };
}

type Details = InboundDeliveryRow & {
  day: string;
  payload: Record<string, unknown> | null;
  headers: Record<string, string> | null;
};

/** Throws 404. */
export async function requireInboundDelivery(
  sql: Sql,
  teamId: string,
  receiverId: string,
  id: string,
): Promise<Details> {
  const [row] = await sql<Details[]>`
    select ${sql.unsafe(shown)}, t.day, t.payload, t.headers
    from inbound_deliveries t
    where t.team_id = ${teamId} and t.receiver_id = ${receiverId} and t.id = ${id}`;
  if (row) return row;
  throw fail('not_found', {
    detail: 'No such delivery.',
    meta: { resource: 'inbound_delivery' },
  });
}

/** The sealed bytes of a delivery; undefined after their retention. */
export async function findRaw(
  sql: Sql,
  { team_id, id, batch_id, day }: Pick<Details, 'team_id' | 'id' | 'batch_id' | 'day'>,
): Promise<{ id: string; sealed_callback: string } | undefined> {
  const [row] = await sql<{ id: string; sealed_callback: string }[]>`
    select id, sealed_callback from inbound_raw
    where team_id = ${team_id} and day = ${day} and id = ${batch_id ?? id}
      and day > current_date - 8`;
  return row;
}

export async function findPayloads(
  sql: Sql,
  teamId: string,
  ids: readonly string[],
): Promise<{ id: string; payload: Record<string, unknown> | null }[]> {
  return sql<{ id: string; payload: Record<string, unknown> | null }[]>`
    select id, payload from inbound_deliveries
    where team_id = ${teamId} and id = any(${[...ids]}::uuid[])`;
}

export interface CountRow {
  status: string;
  event_type: string | null;
  signature_status: string;
  events: number;
  duplicates: number;
}

/** Events of [start, end) in groups, with the duplicates that they had. */
export async function countInbound(
  sql: Sql,
  teamId: string,
  receiverId: string,
  { start, end }: { start: string; end: string },
): Promise<CountRow[]> {
  return sql<CountRow[]>`
    select status, event_type, signature_status, count(*)::int as events,
      sum(duplicate_count) as duplicates
    from inbound_deliveries
    where team_id = ${teamId} and receiver_id = ${receiverId}
      and received_at >= ${start} and received_at < ${end}
    group by status, event_type, signature_status`;
}

/** Refused calls without a row, in the hours that [start, end) touches. */
export async function countDropped(
  sql: Sql,
  teamId: string,
  receiverId: string,
  { start, end }: { start: string; end: string },
): Promise<number> {
  const [row] = await sql<[{ dropped: number }]>`
    select coalesce(sum(dropped), 0) as dropped
    from inbound_rejections
    where team_id = ${teamId} and receiver_id = ${receiverId}
      and hour >= date_trunc('hour', ${start}::timestamptz) and hour < ${end}`;
  return row.dropped;
}

/** Deletes deliveries of teams with a shorter term, but for those that are still to be applied. */
export async function pruneInboundDeliveries(sql: Sql, limit: number): Promise<number> {
  const rows = await sql`
    with due as (
      select old.* from teams t
      join incoming_webhook_receivers r on r.team_id = t.id
      cross join lateral (
        select d.team_id, d.day, d.id from inbound_deliveries d
        where d.team_id = r.team_id and d.receiver_id = r.id and d.next_attempt_at is null
          and d.received_at
            < now() - make_interval(days => (t.retention ->> 'inbound_deliveries_days')::int)
        order by d.received_at
        limit ${limit}
      ) old
      where t.retention ->> 'inbound_deliveries_days' is not null
      limit ${limit} /* any team: housekeeping */
    )
    delete from inbound_deliveries d using due
    where d.team_id = due.team_id and d.day = due.day and d.id = due.id`;
  return rows.count;
}
