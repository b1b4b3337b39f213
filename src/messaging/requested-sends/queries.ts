import type { Sql } from '../../platform/database/sql.ts';
import { announceUrgent } from '../send-queue/urgent-work.ts';
import type { MessageDeliveryRow } from '../message-deliveries/message-delivery.ts';

/** The delivery of a requested send, with what the queue needs of it. */
export type RequestedDelivery = Pick<
  MessageDeliveryRow,
  | 'id'
  | 'message_id'
  | 'template_id'
  | 'contact_id'
  | 'channel'
  | 'topic_id'
  | 'status'
  | 'skip_reason'
  | 'variant_key'
  | 'scheduled_at'
  | 'inserted_at'
> & { template_version: number; sealed_data: string | null; is_urgent: boolean };

/** Stores deliveries, and puts those that are not skipped into the queues of their contacts. */
export async function insertRequested(
  sql: Sql,
  teamId: string,
  deliveries: readonly RequestedDelivery[],
): Promise<void> {
  const rows = await sql<{ id: string; lane: number }[]>`
    with requested as (
      select * from jsonb_to_recordset(${JSON.stringify(deliveries)}::text::jsonb) as d (
        id uuid, message_id uuid, template_id uuid, contact_id uuid, channel text, topic_id uuid,
        status text, skip_reason text, variant_key text, scheduled_at timestamptz, inserted_at timestamptz,
        template_version int, sealed_data text, is_urgent boolean)
    ),
    stored as (
      insert into message_deliveries (team_id, id, message_id, template_id, contact_id, channel,
        topic_id, status, skip_reason, variant_key, scheduled_at, inserted_at, updated_at)
      select ${teamId}, id, message_id, template_id, contact_id, channel, topic_id, status,
        skip_reason, variant_key, scheduled_at, inserted_at, inserted_at
      from requested
    )
    insert into message_sends (team_id, id, lane, channel, delivery_inserted_at, next_attempt_at,
      is_urgent, template_version, sealed_data)
    select ${teamId}, id, lane_of_contact(contact_id), channel, inserted_at,
      coalesce(scheduled_at, inserted_at), is_urgent, template_version, sealed_data
    from requested where status <> 'skipped'
    returning id, lane`;
  const due = new Set(
    deliveries.flatMap((one) => (one.is_urgent && one.status === 'queued' ? [one.id] : [])),
  );
  announceUrgent(
    sql,
    rows.filter(({ id }) => due.has(id)),
  );
}

/**
 * Blocks other requests for these addresses until the end of the transaction, in one order, so that
 * two of them do not create two contacts. Resolves to the first form of each address: in another
 * letter case it is the same.
 */
export async function lockAddresses(
  sql: Sql,
  teamId: string,
  addresses: readonly string[],
): Promise<Map<string, string>> {
  await sql`
    select pg_advisory_xact_lock(key) from (
      select distinct
        hashtextextended('address ' || ${teamId}::text || ' ' || folded(address), 0) as key
      from unnest(${[...addresses]}::text[]) as address
      order by key
      offset 0
    ) as keys`;
  const rows = await sql<{ address: string; first: string }[]>`
    select address, min(address) over (partition by folded(address)) as first
    from unnest(${[...addresses]}::text[]) as address`;
  return new Map(rows.map(({ address, first }) => [address, first]));
}

/** A send is scheduled this long ahead at most, and retried for some days. */
const waitsAtMost = '45 days';

/**
 * Withdraws the requested sends that wait for contacts, except those that are being sent. Returns
 * their number.
 */
export async function withdrawRequested(
  sql: Sql,
  teamId: string,
  contactIds: readonly string[],
): Promise<number> {
  const rows = await sql`
    with waiting as materialized (
      select id, inserted_at from message_deliveries
      where team_id = ${teamId} and contact_id = any(${[...contactIds]}::uuid[])
        and inserted_at > now() - ${waitsAtMost}::interval and journey_id is null
        and status in ('scheduled', 'queued')
      order by id
      for update
    ),
    withdrawn as (
      delete from message_sends s using waiting
      where s.team_id = ${teamId} and s.id = waiting.id
        and not (s.is_claimed and s.next_attempt_at > clock_timestamp())
      returning s.id
    )
    update message_deliveries d
    set status = 'canceled', lock_version = d.lock_version + 1, updated_at = now()
    from waiting, withdrawn
    where d.team_id = ${teamId} and d.id = waiting.id and d.inserted_at = waiting.inserted_at
      and waiting.id = withdrawn.id`;
  return rows.count;
}

/** Deletes the data of all requested sends to contacts. */
export async function deleteSendData(
  sql: Sql,
  { teamId, contactIds }: { teamId: string; contactIds: readonly string[] },
): Promise<number> {
  const rows = await sql`
    update message_sends s set sealed_data = null
    from message_deliveries d
    where s.team_id = ${teamId} and s.id = d.id and s.sealed_data is not null
      and d.team_id = ${teamId} and d.contact_id = any(${[...contactIds]}::uuid[])
      and d.inserted_at > now() - ${waitsAtMost}::interval and d.journey_id is null
      and d.status in ('scheduled', 'queued')`;
  return rows.count;
}
