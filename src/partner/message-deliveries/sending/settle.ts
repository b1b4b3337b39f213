import type { Sql } from '../../../database/client.ts';
import { recordEvents, subscribedTypes } from '../../../events/record.ts';
import { grouped } from '../../../grouped.ts';
import { recordEngagement } from '../../engagement-events/record.ts';
import type { EventToRecord } from '../../engagement-events/record.ts';
import { deleteSends, putBackSends, writeSettled } from './queries.ts';
import type { SettledRow, Settlement } from './queries.ts';

/** What is to be written down of places of the queue. */
export interface Ending {
  team_id: string;
  id: string;
  /** What became of the delivery; none for a test, and for what is dropped. */
  settlement?: Settlement;
  /** Nobody else will report that it was sent. */
  isReported?: boolean;
  /** It stays in the queue. */
  later?: { at: string; is_attempt: boolean };
}

/** Writes down what became of sends, and tells of it, in the caller's transaction. */
export async function settleSends(sql: Sql, endings: readonly Ending[]): Promise<void> {
  const settlements = endings.flatMap(({ settlement }) => settlement ?? []);
  const over = endings.filter(({ later }) => later === undefined);
  const [rows] = await Promise.all([
    settlements.length > 0 ? writeSettled(sql, settlements) : [],
    putBackSends(
      sql,
      endings.flatMap(({ team_id, id, later }) => (later ? { team_id, id, ...later } : [])),
    ),
    ...[...grouped(over, ({ team_id }) => team_id)].map(([teamId, some]) =>
      deleteSends(
        sql,
        teamId,
        some.map(({ id }) => id),
      ),
    ),
  ]);
  const outcomes = rows.flatMap((row) => outcomeOf(row));
  const unreported = new Set(endings.filter(({ isReported }) => isReported).map(({ id }) => id));
  for (const [teamId, some] of grouped(outcomes, ({ delivery }) => delivery.team_id)) {
    const untold = some.filter(
      ({ type, delivery: { id } }) => type === 'message.failed' || unreported.has(id),
    );
    await Promise.all([
      recordEngagement(sql, teamId, untold.map(engagementOf)),
      tell(sql, teamId, some),
    ]);
  }
}

/** What is told of a delivery. */
interface Outcome {
  type: 'message.sent' | 'message.failed';
  delivery: SettledRow;
}

/** That one was sent is news also where its provider has reported more of it already. */
function outcomeOf(delivery: SettledRow): Outcome[] {
  const { was_queued: wasQueued, was_unsent: wasUnsent, status, sent_at } = delivery;
  if (wasQueued && status === 'failed') return [{ type: 'message.failed', delivery }];
  return wasUnsent && sent_at !== null ? [{ type: 'message.sent', delivery }] : [];
}

function engagementOf({ type, delivery }: Outcome): EventToRecord {
  const { id, channel, message_id, template_id, contact_id, journey_id } = delivery;
  return {
    ...{ kind: type, channel, source: 'system', is_machine: false },
    occurred_at: delivery.sent_at ?? delivery.failed_at ?? delivery.updated_at,
    ...{ message_id, template_id, contact_id, message_delivery_id: id },
    ...(journey_id !== null && { journey_id }),
  };
}

/** Events for whoever subscribes to them; nothing is made that nobody hears. */
async function tell(sql: Sql, teamId: string, outcomes: readonly Outcome[]): Promise<void> {
  const heard = await subscribedTypes(sql, teamId, ['message.sent', 'message.failed']);
  recordEvents(
    sql,
    teamId,
    outcomes
      .filter(({ type }) => heard.has(type))
      .map(({ type, delivery }) => ({
        ...{ type, data: delivery, sequence: delivery.lock_version },
        previous: delivery.was_queued ? { status: 'queued' } : {},
      })),
  );
}
