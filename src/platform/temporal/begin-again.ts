import type { TemporalClient } from './client.ts';

/** PENDING_ACTIVITY_STATE_STARTED of Temporal's interface. */
const started = 2;

/**
 * Ends an attempt of an activity whose process has ended, so that the next begins at once and on any
 * worker, without a task of the workflow. False where none runs.
 */
export async function beginAgain(
  { client, within }: TemporalClient,
  workflowId: string,
  activityType: string,
): Promise<boolean> {
  const { workflowService, options } = client;
  const { namespace } = options;
  const execution = { workflowId };
  try {
    const { pendingActivities } = await within(() =>
      workflowService.describeWorkflowExecution({ namespace, execution }),
    );
    const lost = pendingActivities.find(
      ({ activityType: type, state }) => type?.name === activityType && Number(state) === started,
    );
    if (!lost) return false;
    await within(() =>
      workflowService.respondActivityTaskFailedById({
        ...{ namespace, workflowId, activityId: lost.activityId ?? '' },
        failure: {
          message: 'The process of this attempt has ended.',
          applicationFailureInfo: { type: 'ProcessEnded', nextRetryDelay: { nanos: 1_000_000 } },
        },
      }),
    );
    return true;
  } catch {
    // It has just ended, or Temporal does not respond, which the signal shows.
    return false;
  }
}
