import { randomUUID } from 'node:crypto';
import type { TestApi, TestTeam } from './api.ts';

export interface RecordedEvent {
  type: string;
  sequence: number;
  data: Record<string, unknown>;
  previous?: Record<string, unknown>;
}

/** A subscription to everything; without one no event is stored. */
export async function subscribe(api: TestApi, team: TestTeam): Promise<void> {
  await api.db.look(
    (sql) => sql`
    insert into webhook_subscriptions (team_id, id, target_url, event_types, is_active)
    values (${team.id}, ${randomUUID()}, 'https://receiver.example/events', ${['*']}, true)`,
  );
}

/** The events of one resource, in the order of their sequence. */
export async function eventsOf(api: TestApi, team: TestTeam, id: string): Promise<RecordedEvent[]> {
  const rows = await api.db.look(
    (sql) => sql<{ body: string }[]>`
    select body
    from webhook_events
    where team_id = ${team.id} and resource_id = ${id}
    order by sequence`,
  );
  return rows.map(({ body }) => JSON.parse(body));
}

export async function eventTypesOf(api: TestApi, team: TestTeam, id: string): Promise<string[]> {
  return (await eventsOf(api, team, id)).map(({ type }) => type);
}
