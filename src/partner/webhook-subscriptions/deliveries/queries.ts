import type { Static } from 'typebox';
import type { Sql } from '../../../database/client.ts';
import { fail } from '../../../http/errors.ts';
import type { ListSource } from '../../../listing/sql.ts';
import type { WebhookDelivery } from './webhook-delivery.ts';

type Shown = Static<typeof WebhookDelivery>;
export type DeliveryRow = {
  [Key in keyof Shown]-?: undefined extends Shown[Key] ? Shown[Key] | null : Shown[Key];
};

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

/** Attempts of one delivery; the delivery's id is shown as theirs. */
export function attemptSource(teamId: string, delivery: { id: string; day: string }): ListSource {
  return {
    from: `(
      select *, delivery_id as id, 'webhook_attempt' as type from webhook_attempts
    ) t`,
    select: 't.*',
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
