import type { Sql } from '../../platform/database/sql.ts';
import type { EventType } from '../../platform/events/event-type.ts';
import { recordEvents, subscribedTypes } from '../../platform/events/record.ts';
import { customEvent, widgetSubmitted } from '../events.ts';
import type { NewEngagementEvent } from './queries.ts';
import { isCustomKind } from './rules.ts';

/**
 * Publishes submissions of widgets and custom events, in the caller's transaction. Events are
 * published as they were stored: to read them again would cost more with each event of the team.
 */
export async function publishRecorded(
  sql: Sql,
  teamId: string,
  events: readonly NewEngagementEvent[],
): Promise<void> {
  const types = new Map<string, EventType>();
  for (const { kind } of events) {
    if (kind === widgetSubmitted.name) types.set(kind, widgetSubmitted);
    else if (isCustomKind(kind)) types.set(kind, { ...customEvent, name: kind });
  }
  if (types.size === 0) return;
  const subscribed = await subscribedTypes(sql, teamId, [...types.values()]);
  if (subscribed.size === 0) return;
  const published = events.toSorted((a, b) => (sortKeyOf(a) < sortKeyOf(b) ? -1 : 1));
  recordEvents(
    sql,
    teamId,
    // Recorded events never change.
    published.flatMap((event) => {
      const type = types.get(event.kind);
      if (!type || !subscribed.has(type)) return [];
      const data = { ...event, type: 'engagement_event', team_id: teamId };
      return [{ type, data, sequence: 1 }];
    }),
  );
}

const sortKeyOf = ({ occurred_at, id }: NewEngagementEvent) => `${occurred_at} ${id}`;
