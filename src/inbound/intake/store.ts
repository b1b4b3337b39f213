import { createHash } from 'node:crypto';
import type { Keyring } from '../../platform/auth/keyring.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { traceTransaction } from '../../platform/database/transaction-trace.ts';
import type { Span } from '../../platform/observability/span.ts';
import { awaitBeforeCommit } from '../../platform/database/transaction-context.ts';
import { signalJob } from '../../platform/jobs/queries.ts';
import { inboundJob } from '../../../workflows/jobs.ts';
import { toTimestamp } from '../../platform/time/rules.ts';
import { isConfirmable } from '../confirmation/rules.ts';
import { projectAll } from '../project.ts';
import type { Projected } from '../projection/concern.ts';
import type { KnownReceiver } from './known-receivers.ts';
import {
  claimKeys,
  claimSignature,
  countDuplicates,
  findFirst,
  findTokenUse,
  insertDeliveries,
  useToken,
} from './queries.ts';
import { echoedIds } from './read-items.ts';
import type { KeyedItem, Payload } from './read-items.ts';
import type { Origin } from './authenticate.ts';

/** A verified callback with its events. */
export interface VerifiedCallback {
  /** Id of the bytes, and of the delivery if they hold one event only. */
  id: string;
  origin: Origin;
  headers: Record<string, string>;
  sizeBytes: number;
  bodySha256: string;
  sealed: string;
  receivedAtMs: number;
  /** A sample: it is processed in the same way, without effects. */
  isTest: boolean;
  items: readonly KeyedItem[];
  /** The span of the request, if it is traced. */
  span?: Span | undefined;
}

/** The delivery of each event; refused if the one-time token was used for another event. */
export type Outcome =
  { deliveries: { id: string; isDuplicate: boolean }[] } | { refused: 'token_reused' };

export interface Storing {
  keyring: Keyring;
  retryScheduleMs: readonly number[];
}

/**
 * Stores callbacks of one receiver and applies them, in the caller's transaction: each key once,
 * duplicates as a count on the first delivery, and an event that cannot be applied as failed, to be
 * tried again by the receiver's workflow. ADR 39, 40.
 */
export async function storeCallbacks(
  sql: Sql,
  storing: Storing,
  receiver: KnownReceiver,
  callbacks: readonly VerifiedCallback[],
): Promise<Outcome[]> {
  const [first, ...others] = callbacks;
  if (others.length === 0) traceTransaction(sql, first?.span);
  const place = { teamId: receiver.teamId, receiverId: receiver.id };
  const day = new Date().toISOString().slice(0, 10);

  const earlier = new Map<VerifiedCallback, Outcome>();
  for (const callback of callbacks) {
    const outcome = await spendToken(sql, place, day, callback);
    if (outcome) earlier.set(callback, outcome);
  }
  const fresh = callbacks.filter((callback) => !earlier.has(callback));
  const { isFirst, firstOf } = await claim(sql, receiver, day, fresh);

  const taken = fresh.flatMap((callback) =>
    callback.items.filter(isFirst).map((item) => ({ callback, item })),
  );
  const applied = await projectAll(
    sql,
    storing.keyring,
    receiver,
    taken.flatMap(({ callback, item }) =>
      item.status === 'accepted' && item.payload && !callback.isTest
        ? [toProject(callback, item, item.payload)]
        : [],
    ),
  );
  const rows = taken.map(({ callback, item }) =>
    rowOf(receiver, day, callback, item, applied.get(item.id), storing.retryScheduleMs),
  );
  if (rows.length > 0) {
    // The bytes of a callback may contain any of its events, so none are stored if one is about an
    // erased person.
    const kept = taken.filter(
      ({ callback }) => !callback.items.some(({ id }) => applied.get(id)?.isErased),
    );
    const raw = [...new Set(kept.map(({ callback }) => callback))].map(({ id, sealed }) => ({
      day,
      id,
      team_id: receiver.teamId,
      receiver_id: receiver.id,
      sealed_callback: sealed,
    }));
    awaitBeforeCommit(sql, insertDeliveries(sql, rows, raw));
    if (rows.some(({ next_attempt_at }) => next_attempt_at !== null)) {
      await signalJob(sql, inboundJob, receiver.id, receiver.teamId);
    }
  }
  return callbacks.map(
    (callback) =>
      earlier.get(callback) ?? {
        deliveries: callback.items.map((item) => ({
          id: firstOf(item),
          isDuplicate: !isFirst(item),
        })),
      },
  );
}

/**
 * A token that does not cover the body proves one content: with another it is refused, with the
 * same it is an honest repeat, whenever it comes. At another receiver with the same key it proves
 * the same bytes only.
 */
async function spendToken(
  sql: Sql,
  place: { teamId: string; receiverId: string },
  day: string,
  { origin: { token: oneTime }, items, bodySha256 }: VerifiedCallback,
): Promise<Outcome | undefined> {
  const [first] = items;
  if (oneTime === undefined || !first) return undefined;
  const [tokenHash, signatureHash] = [digestOf(oneTime.token), digestOf(oneTime.signature)];
  const content = items.map(({ key }) => key).join(' ');
  let known = await findTokenUse(sql, place, tokenHash);
  if (!known) {
    if ((await claimSignature(sql, signatureHash, bodySha256)) !== bodySha256) {
      return { refused: 'token_reused' };
    }
    known = await useToken(sql, place, tokenHash, {
      delivery_id: first.id,
      day,
      content_key: content,
    });
  }
  if (!known) return undefined;
  if (known.content_key !== content) return { refused: 'token_reused' };
  await countDuplicates(sql, place, [{ ...known, count: 1 }]);
  return { deliveries: items.map(() => ({ id: known.delivery_id, isDuplicate: true })) };
}

const digestOf = (text: string) => createHash('sha256').update(text).digest();

/**
 * Claims the keys of all items; an item whose key is in use counts as a duplicate of the first
 * delivery.
 */
async function claim(
  sql: Sql,
  receiver: KnownReceiver,
  day: string,
  callbacks: readonly VerifiedCallback[],
) {
  const place = { teamId: receiver.teamId, receiverId: receiver.id };
  const hasWindow = receiver.dedupWindowSeconds > 0;
  const items = hasWindow ? callbacks.flatMap((callback) => callback.items) : [];
  // By key, the first item that brings it: the others here are its duplicates already.
  const candidates = new Map<string, KeyedItem>();
  for (const item of items) {
    if (!candidates.has(item.key)) candidates.set(item.key, item);
  }
  const claims = [...candidates].map(([dedup_key, { id }]) => ({ dedup_key, delivery_id: id }));
  const won =
    claims.length > 0
      ? await claimKeys(sql, place, day, receiver.dedupWindowSeconds, claims)
      : new Set<string>();
  const lost = claims.map(({ dedup_key }) => dedup_key).filter((key) => !won.has(key));
  const known = new Map(
    lost.length > 0
      ? (await findFirst(sql, place, lost)).map((first) => [first.dedup_key, first])
      : [],
  );

  const isFirst = (item: KeyedItem) =>
    !hasWindow || (won.has(item.key) && candidates.get(item.key) === item);
  const repeats = new Map<string, number>();
  for (const item of items) {
    if (!isFirst(item)) repeats.set(item.key, (repeats.get(item.key) ?? 0) + 1);
  }
  await countDuplicates(
    sql,
    place,
    [...known.values()].map((first) => ({ ...first, count: repeats.get(first.dedup_key) ?? 0 })),
  );
  for (const [key, item] of candidates) {
    if (won.has(key)) item.repeats = repeats.get(key) ?? 0;
  }
  const firstOf = (item: KeyedItem) =>
    isFirst(item)
      ? item.id
      : (known.get(item.key)?.delivery_id ?? candidates.get(item.key)?.id ?? item.id);
  return { isFirst, firstOf };
}

function toProject(
  { receivedAtMs, span }: VerifiedCallback,
  { id, key }: KeyedItem,
  payload: Payload,
) {
  return { id, key, payload, receivedAtMs, span };
}

/** The row of an event, with what became of it. */
function rowOf(
  { teamId, id: receiverId, definition, settings: [settings = {}], insertedAt }: KnownReceiver,
  day: string,
  callback: VerifiedCallback,
  item: KeyedItem,
  applied: Projected | undefined,
  [firstPauseMs = 60_000]: readonly number[],
) {
  const { origin, items, receivedAtMs } = callback;
  const { status: read, error: unread, payload } = item;
  const now = Date.now();
  const status = applied?.status ?? (read === 'accepted' ? 'processed' : read);
  const isRetried = applied?.status === 'failed';
  const asksNow =
    status === 'pending_confirmation' &&
    isConfirmable(settings, payload?.['topic_arn'], now - Date.parse(insertedAt));
  return {
    day,
    id: item.id,
    team_id: teamId,
    receiver_id: receiverId,
    receiver_kind: definition.kind,
    status,
    mode: origin.mode,
    signature_status: origin.signatureStatus,
    is_test: callback.isTest,
    http_status: 200,
    event_type: item.eventType ?? null,
    batch_id: items.length > 1 || item.id !== callback.id ? callback.id : null,
    event_index: items.length > 1 ? items.indexOf(item) : null,
    provider_event_id: item.providerEventId ?? null,
    dedup_key: item.key,
    duplicate_count: item.repeats,
    ...echoedIds(payload),
    payload: applied?.isErased ? null : (payload ?? null),
    headers: applied?.isErased ? null : callback.headers,
    size_bytes: callback.sizeBytes,
    body_sha256: callback.bodySha256,
    attempts: applied ? 1 : 0,
    next_attempt_at: isRetried
      ? toTimestamp(now + firstPauseMs)
      : asksNow
        ? new Date(now).toISOString()
        : null,
    error: applied?.error ?? unread ?? null,
    ...linkColumns(applied),
    received_at: toTimestamp(receivedAtMs),
    processed_at:
      status === 'failed' || status === 'pending_confirmation' ? null : new Date(now).toISOString(),
    replay_count: 0,
  };
}

/** Link of an event, as columns. */
export function linkColumns(applied: Projected | undefined) {
  return {
    message_id: applied?.link.message_id ?? null,
    message_delivery_id: applied?.link.message_delivery_id ?? null,
    contact_id: applied?.link.contact_id ?? null,
    journey_id: applied?.link.journey_id ?? null,
    engagement_event_id: applied?.engagementEventId ?? null,
    link_error: applied?.link.link_error ?? null,
    effects: applied?.effects ?? [],
  };
}
