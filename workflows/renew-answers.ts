import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { createAnswerActivities } from '../activities/renew-answers.ts';

const activities = proxyActivities<ReturnType<typeof createAnswerActivities>>({
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '2 minutes',
  retry: { initialInterval: '10 seconds', maximumInterval: '5 minutes' },
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
