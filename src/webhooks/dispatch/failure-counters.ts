import { countTries, doubledPause, opensByShare } from '../../platform/circuit-breaker/rules.ts';
import type { BreakerWindow } from '../../platform/circuit-breaker/rules.ts';
import type { WebhookConfig } from '../../platform/config.ts';
import type { Clock } from '../../platform/database/clock.ts';
import type { Sql } from '../../platform/database/sql.ts';
import type { EventType } from '../../platform/events/event-type.ts';
import { recordEvent } from '../../platform/events/record.ts';
import { signalJob } from '../../platform/jobs/queries.ts';
import { webhookRecoveryJob } from '../../../workflows/jobs.ts';
import { toTimestamp } from '../../platform/time/rules.ts';
import {
  webhookSubscriptionDisabled,
  webhookSubscriptionFailing,
  webhookSubscriptionRecovered,
} from '../events.ts';
import { bringForward } from '../recovery/queries.ts';
import { findSubscription, nextEventSequence } from '../webhook-subscriptions/queries.ts';
import { crossesFailureThreshold, mustDisable, variedPause } from '../retries/rules.ts';
import { disableSubscription, lockState, updateState } from './queries.ts';
import type { StateRow } from './queries.ts';

/** Some failed attempts of one subscription. */
export interface Failures {
  /** Deliveries that failed for good. */
  permanent: number;
  attempts: number;
  /** Includes successful ones that no window has counted. */
  tries: number;
  isGone: boolean;
  isProbe: boolean;
  lastError: string;
  nextAttemptAt: string | null;
  /** The latest time before which a receiver wants no further request. */
  notBefore: string | null;
}

export type FailureCounters = ReturnType<typeof createFailureCounters>;

/** Changes the state of subscriptions after attempts: counters, breaker, notices, disabling. */
export function createFailureCounters({ clock, policy }: { clock: Clock; policy: WebhookConfig }) {
  return {
    /** After failures. ADR 30, 34. */
    async count(sql: Sql, teamId: string, subscriptionId: string, failures: Failures) {
      const state = await lockState(sql, teamId, subscriptionId);
      if (!state) return;
      const now = toTimestamp(clock.now());
      const { changes, isNoticed, disables, wakesEarlier } = afterFailures(
        state,
        failures,
        policy,
        Date.parse(now),
      );
      await updateState(sql, teamId, subscriptionId, changes);
      if (isNoticed) await notify(sql, teamId, subscriptionId, webhookSubscriptionFailing);
      if (disables && (await disableSubscription(sql, teamId, subscriptionId))) {
        await updateState(sql, teamId, subscriptionId, {
          disabled_reason: failures.isGone ? 'gone' : 'permanent_failures',
          failing_noticed_at: now,
        });
        await notify(sql, teamId, subscriptionId, webhookSubscriptionDisabled);
      }
      if (wakesEarlier || disables) {
        await signalJob(sql, webhookRecoveryJob, subscriptionId, teamId);
      }
    },

    /** Starts a recovery at once for all deliveries that wait; no failure counts. */
    async resume(sql: Sql, teamId: string, subscriptionId: string) {
      const recovery_due_at = toTimestamp(clock.now());
      await updateState(sql, teamId, subscriptionId, { owned_by_recovery: true, recovery_due_at });
      await signalJob(sql, webhookRecoveryJob, subscriptionId, teamId);
    },

    /** After successful attempts of a subscription that was failing. */
    async reset(sql: Sql, teamId: string, subscriptionId: string, tries: number) {
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
        await bringForward(sql, teamId, subscriptionId, toTimestamp(clock.now()));
      }
      if (state.failing_noticed_at !== null) {
        await notify(sql, teamId, subscriptionId, webhookSubscriptionRecovered);
      }
    },
  };
}

/** The state of a subscription after failures, and what follows. */
function afterFailures(state: StateRow, failures: Failures, policy: WebhookConfig, nowMs: number) {
  const now = new Date(nowMs).toISOString();
  const before = state.consecutive_permanent_failures;
  const after = before + failures.permanent;
  const window = countTries(windowOf(state), nowMs, failures.tries, failures.attempts);
  const wakeAt = earliest([failures.nextAttemptAt, state.recovery_due_at]) ?? now;
  const disables = failures.isGone || mustDisable(after, policy.disableAfter);
  const isNoticed = crossesFailureThreshold(before, after);
  const changes = {
    consecutive_permanent_failures: after,
    ...columnsOf(window),
    last_error: failures.lastError,
    failing_since: state.failing_since ?? now,
    owned_by_recovery: true,
    recovery_due_at: disables ? now : wakeAt,
    ...nextProbe(state, failures, window, policy, nowMs),
    ...(isNoticed && { failing_noticed_at: now }),
  };
  const wakesEarlier =
    !state.owned_by_recovery ||
    state.recovery_due_at === null ||
    Date.parse(wakeAt) < Date.parse(state.recovery_due_at);
  return { changes, isNoticed, disables, wakesEarlier };
}

/**
 * The next probe, later after a failed one, and not before the receiver wants it; none while the
 * circuit is closed.
 */
function nextProbe(
  { probe_at, probe_pause_ms }: StateRow,
  { isProbe, notBefore }: Failures,
  window: BreakerWindow,
  policy: WebhookConfig,
  nowMs: number,
) {
  const opens = isProbe || (probe_at === null && opensByShare(window, policy.breakerTries));
  if (!opens) return { probe_at: probe_at && latest([probe_at, notBefore]), probe_pause_ms };
  const { breakerFirstPauseMs: firstPauseMs, breakerMaxPauseMs: maxPauseMs } = policy;
  const pauseMs = doubledPause({ firstPauseMs, maxPauseMs }, probe_pause_ms);
  const dueAtMs = nowMs + variedPause(pauseMs, policy.jitter, Math.random());
  return { probe_at: latest([toTimestamp(dueAtMs), notBefore]), probe_pause_ms: pauseMs };
}

/** Notifies the team's other subscriptions about this one. */
async function notify(sql: Sql, teamId: string, subscriptionId: string, type: EventType) {
  const data = await findSubscription(sql, teamId, subscriptionId);
  if (!data) return;
  const sequence = await nextEventSequence(sql, teamId, subscriptionId);
  recordEvent(sql, { teamId, type, data, sequence, except: subscriptionId });
}

function windowOf(state: StateRow): BreakerWindow | undefined {
  if (state.window_started_at === null) return undefined;
  const startedAtMs = Date.parse(state.window_started_at);
  return { startedAtMs, tries: state.window_tries, failures: state.window_failures };
}

function columnsOf({ startedAtMs, tries, failures }: BreakerWindow) {
  return {
    window_started_at: toTimestamp(startedAtMs),
    window_tries: tries,
    window_failures: failures,
  };
}

/** The earliest of some timestamps, null where there is none. */
export const earliest = (stamps: readonly (string | null)[]) => inOrder(stamps)[0] ?? null;

/** The latest of some timestamps, null where there is none. */
export const latest = (stamps: readonly (string | null)[]) => inOrder(stamps).at(-1) ?? null;

function inOrder(stamps: readonly (string | null)[]): string[] {
  const known = stamps.filter((stamp) => stamp !== null);
  return known.sort((a, b) => Date.parse(a) - Date.parse(b));
}
