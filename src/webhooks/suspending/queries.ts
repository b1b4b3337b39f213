import type { Sql } from '../../platform/database/sql.ts';

/**
 * Condition that nothing is sent to the subscription of a row: its team, or the client that set its
 * address, is suspended. A scalar, so that each row costs three lookups by key in every plan.
 */
export const isHeld = (row: string) => `coalesce((
    select m.suspended_at is not null or c.suspended_at is not null
    from webhook_subscriptions h
    join teams m on m.id = h.team_id
    left join clients c on c.team_id = h.team_id and c.id = h.set_by_client_id
    where h.team_id = ${row}.team_id and h.id = ${row}.subscription_id
    limit 1), false)`;

/** Whether attempts of a subscription are held back now. */
export async function isHeldBack(sql: Sql, teamId: string, subscriptionId: string) {
  const [row] = await sql<{ is_held: boolean }[]>`
    select ${sql.unsafe(isHeld('s'))} as is_held from webhook_subscription_states s
    where s.team_id = ${teamId} and s.subscription_id = ${subscriptionId}`;
  return row?.is_held ?? false;
}
