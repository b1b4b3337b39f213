import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { createAnswerActivities } from '../activities/renew-answers.ts';

const activities = proxyActivities<ReturnType<typeof createAnswerActivities>>({
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '5 minutes' },
});

export const renewScheduleId = 'renew-answers';

/** Every five minutes: works out the kept answers of insights that somebody still asks for. */
export async function renewAnswers(): Promise<void> {
  const { renewed, dropped, hasMore } = await activities.renewAnswers();
  setCurrentDetails(
    `${String(renewed)} answers worked out anew, ${String(dropped)} dropped` +
      `${hasMore ? '; there was no time for all of them' : ''}.`,
  );
}
