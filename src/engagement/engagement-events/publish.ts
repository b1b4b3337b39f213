import type { Sql } from '../../platform/database/sql.ts';
import { recordEvents, subscribedTypes } from '../../platform/events/record.ts';
import { widgetSubmitted } from '../events.ts';
import type { NewEngagementEvent } from './queries.ts';

/**
 * Publishes what was submitted through widgets, in the caller's transaction. Events are published
 * as they were stored: to read them again would cost more with each event of the team.
 */
export async function publishSubmitted(
  sql: Sql,
  teamId: string,
  events: readonly NewEngagementEvent[],
): Promise<void> {
  if (events.length === 0) return;
  const subscribed = await subscribedTypes(sql, teamId, [widgetSubmitted]);
  if (!subscribed.has(widgetSubmitted)) return;
  const submitted = events.toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
  recordEvents(
    sql,
    teamId,
    // Recorded events never change.
    submitted.map((event) => {
      const data = { ...event, type: 'engagement_event', team_id: teamId };
      return { type: widgetSubmitted, data, sequence: 1 };
    }),
  );
}

const placeOf = ({ occurred_at, id }: NewEngagementEvent) => `${occurred_at} ${id}`;
