import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Sql } from '../database/sql.ts';
import { notifyAfterCommit, awaitBeforeCommit } from '../database/transaction-context.ts';
import { traceparentFor } from '../database/transaction-trace.ts';
import { groupBy } from '../group-by.ts';
import type { EventType } from './event-type.ts';
import { patternsOf } from './patterns.ts';
import { thinEvent } from './thin.ts';

const shardWork = 'shard ';

/** The shard of deliveries that a work notification names. */
export function shardOfWork(work: string): number | undefined {
  return work.startsWith(shardWork) ? Number(work.slice(shardWork.length)) : undefined;
}

/** Sends a work notification after the commit to the lanes of waiting deliveries. */
export function announceDeliveries(sql: Sql, deliveries: readonly { shard: number }[]): void {
  for (const { shard } of deliveries) notifyAfterCommit(sql, `${shardWork}${String(shard)}`);
}

/** Larger bodies are sent thin (ADR 28). */
const maxBodyBytes = 256_000;

export interface RecordedEvent {
  teamId: string;
  type: EventType;
  /** The resource as its row; fields that the API does not show are left out. */
  data: { id: string; type?: string };
  /** Rises with every event of the resource; its lock_version where it has one. */
  sequence: number;
  /** The changed fields as they were, on "*.updated". */
  previous?: Record<string, unknown>;
  /**
   * The row that distinguishes the requests of a shared transaction, which are traced each by itself;
   * the resource by default.
   */
  tracedBy?: string;
  /** For platform notices: the subscription that the notice is about, which does not receive it. */
  except?: string;
  /** For tests: the only subscription that gets it, regardless of its event types. */
  only?: string;
}

/**
 * Stores an event, its bytes frozen, with one delivery per matching subscription, in the caller's
 * transaction: no event without its change, no change without its event. Where nobody subscribes
 * nothing is stored. Inactive and disabled subscriptions get a suppressed delivery (ADR 31).
 * Returns the event's id; the statement is sent, and its outcome decides over the commit.
 *
 * The position of a delivery, from a sequence of the database, is its place in the order of record:
 * it does not matter which process records it.
 *
 * Where the type has replaced a name, subscriptions that list only that name get it under the old
 * one, as an event of its own: no subscription gets both.
 */
export function recordEvent(sql: Sql, event: RecordedEvent): string {
  const now = new Date().toISOString();
  if (event.only === undefined) recordReplaced(sql, event, now);
  return storeEvent(sql, event, now, { patterns: patternsOf(event.type), others: [] });
}

function recordReplaced(sql: Sql, event: RecordedEvent, now: string): void {
  const type = event.type.replaces;
  if (!type) return;
  const others = patternsOf(event.type);
  storeEvent(sql, { ...event, type }, now, { patterns: patternsOf(type), others });
}

/** Stores an event for subscriptions that list one of the patterns and none of the others. */
function storeEvent(
  sql: Sql,
  event: RecordedEvent,
  now: string,
  { patterns, others }: { patterns: readonly string[]; others: readonly string[] },
): string {
  const { teamId, type, data, sequence, except = null, only = null } = event;
  const traceparent = traceparentOf(sql, event);
  const id = randomUUID();
  const body = bodyOf(event, id, now);
  const recording = sql<{ shard: number }[]>`
    with clock as materialized (select clock_timestamp()::timestamptz(3) as at),
    matching as (
      select id, shard,
        case when not is_active then 'subscription_inactive'
          when is_disabled_for_failures then 'subscription_disabled' end as cause
      from webhook_subscriptions
      where team_id = ${teamId} and deleted_at is null
        and case when ${only}::uuid is null
          then event_types && ${[...patterns]}::text[] and not event_types && ${[...others]}::text[]
          else id = ${only}::uuid end
        and id is distinct from ${except}::uuid
    ),
    event as (
      insert into webhook_events
        (day, id, team_id, type, resource_id, sequence, body, traceparent, inserted_at)
      select ${now.slice(0, 10)}::date, ${id}::uuid, ${teamId}::uuid, ${type.name}, ${data.id}::uuid,
        ${sequence}::bigint, ${body}, ${traceparent}::text, (select at from clock)
      where exists (select from matching)
    )
    insert into webhook_deliveries
      (day, team_id, subscription_id, event_id, event_type, shard, status, error_code,
       trigger, next_attempt_at, renewed_at, completed_at, inserted_at, updated_at)
    select ${now.slice(0, 10)}::date, ${teamId}::uuid, id, ${id}::uuid, ${type.name},
      shard, case when cause is null then 'pending' else 'suppressed' end, cause,
      ${only === null ? 'event' : 'test'}, case when cause is null then ${now}::timestamptz end,
      ${now}::timestamptz,
      case when cause is not null then ${now}::timestamptz end,
      (select at from clock), ${now}::timestamptz
    from matching
    returning shard`;
  const announcing = recording.then((deliveries) => {
    announceDeliveries(sql, deliveries);
  });
  awaitBeforeCommit(sql, announcing);
  return id;
}

/**
 * The given types that have a subscription. Called after a change and before its events are made,
 * so that a change with many events makes none without a receiver.
 */
export async function subscribedTypes<Type extends EventType>(
  sql: Sql,
  teamId: string,
  types: readonly Type[],
): Promise<ReadonlySet<Type>> {
  const subscribed = await sql<{ pattern: string }[]>`
    select distinct unnest(event_types) as pattern
    from webhook_subscriptions
    where team_id = ${teamId} and deleted_at is null`;
  const patterns = new Set(subscribed.map(({ pattern }) => pattern));
  const isSubscribed = (type: EventType): boolean => {
    const names = [...patternsOf(type), ...(type.replaces ? patternsOf(type.replaces) : [])];
    return names.some((name) => patterns.has(name));
  };
  return new Set(types.filter(isSubscribed));
}

type EventOfMany = Omit<RecordedEvent, 'except' | 'only'>;

/** As `recordEvent`, for any number of events of one team in one statement. */
export const recordEvents = (
  sql: Sql,
  teamId: string,
  events: readonly Omit<EventOfMany, 'teamId'>[],
): void => {
  recordEventsOfTeams(
    sql,
    events.map((event) => ({ teamId, ...event })),
  );
};

/** As `recordEvent`, for any number of events of any teams in one statement. */
export function recordEventsOfTeams(sql: Sql, events: readonly EventOfMany[]): void {
  const [first] = events;
  if (!first) return;
  if (events.length === 1) {
    recordEvent(sql, first);
    return;
  }
  const now = new Date().toISOString();
  for (const event of events) recordReplaced(sql, event, now);
  const day = now.slice(0, 10);
  const ids = events.map(() => randomUUID());
  const bodies = events.map((event, at) => bodyOf(event, ids[at] ?? '', now));
  const patterns = patternsOfTeams(events);
  const recording = sql<{ shard: number }[]>`
    with clock as materialized (select clock_timestamp()::timestamptz(3) as at),
    sent as (
      select *
      from unnest(${events.map(({ teamId }) => teamId)}::uuid[], ${ids}::uuid[],
        ${events.map(({ type }) => type.name)}::text[],
        ${events.map(({ data }) => data.id)}::uuid[],
        ${events.map(({ sequence }) => sequence)}::bigint[], ${bodies}::text[],
        ${events.map((event) => traceparentOf(sql, event))}::text[])
        with ordinality as event (team_id, id, type, resource_id, sequence, body, traceparent, place)
    ),
    listening as (
      select distinct s.team_id, requested.type, s.id, s.shard,
        case when not s.is_active then 'subscription_inactive'
          when s.is_disabled_for_failures then 'subscription_disabled' end as cause
      from unnest(${patterns.map(({ teamId }) => teamId)}::uuid[],
        ${patterns.map(({ type }) => type)}::text[],
        ${patterns.map(({ pattern }) => pattern)}::text[])
        as requested (team_id, type, pattern)
      join webhook_subscriptions s on s.team_id = requested.team_id and s.deleted_at is null
        and s.event_types @> array[requested.pattern]
    ),
    event as (
      insert into webhook_events
        (day, id, team_id, type, resource_id, sequence, body, traceparent, inserted_at)
      select ${day}::date, id, team_id, type, resource_id, sequence, body, traceparent,
        (select at from clock)
      from sent
      where exists (
        select from listening
        where listening.team_id = sent.team_id and listening.type = sent.type
      )
    ),
    delivery as (
      insert into webhook_deliveries
        (day, team_id, subscription_id, event_id, event_type, shard, status, error_code,
         trigger, next_attempt_at, renewed_at, completed_at, inserted_at, updated_at)
      select ${day}::date, sent.team_id, listening.id, sent.id, sent.type,
        shard, case when cause is null then 'pending' else 'suppressed' end, cause, 'event',
        case when cause is null then ${now}::timestamptz end, ${now}::timestamptz,
        case when cause is not null then ${now}::timestamptz end,
        (select at from clock), ${now}::timestamptz
      from sent
      join listening on listening.team_id = sent.team_id and listening.type = sent.type
      order by sent.place
      returning shard
    )
    select distinct shard from delivery`;
  const announcing = recording.then((shards) => {
    announceDeliveries(sql, shards);
  });
  awaitBeforeCommit(sql, announcing);
}

/** Patterns of subscriptions, for each team, that stand for the types of its events. */
function patternsOfTeams(events: readonly Pick<EventOfMany, 'teamId' | 'type'>[]) {
  const byTeam = groupBy(events, ({ teamId }) => teamId);
  return [...byTeam].flatMap(([teamId, own]) =>
    [...new Set(own.map(({ type }) => type))].flatMap((type) =>
      patternsOf(type).map((pattern) => ({ teamId, type: type.name, pattern })),
    ),
  );
}

const traceparentOf = (sql: Sql, { tracedBy, data }: Pick<RecordedEvent, 'tracedBy' | 'data'>) =>
  traceparentFor(sql, tracedBy ?? data.id);

/** The bytes that every attempt sends, and that the signature covers. */
function bodyOf(event: RecordedEvent, id: string, timestamp: string): string {
  const { teamId, type, data, sequence, previous } = event;
  const head = { id, type: type.name, timestamp, team_id: teamId, api_version: 'v2', sequence };
  const shown = type.clean(data);
  const body = JSON.stringify({ ...head, data: shown, ...(previous && { previous }) });
  if (Buffer.byteLength(body) <= maxBodyBytes) return body;
  return JSON.stringify(thinEvent({ ...head, data }));
}

/** Fields of a resource that differ, as they were before; undefined when nothing differs. */
export function changedFields(
  schema: { properties: object },
  before: object,
  after: object,
): Record<string, unknown> | undefined {
  const previous: Record<string, unknown> = {};
  for (const name of Object.keys(schema.properties)) {
    if (name === 'updated_at') continue;
    const was: unknown = Reflect.get(before, name) ?? null;
    const is: unknown = Reflect.get(after, name) ?? null;
    // Compares without the order of keys, which jsonb does not preserve.
    if (was !== is && !isDeepStrictEqual(was, is)) previous[name] = was;
  }
  return Object.keys(previous).length > 0 ? previous : undefined;
}
