import { isCancellation, setCurrentDetails } from '@temporalio/workflow';

/** Runs the work of a schedule. Where it fails, the details say so, and what happens then. */
export async function explainFailure<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    setCurrentDetails(
      isCancellation(error)
        ? 'Canceled in Temporal: the next run of the schedule does the work.'
        : 'The run has failed: its last failure is in the timeline, and the line `an activity ' +
            'failed` of the worker has the stack. The next run of the schedule does the work.',
    );
    throw error;
  }
}
