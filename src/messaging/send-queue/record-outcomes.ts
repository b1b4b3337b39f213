import type { Sql } from '../../platform/database/sql.ts';
import { recordEvents, subscribedTypes } from '../../platform/events/record.ts';
import { messageFailed, messageSent, messageSkipped } from '../events.ts';
import { groupBy } from '../../platform/group-by.ts';
import { recordEngagement } from '../../engagement/engagement-events/record.ts';
import type { EventToRecord } from '../../engagement/engagement-events/record.ts';
import { archiveMessages } from '../archived-messages/queries.ts';
import type { SealedMessage } from '../archived-messages/seal.ts';
import { listInserted } from '../message-deliveries/queries.ts';
import { deleteSends, putBackSends, writeDeliveryOutcomes } from './queries.ts';
import type { PutBack, RecordedDelivery, DeliveryOutcome } from './queries.ts';

/** Outcome of a queue entry. */
export interface SendOutcome {
  team_id: string;
  id: string;
  /** Outcome of the delivery; none for a test, and for a dropped entry. */
  delivery?: DeliveryOutcome;
  /** No other code reports that it was sent. */
  isReported?: boolean;
  /** For the archive of its team, where that is on and the message was sent. */
  archived?: SealedMessage | undefined;
  /** It stays in the queue. */
  putBack?: PutBack;
}

/** Stores the outcomes of sends and publishes them, in the caller's transaction. */
export async function recordSendOutcomes(
  sql: Sql,
  outcomes: readonly SendOutcome[],
): Promise<void> {
  const deliveries = outcomes.flatMap(({ delivery }) => delivery ?? []);
  const over = outcomes.filter(({ putBack }) => putBack === undefined);
  const [rows] = await Promise.all([
    deliveries.length > 0 ? writeDeliveryOutcomes(sql, deliveries) : [],
    putBackSends(
      sql,
      outcomes.flatMap(({ team_id, id, putBack }) => (putBack ? { team_id, id, ...putBack } : [])),
    ),
    ...[...groupBy(over, ({ team_id }) => team_id)].map(([teamId, some]) =>
      deleteSends(
        sql,
        teamId,
        some.map(({ id }) => id),
      ),
    ),
  ]);
  const sealed = new Map(
    outcomes.flatMap(({ id, archived }) => (archived ? [[id, archived]] : [])),
  );
  const archived = rows.flatMap((delivery) => {
    const message = sealed.get(delivery.id);
    return message ? [{ sealed: message, delivery }] : [];
  });
  if (archived.length > 0) await archiveMessages(sql, archived);
  const events = rows.flatMap((row) => eventsOf(row));
  const unreported = new Set(outcomes.filter(({ isReported }) => isReported).map(({ id }) => id));
  for (const [teamId, some] of groupBy(events, ({ delivery }) => delivery.team_id)) {
    const engagement = some.flatMap(({ type, delivery }) =>
      type === messageFailed || (type === messageSent && unreported.has(delivery.id))
        ? engagementOf(type.name, delivery)
        : [],
    );
    await Promise.all([
      recordEngagement(sql, teamId, engagement),
      recordOutcomeEvents(sql, teamId, some),
    ]);
  }
}

const outcomeTypes = [messageSent, messageFailed, messageSkipped];

/** The event of a delivery that is over. */
interface OutcomeEvent {
  type: (typeof outcomeTypes)[number];
  delivery: RecordedDelivery;
}

/** The send is published even if the provider has already reported a later status. */
function eventsOf(delivery: RecordedDelivery): OutcomeEvent[] {
  const { waited, was_unsent: wasUnsent, status, sent_at } = delivery;
  if (waited !== null && status === 'failed') return [{ type: messageFailed, delivery }];
  if (waited !== null && status === 'skipped') return [{ type: messageSkipped, delivery }];
  return wasUnsent && sent_at !== null ? [{ type: messageSent, delivery }] : [];
}

function engagementOf(
  kind: 'message.sent' | 'message.failed',
  delivery: RecordedDelivery,
): EventToRecord {
  const { id, channel, message_id, template_id, contact_id, journey_id } = delivery;
  return {
    kind,
    channel,
    source: 'system',
    is_machine: false,
    occurred_at: delivery.sent_at ?? delivery.failed_at ?? delivery.updated_at,
    message_id,
    template_id,
    contact_id,
    message_delivery_id: id,
    ...(journey_id !== null && { journey_id }),
  };
}

/** Records events for subscribers; a type without any is left out. */
async function recordOutcomeEvents(
  sql: Sql,
  teamId: string,
  events: readonly OutcomeEvent[],
): Promise<void> {
  const subscribed = await subscribedTypes(sql, teamId, outcomeTypes);
  recordEvents(
    sql,
    teamId,
    events
      .filter(({ type }) => subscribed.has(type))
      .map(({ type, delivery }) => ({
        type,
        data: delivery,
        sequence: delivery.lock_version,
        previous: delivery.waited !== null ? { status: delivery.waited } : {},
      })),
  );
}

/** Records the events of messages that a decision skipped, all inserted at the same time. */
export async function recordSkipped(
  sql: Sql,
  teamId: string,
  ids: readonly string[],
  insertedAt: string,
): Promise<void> {
  const type = messageSkipped;
  if (!(await subscribedTypes(sql, teamId, [type])).has(type)) return;
  const rows = await listInserted(sql, teamId, ids, insertedAt);
  recordEvents(
    sql,
    teamId,
    rows.map((data) => ({ type, data, sequence: data.lock_version, previous: {} })),
  );
}
