import type { Sql } from '../../platform/database/sql.ts';
import { dueTime } from '../timing/due-time.ts';
import { awaitMessages, recordSignals } from './queries.ts';
import type { JourneySignal } from './queries.ts';

/** What the service tells of a contact, whichever journey it is put down to. */
const forAll: ReadonlySet<string> = new Set([
  'objective.completed',
  'objective.voided',
  'account.opened',
  'account.closed',
]);

/**
 * Has the journeys of contacts hear what was recorded of them: messages that waited for it get their
 * time, and the journeys know when their contact was there last. What a machine did is nothing.
 */
export async function applyEventsToJourneys(
  sql: Sql,
  teamId: string,
  events: readonly (Omit<JourneySignal, 'is_for_all' | 'contact_id'> & {
    contact_id?: string | undefined;
    is_machine: boolean;
  })[],
): Promise<void> {
  const heard = events.flatMap((event): JourneySignal[] => {
    const { contact_id, kind, occurred_at, is_engagement, journey_id, template_id, page_id } =
      event;
    // What journeys tell of themselves they know.
    if (contact_id === undefined || event.is_machine || kind.startsWith('journey.')) return [];
    const about = { contact_id, kind, occurred_at, is_engagement, is_for_all: forAll.has(kind) };
    return [{ ...about, journey_id, template_id, page_id }];
  });
  if (heard.length === 0) return;
  const triggered = await recordSignals(sql, teamId, heard);
  if (triggered.length === 0) return;
  await awaitMessages(
    sql,
    teamId,
    triggered.map(({ journey_id, message_id, trigger, at, timezone }) => {
      const dueMs = dueTime(trigger, Date.parse(at), timezone);
      return { journey_id, message_id, due_at: new Date(dueMs).toISOString() };
    }),
  );
}
