import { CancellationScope, proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { createCancelActivities } from '../activities/cancel-rows.ts';

/** Cancel rows on the request of an operator, by the same rules as the endpoints of the API. */
export const cancelRows = proxyActivities<ReturnType<typeof createCancelActivities>>({
  startToCloseTimeout: '2 minutes',
  retry: { initialInterval: '500 milliseconds', maximumInterval: '5 seconds' },
  summary: 'Cancel the row, as the API does',
});

/** The cancellation request that an operator may send to a workflow. */
export interface CancelRequest {
  /** Resolves when the row of a request that has come is canceled. Call it before a new run. */
  settled(): Promise<void>;
}

/**
 * Runs a workflow whose row can be canceled. A cancellation request does not interrupt its
 * activities: it cancels the row, and the workflow ends by the row, as canceled where the row is.
 */
export async function cancelable<Result extends { outcome: string }>(
  cancelRow: () => Promise<void>,
  work: (request: CancelRequest) => Promise<Result>,
): Promise<Result> {
  const { cancelRequested } = CancellationScope.current();
  return CancellationScope.nonCancellable(async () => {
    let canceling: Promise<void> | undefined;
    cancelRequested.catch(() => {
      canceling = cancelRow();
    });
    const settled = async () => canceling;
    const result = await work({ settled });
    await settled();
    // Rejects with the request.
    if (canceling && result.outcome === 'canceled') await cancelRequested;
    return result;
  });
}

/**
 * For workflows that only remind of rows: a cancellation request ends them, no row changes, and the
 * reconciler starts them again. The details then say so, and what to do instead.
 */
export function explainCancellation(instead: string): void {
  CancellationScope.current().cancelRequested.catch(() => {
    setCurrentDetails(
      'Canceled in Temporal, which changes no data: the workflow starts again when something is ' +
        `overdue. ${instead}`,
    );
  });
}
