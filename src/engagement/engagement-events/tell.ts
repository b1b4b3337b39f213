import type { Sql } from '../../platform/database/client.ts';
import { recordEvents, subscribedTypes } from '../../events/record.ts';
import { findEngagementEvents } from './queries.ts';
import type { NewEngagementEvent } from './queries.ts';

/** Tells partners what was sent through widgets, in the caller's transaction. */
export async function tellSubmitted(
  sql: Sql,
  teamId: string,
  events: readonly Pick<NewEngagementEvent, 'id' | 'occurred_at'>[],
): Promise<void> {
  if (events.length === 0) return;
  const type = 'widget.submitted';
  const heard = await subscribedTypes(sql, teamId, [type]);
  if (!heard.has(type)) return;
  const submitted = await findEngagementEvents(sql, teamId, events);
  recordEvents(
    sql,
    teamId,
    // What was recorded never changes.
    submitted.map((data) => ({ type, data, sequence: 1 })),
  );
}
