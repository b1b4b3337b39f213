import type { Keyring } from '../platform/auth/keyring.ts';
import { bisect } from '../platform/batching/bisect.ts';
import type { Sql } from '../platform/database/sql.ts';
import { traceRow } from '../platform/database/transaction-trace.ts';
import { withSavepoint } from '../platform/database/savepoint.ts';
import { fail } from '../platform/http/errors.ts';
import { recordFile } from '../operations/sftp/sources.ts';
import { callbackOf, openRaw } from './intake/callback.ts';
import { echoedIds, readNative } from './intake/read-items.ts';
import type { Concern, Effect, Projected, ToProject } from './projection/concern.ts';
import {
  completeObjective,
  invalidateToken,
  reportSends,
  writeConsents,
} from './projection/effects.ts';
import { recordEvents } from './projection/engagement.ts';
import { changeSuppressions } from './projection/suppressions.ts';
import { findLinks } from './projection/links.ts';
import {
  findErased,
  findUnread,
  lockDelivery,
  writeProjected,
  writeRead,
} from './projection/queries.ts';
import type { StoredDelivery } from './projection/queries.ts';
import type { Projection, ReceiverDefinition } from './receiver.ts';
import { receivers } from './receivers.ts';

/** The receiver that events came to. */
export interface Source {
  id: string;
  teamId: string;
  definition: ReceiverDefinition;
}

/**
 * Applies events of one receiver in the caller's transaction: engagement, the message's status,
 * suppressions, consents, devices and objectives of its team. An event that cannot be applied
 * does not affect others. ADR 40.
 */
export async function projectAll(
  sql: Sql,
  keyring: Keyring,
  source: Source,
  events: readonly ToProject[],
): Promise<Map<string, Projected>> {
  const outcomes = new Map<string, Projected>();
  const meant: ProjectedEvent[] = [];
  for (const event of events) {
    try {
      const projection = source.definition.project(event.payload);
      if (projection) meant.push({ event, projection });
      else outcomes.set(event.id, await applyUnprojected(sql, source, event));
    } catch (error) {
      outcomes.set(event.id, failed(error, event));
    }
  }
  for (const [id, outcome] of await applyAll(sql, keyring, source, meant)) {
    outcomes.set(id, outcome);
  }
  return outcomes;
}

/** An event about no message may announce a file; otherwise it needs no effect. */
async function applyUnprojected(
  sql: Sql,
  { teamId, definition }: Source,
  event: ToProject,
): Promise<Projected> {
  const file = definition.file?.(event.payload);
  if (!file) return { ...untouched(event), status: 'processed' };
  const recorded = await withSavepoint(sql, () => recordFile(sql, teamId, event.id, file));
  if (!recorded.done) return failed(recorded.error, event);
  const refusal = recorded.value;
  if (!refusal) return { ...untouched(event), status: 'processed' };
  return { ...untouched(event), status: 'failed', error: refusal };
}

async function applyAll(
  sql: Sql,
  keyring: Keyring,
  source: Source,
  meant: readonly ProjectedEvent[],
): Promise<Map<string, Projected>> {
  const attempts = await bisect(meant, (some) =>
    withSavepoint(sql, () => apply(sql, keyring, source, some)),
  );
  return new Map(
    attempts.flatMap((attempt, at) => {
      const event = meant[at]?.event;
      if (!event) return [];
      return [[event.id, attempt.done ? attempt.value : failed(attempt.error, event)]];
    }),
  );
}

/**
 * Applies the missing effects of a stored delivery and records the outcome. Locks the delivery
 * until the end of the transaction. After a failure, the receiver's workflow retries by
 * `retryScheduleMs`; the default is no retry. Throws 404, and 409 for a delivery without an
 * applicable event.
 */
export async function projectStored(
  sql: Sql,
  keyring: Keyring,
  teamId: string,
  deliveryId: string,
  retryScheduleMs: readonly number[] = [],
): Promise<Projected> {
  const row = await lockDelivery(sql, teamId, deliveryId);
  if (!row) throw fail('not_found', { detail: 'No such delivery.' });
  const isApplicable = ['processed', 'failed', 'ignored'].includes(row.status) && !row.is_test;
  const payload = row.payload ?? (isApplicable ? await readAgain(sql, keyring, row) : undefined);
  if (!isApplicable || !payload) {
    throw fail('conflict', { detail: 'The delivery has no payload to apply.' });
  }
  const source = { id: row.receiver_id, teamId, definition: receivers[row.receiver_kind] };
  const event = {
    id: row.id,
    payload,
    key: row.dedup_key ?? undefined,
    receivedAtMs: Date.parse(row.received_at),
    effects: row.effects,
    engagementEventId: row.engagement_event_id,
  };
  const outcome = (await projectAll(sql, keyring, source, [event])).get(row.id);
  if (!outcome) throw new Error('a projection has no outcome');
  // The first attempt was made when it was stored.
  const pauseMs = outcome.status === 'failed' ? retryScheduleMs[row.attempts] : undefined;
  await writeProjected(sql, row, outcome, pauseMs);
  return outcome;
}

/** Reads the stored bytes again: the reader may now support an event that it did not recognize. */
async function readAgain(
  sql: Sql,
  keyring: Keyring,
  row: StoredDelivery,
): Promise<ToProject['payload'] | undefined> {
  const found = await findUnread(sql, row);
  if (!found) return undefined;
  const raw = openRaw(keyring, found.sealed_callback, row.team_id, found.id);
  const callback = callbackOf(anyBase, raw, Date.parse(row.received_at));
  const definition = receivers[row.receiver_kind];
  const items = readNative(definition, callback, found.settings);
  const item = items[row.event_index ?? 0];
  if (!item?.payload || item.status !== 'accepted') return undefined;
  await writeRead(sql, row, item.payload, {
    event_type: item.eventType ?? null,
    provider_event_id: item.providerEventId ?? null,
    ...echoedIds(item.payload),
  });
  return item.payload;
}

/** Readers use only the query of the address. */
const anyBase = 'https://receiver.invalid';

interface ProjectedEvent {
  event: ToProject;
  projection: Projection;
}

const untouched = ({ effects = [], engagementEventId }: ToProject) => ({
  link: {},
  effects: [...effects],
  engagementEventId: engagementEventId ?? undefined,
});

function failed(error: unknown, event: ToProject): Projected {
  return {
    ...untouched(event),
    status: 'failed',
    // Messages of the database or of rules may contain values of the payload.
    error: { code: 'projection_failed', detail: nameOf(error) },
  };
}

function nameOf(error: unknown): string {
  const code =
    typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
  const name = error instanceof Error ? error.name : 'Error';
  return `The event could not be applied (${[name, code].filter(Boolean).join(' ')}).`;
}

async function apply(
  sql: Sql,
  keyring: Keyring,
  { id: receiverId, teamId, definition }: Source,
  meant: readonly ProjectedEvent[],
): Promise<Projected[]> {
  const outcomes = new Map<string, Projected>();
  const links = await findLinks(
    sql,
    teamId,
    meant.map(({ event: { payload }, projection }) => ({
      payload,
      providerMessageId: definition.providerMessageId(payload),
      contactUniqueId: projection.contactUniqueId,
    })),
  );
  const erased = await findErased(
    sql,
    teamId,
    links.flatMap(({ contact_id }, at) => [
      contact_id,
      echoedIds(meant[at]?.event.payload).do_contact_id,
    ]),
  );
  const concerns = meant.flatMap(({ event, projection }, at): Concern[] => {
    const link = links[at] ?? {};
    const { do_contact_id: named } = echoedIds(event.payload);
    const isErased = erased.has(link.contact_id ?? '') || erased.has(named ?? '');
    outcomes.set(event.id, { ...untouched(event), status: 'processed', link, isErased });
    if (isErased) return [];
    // Callbacks that share the transaction have traces of their own.
    for (const id of [link.contact_id, link.message_delivery_id]) {
      if (id !== undefined) traceRow(sql, id, event.span);
    }
    return [
      {
        deliveryId: event.id,
        receiverId,
        teamId,
        kind: definition.kind,
        projection,
        link,
        event,
      },
    ];
  });
  const undone = (effect: Effect) =>
    concerns.filter(({ event }) => !event.effects?.includes(effect));
  const markDone = (effect: Effect, { deliveryId }: Concern, isDone = true) => {
    if (isDone) outcomes.get(deliveryId)?.effects.push(effect);
  };

  const unrecorded = undone('engagement');
  const ids = await recordEvents(sql, unrecorded);
  unrecorded.forEach((concern, at) => {
    const outcome = outcomes.get(concern.deliveryId);
    if (outcome && ids[at] !== undefined) outcome.engagementEventId = ids[at];
    markDone('engagement', concern, ids[at] !== undefined);
  });
  const reported = undone('message');
  const applied = await reportSends(sql, reported);
  for (const concern of reported) markDone('message', concern, applied.has(concern.deliveryId));
  for (const [deliveryId, isDone] of await changeSuppressions(sql, undone('suppression'))) {
    if (isDone) outcomes.get(deliveryId)?.effects.push('suppression');
  }
  for (const concern of undone('consent')) {
    markDone('consent', concern, await writeConsents(sql, keyring, concern));
  }
  for (const concern of undone('device')) {
    markDone('device', concern, await invalidateToken(sql, concern));
  }
  for (const concern of undone('objective')) {
    markDone('objective', concern, await completeObjective(sql, concern));
  }
  return meant.flatMap(({ event }) => outcomes.get(event.id) ?? []);
}
