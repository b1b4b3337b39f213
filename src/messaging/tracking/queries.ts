import type { Sql } from '../../platform/database/sql.ts';
import type { DeliveryPlace } from '../message-deliveries/queries.ts';

/** A delivery whose links were visited. */
export interface VisitedSend extends DeliveryPlace {
  message_id: string;
  template_id: string;
  journey_id: string | null;
  /** After a merger, the winner. */
  contact_id: string;
  sent_at: string | null;
  open_count: number;
  click_count: number;
  machine_open_count: number;
}

/** Deliveries that still exist, without those to erased contacts. */
export async function findVisitedSends(
  sql: Sql,
  teamId: string,
  places: readonly DeliveryPlace[],
): Promise<VisitedSend[]> {
  return sql<VisitedSend[]>`
    select d.id, d.inserted_at, d.message_id, d.template_id, d.journey_id,
      coalesce(c.merged_into_id, c.id) as contact_id, d.sent_at, d.open_count, d.click_count,
      d.machine_open_count
    from message_deliveries d
    join contacts c on c.team_id = d.team_id and c.id = d.contact_id and c.erased_at is null
    where d.team_id = ${teamId} and d.id = any(${places.map(({ id }) => id)}::uuid[])
      and d.inserted_at = any(${places.map(({ inserted_at }) => inserted_at)}::timestamptz[])`;
}
