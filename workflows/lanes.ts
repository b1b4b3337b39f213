import type { LaneShape } from '../src/platform/jobs/shape.ts';
import { taskQueues } from '../src/platform/temporal/task-queues.ts';

/**
 * Sends the first attempts of the healthy subscriptions of one lane. It keeps one activity running,
 * restarts it after a crash, and ends when no delivery waits.
 */
export const webhookLane = {
  workflow: 'deliverWebhooks',
  idPrefix: 'webhook-lane',
  summary: 'First attempts of webhook deliveries',
  details:
    'Deliveries of all teams: `/v2/partner/webhook-subscriptions/{id}/deliveries`. Subscriptions ' +
    'that fail have their own workflow, `webhook-recovery/{id}`. Ends when nothing waits.',
  taskQueue: taskQueues.lanes,
  instead: 'To stop webhooks, set their subscriptions inactive in the API.',
} as const satisfies LaneShape;

/**
 * Evaluates changed contacts for the realtime cohorts of one lane. It keeps one activity running,
 * restarts it after a crash, and ends when no change waits.
 */
export const cohortLane = {
  workflow: 'followCohortChanges',
  idPrefix: 'cohort-lane',
  summary: 'Cohorts that follow every change',
  details: 'Realtime cohorts of all teams: `/v2/partner/cohorts`. Ends when no change waits.',
  taskQueue: taskQueues.main,
  instead: 'To stop a cohort, archive it in the API.',
} as const satisfies LaneShape;

/**
 * Runs the journeys of one lane's contacts: begins them, decides their steps and sends their
 * messages. It sleeps until the earliest due time, restarts its activity after a crash, and ends
 * when no step is due or upcoming.
 */
export const journeyLane = {
  workflow: 'runJourneys',
  idPrefix: 'journey-lane',
  summary: 'Journeys that are due, and their messages',
  details:
    'Journeys of all teams: `/v2/partner/journeys`. Sleeps until the next is due; ends when ' +
    'none has a time.',
  taskQueue: taskQueues.journeys,
  instead: 'To stop sends, pause their templates in the API.',
} as const satisfies LaneShape;

export const lanes: readonly LaneShape[] = [webhookLane, cohortLane, journeyLane];
