import { LRUCache } from 'lru-cache';
import type { Keyring } from '../../platform/auth/keyring.ts';
import { createBatcher } from '../../platform/batching/batcher.ts';
import type { WebhookConfig } from '../../platform/config.ts';
import type { Database } from '../../platform/database/client.ts';
import type { Clock } from '../../platform/database/clock.ts';
import type { Egress } from '../../platform/egress/client.ts';
import { readScopeOf } from '../read-scopes.ts';
import { thinBody } from '../../platform/events/thin.ts';
import { deliveryAttempts, deliverySeconds } from '../../platform/http/metrics.ts';
import { openCallSettings } from '../webhook-subscriptions/delivery-settings/queries.ts';
import type { CallSettings } from '../webhook-subscriptions/delivery-settings/queries.ts';
import { liveSigningKeys } from '../webhook-subscriptions/queries.ts';
import type { SigningKey, SubscriptionKey } from '../webhook-subscriptions/queries.ts';
import { signedHeaders } from '../webhook-subscriptions/secrets.ts';
import { createSuspended } from '../../team/suspending/suspended.ts';
import type { AttemptOutcome } from './outcomes/queries.ts';
import type { DueDelivery } from './queries.ts';
import { outcomeOf } from './attempt-outcome.ts';
import { createConcurrencySlots } from './concurrency-slots.ts';
import type { Answered } from './concurrency-slots.ts';
import type { Span } from '../../platform/observability/span.ts';
import { continueTrace } from '../../platform/observability/tracing.ts';
import { callersWorkflow } from '../../platform/temporal/trace-activities.ts';

/**
 * The span of an attempt, in the trace of the request that caused the event. Healthy deliveries have
 * no workflow of their own, so that it names that of their lane.
 */
function startAttemptSpan(delivery: DueDelivery, isProbe: boolean): Span | undefined {
  return continueTrace('webhook attempt', delivery.traceparent, () => ({
    kind: 'client',
    attributes: {
      'http.request.method': 'POST',
      'onward.webhook.subscription_id': delivery.subscription_id,
      'onward.webhook.delivery_id': delivery.id,
      'onward.webhook.event_id': delivery.event_id,
      'onward.webhook.event_type': delivery.event_type,
      'onward.webhook.attempt': delivery.attempt_count + 1,
      ...(delivery.trigger !== 'event' && { 'onward.webhook.trigger': delivery.trigger }),
      ...(isProbe && { 'onward.webhook.is_probe': true }),
      ...callersWorkflow(),
    },
  }));
}

function endAttemptSpan(span: Span, { http_status, error_code }: AttemptOutcome): void {
  span.set({ 'http.response.status_code': http_status ?? undefined });
  span.end(error_code ?? undefined);
}

export interface SenderDependencies {
  database: Database;
  clock: Clock;
  keyring: Keyring;
  egress: Egress;
  policy: WebhookConfig;
}

/** An attempt that was made and is not yet stored. */
export interface Attempted {
  delivery: DueDelivery;
  outcome: AttemptOutcome;
}

type Subscriber = Pick<DueDelivery, 'team_id' | 'subscription_id' | 'max_concurrency'>;

/** Settings and keys for the calls of one subscription. */
type OpenSettings = CallSettings & { keys: SigningKey[] };

export type Sender = ReturnType<typeof createSender>;

/** The other connections are reserved for other calls of the process. */
const shareOfConnections = 7 / 8;
/** Concurrent attempts of a subscription without a limit of its own. */
const defaultConcurrency = 48;

/** Settings of a call are read again after this. */
const settingsCacheMs = 8_000;
/** Subscriptions whose settings one trip to Postgres reads. */
const maxSettingsRead = 100;

/** Sends deliveries and determines their outcomes; shared by lanes and recoveries. */
export function createSender({ database, clock, keyring, egress, policy }: SenderDependencies) {
  const slots = createConcurrencySlots(Math.floor(policy.maxConnections * shareOfConnections));
  const readSettings = createSettingsReader(database, keyring);
  const suspended = createSuspended(database);

  /**
   * Makes one attempt; HTTP failures are results, never thrown. Undefined if it got no connection
   * or was aborted by the shutdown, or is held by a suspension: it does not count, and is made again.
   */
  async function attempt(
    delivery: DueDelivery,
    how: { isProbe: boolean; signal: AbortSignal },
  ): Promise<Attempted | undefined> {
    slots.begin(delivery);
    let answered: Answered = 'not_made';
    let tookMs = 0;
    try {
      const attempted = await send(delivery, how);
      if (attempted) {
        answered = attempted.outcome.http_status === null ? 'unanswered' : 'answered';
        tookMs = attempted.outcome.duration_ms;
      }
      return attempted;
    } finally {
      slots.end(delivery, answered, tookMs);
    }
  }

  async function send(
    delivery: DueDelivery,
    how: { isProbe: boolean; signal: AbortSignal },
  ): Promise<Attempted | undefined> {
    const settings = await readSettings(delivery);
    // It may have waited in the queue of a lane since it was claimed.
    if (await suspended.hasAny([delivery.team_id, settings.clientId])) return undefined;
    const body = bodyFor(delivery, settings);
    const startedAt = clock.now();
    const span = startAttemptSpan(delivery, how.isProbe);
    const { timeoutSeconds } = settings;
    const result = await egress.post({
      ...requestOf(delivery, settings, body, { startedAt, span }),
      timeoutMs: timeoutSeconds === undefined ? policy.attemptTimeoutMs : timeoutSeconds * 1_000,
      signal: how.signal,
    });
    if (result.kind === 'failed' && result.code === 'aborted') return undefined;
    const made = { url: settings.targetUrl, startedAt, isProbe: how.isProbe };
    const outcome = outcomeOf(delivery, result, made, policy);
    deliveryAttempts.inc({
      outcome: outcome.error_code ?? 'delivered',
      by: how.isProbe ? 'probe' : 'attempt',
    });
    deliverySeconds.observe(result.durationMs / 1_000);
    if (span) endAttemptSpan(span, outcome);
    return { delivery, outcome };
  }

  return {
    attempt,
    /** Number of further attempts of one subscription that may begin now. */
    room: ({ max_concurrency, ...of }: Subscriber) => {
      const most = max_concurrency ?? defaultConcurrency;
      return slots.room(of, Math.min(most, egress.shareOf(of.subscription_id)));
    },
    /** Whether a receiver has responded lately. */
    hasRespondedLately: slots.hasRespondedLately,
  };
}

/** Returns the settings and keys for the calls of a subscription, with a short cache. */
function createSettingsReader(database: Database, keyring: Keyring) {
  // A rotated secret comes with a new version of the subscription, and so do changed settings.
  // The rights of its client change without one.
  const cache = new LRUCache<string, Promise<OpenSettings>>({ max: 10_000, ttl: settingsCacheMs });
  const readTogether = createBatcher(
    (_, subscriptions: readonly SubscriptionKey[]) =>
      database.read(async (sql) => {
        const [keys, settings] = await Promise.all([
          liveSigningKeys(sql, keyring, subscriptions),
          openCallSettings(sql, keyring, subscriptions),
        ]);
        return settings.map((one, at) => ({ ...one, keys: keys[at] ?? [] }));
      }),
    { atOnce: 1, maxItems: maxSettingsRead },
  );
  return async (delivery: DueDelivery): Promise<OpenSettings> => {
    const { team_id, subscription_id, subscription_version } = delivery;
    const cacheKey = `${subscription_id} ${String(subscription_version)}`;
    let pending = cache.get(cacheKey);
    if (!pending) {
      pending = readTogether('', { team_id, subscription_id });
      cache.set(cacheKey, pending);
      pending.catch(() => cache.delete(cacheKey));
    }
    return pending;
  };
}

/** The signed request of an attempt. */
function requestOf(
  delivery: DueDelivery,
  settings: OpenSettings,
  body: string,
  { startedAt, span }: { startedAt: number; span: Span | undefined },
) {
  const { keys, targetUrl, headers, privateKey } = settings;
  const signedAt = Math.floor(startedAt / 1_000);
  return {
    url: targetUrl,
    owner: delivery.subscription_id,
    headers: {
      ...headers,
      ...signedHeaders(keysAt(keys, startedAt), delivery.event_id, signedAt, body, privateKey),
      'content-type': 'application/json',
      'user-agent': 'Onward-Webhooks/2',
      'webhook-event-type': delivery.event_type,
      'webhook-attempt': String(delivery.attempt_count + 1),
      ...(span && { traceparent: span.traceparent }),
    },
    body,
  };
}

/** The recorded bytes; thin ones where the subscription may not read the resource. */
function bodyFor({ body, event_type }: DueDelivery, { readScopes }: CallSettings): string {
  const scope = readScopeOf(event_type);
  return scope !== undefined && readScopes.has(scope) ? body : thinBody(body);
}

/** A key signs until the overlap of its rotation is over. */
function keysAt(keys: readonly SigningKey[], atMs: number): Buffer[] {
  return keys
    .filter(({ expires_at }) => expires_at === null || Date.parse(expires_at) > atMs)
    .map(({ key }) => key);
}
