import { randomUUID } from 'node:crypto';
import type { Sql } from '../../platform/database/sql.ts';
import { traceRow } from '../../platform/database/transaction-trace.ts';
import type { Span } from '../../platform/observability/span.ts';
import { recordLastEngagement } from '../../contacts/engagement/queries.ts';
import { engagementRecorded } from '../hooks.ts';
import { findEventsByKey, insertEngagementEvents, keyOf } from './queries.ts';
import type { NewEngagementEvent } from './queries.ts';
import { earliestKeptMs, isEngagement, isCustomKind } from './rules.ts';
import type { EventType } from '../../platform/events/event-type.ts';
import { recordEvents, subscribedTypes } from '../../platform/events/record.ts';
import { customEvent, widgetSubmitted } from '../events.ts';

/**
 * Publishes submissions of widgets and custom events, in the caller's transaction. Events are
 * published as they were stored: to read them again would cost more with each event of the team.
 */
async function publishRecorded(
  sql: Sql,
  teamId: string,
  events: readonly NewEngagementEvent[],
): Promise<void> {
  const types = new Map<string, EventType>();
  for (const { kind } of events) {
    if (kind === widgetSubmitted.name) types.set(kind, widgetSubmitted);
    else if (isCustomKind(kind)) types.set(kind, { ...customEvent, name: kind });
  }
  if (types.size === 0) return;
  const subscribed = await subscribedTypes(sql, teamId, [...types.values()]);
  if (subscribed.size === 0) return;
  const published = events.toSorted((a, b) => (sortKeyOf(a) < sortKeyOf(b) ? -1 : 1));
  recordEvents(
    sql,
    teamId,
    // Recorded events never change.
    published.flatMap((event) => {
      const type = types.get(event.kind);
      if (!type || !subscribed.has(type)) return [];
      const data = { ...event, type: 'engagement_event', team_id: teamId };
      return [{ type, data, sequence: 1 }];
    }),
  );
}

const sortKeyOf = ({ occurred_at, id }: NewEngagementEvent) => `${occurred_at} ${id}`;

export interface Recorded {
  id: string;
  status: 'created' | 'duplicate';
}

export type EventToRecord = Omit<NewEngagementEvent, 'id' | 'received_at'> & { id?: string };

/** Events of one request, with ids that distinguish them from those of others in a transaction. */
export function traceEvents(
  sql: Sql,
  events: readonly EventToRecord[],
  span: Span | undefined,
): readonly EventToRecord[] {
  if (!span) return events;
  return events.map((event) => {
    const id = randomUUID();
    traceRow(sql, id, span);
    return { ...event, id };
  });
}

/**
 * Records engagement in the caller's transaction, moves `last_engaged_at` of the contacts, and
 * calls the hook for their journeys. The caller checks references. A repeated unique_id returns
 * the id of the first event. Returns the outcomes in the order of the events.
 */
export async function recordEngagement(
  sql: Sql,
  teamId: string,
  events: readonly EventToRecord[],
): Promise<Recorded[]> {
  const received_at = new Date().toISOString();
  const sent = events.map((event) => ({ id: randomUUID(), ...event, received_at }));
  const stored = await insertEngagementEvents(sql, teamId, sent);
  const repeated = sent.flatMap(({ id, kind, unique_id }) =>
    stored.has(id) || unique_id === undefined ? [] : [{ kind, unique_id }],
  );
  const first = await findEventsByKey(sql, teamId, repeated);

  const latest = new Map<string, string>();
  for (const event of sent) {
    const { id, contact_id, occurred_at } = event;
    if (contact_id === undefined || !stored.has(id) || !isEngagement(event)) continue;
    if (occurred_at > (latest.get(contact_id) ?? '')) latest.set(contact_id, occurred_at);
  }
  await recordLastEngagement(sql, teamId, latest);
  await engagementRecorded(
    sql,
    teamId,
    sent.flatMap((event) =>
      stored.has(event.id) ? [{ ...event, is_engagement: isEngagement(event) }] : [],
    ),
  );

  await publishRecorded(
    sql,
    teamId,
    sent.filter(({ id }) => stored.has(id)),
  );
  return sent.map(({ id, kind, unique_id = '' }) =>
    stored.has(id)
      ? { id, status: 'created' }
      : { id: first.get(keyOf({ kind, unique_id })) ?? id, status: 'duplicate' },
  );
}

export type SystemEvent = Omit<EventToRecord, 'source' | 'channel' | 'is_machine'>;

/** Events that the service itself reports; those from before the retention are left out. */
export async function recordSystemEvents(
  sql: Sql,
  teamId: string,
  events: readonly SystemEvent[],
): Promise<void> {
  const earliestMs = earliestKeptMs(Date.now());
  const kept = events.filter(({ occurred_at }) => Date.parse(occurred_at) >= earliestMs);
  if (kept.length === 0) return;
  const about = { channel: 'system', source: 'system', is_machine: false } as const;
  await recordEngagement(
    sql,
    teamId,
    kept.map((event) => ({ ...event, ...about })),
  );
}
