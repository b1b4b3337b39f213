import type { Sql } from '../../platform/database/sql.ts';
import { toTimestamp } from '../../platform/time/rules.ts';
import { dueTime } from '../timing/due-time.ts';
import { awaitMessages, recordSignals } from './queries.ts';
import type { JourneySignal } from './queries.ts';

/** Events of the service that concern every journey of a contact. */
const forAll: ReadonlySet<string> = new Set([
  'objective.completed',
  'objective.voided',
  'account.opened',
  'account.closed',
]);

/**
 * Applies recorded events to the journeys of their contacts: messages that waited for one get their
 * due time, and journeys store the last activity of the contact. Events of machines are ignored.
 */
export async function applyEventsToJourneys(
  sql: Sql,
  teamId: string,
  events: readonly (Omit<JourneySignal, 'is_for_all' | 'contact_id'> & {
    contact_id?: string | undefined;
    is_machine: boolean;
  })[],
): Promise<void> {
  const signals = events.flatMap((event): JourneySignal[] => {
    const { contact_id, kind, occurred_at, is_engagement, journey_id, template_id, page_id } =
      event;
    if (contact_id === undefined || event.is_machine) return [];
    const about = { contact_id, kind, occurred_at, is_engagement, is_for_all: forAll.has(kind) };
    return [{ ...about, journey_id, template_id, page_id }];
  });
  if (signals.length === 0) return;
  const triggered = await recordSignals(sql, teamId, signals);
  if (triggered.length === 0) return;
  await awaitMessages(
    sql,
    teamId,
    triggered.map(({ journey_id, message_id, trigger, at, timezone }) => {
      const dueMs = dueTime(trigger, Date.parse(at), timezone);
      return { journey_id, message_id, due_at: toTimestamp(dueMs) };
    }),
  );
}
