import type { Sql } from '../../platform/database/sql.ts';
import type { ReceiverKind } from '../receiver.ts';
import type { Effect, Projected } from './concern.ts';

/** A send that an event may be about. */
export interface SendRow {
  id: string;
  inserted_at: string;
  provider_message_id: string | null;
  message_id: string;
  template_id: string;
  journey_id: string | null;
  contact_id: string;
}

export async function findSendsByProviderId(
  sql: Sql,
  teamId: string,
  ids: readonly string[],
): Promise<SendRow[]> {
  return sql<SendRow[]>`
    select id, inserted_at, provider_message_id, message_id, template_id, journey_id, contact_id
    from message_deliveries
    where team_id = ${teamId} and provider_message_id = any(${[...ids]}::text[])
    order by inserted_at, id`;
}

export async function findSendsById(
  sql: Sql,
  teamId: string,
  ids: readonly string[],
): Promise<SendRow[]> {
  return sql<SendRow[]>`
    select id, inserted_at, provider_message_id, message_id, template_id, journey_id, contact_id
    from message_deliveries
    where team_id = ${teamId} and id = any(${[...ids]}::uuid[])`;
}

/** Sends of messages to contacts, the newest last; callers filter them by journey. */
export async function findSendsToContacts(
  sql: Sql,
  teamId: string,
  messageIds: readonly string[],
  contactIds: readonly string[],
): Promise<SendRow[]> {
  return sql<SendRow[]>`
    select id, inserted_at, provider_message_id, message_id, template_id, journey_id, contact_id
    from message_deliveries
    where team_id = ${teamId} and contact_id = any(${[...contactIds]}::uuid[])
      and message_id = any(${[...messageIds]}::uuid[])
    order by inserted_at, id`;
}

/** Whom merged contacts have become. */
export async function findWinners(
  sql: Sql,
  teamId: string,
  ids: readonly string[],
): Promise<{ id: string; winner_id: string }[]> {
  return sql<{ id: string; winner_id: string }[]>`
    select id, merged_into_id as winner_id from contacts
    where team_id = ${teamId} and id = any(${[...ids]}::uuid[]) and merged_into_id is not null`;
}

/** Those of some contacts that were erased. */
export async function findErased(
  sql: Sql,
  teamId: string,
  ids: readonly (string | null | undefined)[],
): Promise<Set<string>> {
  const all = [...new Set(ids.flatMap((id) => id ?? []))];
  if (all.length === 0) return new Set();
  const rows = await sql<{ id: string }[]>`
    select id from contacts
    where team_id = ${teamId} and id = any(${all}::uuid[]) and erased_at is not null`;
  return new Set(rows.map(({ id }) => id));
}

/** The last row of a key counts: the contact that has the key comes after a merged one. */
export async function findContactIdsByKey(
  sql: Sql,
  teamId: string,
  keys: readonly string[],
): Promise<{ id: string; unique_id: string }[]> {
  return sql<{ id: string; unique_id: string }[]>`
    select coalesce(merged_into_id, id) as id, unique_id from contacts
    where team_id = ${teamId} and unique_id = any(${[...keys]}::text[])
      and (status <> 'archived' or merged_into_id is not null)
    order by (merged_into_id is null)`;
}

/** Notes a soft bounce and counts those of the address in the fortnight before it, itself included. */
export async function recordSoftBounce(
  sql: Sql,
  teamId: string,
  address: string,
  deliveryId: string,
  bouncedAt: string,
): Promise<number> {
  await sql`
    insert into inbound_soft_bounces (team_id, address, delivery_id, bounced_at)
    values (${teamId}, folded(${address}), ${deliveryId}, ${bouncedAt})
    on conflict do nothing`;
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count from inbound_soft_bounces
    where team_id = ${teamId} and address = folded(${address})
      and bounced_at > ${bouncedAt}::timestamptz - interval '14 days'
      and bounced_at <= ${bouncedAt}`;
  return row.count;
}

/** Ends the count of soft bounces before deliveries. Gives the addresses that have none left. */
export async function clearSoftBounces(
  sql: Sql,
  teamId: string,
  delivered: readonly { address: string; at: string }[],
): Promise<string[]> {
  const rows = await sql<{ address: string }[]>`
    with cleared as (
      delete from inbound_soft_bounces b
      using unnest(${delivered.map(({ address }) => address)}::text[],
        ${delivered.map(({ at }) => at)}::timestamptz[]) as d (address, at)
      where b.team_id = ${teamId} and b.address = folded(d.address) collate "C" and b.bounced_at <= d.at
      returning b.address, b.delivery_id
    )
    select address from cleared
    except
    select b.address from inbound_soft_bounces b
    where b.team_id = ${teamId} and b.address in (select address from cleared)
      and (b.address, b.delivery_id) not in (select address, delivery_id from cleared)`;
  return rows.map(({ address }) => address);
}

export interface StoredDelivery {
  day: string;
  id: string;
  team_id: string;
  receiver_id: string;
  receiver_kind: ReceiverKind;
  status: string;
  is_test: boolean;
  payload: Record<string, unknown> | null;
  effects: Effect[];
  engagement_event_id: string | null;
  dedup_key: string | null;
  batch_id: string | null;
  event_index: number | null;
  attempts: number;
  received_at: string;
}

/** Locks a delivery until the end of the transaction. */
export async function lockDelivery(
  sql: Sql,
  teamId: string,
  id: string,
): Promise<StoredDelivery | undefined> {
  const [row] = await sql<StoredDelivery[]>`
    select day, id, team_id, receiver_id, receiver_kind, status, is_test, payload, effects,
      engagement_event_id, dedup_key, batch_id, event_index, attempts, received_at
    from inbound_deliveries
    where team_id = ${teamId} and id = ${id}
    for update`;
  return row;
}

/** The bytes of a delivery within their retention, and the current settings of its receiver. */
export async function findUnread(
  sql: Sql,
  { team_id, receiver_id, day, id, batch_id }: StoredDelivery,
) {
  const [row] = await sql<
    { id: string; sealed_callback: string; settings: Record<string, unknown> }[]
  >`
    select raw.id, raw.sealed_callback, r.settings
    from inbound_raw raw
    join incoming_webhook_receivers r on r.team_id = raw.team_id and r.id = raw.receiver_id
    where raw.team_id = ${team_id} and raw.receiver_id = ${receiver_id} and raw.day = ${day}
      and raw.id = ${batch_id ?? id} and raw.day > current_date - 8`;
  return row;
}

/** Writes down what was read of a delivery that had not been understood. */
export async function writeRead(
  sql: Sql,
  { team_id, day, id }: StoredDelivery,
  payload: Readonly<Record<string, unknown>>,
  words: Record<string, string | null>,
): Promise<void> {
  await sql`
    update inbound_deliveries
    set ${sql(words)}, payload = ${JSON.stringify(payload)}::text::jsonb
    where team_id = ${team_id} and day = ${day} and id = ${id}`;
}

/** Writes down how another attempt went; without a pause there is no next one. */
export async function writeProjected(
  sql: Sql,
  { team_id, day, id }: StoredDelivery,
  { status, error, link, engagementEventId, effects }: Projected,
  pauseMs: number | undefined,
): Promise<void> {
  const links =
    status === 'failed'
      ? {}
      : {
          message_id: link.message_id ?? null,
          message_delivery_id: link.message_delivery_id ?? null,
          contact_id: link.contact_id ?? null,
          journey_id: link.journey_id ?? null,
          engagement_event_id: engagementEventId ?? null,
          link_error: link.link_error ?? null,
        };
  const columns = { status, effects, ...links };
  await sql`
    update inbound_deliveries
    set ${sql(columns)}, error = ${error ? sql.json(error) : null}, attempts = attempts + 1,
      next_attempt_at = now() + make_interval(secs => ${pauseMs === undefined ? null : pauseMs / 1_000}),
      processed_at = case when ${status === 'failed'} then processed_at else now() end
    where team_id = ${team_id} and day = ${day} and id = ${id}`;
}

/** A callback that is to be applied again. */
export interface DueCallback {
  id: string;
  status: string;
  /** Attempts so far. */
  attempts: number;
}

/** Due retries and confirmations of a receiver, the longest overdue first. */
export async function listDue(
  sql: Sql,
  teamId: string,
  receiverId: string,
  asOf: string,
  limit: number,
): Promise<DueCallback[]> {
  return sql<DueCallback[]>`
    select id, status, attempts from inbound_deliveries
    where team_id = ${teamId} and receiver_id = ${receiverId} and next_attempt_at <= ${asOf}
    order by next_attempt_at, id
    limit ${limit}`;
}

export async function findBacklog(
  sql: Sql,
  teamId: string,
  receiverId: string,
): Promise<{ waiting: number; next_at: string | null; last_error: string | null }> {
  const [row] = await sql<[{ waiting: number; next_at: string | null; last_error: string | null }]>`
    select count(*)::int as waiting, min(next_attempt_at) as next_at,
      (array_agg(error ->> 'detail' order by next_attempt_at desc))[1] as last_error
    from inbound_deliveries
    where team_id = ${teamId} and receiver_id = ${receiverId} and next_attempt_at is not null`;
  return row;
}

/** Receivers with overdue work: their workflow may not be running. */
export async function listOverdueReceivers(
  sql: Sql,
  overdueMs: number,
  limit: number,
): Promise<{ receiver_id: string; team_id: string }[]> {
  return sql<{ receiver_id: string; team_id: string }[]>`
    select distinct receiver_id, team_id from inbound_deliveries
    where next_attempt_at < now() - make_interval(secs => ${overdueMs / 1_000})
      and day > current_date - 3
    limit ${limit} /* any team: the relay serves all */`;
}

/** Nothing tries the delivery again by itself. */
export async function writeGivenUp(sql: Sql, teamId: string, id: string): Promise<void> {
  await sql`
    update inbound_deliveries set next_attempt_at = null
    where team_id = ${teamId} and id = ${id}`;
}
