import type { Sql } from '../../../platform/database/sql.ts';
import { dayLiteral } from '../../../platform/database/day.ts';
import { inboundReplays, isWanted, stateOf } from '../queries.ts';
import type { ReplayRow } from '../queries.ts';
import type { ReceiverKind } from '../../receiver.ts';
import type { Effect } from '../../projection/concern.ts';
import type { Candidate } from '../../../platform/replays/rules.ts';

/** A replay with what of its receiver it needs. */
export interface RunningReplay extends ReplayRow {
  receiver_kind: ReceiverKind;
  settings: Record<string, unknown>;
  dedup_window_seconds: number;
  is_receiver_gone: boolean;
}

/** Locks an open replay, whose lease has this token, until the end of the transaction. */
export async function lockRunning(
  sql: Sql,
  teamId: string,
  id: string,
  token: number,
): Promise<RunningReplay | undefined> {
  const [row] = await sql<RunningReplay[]>`
    select ${sql.unsafe(inboundReplays.shown)}, r.receiver_kind, r.settings, r.dedup_window_seconds,
      r.deleted_at is not null as is_receiver_gone
    from inbound_replays t
    join incoming_webhook_receivers r on r.team_id = t.team_id and r.id = t.receiver_id
    where t.team_id = ${teamId} and t.id = ${id} and t.run_token = ${token}
      and t.status in ('pending', 'running')
    for update of t`;
  return row;
}

export interface Found extends Candidate {
  id: string;
  day: string;
  received_at: string;
}

/** The next deliveries of a replay in their order, without what they hold. */
export async function listNext(sql: Sql, replay: ReplayRow, limit: number): Promise<Found[]> {
  return sql<Found[]>`
    select d.id, d.day, d.received_at, coalesce(pg_column_size(d.payload), 0) as bytes,
      ${sql.unsafe(stateOf)} as state
    from inbound_deliveries d
    where d.team_id = ${replay.team_id}
      and (d.received_at, d.id) > (${replay.cursor_received_at}, ${replay.cursor_id})
      and d.last_replay_id is distinct from ${replay.id}
      and ${isWanted(sql, replay)}
    order by d.received_at, d.id
    limit ${limit}`;
}

export interface ChosenDelivery {
  id: string;
  day: string;
  raw_id: string;
  payload: Record<string, unknown> | null;
  headers: Record<string, string> | null;
  event_index: number | null;
  effects: Effect[];
  engagement_event_id: string | null;
  dedup_key: string | null;
  received_at: string;
}

/** Locks deliveries of a day until the end of the transaction. */
export async function lockChosen(
  sql: Sql,
  teamId: string,
  day: string,
  ids: readonly string[],
): Promise<ChosenDelivery[]> {
  return sql<ChosenDelivery[]>`
    select id, day, coalesce(batch_id, id) as raw_id, payload, headers, event_index, effects,
      engagement_event_id, dedup_key, received_at
    from inbound_deliveries
    where team_id = ${teamId} and day = ${dayLiteral(sql, day)} and id = any(${[...ids]}::uuid[])
    order by received_at, id
    for update`;
}

/** The sealed bytes of callbacks of a day. */
export async function findRawOf(
  sql: Sql,
  teamId: string,
  day: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const rows = await sql<{ id: string; sealed_callback: string }[]>`
    select id, sealed_callback from inbound_raw
    where team_id = ${teamId} and day = ${dayLiteral(sql, day)} and id = any(${[...ids]}::uuid[])`;
  return new Map(rows.map(({ id, sealed_callback }) => [id, sealed_callback]));
}

/** An event that was found when a delivery was parsed again. */
export interface Reading {
  id: string;
  /** The delivery that was read; another id than its own is a delivery that is added. */
  of: string;
  batch_id: string | null;
  event_index: number | null;
  payload: Readonly<Record<string, unknown>> | null;
  event_type: string | null;
  provider_event_id: string | null;
  dedup_key: string | null;
  do_message_id: string | null;
  do_contact_id: string | null;
  do_journey_id: string | null;
}

const readingColumns = `batch_id uuid, event_index int, payload jsonb, event_type text,
  provider_event_id text, dedup_key text, do_message_id uuid, do_contact_id uuid,
  do_journey_id uuid`;

/** Writes down what deliveries of a day were found to hold. */
export async function writeReadings(
  sql: Sql,
  teamId: string,
  day: string,
  readings: readonly Reading[],
): Promise<void> {
  const own = readings.filter(({ id, of }) => id === of);
  const added = readings.filter(({ id, of }) => id !== of);
  await sql`
    update inbound_deliveries d
    set batch_id = r.batch_id, event_index = r.event_index, payload = r.payload,
      event_type = r.event_type, provider_event_id = r.provider_event_id,
      dedup_key = r.dedup_key, do_message_id = r.do_message_id,
      do_contact_id = r.do_contact_id, do_journey_id = r.do_journey_id
    from jsonb_to_recordset(${JSON.stringify(own)}::text::jsonb)
      as r (id uuid, ${sql.unsafe(readingColumns)})
    where d.team_id = ${teamId} and d.day = ${dayLiteral(sql, day)} and d.id = r.id`;
  if (added.length === 0) return;
  const fresh = { duplicate_count: 0, attempts: 0, replay_count: 0, effects: [], error: null };
  await sql`
    insert into inbound_deliveries
    select n.*
    from jsonb_array_elements(
      ${JSON.stringify(added.map((reading) => ({ ...reading, ...fresh })))}::text::jsonb) as a
    join inbound_deliveries d on d.id = (a ->> 'of')::uuid
      and d.team_id = ${teamId} and d.day = ${dayLiteral(sql, day)}
    cross join lateral jsonb_populate_record(d, a) as n`;
}

/** Outcome of a delivery, in columns. */
export interface OutcomeRow {
  id: string;
  status: string;
  error: { code: string; detail: string } | null;
  effects: readonly string[];
  message_id: string | null;
  message_delivery_id: string | null;
  contact_id: string | null;
  journey_id: string | null;
  engagement_event_id: string | null;
  link_error: string | null;
}

/**
 * Writes down how deliveries of a day fared. Where one failed, what it was linked to stays, and so
 * does the next attempt of the receiver's workflow.
 */
export async function writeReplayed(
  sql: Sql,
  { team_id, id }: ReplayRow,
  day: string,
  outcomes: readonly OutcomeRow[],
): Promise<void> {
  const kept = (name: string) => `${name} = case when o.status = 'failed' then d.${name}
    else o.${name} end`;
  const links = ['message_id', 'message_delivery_id', 'contact_id', 'journey_id', 'link_error'];
  await sql`
    update inbound_deliveries d
    set status = o.status, error = o.error, effects = o.effects,
      ${sql.unsafe([...links, 'engagement_event_id'].map(kept).join(', '))},
      attempts = d.attempts + 1, replay_count = d.replay_count + 1, last_replay_id = ${id},
      next_attempt_at = case when o.status = 'failed' then d.next_attempt_at end,
      processed_at = case when o.status = 'failed' then d.processed_at else now() end
    from jsonb_to_recordset(${JSON.stringify(outcomes)}::text::jsonb)
      as o (id uuid, status text, error jsonb, effects text[], message_id uuid,
        message_delivery_id uuid, contact_id uuid, journey_id uuid, engagement_event_id uuid,
        link_error text)
    where d.team_id = ${team_id} and d.day = ${dayLiteral(sql, day)} and d.id = o.id`;
}

export interface Progress {
  replayed: number;
  succeeded: number;
  failed: number;
  skipped: number;
  cursor: { received_at: string; id: string } | undefined;
  status: 'running' | 'completed' | 'canceled';
}

/** Adds a chunk to a replay, and moves its place past it. */
export async function advanceReplay(
  sql: Sql,
  { team_id, id, cursor_id, cursor_received_at }: ReplayRow,
  { replayed, succeeded, failed, skipped, cursor, status }: Progress,
): Promise<ReplayRow> {
  const [row] = await sql<[ReplayRow]>`
    update inbound_replays t
    set status = ${status}, replayed = replayed + ${replayed}, succeeded = succeeded + ${succeeded},
      failed = failed + ${failed}, skipped = skipped + ${skipped},
      cursor_received_at = ${cursor?.received_at ?? cursor_received_at},
      cursor_id = ${cursor?.id ?? cursor_id}, started_at = coalesce(started_at, now()),
      finished_at = case when ${status} <> 'running' then now() end, updated_at = now(),
      lock_version = lock_version + 1
    where t.team_id = ${team_id} and t.id = ${id}
    returning ${sql.unsafe(inboundReplays.shown)}`;
  return row;
}
