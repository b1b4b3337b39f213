import type { Sql } from '../../database/client.ts';
import type { Effect, Projected } from '../project.ts';
import type { ReceiverKind } from '../receiver.ts';

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

/** Sends of messages to contacts, the newest last; whoever wants one journey picks it. */
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

export async function findContactIdsByKey(
  sql: Sql,
  teamId: string,
  keys: readonly string[],
): Promise<{ id: string; unique_id: string }[]> {
  return sql<{ id: string; unique_id: string }[]>`
    select id, unique_id from contacts
    where team_id = ${teamId} and unique_id = any(${[...keys]}::text[]) and status <> 'archived'`;
}

/** Notes a soft bounce and counts those of the address in the fortnight before it, itself included. */
export async function noteSoftBounce(
  sql: Sql,
  teamId: string,
  address: string,
  deliveryId: string,
  bouncedAt: string,
): Promise<number> {
  await sql`
    insert into inbound_soft_bounces (team_id, address, delivery_id, bounced_at)
    values (${teamId}, ${address}, ${deliveryId}, ${bouncedAt})
    on conflict do nothing`;
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count from inbound_soft_bounces
    where team_id = ${teamId} and address = ${address}
      and bounced_at > ${bouncedAt}::timestamptz - interval '14 days'
      and bounced_at <= ${bouncedAt}`;
  return row.count;
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
      engagement_event_id, dedup_key, attempts, received_at
    from inbound_deliveries
    where team_id = ${teamId} and id = ${id}
    for update`;
  return row;
}

/** Writes down how another attempt went. */
export async function writeProjected(
  sql: Sql,
  { team_id, day, id }: StoredDelivery,
  { status, error, link, engagementEventId, effects }: Projected,
  nextAttemptAt: string | null,
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
      next_attempt_at = ${nextAttemptAt},
      processed_at = case when ${status === 'failed'} then processed_at else now() end
    where team_id = ${team_id} and day = ${day} and id = ${id}`;
}
