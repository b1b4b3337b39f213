import type { WebhookConfig } from '../../platform/config.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { toTimestamp } from '../../platform/time/rules.ts';
import { findOrdering } from '../dispatch/limits/queries.ts';
import { lockState, updateState } from '../dispatch/queries.ts';
import { isHeldBack } from '../suspending/queries.ts';
import { attemptRounds } from './attempt-rounds.ts';
import type { AttemptCounts, RecoveryDependencies, RecoveryRequest } from './attempt-rounds.ts';
import { dueAt, pauseOf, suspendedPauseMs } from './due-time.ts';
import { countWaiting, endUnattempted, findHeadDue, findOffCause } from './queries.ts';

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

const chunk = 500;

/** Attempts the due deliveries of a failing subscription. */
export function createRecovery(tools: RecoveryDependencies) {
  /**
   * Attempts what is due, in rounds that grow while they succeed; returns what waits then. The
   * counts go on meanwhile.
   */
  return async (request: RecoveryRequest, counts: AttemptCounts): Promise<RecoveryStatus> => {
    const startedAtMs = performance.now();
    await endUndeliverable(tools, request);
    counts.givenUp += await failExpired(tools, request);
    await attemptRounds(tools, request, counts);
    const asOfMs = request.asOfMs + performance.now() - startedAtMs;
    return readStatus(tools, { ...request, asOfMs });
  };
}

/** Suppresses or cancels waiting deliveries of a subscription that accepts none. */
async function endUndeliverable(
  { database }: RecoveryDependencies,
  { teamId, subscriptionId }: RecoveryRequest,
): Promise<void> {
  for (;;) {
    const ended = await database.transact(async (sql) => {
      const cause = await findOffCause(sql, teamId, subscriptionId);
      if (!cause) return 0;
      const status = cause === 'subscription_deleted' ? 'canceled' : 'suppressed';
      const outcome = { status, error_code: cause } as const;
      return endUnattempted(sql, teamId, subscriptionId, outcome, { limit: chunk });
    });
    if (ended === 0) return;
  }
}

/** Fails what has reached the age limit, however few attempts it had; returns how many. */
async function failExpired(
  { database, counters, policy }: RecoveryDependencies,
  request: RecoveryRequest,
): Promise<number> {
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

/** Counts what waits, and finds when the next attempt is due. */
async function readStatus(
  { database, policy }: RecoveryDependencies,
  request: RecoveryRequest,
): Promise<RecoveryStatus> {
  const found = await database.transact((sql) => decide(sql, request, policy));
  if (found.dueAtMs !== undefined) return found;
  const { teamId, subscriptionId } = request;
  const cause = await database.read((sql) => findOffCause(sql, teamId, subscriptionId));
  return cause === null ? found : { ...found, offCause: offCauses[cause] };
}

async function decide(
  sql: Sql,
  request: RecoveryRequest,
  { maxAgeMs }: WebhookConfig,
): Promise<RecoveryStatus> {
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
  const due = dueAt({ ...state, paused_until: paused }, waiting, maxAgeMs);
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

const offCauses = {
  subscription_deleted: 'deleted',
  subscription_inactive: 'inactive',
  subscription_disabled: 'disabled',
} as const;
