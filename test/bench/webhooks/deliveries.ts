import { randomUUID } from 'node:crypto';
import type { Machine } from '../../world/machine.ts';

/** As large as the event of a contact with the usual fields. */
export function contactEvent(teamId: string): string {
  const id = randomUUID();
  const head = { id: randomUUID(), type: 'contact.created', timestamp: new Date().toISOString() };
  return JSON.stringify({
    ...head,
    team_id: teamId,
    api_version: 'v2',
    sequence: 1,
    data: {
      id,
      type: 'contact',
      team_id: teamId,
      email: `${id}@example.com`,
      note: 'x'.repeat(300),
    },
  });
}

/**
 * Events of teams, and deliveries to their subscriptions in turn, as a burst of writes would have
 * left them; returns when they were there, all at once.
 */
export async function putDeliveries(
  { database }: Machine,
  bodies: readonly string[],
  status: 'pending' | 'failed',
): Promise<number> {
  const events = bodies.map((body, index) => {
    const { id, team_id } = JSON.parse(body);
    return { id, team_id, body, index };
  });
  const teamIds = [...new Set(events.map(({ team_id }) => team_id))];
  return database.transact(
    async (sql) => {
      await sql`
        with events as (
          select * from json_to_recordset(${sql.json(events)}::json)
            as e (id uuid, team_id uuid, body text, index int)
        ),
        stored as (
          insert into webhook_events (day, id, team_id, type, resource_id, sequence, body, inserted_at)
          select current_date, id, team_id, 'contact.created', id, 1, body, now()
          from events
        ),
        subscriptions as (
          select id, team_id, shard, count(*) over (partition by team_id) as of,
            row_number() over (partition by team_id order by id) - 1 as number
          from webhook_subscriptions where team_id = any(${teamIds}::uuid[])
        )
        insert into webhook_deliveries
          (day, id, team_id, subscription_id, event_id, event_type, shard, status, next_attempt_at,
           renewed_at, completed_at, inserted_at, updated_at)
        select current_date, gen_random_uuid(), e.team_id, s.id, e.id, 'contact.created',
          s.shard, ${status}, case when ${status} = 'pending' then now() end, now(),
          case when ${status} = 'failed' then now() end, now(), now()
        from events e
        join subscriptions s on s.team_id = e.team_id and s.number = e.index % s.of`;
      if (status === 'pending')
        await sql`
        select pg_notify('onward_work', string_agg(distinct 'shard ' || shard, ','))
        from webhook_subscriptions where team_id = any(${teamIds}::uuid[])`;
      return performance.timeOrigin + performance.now();
    },
    { deadlineMs: 60_000 },
  );
}
