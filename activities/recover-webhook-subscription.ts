import type { WebhookConfig } from '../src/platform/config.ts';
import type { Database } from '../src/platform/database/client.ts';
import { readInOrder } from '../src/platform/database/one-trip.ts';
import type { Sql } from '../src/platform/database/sql.ts';
import { again, endUnlessSignaled, waitUntil } from '../src/platform/jobs/job.ts';
import type { Job, OverdueRows, Update } from '../src/platform/jobs/job.ts';
import type { JobTarget, Round } from '../src/platform/jobs/shape.ts';
import { findWaitingDays } from '../src/webhooks/dispatch/lanes/queries.ts';
import { releaseExpiredLimits } from '../src/webhooks/dispatch/limits/queries.ts';
import { lockState } from '../src/webhooks/dispatch/queries.ts';
import {
  assignToRecovery,
  countWaiting,
  listOverdueRecoveries,
  retryNow,
  setPause,
  signalDueRecoveries,
} from '../src/webhooks/recovery/queries.ts';
import type {
  AttemptCounts,
  RecoveryDependencies,
} from '../src/webhooks/recovery/attempt-rounds.ts';
import { createRecovery } from '../src/webhooks/recovery/recover.ts';
import type { RecoveryStatus } from '../src/webhooks/recovery/recover.ts';
import { webhookRecoveryJob } from '../workflows/jobs.ts';
import { toTimestamp } from '../src/platform/time/rules.ts';

/** The state is the counts of the chain of runs. */
export function recoverWebhookSubscription(tools: RecoveryDependencies): Job<AttemptCounts> {
  const recover = createRecovery(tools);
  return {
    shape: webhookRecoveryJob,
    overdue: [dueRecoveries, lostRecoveries(tools.policy)],
    async round({ teamId, id, asOfMs, state }, show) {
      const counts = { delivered: 0, failed: 0, givenUp: 0, ...state };
      show(counts);
      const status = await recover({ teamId, subscriptionId: id, asOfMs }, counts);
      return afterAttempts(status, counts, asOfMs);
    },
    updates: {
      retryNow: (sql, target) =>
        changeState(sql, target, ({ isPaused }) =>
          isPaused
            ? Promise.resolve({ refusal: 'Deliveries are paused: resume them first.' })
            : retryAll(sql, target),
        ),
      pauseDelivery: (sql, target, { seconds }) =>
        changeState(sql, target, async () => {
          const until = await setPause(sql, target.teamId, target.id, Number(seconds));
          return {
            done: `Deliveries are paused until ${String(until)}.`,
            action: 'webhook_subscription.paused',
          };
        }),
      resumeDelivery: (sql, target) =>
        changeState(sql, target, async ({ isPaused }) => {
          if (!isPaused) return { refusal: 'Deliveries are not paused.' };
          await setPause(sql, target.teamId, target.id, null);
          return { done: 'Deliveries go on.', action: 'webhook_subscription.resumed' };
        }),
    },
  };
}

const toRow = (row: { subscription_id: string; team_id: string }) => ({
  id: row.subscription_id,
  team_id: row.team_id,
});

const dueRecoveries: OverdueRows = async (database: Database) => {
  const { first } = await readInOrder(database, findWaitingDays);
  const due = await readInOrder(database, (sql) => signalDueRecoveries(sql, first));
  return due.map(toRow);
};

/** Those that are overdue by this and untouched have lost their workflow. */
const overdueSeconds = 8;

function lostRecoveries({ maxAgeMs }: WebhookConfig): OverdueRows {
  return (database) =>
    database.read(async (sql) =>
      [
        ...(await assignToRecovery(sql)),
        ...(await releaseExpiredLimits(sql, maxAgeMs)),
        ...(await listOverdueRecoveries(sql, overdueSeconds)),
      ].map(toRow),
    );
}

async function changeState(
  sql: Sql,
  { teamId, id }: JobTarget,
  change: (found: { isPaused: boolean }) => Promise<Update>,
): Promise<Update> {
  const state = await lockState(sql, teamId, id);
  if (!state) return { refusal: 'The subscription is deleted.' };
  const { paused_until: until } = state;
  return change({ isPaused: until !== null && Date.parse(until) > Date.now() });
}

async function retryAll(sql: Sql, { teamId, id }: JobTarget): Promise<Update> {
  const { waiting } = await countWaiting(sql, teamId, id);
  if (waiting === 0) return { refusal: 'Nothing waits.' };
  await retryNow(sql, teamId, id);
  return { done: 'All waiting deliveries are due now.', action: 'webhook_subscription.retried' };
}

export function afterAttempts(
  status: RecoveryStatus,
  counts: AttemptCounts,
  asOfMs: number,
): Round<AttemptCounts> {
  const details = describe(status, counts);
  const { dueAtMs, waiting } = status;
  if (dueAtMs === undefined) {
    const result = { outcome: outcomeOf(status, counts), ...counts };
    return endUnlessSignaled(result, details, { shown: { waiting: 0 }, state: counts });
  }
  if (dueAtMs <= asOfMs) return again(details, { state: counts });
  const summary = `Next attempt at ${toTimestamp(dueAtMs)}`;
  const shown = { waiting, dueAt: dueAtMs };
  return waitUntil(dueAtMs, summary, details, { shown, state: counts });
}

/**
 * `recovered`: the lanes send again. `given_up`: the same, but no attempt succeeded until the
 * deliveries had failed for good. Else the subscription was switched off by its owner
 * (`inactive`), by its failures (`disabled`), or `deleted`.
 */
function outcomeOf({ offCause }: RecoveryStatus, { delivered, failed, givenUp }: AttemptCounts) {
  return offCause ?? (failed + givenUp > 0 && delivered === 0 ? 'given_up' : 'recovered');
}

const ends = {
  inactive: 'is inactive, and what waited was suppressed',
  disabled: 'was disabled for its failures, and what waited was suppressed',
  deleted: 'was deleted, and what waited was canceled',
};

function describe(status: RecoveryStatus, counts: AttemptCounts): string {
  const { delivered } = counts;
  const soFar = delivered > 0 ? ` ${String(delivered)} delivered by this recovery so far.` : '';
  if (status.dueAtMs === undefined) {
    const end = status.offCause === undefined ? '' : `; the subscription ${ends[status.offCause]}`;
    return `Nothing waits${end}.${soFar}${describeLost(status, counts)}`;
  }
  if (status.isSuspended === true) {
    return (
      'The team, or the client that set the subscription up, is suspended. ' +
      `${String(status.waiting)} deliveries wait.${soFar}`
    );
  }
  if (status.pausedUntilMs !== undefined) {
    return (
      `Paused by an operator until ${toTimestamp(status.pausedUntilMs)}. ` +
      `${String(status.waiting)} deliveries wait.${soFar}`
    );
  }
  const breaker = status.isBreakerOpen
    ? ' The circuit breaker is open: one probe stands for all of them.'
    : '';
  return (
    `${String(status.waiting)} deliveries wait since ${status.failingSince ?? 'now'}. ` +
    `Last error: ${status.lastError ?? 'none'}. ` +
    `Next attempt due at ${toTimestamp(status.dueAtMs)}.${breaker}${soFar}`
  );
}

/** Deliveries that nobody sends any more. */
function describeLost(status: RecoveryStatus, counts: AttemptCounts): string {
  const { failed, givenUp } = counts;
  const replay = 'Replay them once the receiver works.';
  if (outcomeOf(status, counts) === 'given_up') {
    if (failed === 0) return ` ${String(givenUp)} deliveries became too old. ${replay}`;
    return ` All ${String(failed)} attempts failed, and the deliveries were given up. ${replay}`;
  }
  return givenUp > 0 ? ` ${String(givenUp)} deliveries failed permanently. ${replay}` : '';
}
