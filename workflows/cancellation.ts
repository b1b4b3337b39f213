import {
  CancellationScope,
  isCancellation,
  proxyActivities,
  setCurrentDetails,
} from '@temporalio/workflow';
import type { JobArguments, JobShape, Round } from '../src/platform/jobs/shape.ts';
import type { OperatorActivities } from '../activities/act-for-operator.ts';
import type { SignalLatch } from './signal-latch.ts';

/** By the same rules as the endpoints of the API. */
const { cancelRow } = proxyActivities<OperatorActivities>({
  startToCloseTimeout: '2 minutes',
  retry: { initialInterval: '500 milliseconds', maximumInterval: '5 seconds' },
  summary: 'Cancel the row, as the API does',
});

/** The last round of a job. */
export interface LastRound {
  details: string;
  next: Extract<Round<unknown>['next'], { kind: 'end' }>;
}

/** The cancellation request that an operator may send to a workflow. */
export interface CancelRequest {
  /** Resolves when the row of a request that has come is canceled. Call it before a new run. */
  settled(): Promise<void>;
}

/**
 * Runs the work of a job. Where its row can be canceled, a cancellation request does not interrupt
 * activities: it cancels the row, and the workflow ends by the row, as canceled where the row is.
 */
export async function cancelable(
  { workflow, cancel }: JobShape,
  { teamId, id }: JobArguments,
  signal: SignalLatch,
  work: (request: CancelRequest) => Promise<LastRound>,
): Promise<LastRound> {
  if (cancel !== 'row') {
    return explainCancellation(cancel.instead, () => work({ settled: () => Promise.resolve() }));
  }
  const { cancelRequested } = CancellationScope.current();
  return CancellationScope.nonCancellable(async () => {
    let canceling: Promise<void> | undefined;
    cancelRequested.catch(() => {
      canceling = cancelRow({ workflow, teamId, id }).then(() => {
        signal.set();
      });
    });
    const settled = async () => canceling;
    const last = await work({ settled });
    await settled();
    // Rejects with the request.
    if (canceling && last.next.result.outcome === 'canceled') await cancelRequested;
    return last;
  });
}

/**
 * For workflows that only remind of rows: a cancellation request ends them, no row changes, and the
 * reconciler starts them again. The details then say so, and what to do instead.
 */
export async function explainCancellation<Result>(
  instead: string,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (isCancellation(error)) {
      setCurrentDetails(
        'Canceled in Temporal, which changes no data: the workflow starts again when something ' +
          `is overdue. ${instead}`,
      );
    }
    throw error;
  }
}
