import type { Sql } from '../../platform/database/sql.ts';
import { recordEvents, subscribedTypes } from '../../platform/events/record.ts';
import { widgetSubmitted } from '../events.ts';
import { findEngagementEvents } from './queries.ts';
import type { NewEngagementEvent } from './queries.ts';

/** Publishes what was submitted through widgets, in the caller's transaction. */
export async function publishSubmitted(
  sql: Sql,
  teamId: string,
  events: readonly Pick<NewEngagementEvent, 'id' | 'occurred_at'>[],
): Promise<void> {
  if (events.length === 0) return;
  const subscribed = await subscribedTypes(sql, teamId, [widgetSubmitted]);
  if (!subscribed.has(widgetSubmitted)) return;
  const submitted = await findEngagementEvents(sql, teamId, events);
  recordEvents(
    sql,
    teamId,
    // Recorded events never change.
    submitted.map((data) => ({ type: widgetSubmitted, data, sequence: 1 })),
  );
}
