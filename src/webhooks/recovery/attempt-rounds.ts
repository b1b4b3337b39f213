import { setTimeout as pause } from 'node:timers/promises';
import type { WebhookConfig } from '../../platform/config.ts';
import type { Database } from '../../platform/database/client.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { toTimestamp } from '../../platform/time/rules.ts';
import type { AttemptRecorder } from '../dispatch/attempt-recorder.ts';
import type { FailureCounters } from '../dispatch/failure-counters.ts';
import { findOrdering, reserveSlots } from '../dispatch/limits/queries.ts';
import type { Slots } from '../dispatch/limits/queries.ts';
import { lockState } from '../dispatch/queries.ts';
import type { DueDelivery } from '../dispatch/queries.ts';
import type { Attempted, Sender } from '../dispatch/webhook-sender.ts';
import { firstRound, nextRound } from '../retries/rules.ts';
import { isHeldBack } from '../suspending/queries.ts';
import { pauseOf } from './due-time.ts';
import { claimDue, claimInOrder, claimRecovery } from './queries.ts';

export interface RecoveryDependencies {
  database: Database;
  sender: Sender;
  recorder: AttemptRecorder;
  counters: FailureCounters;
  policy: WebhookConfig;
  stopping: AbortSignal;
}

export interface RecoveryRequest {
  teamId: string;
  subscriptionId: string;
  /** The workflow's clock in epoch ms, which determines what is due. */
  asOfMs: number;
}

export interface AttemptCounts {
  delivered: number;
  failed: number;
  /** Deliveries that failed for good: by their last attempt, or by their age. */
  givenUp: number;
}

interface Round {
  asOf: string;
  size: number;
  token: number;
  goesOn: () => boolean;
}

const budgetMs = 30_000;

/** Attempts what is due, in rounds that grow while they succeed. The counts go on meanwhile. */
export async function attemptRounds(
  tools: RecoveryDependencies,
  request: RecoveryRequest,
  counts: AttemptCounts,
): Promise<void> {
  const { database, stopping } = tools;
  const { teamId, subscriptionId, asOfMs } = request;
  const startedAtMs = performance.now();
  const token = await database.read((sql) => claimRecovery(sql, teamId, subscriptionId));
  if (token === undefined) return;
  const elapsedMs = () => performance.now() - startedAtMs;
  const goesOn = () => !stopping.aborted && elapsedMs() <= budgetMs;
  let size = firstRound;
  while (goesOn()) {
    const asOf = toTimestamp(asOfMs + elapsedMs());
    const made = await attemptRound(tools, request, { asOf, size, token, goesOn });
    if (!made || made.length === 0) return;
    const failed = made.filter(({ outcome }) => outcome.status !== 'delivered').length;
    counts.failed += failed;
    counts.givenUp += made.filter(({ outcome }) => outcome.status === 'failed').length;
    counts.delivered += made.length - failed;
    size = nextRound(size, { made: made.length, failed });
  }
}

/**
 * Makes one round of attempts; undefined if nothing is due or another worker runs the recovery.
 */
async function attemptRound(
  { database, sender, recorder }: RecoveryDependencies,
  request: RecoveryRequest,
  round: Round,
): Promise<Attempted[] | undefined> {
  const { teamId, subscriptionId } = request;
  const room = sender.room({
    team_id: teamId,
    subscription_id: subscriptionId,
    max_concurrency: null,
  });
  const { state, due, ordered } = await database.transact((sql) =>
    claimRound(sql, request, round, room),
  );
  if (state?.recovery_token !== round.token || due.length + ordered.length === 0) {
    return undefined;
  }
  const fence = { teamId, subscriptionId, token: round.token };
  const isProbe = state.probe_at !== null;
  const slots = await slotOf(database, [...due, ...ordered]);
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
    if (one.outcome.status !== 'delivered') break;
  }
  return made;
}

/** Claims the deliveries of a round; those in the strict order apart. */
async function claimRound(sql: Sql, request: RecoveryRequest, round: Round, room: number) {
  const { teamId, subscriptionId } = request;
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
}

/** The slots of a round, which take no longer than a second; undefined without a limit. */
async function slotOf(
  database: Database,
  [first, ...others]: readonly DueDelivery[],
): Promise<Slots | undefined> {
  if (!first || first.rate_limit_per_second === null) return undefined;
  const { team_id: teamId, subscription_id: subscriptionId } = first;
  const demand = { teamId, subscriptionId, count: others.length + 1 };
  const [slots] = await database.transact((sql) => reserveSlots(sql, [demand]));
  return slots;
}

/** A client waits for this attempt, and it is no evidence for the others. */
function isRequested({ trigger, schedule_step }: DueDelivery): boolean {
  return trigger === 'test' || (trigger === 'manual' && schedule_step === 0);
}
