import type { Keyring } from '../../../platform/auth/keyring.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { projectAll } from '../../project.ts';
import type { Projected, ToProject } from '../../projection/concern.ts';
import { linkColumns } from '../../intake/store.ts';
import type { Item } from '../../intake/read-items.ts';
import { receivers } from '../../receivers.ts';
import { inboundReplays } from '../queries.ts';
import type { ReplayRow } from '../queries.ts';
import { recordReplayEnd } from '../../../platform/replays/record-end.ts';
import { chunkOf } from '../../../platform/replays/rules.ts';
import { advanceReplay, listNext, lockChosen, lockRunning, writeReplayed } from './queries.ts';
import type { ChosenDelivery, Found, OutcomeRow, Progress, RunningReplay } from './queries.ts';
import { reprocess } from './reprocess.ts';

interface Replaying {
  keyring: Keyring;
  publicBaseUrl: string;
}

/** Who replays; of several only the one that took it last may. */
export interface Lease {
  teamId: string;
  replayId: string;
  token: number;
}

/** Deliveries of a transaction: much longer ones would keep callbacks waiting for what they lock. */
const pageSize = 250;
const maxBytes = 8_000_000;

/**
 * Replays the next chunk in the caller's transaction: effects, outcomes, counters and cursor
 * together. The lock of the replay makes repeated and concurrent calls count once. Undefined if the
 * replay is finished or another worker has the lease.
 */
export async function replayChunk(
  sql: Sql,
  replaying: Replaying,
  { teamId, replayId, token }: Lease,
  most: number,
): Promise<ReplayRow | undefined> {
  const replay = await lockRunning(sql, teamId, replayId, token);
  if (!replay) return undefined;
  const nothing = { replayed: 0, succeeded: 0, failed: 0, skipped: 0, cursor: undefined };
  if (replay.is_receiver_gone) {
    return advance(sql, replay, { ...nothing, status: 'canceled' });
  }
  const page = await listNext(sql, replay, pageSize);
  const chunk = chunkOf(page, most, maxBytes);
  const isLast = chunk.length === page.length && page.length < pageSize;
  const progress: Progress = {
    ...nothing,
    cursor: chunk.at(-1),
    status: isLast ? 'completed' : 'running',
  };
  for (const [day, found] of byDay(chunk)) {
    const replayed = await replayDay(sql, replaying, replay, day, found);
    progress.replayed += replayed.size;
    for (const isGood of replayed.values()) progress[isGood ? 'succeeded' : 'failed'] += 1;
  }
  progress.skipped = chunk.length - progress.replayed;
  return advance(sql, replay, progress);
}

async function advance(sql: Sql, replay: RunningReplay, progress: Progress): Promise<ReplayRow> {
  const row = await advanceReplay(sql, replay, progress);
  recordReplayEnd(sql, inboundReplays, row);
  return row;
}

/** Replays deliveries of one day; returns for those with an event whether it could be applied. */
async function replayDay(
  sql: Sql,
  replaying: Replaying,
  replay: RunningReplay,
  day: string,
  found: readonly Found[],
): Promise<Map<string, boolean>> {
  const { team_id: teamId, receiver_id: id, receiver_kind } = replay;
  const ids = found.flatMap((one) => (one.state === 'replayable' ? [one.id] : []));
  if (ids.length === 0) return new Map();
  const rows = await lockChosen(sql, teamId, day, ids);
  const unread = rows.filter(({ payload }) => payload === null);
  const read = await reprocess(sql, replaying, replay, day, unread);

  const events = [
    ...rows.flatMap((row) => (row.payload ? [storedEvent(row, row.payload)] : [])),
    ...read.flatMap(({ id: deliveryId, of, item }) =>
      item.status === 'accepted' && item.payload
        ? [{ ...storedEvent(of, item.payload), id: deliveryId, key: item.key }]
        : [],
    ),
  ];
  const source = { id, teamId, definition: receivers[receiver_kind] };
  const applied = await projectAll(sql, replaying.keyring, source, events);

  const outcomes = [
    ...[...applied].map(([deliveryId, outcome]) => outcomeOf(deliveryId, outcome)),
    ...read.flatMap(({ id: deliveryId, item }) =>
      applied.has(deliveryId) ? [] : [unappliedOf(deliveryId, item)],
    ),
  ];
  await writeReplayed(sql, replay, day, outcomes);
  const isGood = new Map(outcomes.map((outcome) => [outcome.id, outcome.status !== 'failed']));
  const fared = new Map<string, boolean>();
  for (const { id: deliveryId, payload } of rows) {
    if (payload) fared.set(deliveryId, isGood.get(deliveryId) ?? false);
  }
  // A delivery with several events has the worst of their outcomes.
  for (const { id: deliveryId, of } of read) {
    fared.set(of.id, (fared.get(of.id) ?? true) && (isGood.get(deliveryId) ?? false));
  }
  return fared;
}

function storedEvent(row: ChosenDelivery, payload: Readonly<Record<string, unknown>>): ToProject {
  return {
    id: row.id,
    payload,
    key: row.dedup_key ?? undefined,
    receivedAtMs: Date.parse(row.received_at),
    effects: row.effects,
    engagementEventId: row.engagement_event_id,
  };
}

function outcomeOf(id: string, outcome: Projected): OutcomeRow {
  const { status, error } = outcome;
  return { id, status, error: error ?? null, ...linkColumns(outcome) };
}

/** The outcome of a reprocessed delivery whose event is not to be applied. */
function unappliedOf(id: string, { status, error }: Item): OutcomeRow {
  return { id, status, error: error ?? null, ...linkColumns(undefined) };
}

function byDay(found: readonly Found[]): Map<string, Found[]> {
  const days = new Map<string, Found[]>();
  for (const one of found) days.set(one.day, [...(days.get(one.day) ?? []), one]);
  return days;
}
