import { randomUUID } from 'node:crypto';
import type { RawCall } from '../../platform/http/endpoint.ts';
import { HttpError, fail } from '../../platform/http/errors.ts';
import { rateLimitHeaders } from '../../platform/http/rate-limit.ts';
import { isUnavailable } from '../../platform/database/failures.ts';
import { stopStatus } from '../receiver.ts';
import type { Callback, ReceiverDefinition } from '../receiver.ts';
import { digestOf, readCallback, sealRaw, shownHeaders } from './callback.ts';
import { intakeOf } from './intake.ts';
import type { Intake } from './intake.ts';
import type { KnownReceiver } from './known-receivers.ts';
import type { Rejection } from './receiver-stats-buffer.ts';
import { readItems } from './read-items.ts';
import type { Outcome, VerifiedCallback } from './store.ts';
import { authenticateCallback } from './authenticate.ts';
import type { Origin } from './authenticate.ts';

/**
 * Processes one callback in a fixed order (ADR 35): address, receiver, body, signature, rate, events,
 * store. Cheap and safe steps come first. Nothing is stored for a caller without a valid signature,
 * and no content of a provider causes a 5xx. A verified callback costs its address nothing.
 */
export async function receiveCallback(definition: ReceiverDefinition, call: RawCall) {
  const intake = intakeOf(call.services);
  const { receiver_id: id = '' } = call.params;
  const { budget } = call.request;
  budget.take(intake.knows(id) ? id : undefined);
  const receiver = await findReceiver(intake, definition, id);
  // A budget of its own: other customers of a provider call from the same few addresses.
  budget.take(id);
  try {
    return await processCallback(intake, receiver, call);
  } catch (error) {
    throw asStopped(receiver, error);
  }
}

async function processCallback(intake: Intake, receiver: KnownReceiver, call: RawCall) {
  const { services, request } = call;
  const { definition } = receiver;
  await deferSuspended(services, receiver.teamId);
  if (!receiver.isActive) {
    throw fail('receiver_disabled', { detail: 'The receiver is inactive.' });
  }
  const media = new Set(['application/json' as const, ...definition.mediaTypes]);
  const bytes = await call.readBody([...media], definition.bodyLimitBytes);
  const { publicBaseUrl } = services.config;
  const { url, headers, address } = request;
  const callback = await readCallback(publicBaseUrl, url, headers, bytes, Date.now());

  const reject = recordingRejections(intake, receiver, callback);
  const origin = await reject('rejected_signature', () =>
    authenticateCallback({ ...services, address }, receiver, callback),
  );
  request.budget.giveBack();
  await checkRate(call, receiver);
  const taken = await reject(
    'rejected_invalid',
    () => readVerified(services, receiver, callback, origin),
    origin,
  );
  const outcome = await storeSafely(call, () =>
    intake.store(receiver, { ...taken, span: request.trace.span }),
  );
  const deliveries = await reject('rejected_signature', () => Promise.resolve(acceptedOf(outcome)));
  intake.stats.taken(receiver, callback.receivedAtMs);
  return answerOf(deliveries);
}

/**
 * Providers repeat a request that got a 503. Some stop after a 403, and the reports of the time of
 * the suspension would be lost.
 */
async function deferSuspended({ teamStates }: RawCall['services'], teamId: string) {
  if (!(await teamStates.current()).suspended.has(teamId)) return;
  throw fail('unavailable', {
    detail: 'The team of the receiver is suspended; send the call again later.',
    headers: { 'Retry-After': '600' },
  });
}

/** The same 404 for an unknown receiver, a deleted one and one of another kind. */
async function findReceiver(
  intake: Intake,
  definition: ReceiverDefinition,
  id: string,
): Promise<KnownReceiver> {
  const receiver = await intake.find(id);
  if (receiver?.definition.kind !== definition.kind) {
    throw fail('not_found', {
      detail: 'No such incoming webhook receiver.',
      meta: { resource: 'incoming_webhook_receiver' },
    });
  }
  return receiver;
}

/**
 * Replaces the status of a rejection by the one that stops the retries of the provider, if the
 * receiver has that setting.
 */
function asStopped({ settings: [current] }: KnownReceiver, error: unknown): unknown {
  if (current?.['stop_status'] !== stopStatus || !(error instanceof HttpError)) return error;
  if (error.status !== 401 && error.status !== 410) return error;
  const { code, detail } = error.problems[0];
  return fail('callback_refused', { detail, meta: { reason: code } });
}

async function checkRate({ services }: RawCall, { id, tier }: KnownReceiver): Promise<void> {
  const decision = await services.limiter.take(id, tier, 'inbound');
  if (!decision || decision.allowed) return;
  throw fail('rate_limited', {
    detail: 'The receiver has exceeded its rate of calls.',
    meta: {
      class: 'inbound',
      limit: decision.limit,
      window_seconds: 60,
      retry_after_seconds: decision.resetSeconds,
    },
    headers: {
      ...rateLimitHeaders(tier, 'inbound', decision),
      'Retry-After': String(decision.resetSeconds),
    },
  });
}

const signatureStatuses: Readonly<Record<string, Rejection['signatureStatus']>> = {
  signature_missing: 'missing',
  token_missing: 'missing',
  signature_expired: 'expired',
  token_expired: 'expired',
};

/** Runs a check and records a call that it refuses, within bounds. */
function recordingRejections(intake: Intake, receiver: KnownReceiver, callback: Callback) {
  return async <T>(
    status: Rejection['status'],
    check: () => Promise<T>,
    origin?: Origin,
  ): Promise<T> => {
    try {
      return await check();
    } catch (error) {
      if (!(error instanceof HttpError) || error.status >= 500) throw error;
      const { code } = error.problems[0];
      intake.stats.rejected(receiver, {
        status,
        signatureStatus: origin?.signatureStatus ?? signatureStatuses[code] ?? 'invalid',
        httpStatus: error.status,
        code,
        sizeBytes: callback.bytes.length,
        receivedAtMs: callback.receivedAtMs,
      });
      throw error;
    }
  };
}

/** Reads the events of a verified callback and seals its bytes. Throws 400 or 422 for a normalized one. */
export async function readVerified(
  { keyring }: Pick<RawCall['services'], 'keyring'>,
  { definition, teamId }: KnownReceiver,
  callback: Callback,
  origin: Origin,
  isTest = false,
): Promise<VerifiedCallback> {
  const items = await readItems(definition, callback, origin);
  const [only, ...others] = items;
  const id = only && others.length === 0 ? only.id : randomUUID();
  return {
    id,
    origin,
    headers: shownHeaders(callback, definition),
    sizeBytes: callback.bytes.length,
    bodySha256: digestOf(callback.bytes),
    sealed: sealRaw(keyring, callback, teamId, id),
    receivedAtMs: callback.receivedAtMs,
    isTest,
    items,
  };
}

/** Providers retry after a 503, but not after other 5xx. */
async function storeSafely({ services, request }: RawCall, store: () => Promise<Outcome>) {
  try {
    return await store();
  } catch (error) {
    if (isUnavailable(error)) throw error;
    services.log.error({ err: error, request_id: request.id }, 'a callback cannot be stored');
    throw fail('unavailable', {
      detail: 'The call cannot be stored at the moment; send it again.',
      headers: { 'Retry-After': '30' },
    });
  }
}

function acceptedOf(outcome: Outcome) {
  if ('deliveries' in outcome) return outcome.deliveries;
  throw fail('signature_invalid', {
    detail: 'The token of the signature was already used for another event.',
  });
}

function answerOf(deliveries: readonly { id: string; isDuplicate: boolean }[]) {
  const accepted = deliveries.filter(({ isDuplicate }) => !isDuplicate);
  const [first] = accepted.length > 0 ? accepted : deliveries;
  return {
    status: accepted.length > 0 ? ('accepted' as const) : ('duplicate' as const),
    delivery_id: first?.id ?? '',
    accepted: accepted.length,
    duplicates: deliveries.length - accepted.length,
    delivery_ids: deliveries.map(({ id }) => id),
  };
}
