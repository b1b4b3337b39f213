import type { Sql } from '../../platform/database/sql.ts';
import type { EventType } from '../../platform/events/event-type.ts';
import { changedFields, recordEvent } from '../../platform/events/record.ts';
import {
  messageBounced,
  messageClicked,
  messageComplained,
  messageDelayed,
  messageDelivered,
  messageFailed,
  messageOpened,
  messageSent,
  messageUnsubscribed,
} from '../events.ts';
import { MessageDelivery } from './message-delivery.ts';
import type { MessageDeliveryRow } from './message-delivery.ts';
import { lockMessageDeliveries, updateReported } from './queries.ts';
import type { DeliveryPlace } from './queries.ts';
import { afterReport, isPublished } from './rules.ts';
import type { Report } from './rules.ts';

const publishedKinds: Readonly<Record<string, EventType>> = {
  'message.sent': messageSent,
  'message.delayed': messageDelayed,
  'message.delivered': messageDelivered,
  'message.bounced': messageBounced,
  'message.failed': messageFailed,
  'message.opened': messageOpened,
  'message.clicked': messageClicked,
  'message.complained': messageComplained,
  'message.unsubscribed': messageUnsubscribed,
};

/** A report about the delivery at a place. */
export type PlacedReport = Report & { place: DeliveryPlace };

/**
 * Moves the status and the counters of deliveries by reports, in their order. Records the events that
 * are published.
 */
export async function applyReports(
  sql: Sql,
  teamId: string,
  reports: readonly PlacedReport[],
): Promise<void> {
  if (reports.length === 0) return;
  const locked = await lockMessageDeliveries(
    sql,
    teamId,
    reports.map(({ place }) => place),
  );
  const rows = new Map(locked.map((row) => [row.id, row]));
  const changed = new Map<string, MessageDeliveryRow>();
  const published: { type: EventType; before: MessageDeliveryRow; after: MessageDeliveryRow }[] =
    [];
  for (const { place, ...report } of reports) {
    const before = rows.get(place.id);
    if (!before) continue;
    const changes = afterReport(before, report);
    if (Object.keys(changes).length === 0) continue;
    const after = { ...before, ...changes, lock_version: before.lock_version + 1 };
    rows.set(after.id, after);
    changed.set(after.id, after);
    const type = publishedKinds[report.kind];
    if (type !== undefined && isPublished(before, report, changes))
      published.push({ type, before, after });
  }
  if (changed.size === 0) return;
  const updated_at = await updateReported(sql, teamId, [...changed.values()]);
  for (const { type, before, after } of published) {
    const data = { ...after, updated_at };
    recordEvent(sql, {
      teamId,
      type,
      data,
      sequence: after.lock_version,
      previous: changedFields(MessageDelivery, before, after) ?? {},
    });
  }
}
