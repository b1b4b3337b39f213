import type { Keyring } from '../../../platform/auth/keyring.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { makeCallback, openRaw } from '../../intake/callback.ts';
import { claimKeys, findFirst } from '../../intake/queries.ts';
import { echoedIds, readNativeItems } from '../../intake/read-items.ts';
import type { Item } from '../../intake/read-items.ts';
import { receivers } from '../../receivers.ts';
import { findRawOf, writeReadings } from './queries.ts';
import type { ChosenDelivery, Reading, RunningReplay } from './queries.ts';

/** An event of a delivery, as read by the current reader and settings. */
export interface Reprocessed {
  /** The id of the delivery that it is now: of the one that was read, or of one that was added. */
  id: string;
  of: ChosenDelivery;
  item: Item;
}

interface Reader {
  keyring: Keyring;
  publicBaseUrl: string;
}

/**
 * Reads deliveries of a day without stored events from their bytes again. The first event is stored
 * in the delivery itself, further ones as additional deliveries. Their keys are claimed now: an
 * event that another delivery has brought meanwhile is ignored. Deliveries without stored bytes are
 * left out.
 */
export async function reprocess(
  sql: Sql,
  reader: Reader,
  replay: RunningReplay,
  day: string,
  unread: readonly ChosenDelivery[],
): Promise<Reprocessed[]> {
  if (unread.length === 0) return [];
  const { team_id: teamId, receiver_id: receiverId, dedup_window_seconds: seconds } = replay;
  const ids = [...new Set(unread.map(({ raw_id }) => raw_id))];
  const raw = await findRawOf(sql, teamId, day, ids);
  const found = unread.flatMap((of): Reprocessed[] => {
    const sealed = raw.get(of.raw_id);
    if (sealed === undefined) return [];
    const items = itemsOf(reader, replay, of, sealed);
    return items.map((item, at) => ({ id: at === 0 ? of.id : item.id, of, item }));
  });

  const firsts = new Map<string, string>();
  for (const { id, item } of found) {
    const { key, payload } = item;
    if (payload && key !== undefined && !firsts.has(key)) firsts.set(key, id);
  }
  const won =
    seconds > 0
      ? await claimAll(sql, { teamId, receiverId }, day, seconds, firsts)
      : new Set(firsts.keys());
  const read = found.map((one): Reprocessed => {
    const { key, payload } = one.item;
    if (!payload || key === undefined) return one;
    if (won.has(key) && firsts.get(key) === one.id) return one;
    const item = { ...one.item, status: 'ignored' as const, payload: undefined, error: duplicate };
    return { ...one, item };
  });
  const counts = new Map<string, number>();
  for (const { of } of read) counts.set(of.id, (counts.get(of.id) ?? 0) + 1);
  const readings = read
    .filter(({ item, id, of }) => item.payload !== undefined || id !== of.id)
    .map((one) => readingOf(one, (counts.get(one.of.id) ?? 0) > 1, read));
  if (readings.length > 0) await writeReadings(sql, teamId, day, readings);
  return read;
}

/** Claims keys for their first deliveries. A delivery may have had its key, by its content. */
async function claimAll(
  sql: Sql,
  place: { teamId: string; receiverId: string },
  day: string,
  seconds: number,
  firsts: ReadonlyMap<string, string>,
): Promise<Set<string>> {
  if (firsts.size === 0) return new Set();
  const claims = [...firsts].map(([dedup_key, delivery_id]) => ({ dedup_key, delivery_id }));
  const won = await claimKeys(sql, place, day, seconds, claims);
  const lost = claims.map(({ dedup_key }) => dedup_key).filter((key) => !won.has(key));
  if (lost.length === 0) return won;
  const owners = await findFirst(sql, place, lost);
  const own = owners.filter(({ dedup_key, delivery_id }) => firsts.get(dedup_key) === delivery_id);
  return new Set([...won, ...own.map(({ dedup_key }) => dedup_key)]);
}

const duplicate = {
  code: 'duplicate',
  detail: 'Another delivery has meanwhile brought the same event.',
};

function itemsOf(
  { keyring, publicBaseUrl }: Reader,
  { team_id, receiver_kind, settings }: RunningReplay,
  { raw_id, headers, received_at, event_index }: ChosenDelivery,
  sealed: string,
): Item[] {
  const definition = receivers[receiver_kind];
  let callback;
  try {
    const { path, content_type, body, encoding } = openRaw(keyring, sealed, team_id, raw_id);
    // Some senders put the id of an event into a header.
    const sent = {
      ...headers,
      ...(content_type !== undefined && { 'content-type': content_type }),
    };
    const bytes = Buffer.from(body, encoding);
    callback = makeCallback(publicBaseUrl, path, sent, bytes, Date.parse(received_at));
  } catch {
    return [unread('The bytes cannot be opened.')];
  }
  const items = readNativeItems(definition, callback, settings);
  const isUnderstood = items.some(({ payload }) => payload !== undefined);
  if (event_index === null && isUnderstood) return items;
  // One of several: the others have deliveries of their own.
  return [items[event_index ?? 0] ?? unread('The callback no longer holds the event.')];
}

const unread = (detail: string): Item => ({
  id: '',
  status: 'failed',
  payload: undefined,
  key: undefined,
  eventType: undefined,
  providerEventId: undefined,
  error: { code: 'payload_unrecognised', detail },
  repeats: 0,
});

function readingOf(
  { id, of, item }: Reprocessed,
  isOneOfMany: boolean,
  all: readonly Reprocessed[],
) {
  const place = all.filter((other) => other.of === of).findIndex((other) => other.id === id);
  const reading: Reading = {
    id,
    of: of.id,
    batch_id: isOneOfMany || of.raw_id !== of.id ? of.raw_id : null,
    event_index: isOneOfMany ? place : of.event_index,
    payload: item.payload ?? null,
    event_type: item.eventType ?? null,
    provider_event_id: item.providerEventId ?? null,
    dedup_key: item.key ?? null,
    ...echoedIds(item.payload),
  };
  return reading;
}
