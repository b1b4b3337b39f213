import type { Sql } from '../../../database/client.ts';
import { recordEvents, subscribedTypes } from '../../../events/record.ts';
import { grouped } from '../../../grouped.ts';
import { recordEngagement } from '../../engagement-events/record.ts';
import type { EventToRecord } from '../../engagement-events/record.ts';
import type { MessageDeliveryRow } from '../message-delivery.ts';
import { deleteSends, putBackSends, writeSettled } from './queries.ts';
import type { Settlement } from './queries.ts';

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
  const rows = settlements.length > 0 ? await writeSettled(sql, settlements) : [];
  const moved = rows.filter(({ was_queued: wasQueued }) => wasQueued);
  const unreported = new Set(endings.filter(({ isReported }) => isReported).map(({ id }) => id));
  for (const [teamId, deliveries] of grouped(moved, ({ team_id }) => team_id)) {
    await recordEngagement(
      sql,
      teamId,
      deliveries.flatMap((delivery) => {
        const isTold = delivery.status === 'failed' || unreported.has(delivery.id);
        return isTold ? engagementOf(delivery) : [];
      }),
    );
    await tell(sql, teamId, deliveries);
  }
  await deleteSends(
    sql,
    endings.filter(({ later }) => later === undefined),
  );
  await putBackSends(
    sql,
    endings.flatMap(({ team_id, id, later }) => (later ? { team_id, id, ...later } : [])),
  );
}

const toldTypes = { sent: 'message.sent', failed: 'message.failed' } as const;
const isTold = (status: string): status is keyof typeof toldTypes =>
  Object.hasOwn(toldTypes, status);

function engagementOf(delivery: MessageDeliveryRow): EventToRecord[] {
  const { id, status, channel, message_id, template_id, contact_id, journey_id } = delivery;
  if (!isTold(status)) return [];
  return [
    {
      ...{ kind: toldTypes[status], channel, source: 'system', is_machine: false },
      occurred_at: delivery.sent_at ?? delivery.failed_at ?? delivery.updated_at,
      ...{ message_id, template_id, contact_id, message_delivery_id: id },
      ...(journey_id !== null && { journey_id }),
    },
  ];
}

/** Events for whoever subscribes to them; nothing is made that nobody hears. */
async function tell(
  sql: Sql,
  teamId: string,
  deliveries: readonly MessageDeliveryRow[],
): Promise<void> {
  const heard = await subscribedTypes(sql, teamId, Object.values(toldTypes));
  if (heard.size === 0) return;
  recordEvents(
    sql,
    teamId,
    deliveries.flatMap((delivery) => {
      if (!isTold(delivery.status)) return [];
      const type = toldTypes[delivery.status];
      if (!heard.has(type)) return [];
      return {
        type,
        data: delivery,
        sequence: delivery.lock_version,
        previous: { status: 'queued' },
      };
    }),
  );
}
