import type { TemporalClient } from './client.ts';

/** PENDING_ACTIVITY_STATE_STARTED of Temporal's interface. */
const started = 2;

/**
 * Ends the attempt of an activity whose process has ended. Temporal then retries it at once, on any
 * worker and without a task of the workflow. False where no attempt runs.
 */
export async function retryLostActivity(
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
