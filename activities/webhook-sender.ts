import { LRUCache } from 'lru-cache';
import type { Keyring } from '../src/auth/keyring.ts';
import type { WebhookConfig } from '../src/config.ts';
import type { Database, Sql } from '../src/database/client.ts';
import type { Egress, EgressResult } from '../src/egress/client.ts';
import { recordEvent } from '../src/events/record.ts';
import type { EventName } from '../src/events/catalog.ts';
import { deliveryAttempts, deliverySeconds } from '../src/http/metrics.ts';
import {
  findSubscription,
  liveSigningKeys,
  nextEventSequence,
} from '../src/partner/webhook-subscriptions/queries.ts';
import {
  countTries,
  deservesNotice,
  errorCodeOf,
  isSuccess,
  judgeFailure,
  mustDisable,
  nextAttemptAt,
  nextProbePause,
  opensBreaker,
  parseRetryAfter,
} from '../src/partner/webhook-subscriptions/rules.ts';
import type { BreakerWindow } from '../src/partner/webhook-subscriptions/rules.ts';
import { signedHeaders } from '../src/partner/webhook-subscriptions/secrets.ts';
import {
  bringForward,
  disableSubscription,
  holdFence,
  lockState,
  settle,
  stampDelivered,
  updateState,
} from '../src/partner/webhook-subscriptions/sending/queries.ts';
import type {
  DueDelivery,
  Fence,
  Settlement,
  StateRow,
} from '../src/partner/webhook-subscriptions/sending/queries.ts';
import { wake } from '../src/temporal/wake.ts';

export interface SenderDependencies {
  database: Database;
  keyring: Keyring;
  egress: Egress;
  policy: WebhookConfig;
}

/** An attempt that was made and is not yet written down. */
export interface Attempted {
  delivery: DueDelivery;
  settlement: Settlement;
}

export type Sender = ReturnType<typeof createSender>;

/** Posts deliveries and writes down what came of it; shared by lanes and recoveries. */
export function createSender({ database, keyring, egress, policy }: SenderDependencies) {
  // A rotated secret comes with a new version of the subscription; the end of an overlap does not.
  const keys = new LRUCache<string, Promise<Buffer[]>>({ max: 10_000, ttl: 60_000 });

  async function keysOf(delivery: DueDelivery): Promise<Buffer[]> {
    const { team_id, subscription_id, subscription_version } = delivery;
    const cacheKey = `${subscription_id} ${String(subscription_version)}`;
    let pending = keys.get(cacheKey);
    if (!pending) {
      pending = database.read((sql) => liveSigningKeys(sql, keyring, team_id, subscription_id));
      keys.set(cacheKey, pending);
      pending.catch(() => keys.delete(cacheKey));
    }
    return pending;
  }

  /**
   * Makes one attempt; HTTP failures are results, never thrown. Undefined when it was cut off by
   * our own shutdown: then nobody knows, and it is made again.
   */
  async function attempt(
    delivery: DueDelivery,
    how: { isProbe: boolean; signal: AbortSignal },
  ): Promise<Attempted | undefined> {
    const startedAt = Date.now();
    const signed = signedHeaders(
      await keysOf(delivery),
      delivery.event_id,
      Math.floor(startedAt / 1_000),
      delivery.body,
    );
    const result = await egress.post({
      url: delivery.target_url,
      headers: {
        ...signed,
        'content-type': 'application/json',
        'user-agent': 'Onward-Webhooks/2',
        'webhook-event-type': delivery.event_type,
        'webhook-attempt': String(delivery.attempt_count + 1),
      },
      body: delivery.body,
      timeoutMs: policy.attemptTimeoutMs,
      signal: how.signal,
    });
    if (result.kind === 'failed' && result.code === 'aborted') return undefined;
    const settlement = judge(delivery, result, startedAt, how.isProbe);
    deliveryAttempts.inc({
      outcome: settlement.error_code ?? 'delivered',
      by: how.isProbe ? 'probe' : 'attempt',
    });
    deliverySeconds.observe(result.durationMs / 1_000);
    return { delivery, settlement };
  }

  function judge(
    delivery: DueDelivery,
    result: EgressResult,
    startedAt: number,
    isProbe: boolean,
  ): Settlement {
    const endedAt = startedAt + Math.round(result.durationMs);
    const seen = {
      day: delivery.day,
      id: delivery.id,
      trigger: delivery.trigger === 'event' ? 'scheduled' : delivery.trigger,
      url: delivery.target_url,
      remote_ip: result.remoteIp ?? null,
      requested_at: new Date(startedAt).toISOString(),
      responded_at: null,
      duration_ms: Math.round(result.durationMs),
      http_status: null,
      response_headers: null,
      response_body: null,
      response_truncated: false,
      error_code: null,
      error_detail: null,
      next_attempt_at: null,
      uses_step: true,
    };
    const answered =
      result.kind === 'answered'
        ? {
            responded_at: new Date(endedAt).toISOString(),
            http_status: result.status,
            response_headers: result.headers,
            response_body: result.bodyExcerpt,
            response_truncated: result.truncated,
          }
        : { error_code: result.code, error_detail: result.detail };
    if (result.kind === 'answered' && isSuccess(result.status)) {
      return { ...seen, ...answered, status: 'delivered' };
    }
    const errorCode = result.kind === 'answered' ? errorCodeOf(result.status) : result.code;
    const failed = { ...seen, ...answered, error_code: errorCode };
    if (delivery.trigger === 'test') return { ...failed, status: 'failed' };
    if (judgeFailure(errorCode) !== 'retry') return { ...failed, status: 'failed' };
    if (isProbe) {
      // A failed probe advances no schedule: the delivery waits as before (DECISIONS 34).
      return {
        ...failed,
        status: 'retrying',
        trigger: 'probe',
        uses_step: false,
        next_attempt_at: new Date(startedAt).toISOString(),
      };
    }
    const retryAfter = result.kind === 'answered' ? result.headers['retry-after'] : undefined;
    // A fault of our own egress proxy is not charged to the receiver; the age limit ends it.
    const usesStep = errorCode !== 'proxy_error';
    const next = nextAttemptAt(
      { scheduleMs: policy.retryScheduleMs, jitter: policy.jitter },
      usesStep ? delivery.schedule_step + 1 : Math.max(1, delivery.schedule_step),
      endedAt,
      parseRetryAfter(retryAfter, endedAt),
      Math.random(),
    );
    const expiresAt = Date.parse(delivery.renewed_at) + policy.maxAgeMs;
    if (next === undefined || next >= expiresAt) return { ...failed, status: 'failed' };
    return {
      ...failed,
      status: 'retrying',
      uses_step: usesStep,
      next_attempt_at: new Date(next).toISOString(),
    };
  }

  /**
   * Writes attempts down, the good ones together, the failed ones by subscription, since those
   * change its state. Returns false when the fence was taken by somebody else: nothing is written
   * then, and the caller must stop.
   */
  async function record(attempts: readonly Attempted[], fence: Fence): Promise<boolean> {
    for (const group of groupBy(attempts, ({ delivery, settlement }) =>
      settlement.status === 'delivered'
        ? `delivered ${delivery.day}`
        : `${delivery.subscription_id} ${delivery.day}`,
    )) {
      const [first] = group;
      if (!first) continue;
      const held = await database.transact(async (sql) => {
        if (first.settlement.status === 'delivered') return recordDelivered(sql, group, fence);
        return recordFailed(sql, group, first.delivery, fence);
      });
      if (!held) return false;
    }
    return true;
  }

  async function recordDelivered(sql: Sql, group: readonly Attempted[], fence: Fence) {
    if (!(await holdFence(sql, fence))) return false;
    const day = group[0]?.delivery.day ?? '';
    const open = await settle(
      sql,
      day,
      group.map(({ settlement }) => settlement),
    );
    const counted = open.filter(({ trigger }) => trigger !== 'test');
    if (counted.length === 0) return true;
    const failing = await stampDelivered(
      sql,
      counted.map((row) => row.subscription_id),
      counted.map((row) => row.team_id),
    );
    for (const { team_id, subscription_id } of failing) {
      const tries = counted.filter((row) => row.subscription_id === subscription_id).length;
      await forgetFailures(sql, team_id, subscription_id, tries);
    }
    return true;
  }

  async function forgetFailures(sql: Sql, teamId: string, subscriptionId: string, tries: number) {
    const state = await lockState(sql, teamId, subscriptionId);
    if (!state) return;
    // A successful probe begins a new window; else the good tries count against the bad ones.
    const window = state.probe_at === null ? windowOf(state) : undefined;
    await updateState(sql, teamId, subscriptionId, {
      consecutive_permanent_failures: 0,
      ...columnsOf(countTries(window, Date.now(), tries, 0)),
      probe_at: null,
      probe_pause_ms: null,
      failing_noticed_at: null,
      brings_forward: false,
    });
    if (state.brings_forward) {
      await bringForward(sql, teamId, subscriptionId, new Date().toISOString());
    }
    if (state.failing_noticed_at !== null) {
      await notify(sql, teamId, subscriptionId, 'webhook_subscription.recovered');
    }
  }

  async function recordFailed(
    sql: Sql,
    group: readonly Attempted[],
    { team_id: teamId, subscription_id: subscriptionId, day }: DueDelivery,
    fence: Fence,
  ) {
    const state = await lockState(sql, teamId, subscriptionId);
    if (!state || !(await holdFence(sql, fence))) return false;
    const open = new Set(
      (
        await settle(
          sql,
          day,
          group.map(({ settlement }) => settlement),
        )
      ).map(({ id }) => id),
    );
    const counted = group
      .map(({ settlement }) => settlement)
      .filter((settlement) => open.has(settlement.id) && settlement.trigger !== 'test');
    const [last] = counted.slice(-1);
    if (!last) return true;
    const permanent = counted.filter(({ status }) => status === 'failed').length;
    await countFailures(sql, teamId, subscriptionId, {
      permanent,
      attempts: counted.length,
      isGone: counted.some(({ error_code }) => error_code === 'gone'),
      isProbe: counted.some(({ trigger }) => trigger === 'probe'),
      lastError: describe(last),
      nextAttemptAt: earliest(counted.map(({ next_attempt_at }) => next_attempt_at)),
    });
    return true;
  }

  /** Counters, breaker, notices and disabling; the state row is locked. DECISIONS 30, 34. */
  async function countFailures(
    sql: Sql,
    teamId: string,
    subscriptionId: string,
    failures: {
      permanent: number;
      attempts: number;
      isGone: boolean;
      isProbe: boolean;
      lastError: string;
      nextAttemptAt: string | null;
    },
  ) {
    const state = await lockState(sql, teamId, subscriptionId);
    if (!state) return;
    const now = Date.now();
    const before = state.consecutive_permanent_failures;
    const after = before + failures.permanent;
    const window = countTries(windowOf(state), now, failures.attempts, failures.attempts);
    const opens =
      failures.isProbe || (state.probe_at === null && opensBreaker(window, policy.breakerTries));
    const pauseMs = opens
      ? nextProbePause(
          {
            firstPauseMs: policy.breakerFirstPauseMs,
            longestPauseMs: policy.breakerLongestPauseMs,
          },
          state.probe_pause_ms,
        )
      : state.probe_pause_ms;
    const probeAt = opens ? new Date(now + (pauseMs ?? 0)).toISOString() : state.probe_at;
    const wakeAt =
      earliest([failures.nextAttemptAt, state.next_wake_at]) ?? new Date(now).toISOString();
    const wakesEarlier =
      !state.held_by_recovery ||
      state.next_wake_at === null ||
      Date.parse(wakeAt) < Date.parse(state.next_wake_at);
    const notice = deservesNotice(before, after);
    const disables = failures.isGone || mustDisable(after, policy.disableAfter);
    await updateState(sql, teamId, subscriptionId, {
      consecutive_permanent_failures: after,
      ...columnsOf(window),
      last_error: failures.lastError,
      troubled_since: state.troubled_since ?? new Date(now).toISOString(),
      held_by_recovery: true,
      next_wake_at: disables ? new Date(now).toISOString() : wakeAt,
      probe_at: probeAt,
      probe_pause_ms: pauseMs,
      ...(notice && { failing_noticed_at: new Date(now).toISOString() }),
    });
    if (notice) await notify(sql, teamId, subscriptionId, 'webhook_subscription.failing');
    if (disables && (await disableSubscription(sql, teamId, subscriptionId))) {
      await updateState(sql, teamId, subscriptionId, {
        disabled_reason: failures.isGone ? 'gone' : 'permanent_failures',
        failing_noticed_at: new Date(now).toISOString(),
      });
      await notify(sql, teamId, subscriptionId, 'webhook_subscription.disabled');
    }
    if (wakesEarlier || disables) await wake(sql, 'webhook_recovery', subscriptionId, teamId);
  }

  /** Tells the team's other subscriptions about this one. */
  async function notify(sql: Sql, teamId: string, subscriptionId: string, type: EventName) {
    const data = await findSubscription(sql, teamId, subscriptionId);
    if (!data) return;
    const sequence = await nextEventSequence(sql, teamId, subscriptionId);
    await recordEvent(sql, { teamId, type, data, sequence, except: subscriptionId });
  }

  return { attempt, record, countFailures };
}

function windowOf(state: StateRow): BreakerWindow | undefined {
  if (state.window_started_at === null) return undefined;
  const startedAtMs = Date.parse(state.window_started_at);
  return { startedAtMs, tries: state.window_tries, failures: state.window_failures };
}

function columnsOf({ startedAtMs, tries, failures }: BreakerWindow) {
  return {
    window_started_at: new Date(startedAtMs).toISOString(),
    window_tries: tries,
    window_failures: failures,
  };
}

function describe({ http_status, error_code }: Settlement): string {
  return http_status === null ? (error_code ?? 'unknown') : `HTTP ${String(http_status)}`;
}

/** The earliest of some timestamps, null where there is none. */
export function earliest(stamps: readonly (string | null)[]): string | null {
  const known = stamps.filter((stamp) => stamp !== null);
  const [first] = known.sort((a, b) => Date.parse(a) - Date.parse(b));
  return first ?? null;
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): T[][] {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return [...groups.values()];
}
