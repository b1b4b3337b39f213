import type { Sql } from './database/client.ts';
import {
  claimSleepingLanes,
  firstWaitingDay,
} from './partner/webhook-subscriptions/sending/lanes/queries.ts';
import { claimSleepingLanes as claimSleepingCohortLanes } from './partner/cohorts/realtime/lanes/queries.ts';
import { claimSleepingLanes as claimSleepingJourneyLanes } from './partner/journeys/lanes/queries.ts';
import type { SignalSource } from './temporal/relay.ts';
import { taskQueues } from './temporal/task-queues.ts';
import { laneHasWork, laneWorkflowId } from '../workflows/deliver-webhooks.ts';
import { cohortLaneHasWork, cohortLaneWorkflowId } from '../workflows/follow-cohort-changes.ts';
import { journeyLaneHasWork, journeyLaneWorkflowId } from '../workflows/run-journeys.ts';

/** A kind of lanes: for lanes the due rows themselves are the wake. */
interface Lanes {
  type: string;
  idOf(lane: number): string;
  signal: string;
  summary: string;
  /** Lanes with work that nobody drains, marked as woken. */
  claim(sql: Sql): Promise<readonly { lane: number }[]>;
}

function sleepingLanes({ type, idOf, signal, summary, claim }: Lanes): SignalSource {
  return async (database) => {
    const rows = await database.read(claim);
    return rows.map(({ lane }) => ({
      ...{ type, signal, summary, id: idOf(lane), taskQueue: taskQueues.main },
      ...{ args: { v: 1, lane }, searchAttributes: [], wakeIds: [] },
    }));
  };
}

/** Every kind of lanes. */
const laneKinds = (lanes: number): readonly Lanes[] => [
  {
    type: 'deliverWebhooks',
    idOf: laneWorkflowId,
    signal: laneHasWork.name,
    summary: 'First attempts of webhook deliveries',
    claim: async (sql) => claimSleepingLanes(sql, lanes, await firstWaitingDay(sql)),
  },
  {
    type: 'followCohortChanges',
    idOf: cohortLaneWorkflowId,
    signal: cohortLaneHasWork.name,
    summary: 'Cohorts that follow every change',
    claim: claimSleepingCohortLanes,
  },
  {
    type: 'runJourneys',
    idOf: journeyLaneWorkflowId,
    signal: journeyLaneHasWork.name,
    summary: 'Journeys that are due, and their messages',
    claim: claimSleepingJourneyLanes,
  },
];

/** Lanes with work that nobody drains; `lanes` is how many there are of webhooks. */
export const laneSources = (lanes: number): SignalSource[] => laneKinds(lanes).map(sleepingLanes);
