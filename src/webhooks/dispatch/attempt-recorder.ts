import type { WebhookConfig } from '../../platform/config.ts';
import type { Database } from '../../platform/database/client.ts';
import type { Sql } from '../../platform/database/sql.ts';
import type { Clock } from '../../platform/database/clock.ts';
import type { EventType } from '../../platform/events/event-type.ts';
import { recordEvent } from '../../platform/events/record.ts';
import {
  webhookSubscriptionDisabled,
  webhookSubscriptionFailing,
  webhookSubscriptionRecovered,
} from '../events.ts';
import { findSubscription, nextEventSequence } from '../webhook-subscriptions/queries.ts';
import { countTries, doubledPause, opensByShare } from '../../platform/circuit-breaker/rules.ts';
import type { BreakerWindow } from '../../platform/circuit-breaker/rules.ts';
import { groupBy } from '../../platform/group-by.ts';
import { crossesFailureThreshold, mustDisable } from '../retries/rules.ts';
import { disableSubscription, lockState, settle, updateState } from './queries.ts';
import type { Fence, Settlement, StateRow } from './queries.ts';
import { bringForward } from '../recovery/queries.ts';
import { signalWorkflow } from '../../platform/temporal/signal-workflow.ts';
import type { Attempted } from './webhook-sender.ts';

export type AttemptRecorder = ReturnType<typeof createAttemptRecorder>;

/** Writes attempts down, and what they mean for their subscription. */
export function createAttemptRecorder({
  database,
  clock,
  policy,
}: {
  database: Database;
  clock: Clock;
  policy: WebhookConfig;
}) {
  /**
   * Stores attempts: successful ones together, failed ones by subscription, since those change its
   * state. Returns false if another worker holds the fence: nothing was written, and the caller
   * must stop.
   */
  async function record(attempts: readonly Attempted[], fence: Fence): Promise<boolean> {
    const isGood = ({ settlement }: Attempted) => settlement.status === 'delivered';
    /** Successful attempts by subscription that no window counts, since nothing had failed. */
    const uncounted = new Map<string, number>();
    const byDay = groupBy(attempts.filter(isGood), ({ delivery }) => delivery.day);
    for (const group of byDay.values()) {
      const held = await database.transact((sql) => recordDelivered(sql, group, fence, uncounted));
      if (!held) return false;
    }
    const bySubscription = groupBy(
      attempts.filter((one) => !isGood(one)),
      ({ delivery }) => `${delivery.subscription_id} ${delivery.day}`,
    );
    for (const group of bySubscription.values()) {
      const held = await database.transact((sql) => recordFailed(sql, group, fence, uncounted));
      if (!held) return false;
    }
    return true;
  }

  async function recordDelivered(
    sql: Sql,
    group: readonly Attempted[],
    fence: Fence,
    uncounted: Map<string, number>,
  ) {
    const day = group[0]?.delivery.day ?? '';
    const settled = await settle(sql, fence, day, settlementsOf(group));
    if (!settled) return false;
    for (const { team_id, subscription_id, trigger, ids, was_failing } of settled) {
      if (trigger === 'test') continue;
      if (was_failing) await forgetFailures(sql, team_id, subscription_id, ids.length);
      else uncounted.set(subscription_id, (uncounted.get(subscription_id) ?? 0) + ids.length);
    }
    return true;
  }

  async function forgetFailures(sql: Sql, teamId: string, subscriptionId: string, tries: number) {
    const state = await lockState(sql, teamId, subscriptionId);
    if (!state) return;
    // A successful probe begins a new window; other successes count against the failures.
    const window = state.probe_at === null ? windowOf(state) : undefined;
    await updateState(sql, teamId, subscriptionId, {
      consecutive_permanent_failures: 0,
      ...columnsOf(countTries(window, clock.now(), tries, 0)),
      probe_at: null,
      probe_pause_ms: null,
      failing_noticed_at: null,
      retry_all_after_probe: false,
    });
    if (state.retry_all_after_probe) {
      await bringForward(sql, teamId, subscriptionId, new Date(clock.now()).toISOString());
    }
    if (state.failing_noticed_at !== null) {
      await notify(sql, teamId, subscriptionId, webhookSubscriptionRecovered);
    }
  }

  async function recordFailed(
    sql: Sql,
    group: readonly Attempted[],
    fence: Fence,
    uncounted: ReadonlyMap<string, number>,
  ) {
    const [first] = group;
    if (!first) return true;
    const { team_id: teamId, subscription_id: subscriptionId, day } = first.delivery;
    const state = await lockState(sql, teamId, subscriptionId);
    const settled = state && (await settle(sql, fence, day, settlementsOf(group)));
    if (!settled) return false;
    const open = new Set(settled.flatMap(({ ids }) => ids));
    const counted = group
      .map(({ settlement }) => settlement)
      .filter((settlement) => open.has(settlement.id) && settlement.trigger !== 'test');
    const [last] = counted.slice(-1);
    if (!last) return true;
    const renewed = new Set(settled.flatMap(({ renewed_ids }) => renewed_ids));
    const failed = counted.filter(({ id, status }) => status === 'failed' && !renewed.has(id));
    await countFailures(sql, teamId, subscriptionId, {
      permanent: failed.length,
      attempts: counted.length,
      tries: counted.length + (uncounted.get(subscriptionId) ?? 0),
      isGone: counted.some(({ error_code }) => error_code === 'gone'),
      isProbe: counted.some(({ trigger }) => trigger === 'probe'),
      lastError: describe(last),
      nextAttemptAt: earliest(counted.map(({ next_attempt_at }) => next_attempt_at)),
    });
    return true;
  }

  /** Counters, breaker, notices and disabling; the state row is locked. ADR 30, 34. */
  async function countFailures(
    sql: Sql,
    teamId: string,
    subscriptionId: string,
    failures: {
      permanent: number;
      attempts: number;
      /** With the good ones that no window has counted. */
      tries: number;
      isGone: boolean;
      isProbe: boolean;
      lastError: string;
      nextAttemptAt: string | null;
    },
  ) {
    const state = await lockState(sql, teamId, subscriptionId);
    if (!state) return;
    const now = clock.now();
    const before = state.consecutive_permanent_failures;
    const after = before + failures.permanent;
    const window = countTries(windowOf(state), now, failures.tries, failures.attempts);
    const opens =
      failures.isProbe || (state.probe_at === null && opensByShare(window, policy.breakerTries));
    const pauseMs = opens
      ? doubledPause(
          {
            firstPauseMs: policy.breakerFirstPauseMs,
            maxPauseMs: policy.breakerMaxPauseMs,
          },
          state.probe_pause_ms,
        )
      : state.probe_pause_ms;
    const probeAt = opens ? new Date(now + (pauseMs ?? 0)).toISOString() : state.probe_at;
    const wakeAt =
      earliest([failures.nextAttemptAt, state.recovery_due_at]) ?? new Date(now).toISOString();
    const wakesEarlier =
      !state.owned_by_recovery ||
      state.recovery_due_at === null ||
      Date.parse(wakeAt) < Date.parse(state.recovery_due_at);
    const notice = crossesFailureThreshold(before, after);
    const disables = failures.isGone || mustDisable(after, policy.disableAfter);
    await updateState(sql, teamId, subscriptionId, {
      consecutive_permanent_failures: after,
      ...columnsOf(window),
      last_error: failures.lastError,
      failing_since: state.failing_since ?? new Date(now).toISOString(),
      owned_by_recovery: true,
      recovery_due_at: disables ? new Date(now).toISOString() : wakeAt,
      probe_at: probeAt,
      probe_pause_ms: pauseMs,
      ...(notice && { failing_noticed_at: new Date(now).toISOString() }),
    });
    if (notice) await notify(sql, teamId, subscriptionId, webhookSubscriptionFailing);
    if (disables && (await disableSubscription(sql, teamId, subscriptionId))) {
      await updateState(sql, teamId, subscriptionId, {
        disabled_reason: failures.isGone ? 'gone' : 'permanent_failures',
        failing_noticed_at: new Date(now).toISOString(),
      });
      await notify(sql, teamId, subscriptionId, webhookSubscriptionDisabled);
    }
    if (wakesEarlier || disables)
      await signalWorkflow(sql, 'webhook_recovery', subscriptionId, teamId);
  }

  /** Notifies the team's other subscriptions about this one. */
  async function notify(sql: Sql, teamId: string, subscriptionId: string, type: EventType) {
    const data = await findSubscription(sql, teamId, subscriptionId);
    if (!data) return;
    const sequence = await nextEventSequence(sql, teamId, subscriptionId);
    recordEvent(sql, { teamId, type, data, sequence, except: subscriptionId });
  }

  return { record, countFailures };
}

function settlementsOf(group: readonly Attempted[]): Settlement[] {
  return group.map(({ settlement }) => settlement);
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
