import {
  continueAsNew,
  defineSignal,
  patched,
  proxyActivities,
  setCurrentDetails,
  workflowInfo,
} from '@temporalio/workflow';
import type {
  RecoveryRequest,
  Survey,
  createRecoveryActivities,
} from '../activities/recover-webhook-subscription.ts';
import { searchAttributes } from '../src/platform/temporal/search-attributes.ts';
import { explainCancellation } from './cancellation.ts';
import { acceptUpdate, operatorActions, outOfRange, updatesFinished } from './operator-updates.ts';
import type { OperatorRequest } from './operator-updates.ts';
import { createSignalLatch } from './signal-latch.ts';
import type { SignalLatch } from './signal-latch.ts';
import { endWith, setSearchAttributes } from './search-attributes.ts';

type Activities = ReturnType<typeof createRecoveryActivities>;

const taskQueue = 'onward-webhook-recoveries';
const retry = { initialInterval: '500 milliseconds', maximumInterval: '5 seconds' } as const;
const { surveyWebhookRecovery } = proxyActivities<Activities>({
  taskQueue,
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '15 seconds',
  retry,
  summary: 'Count what waits, and read when the next attempt is due',
});
const { attemptDueWebhooks } = proxyActivities<Activities>({
  taskQueue,
  startToCloseTimeout: '10 minutes',
  // Longer than the slowest round, which is one attempt's timeout.
  heartbeatTimeout: '40 seconds',
  retry,
  summary: 'Send the deliveries that are due',
});

/** Wake-up signal: the rows of the subscription changed. */
export const recoveryChanged = defineSignal('recoveryChanged');

export function recoveryWorkflowId(subscriptionId: string): string {
  return `webhook-recovery/${subscriptionId}`;
}

export interface RecoveryArguments {
  v: 1;
  teamId: string;
  subscriptionId: string;
  /** Counts of the earlier runs that this one continues. */
  before?: RecoveryCounts;
}

/** Counts of all runs of the chain. */
export interface RecoveryCounts {
  delivered: number;
  /** Attempts. */
  failed: number;
  /** Deliveries that failed for good; absent from runs of an earlier version. */
  givenUp?: number;
}

export interface RecoveryResult extends RecoveryCounts {
  /**
   * `recovered`: the lanes send again. `given_up`: the same, but no attempt succeeded until the
   * deliveries had failed for good. Else the subscription was switched off by its owner
   * (`inactive`), by its failures (`disabled`), or `deleted`.
   */
  outcome: 'recovered' | 'given_up' | 'inactive' | 'disabled' | 'deleted';
}

/**
 * Owns every delivery of a failing subscription: its retries, its circuit breaker, and its pending
 * deliveries when it is disabled. It ends when no delivery waits; the lanes continue then.
 */
export async function recoverWebhookSubscription(args: RecoveryArguments): Promise<RecoveryResult> {
  const { teamId, subscriptionId, before = { delivered: 0, failed: 0 } } = args;
  explainCancellation('To stop retries, set the subscription inactive in the API.');
  const signal = createSignalLatch(recoveryChanged);
  let { delivered, failed, givenUp = 0 } = before;
  const counts = () => ({ delivered, failed, givenUp });
  let survey: Survey | undefined;
  acceptUpdates(args, signal, () => survey);
  const isOneCall = patched('attempts-return-survey');

  /** Attempts what is due, and returns what waits after it. */
  async function advance(): Promise<Survey> {
    const request = (): RecoveryRequest => ({ teamId, subscriptionId, asOfMs: Date.now() });
    const found = isOneCall ? undefined : await surveyWebhookRecovery(request());
    if (found && !isDue(found)) return found;
    const made = await attemptDueWebhooks(request());
    delivered += made.delivered;
    failed += made.failed;
    givenUp += countGivenUp(made);
    // A worker of an earlier version returns the counts alone.
    return found ?? made.survey ?? surveyWebhookRecovery(request());
  }

  for (;;) {
    signal.clear();
    survey = await advance();
    setCurrentDetails(describe(survey, counts()));
    const { dueAtMs, waiting } = survey;
    if (dueAtMs === undefined) {
      await updatesFinished();
      if (!signal.isSet()) {
        const outcome = outcomeOf(survey, counts());
        const nothing = { key: searchAttributes.waiting, value: 0 };
        return endWith({ outcome, ...counts() }, [nothing]);
      }
    } else if (!isDue(survey)) {
      setSearchAttributes([
        { key: searchAttributes.waiting, value: waiting },
        { key: searchAttributes.dueAt, value: new Date(dueAtMs) },
      ]);
      const summary = `Next attempt at ${new Date(dueAtMs).toISOString()}`;
      await signal.wait(dueAtMs - Date.now(), summary);
    }
    if (workflowInfo().continueAsNewSuggested) {
      await updatesFinished();
      await continueAsNew<typeof recoverWebhookSubscription>({ ...args, before: counts() });
    }
  }
}

/** A worker of an earlier version does not count them. */
const countGivenUp = ({ givenUp = 0 }: { givenUp?: number }) => givenUp;

const isDue = ({ dueAtMs }: Survey) => dueAtMs !== undefined && dueAtMs <= Date.now();

/** Longest pause: deliveries expire after days. */
const pauseSeconds = { least: 60, most: 86_400, usual: 3_600 };

/** Requests of operators; each ends the current wait. */
function acceptUpdates(
  { teamId, subscriptionId: id }: RecoveryArguments,
  signal: SignalLatch,
  survey: () => Survey | undefined,
): void {
  const pausedUntilMs = () => survey()?.pausedUntilMs;
  acceptUpdate<OperatorRequest>(
    'retryNow',
    'Make all waiting deliveries due now: {"operator": "<name>"}',
    {
      refusal() {
        if (pausedUntilMs() !== undefined) return 'Deliveries are paused: resume them first.';
        return survey()?.waiting === 0 ? 'Nothing waits.' : undefined;
      },
      async apply({ operator }) {
        const answer = await operatorActions.retryWebhooksNow({ teamId, id, operator });
        signal.set();
        return answer;
      },
    },
  );
  acceptUpdate<OperatorRequest & { seconds?: number }>(
    'pauseDelivery',
    'Hold all attempts back for a time: {"operator": "<name>", "seconds": 3600}',
    {
      refusal: ({ seconds = pauseSeconds.usual }) => outOfRange('seconds', seconds, pauseSeconds),
      async apply({ operator, seconds = pauseSeconds.usual }) {
        const answer = await operatorActions.pauseWebhooks({ teamId, id, operator, seconds });
        signal.set();
        return answer;
      },
    },
  );
  acceptUpdate<OperatorRequest>('resumeDelivery', 'End the pause: {"operator": "<name>"}', {
    refusal: () => (pausedUntilMs() === undefined ? 'Deliveries are not paused.' : undefined),
    async apply({ operator }) {
      const answer = await operatorActions.resumeWebhooks({ teamId, id, operator });
      signal.set();
      return answer;
    },
  });
}

function outcomeOf(
  { offCause }: Survey,
  { delivered, failed, givenUp = 0 }: RecoveryCounts,
): RecoveryResult['outcome'] {
  return offCause ?? (failed + givenUp > 0 && delivered === 0 ? 'given_up' : 'recovered');
}

const ends = {
  inactive: 'is inactive, and what waited was suppressed',
  disabled: 'was disabled for its failures, and what waited was suppressed',
  deleted: 'was deleted, and what waited was canceled',
};

function describe(survey: Survey, counts: RecoveryCounts): string {
  const { delivered } = counts;
  const soFar = delivered > 0 ? ` ${String(delivered)} delivered by this recovery so far.` : '';
  if (survey.dueAtMs === undefined) {
    const end = survey.offCause === undefined ? '' : `; the subscription ${ends[survey.offCause]}`;
    return `Nothing waits${end}.${soFar}${describeLost(survey, counts)}`;
  }
  if (survey.isSuspended === true) {
    return (
      'The team, or the client that set the subscription up, is suspended. ' +
      `${String(survey.waiting)} deliveries wait.${soFar}`
    );
  }
  if (survey.pausedUntilMs !== undefined) {
    return (
      `Paused by an operator until ${new Date(survey.pausedUntilMs).toISOString()}. ` +
      `${String(survey.waiting)} deliveries wait.${soFar}`
    );
  }
  const breaker = survey.isBreakerOpen
    ? ' The circuit breaker is open: one probe stands for all of them.'
    : '';
  return (
    `${String(survey.waiting)} deliveries wait since ${survey.failingSince ?? 'now'}. ` +
    `Last error: ${survey.lastError ?? 'none'}. ` +
    `Next attempt due at ${new Date(survey.dueAtMs).toISOString()}.${breaker}${soFar}`
  );
}

/** Deliveries that nobody sends any more. */
function describeLost(survey: Survey, counts: RecoveryCounts): string {
  const { failed, givenUp = 0 } = counts;
  const replay = 'Replay them once the receiver works.';
  if (outcomeOf(survey, counts) === 'given_up') {
    if (failed === 0) return ` ${String(givenUp)} deliveries became too old. ${replay}`;
    return ` All ${String(failed)} attempts failed, and the deliveries were given up. ${replay}`;
  }
  return givenUp > 0 ? ` ${String(givenUp)} deliveries failed for good. ${replay}` : '';
}
