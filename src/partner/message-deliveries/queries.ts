import type { Sql } from '../../database/client.ts';
import { withJson } from '../../database/json-columns.ts';
import { fail } from '../../http/errors.ts';
import type { ListSource } from '../../listing/sql.ts';
import type { MessageDeliveryRow } from './message-delivery.ts';
import type { DeliveryStatus, Reported } from './rules.ts';

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

/** Writes the status that the rules gave; the month of the row spares a look into all others. */
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

/** Writes what a report changed of a delivery that is locked. */
export async function updateReported(
  sql: Sql,
  { team_id, id, inserted_at }: MessageDeliveryRow,
  changes: Reported,
): Promise<MessageDeliveryRow> {
  const [row] = await sql<[MessageDeliveryRow]>`
    update message_deliveries
    set ${sql(withJson(sql, changes, ['bounce']))}, lock_version = lock_version + 1,
      updated_at = now()
    where team_id = ${team_id} and id = ${id} and inserted_at = ${inserted_at}
    returning *, 'message_delivery' as type`;
  return row;
}

function notFound(): never {
  const meta = { resource: 'message_delivery' };
  throw fail('not_found', { detail: 'No such message delivery.', meta });
}
