import type { Sql } from '../platform/database/sql.ts';
import { recordEvents, subscribedTypes } from '../platform/events/record.ts';
import type { journeyEvents } from './events.ts';
import type { EngagementKind } from '../engagement/engagement-events/engagement-event.ts';
import { recordSystemEvents } from '../engagement/engagement-events/record.ts';
import { findJourneys } from './queries.ts';
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

/** A journey that something happened to. */
export interface Happened {
  id: string;
  contact_id: string;
  template_id: string;
}

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
  const occurred_at = new Date().toISOString();
  await recordSystemEvents(
    sql,
    teamId,
    journeys.map(({ id, contact_id, template_id }) => ({
      kind: kinds[type.name],
      contact_id,
      template_id,
      journey_id: id,
      occurred_at,
      ...(reason && { properties: { exit_reason: reason } }),
    })),
  );
  if ((await subscribedTypes(sql, teamId, [type])).size === 0) return;
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
