import { setTimeout as pause } from 'node:timers/promises';
import type { WebhookConfig } from '../../platform/config.ts';
import type { Database } from '../../platform/database/client.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { firstRound, nextRound } from '../retries/rules.ts';
import { findOrdering, reserveSlots } from '../dispatch/limits/queries.ts';
import type { Slots } from '../dispatch/limits/queries.ts';
import { lockState, updateState } from '../dispatch/queries.ts';
import {
  claimDue,
  claimInOrder,
  countWaiting,
  findHeadDue,
  findOffCause,
  endUnattempted,
  claimRecovery,
} from './queries.ts';
import { isHeldBack } from '../suspending/queries.ts';
import { dueAt, pauseOf, suspendedPauseMs } from './due-time.ts';
import type { DueDelivery } from '../dispatch/queries.ts';
import type { FailureCounters } from '../dispatch/failure-counters.ts';
import type { AttemptRecorder } from '../dispatch/attempt-recorder.ts';
import { toTimestamp } from '../../platform/time/rules.ts';
import type { Attempted, Sender } from '../dispatch/webhook-sender.ts';

export interface RecoveryDependencies {
  database: Database;
  sender: Sender;
  recorder: AttemptRecorder;
  counters: FailureCounters;
  policy: WebhookConfig;
  stopping: AbortSignal;
}

interface RecoveryRequest {
  teamId: string;
  subscriptionId: string;
  /** The workflow's clock in epoch ms, which determines what is due. */
  asOfMs: number;
}

/** State of a failing subscription, for operators. */
export interface RecoveryStatus {
  /** Undefined when nothing waits: the lanes have the subscription back. */
  dueAtMs?: number;
  waiting: number;
  lastError?: string;
  failingSince?: string;
  isBreakerOpen: boolean;
  /** An operator holds attempts back until then. */
  pausedUntilMs?: number;
  /** Its team, or the client that set it up, is suspended: nothing is attempted. */
  isSuspended?: boolean;
  /** Why the subscription takes no deliveries, when nothing waits. */
  offCause?: 'inactive' | 'disabled' | 'deleted';
}

export interface AttemptCounts {
  delivered: number;
  failed: number;
  /** Deliveries that failed for good: by their last attempt, or by their age. */
  givenUp: number;
}

const chunk = 500;
const budgetMs = 30_000;

/** Attempts the due deliveries of a failing subscription. */
export function createRecovery(dependencies: RecoveryDependencies) {
  const { database, sender, recorder, counters, policy, stopping } = dependencies;

  /** Suppresses or cancels waiting deliveries of a subscription that accepts none. */
  async function endUndeliverable({ teamId, subscriptionId }: RecoveryRequest): Promise<void> {
    for (;;) {
      const settled = await database.transact(async (sql) => {
        const cause = await findOffCause(sql, teamId, subscriptionId);
        if (!cause) return 0;
        const status = cause === 'subscription_deleted' ? 'canceled' : 'suppressed';
        const outcome = { status, error_code: cause } as const;
        return endUnattempted(sql, teamId, subscriptionId, outcome, { limit: chunk });
      });
      if (settled === 0) return;
    }
  }

  /** Fails what has reached the age limit, however few attempts it had; returns how many. */
  async function failExpired(request: RecoveryRequest): Promise<number> {
    const { teamId, subscriptionId, asOfMs } = request;
    let total = 0;
    const renewedBefore = toTimestamp(asOfMs - policy.maxAgeMs);
    for (;;) {
      const expired = await database.transact(async (sql) => {
        await lockState(sql, teamId, subscriptionId);
        const outcome = { status: 'failed', error_code: 'expired' } as const;
        const bounds = { limit: chunk, renewedBefore };
        const count = await endUnattempted(sql, teamId, subscriptionId, outcome, bounds);
        // It waited through a suspension, which is no fault of the receiver.
        if (count > 0 && !(await isHeldBack(sql, teamId, subscriptionId))) {
          await counters.count(sql, teamId, subscriptionId, {
            permanent: count,
            attempts: 0,
            tries: 0,
            isGone: false,
            isProbe: false,
            lastError: 'expired',
            nextAttemptAt: null,
            notBefore: null,
          });
        }
        return count;
      });
      if (expired === 0) return total;
      total += expired;
    }
  }

  async function decide(sql: Sql, request: RecoveryRequest): Promise<RecoveryStatus> {
    const { teamId, subscriptionId, asOfMs } = request;
    const state = await lockState(sql, teamId, subscriptionId);
    // A late signal: the lanes own the subscription again.
    if (!state?.owned_by_recovery) return { waiting: 0, isBreakerOpen: false };
    const counted = await countWaiting(sql, teamId, subscriptionId);
    const isInOrder = (await findOrdering(sql, teamId, subscriptionId)) === 'fifo';
    const waiting = isInOrder
      ? { ...counted, next_attempt_at: await findHeadDue(sql, teamId, subscriptionId) }
      : counted;
    const until = pauseOf(state, toTimestamp(asOfMs));
    const isOff = until !== null && (await findOffCause(sql, teamId, subscriptionId)) !== null;
    const paused = isOff ? null : until;
    const due = dueAt({ ...state, paused_until: paused }, waiting, policy.maxAgeMs);
    if (due === null) {
      // Under the lock, so that nothing is recorded between "nothing waits" and the release.
      await updateState(sql, teamId, subscriptionId, {
        owned_by_recovery: false,
        recovery_due_at: null,
        failing_since: null,
        paused_until: null,
      });
      return { waiting: 0, isBreakerOpen: false };
    }
    await updateState(sql, teamId, subscriptionId, { recovery_due_at: due });
    const isSuspended = await isHeldBack(sql, teamId, subscriptionId);
    return {
      dueAtMs: Math.max(Date.parse(due), isSuspended ? asOfMs + suspendedPauseMs : 0),
      waiting: waiting.waiting,
      isBreakerOpen: state.probe_at !== null,
      ...(state.last_error !== null && { lastError: state.last_error }),
      ...(state.failing_since !== null && { failingSince: state.failing_since }),
      ...(paused !== null && { pausedUntilMs: Date.parse(paused) }),
      ...(isSuspended && { isSuspended }),
    };
  }

  /**
   * Makes one round of attempts; undefined if nothing is due or another worker runs the recovery.
   */
  async function attemptRound(
    request: RecoveryRequest,
    round: { asOf: string; size: number; token: number; goesOn: () => boolean },
  ): Promise<Attempted[] | undefined> {
    const { teamId, subscriptionId } = request;
    const room = sender.room({
      team_id: teamId,
      subscription_id: subscriptionId,
      max_concurrency: null,
    });
    const { state, due, ordered } = await database.transact(async (sql) => {
      const locked = await lockState(sql, teamId, subscriptionId);
      const isSuspended = await isHeldBack(sql, teamId, subscriptionId);
      if (isSuspended) return { state: locked, due: [], ordered: [] };
      const isOpen = locked?.probe_at != null;
      const isPaused = locked !== undefined && pauseOf(locked, round.asOf) !== null;
      const isProbing =
        isOpen && !isPaused && Date.parse(locked.probe_at ?? '') <= Date.parse(round.asOf);
      // A probe sends the oldest waiting delivery, even before it is due.
      const bounds = {
        asOf: isProbing ? 'infinity' : round.asOf,
        limit: isOpen ? 1 : Math.max(1, Math.min(round.size, room)),
        requestedOnly: isPaused || (isOpen && !isProbing),
      };
      const isInOrder = (await findOrdering(sql, teamId, subscriptionId)) === 'fifo';
      const inOrder =
        isInOrder && !bounds.requestedOnly
          ? await claimInOrder(sql, teamId, subscriptionId, bounds)
          : [];
      const requestedOnly = bounds.requestedOnly || isInOrder;
      const others = await claimDue(sql, teamId, subscriptionId, { ...bounds, requestedOnly });
      // Requested attempts come first, except for those in the strict order.
      const placed = new Set(inOrder.map(({ id }) => id));
      const jumping = others.filter(({ id }) => !placed.has(id));
      return { state: locked, due: jumping, ordered: inOrder };
    });
    if (state?.recovery_token !== round.token || due.length + ordered.length === 0) {
      return undefined;
    }
    const fence = { teamId, subscriptionId, token: round.token };
    const isProbe = state.probe_at !== null;
    const slots = await slotOf([...due, ...ordered]);
    const startedAtMs = performance.now();
    async function attempt(delivery: DueDelivery, at: number): Promise<Attempted | undefined> {
      const elapsedMs = performance.now() - startedAtMs;
      if (slots) await pause(slots.starts_in_ms + at * slots.gap_ms - elapsedMs);
      return sender.attempt(delivery, {
        isProbe: isProbe && !isRequested(delivery),
        signal: new AbortController().signal,
      });
    }
    const attempted = await Promise.all(due.map(attempt));
    const made = attempted.filter((one) => one !== undefined);
    if (!(await recorder.record(made, fence))) return undefined;
    // Each is stored before the next is sent, and a failure ends the round.
    for (const [at, delivery] of ordered.entries()) {
      if (!round.goesOn()) break;
      const one = await attempt(delivery, due.length + at);
      if (!one || !(await recorder.record([one], fence))) return undefined;
      made.push(one);
      if (one.settlement.status !== 'delivered') break;
    }
    return made;
  }

  /** The slots of a round, which take no longer than a second; undefined without a limit. */
  async function slotOf([first, ...others]: readonly DueDelivery[]): Promise<Slots | undefined> {
    if (!first || first.rate_limit_per_second === null) return undefined;
    const { team_id: teamId, subscription_id: subscriptionId } = first;
    const demand = { teamId, subscriptionId, count: others.length + 1 };
    const [slots] = await database.transact((sql) => reserveSlots(sql, [demand]));
    return slots;
  }

  async function attemptRounds(request: RecoveryRequest, counts: AttemptCounts): Promise<void> {
    const { teamId, subscriptionId, asOfMs } = request;
    const startedAtMs = performance.now();
    const token = await database.read((sql) => claimRecovery(sql, teamId, subscriptionId));
    if (token === undefined) return;
    const elapsedMs = () => performance.now() - startedAtMs;
    const goesOn = () => !stopping.aborted && elapsedMs() <= budgetMs;
    let size = firstRound;
    while (goesOn()) {
      const asOf = toTimestamp(asOfMs + elapsedMs());
      const made = await attemptRound(request, { asOf, size, token, goesOn });
      if (!made || made.length === 0) return;
      const failed = made.filter(({ settlement }) => settlement.status !== 'delivered').length;
      counts.failed += failed;
      counts.givenUp += made.filter(({ settlement }) => settlement.status === 'failed').length;
      counts.delivered += made.length - failed;
      size = nextRound(size, { made: made.length, failed });
    }
  }

  /** Settles deliveries that are not to be attempted; returns how many had become too old. */
  async function endUnsendable(request: RecoveryRequest): Promise<number> {
    await endUndeliverable(request);
    return failExpired(request);
  }

  /** Counts what waits, and finds when the next attempt is due. */
  async function readStatus(request: RecoveryRequest): Promise<RecoveryStatus> {
    const found = await database.transact((sql) => decide(sql, request));
    if (found.dueAtMs !== undefined) return found;
    const { teamId, subscriptionId } = request;
    const cause = await database.read((sql) => findOffCause(sql, teamId, subscriptionId));
    return cause === null ? found : { ...found, offCause: offCauses[cause] };
  }

  /**
   * Attempts what is due, in rounds that grow while they succeed; returns what waits then. The
   * counts go on meanwhile.
   */
  return async (request: RecoveryRequest, counts: AttemptCounts): Promise<RecoveryStatus> => {
    const startedAtMs = performance.now();
    counts.givenUp += await endUnsendable(request);
    await attemptRounds(request, counts);
    const asOfMs = request.asOfMs + performance.now() - startedAtMs;
    return readStatus({ ...request, asOfMs });
  };
}

const offCauses = {
  subscription_deleted: 'deleted',
  subscription_inactive: 'inactive',
  subscription_disabled: 'disabled',
} as const;

/** A client waits for this attempt, and it is no evidence for the others. */
function isRequested({ trigger, schedule_step }: DueDelivery): boolean {
  return trigger === 'test' || (trigger === 'manual' && schedule_step === 0);
}
