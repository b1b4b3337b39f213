import type { Sql } from '../../platform/database/sql.ts';
import { fail } from '../../platform/http/errors.ts';
import type { ListSource } from '../../platform/lists/sql.ts';
import type { MessageDeliveryRow } from './message-delivery.ts';
import type { DeliveryStatus } from './rules.ts';

/** The deliveries of a team, or to one contact. */
export function messageDeliverySource(teamId: string, contactId?: string): ListSource {
  return {
    from: 'message_deliveries t',
    select: `t.*, 'message_delivery' as type`,
    where:
      contactId === undefined
        ? { text: 't.team_id = $1', values: [teamId] }
        : { text: 't.team_id = $1 and t.contact_id = $2', values: [teamId, contactId] },
  };
}

/** The newest deliveries of each journey. */
export async function findDeliveriesOf(
  sql: Sql,
  teamId: string,
  journeyIds: readonly string[],
  limit: number,
): Promise<MessageDeliveryRow[]> {
  return sql<MessageDeliveryRow[]>`
    select delivery.*
    from unnest(${[...journeyIds]}::uuid[]) as requested (id)
    cross join lateral (
      select d.*, 'message_delivery' as type from message_deliveries d
      where d.team_id = ${teamId} and d.journey_id = requested.id
      order by d.inserted_at desc, d.id desc
      limit ${limit}
    ) as delivery`;
}

/** Throws 404. */
export async function requireMessageDelivery(
  sql: Sql,
  teamId: string,
  id: string,
): Promise<MessageDeliveryRow> {
  const [row] = await sql<MessageDeliveryRow[]>`
    select *, 'message_delivery' as type from message_deliveries
    where team_id = ${teamId} and id = ${id}`;
  return row ?? notFound();
}

/** Locks the delivery until the end of the transaction. Throws 404. */
export async function lockMessageDelivery(
  sql: Sql,
  teamId: string,
  id: string,
): Promise<MessageDeliveryRow> {
  const [row] = await sql<MessageDeliveryRow[]>`
    select *, 'message_delivery' as type from message_deliveries
    where team_id = ${teamId} and id = ${id}
    for update`;
  return row ?? notFound();
}

/** Stores the status by the rules; the month of the row avoids a scan of the other partitions. */
export async function setDeliveryStatus(
  sql: Sql,
  { team_id, id, inserted_at }: MessageDeliveryRow,
  status: DeliveryStatus,
): Promise<MessageDeliveryRow> {
  const [row] = await sql<[MessageDeliveryRow]>`
    update message_deliveries
    set status = ${status}, lock_version = lock_version + 1, updated_at = now()
    where team_id = ${team_id} and id = ${id} and inserted_at = ${inserted_at}
    returning *, 'message_delivery' as type`;
  return row;
}

/** A delivery by its place: the month spares a look into all others. */
export type DeliveryPlace = Pick<MessageDeliveryRow, 'id' | 'inserted_at'>;

/** Locks deliveries in the order of their ids. */
export async function lockMessageDeliveries(
  sql: Sql,
  teamId: string,
  places: readonly DeliveryPlace[],
): Promise<MessageDeliveryRow[]> {
  return sql<MessageDeliveryRow[]>`
    select *, 'message_delivery' as type from message_deliveries
    where team_id = ${teamId} and id = any(${places.map(({ id }) => id)}::uuid[])
      and inserted_at = any(${places.map(({ inserted_at }) => inserted_at)}::timestamptz[])
    order by id
    for update`;
}

/**
 * Writes what reports changed of deliveries that are locked, each counted up by its reports. Gives
 * the time that they were changed at.
 */
export async function updateReported(
  sql: Sql,
  teamId: string,
  rows: readonly MessageDeliveryRow[],
): Promise<string> {
  const [written] = await sql<[{ updated_at: string }]>`
    update message_deliveries t
    set status = r.status, bounce = r.bounce, sent_at = r.sent_at, delivered_at = r.delivered_at,
      failed_at = r.failed_at, first_opened_at = r.first_opened_at,
      first_clicked_at = r.first_clicked_at, unsubscribed_at = r.unsubscribed_at,
      complained_at = r.complained_at, open_count = r.open_count, click_count = r.click_count,
      machine_open_count = r.machine_open_count, lock_version = r.lock_version, updated_at = now()
    from jsonb_populate_recordset(null::message_deliveries, ${JSON.stringify(rows)}::text::jsonb) r
    where t.team_id = ${teamId} and t.id = r.id and t.inserted_at = r.inserted_at
      and t.inserted_at = any(${rows.map(({ inserted_at }) => inserted_at)}::timestamptz[])
    returning t.updated_at`;
  return written.updated_at;
}

function notFound(): never {
  const meta = { resource: 'message_delivery' };
  throw fail('not_found', { detail: 'No such message delivery.', meta });
}

/** Deliveries that were inserted at one time. */
export async function listInserted(
  sql: Sql,
  teamId: string,
  ids: readonly string[],
  insertedAt: string,
): Promise<MessageDeliveryRow[]> {
  return sql<MessageDeliveryRow[]>`
    select d.*, 'message_delivery' as type from message_deliveries d
    where d.team_id = ${teamId} and d.id = any(${[...ids]}::uuid[])
      and d.inserted_at = ${insertedAt}`;
}

/** Deletes deliveries of teams with a shorter term, but for those that still wait. */
export async function pruneMessageDeliveries(sql: Sql, limit: number): Promise<number> {
  const rows = await sql`
    with due as (
      select old.* from teams t
      cross join lateral (
        select d.team_id, d.id, d.inserted_at from message_deliveries d
        where d.team_id = t.id and d.status not in ('queued', 'scheduled')
          and d.inserted_at
            < now() - make_interval(days => (t.retention ->> 'engagement_days')::int)
        order by d.inserted_at
        limit ${limit}
      ) old
      where t.retention ->> 'engagement_days' is not null
      limit ${limit} /* any team: housekeeping */
    )
    delete from message_deliveries d using due
    where d.team_id = due.team_id and d.id = due.id and d.inserted_at = due.inserted_at`;
  return rows.count;
}
