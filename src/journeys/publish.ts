import type { Sql } from '../platform/database/sql.ts';
import { recordEvents, subscribedTypes } from '../platform/events/record.ts';
import type { journeyEvents } from './events.ts';
import type { EngagementKind } from '../engagement/engagement-events/engagement-event.ts';
import { insertJourneyEvents } from '../engagement/engagement-events/queries.ts';
import { findJourneys, selectHappened } from './queries.ts';
import type { Happened } from './queries.ts';
import type { ExitReason } from './rules.ts';

/** Events of journeys that subscribers receive. */
type JourneyEvent = (typeof journeyEvents)[number];

/** Kind of the engagement event; a canceled or failed journey counts as exited. */
const kinds: Readonly<Record<JourneyEvent['name'], EngagementKind>> = {
  'journey.enrolled': 'journey.enrolled',
  'journey.started': 'journey.started',
  'journey.completed': 'journey.completed',
  'journey.exited': 'journey.exited',
  'journey.expired': 'journey.expired',
  'journey.canceled': 'journey.exited',
  'journey.failed': 'journey.exited',
};

/**
 * Publishes events of journeys: to the engagement of their contacts, and to subscribers if there
 * are any. One statement for each of the two, for any number of journeys.
 */
export async function publishJourneyEvents(
  sql: Sql,
  teamId: string,
  type: JourneyEvent,
  journeys: readonly Happened[],
  reason?: ExitReason,
): Promise<void> {
  if (journeys.length === 0) return;
  const happened = selectHappened(sql, kinds[type.name], journeys);
  await insertJourneyEvents(sql, teamId, happened, reason && { exit_reason: reason });
  await publishToSubscribers(sql, teamId, [{ type, journeys }]);
}

/** Publishes events of journeys to subscribers, if there are any. */
export async function publishToSubscribers(
  sql: Sql,
  teamId: string,
  events: readonly { type: JourneyEvent; journeys: readonly { id: string }[] }[],
): Promise<void> {
  const happened = events.filter(({ journeys }) => journeys.length > 0);
  if (happened.length === 0) return;
  const types = happened.map(({ type }) => type);
  const subscribed = await subscribedTypes(sql, teamId, types);
  for (const { type, journeys } of happened) {
    if (!subscribed.has(type)) continue;
    const ids = journeys.map(({ id }) => id);
    const rows = await findJourneys(sql, teamId, ids);
    recordEvents(
      sql,
      teamId,
      rows.map((data) => ({
        type,
        data,
        sequence: data.lock_version,
        tracedBy: data.contact_id,
      })),
    );
  }
}
