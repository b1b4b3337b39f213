import type { Sql } from '../platform/database/sql.ts';
import { claimIdleLanes, firstWaitingDay } from '../webhooks/dispatch/lanes/queries.ts';
import { claimIdleLanes as claimIdleCohortLanes } from '../cohorts/realtime/lanes/queries.ts';
import { claimIdleLanes as claimIdleJourneyLanes } from '../journeys/lanes/queries.ts';
import type { SignalSource } from '../platform/temporal/relay.ts';
import { taskQueues } from '../platform/temporal/task-queues.ts';
import { laneHasWork, laneWorkflowId } from '../../workflows/deliver-webhooks.ts';
import { cohortLaneHasWork, cohortLaneWorkflowId } from '../../workflows/follow-cohort-changes.ts';
import { journeyLaneHasWork, journeyLaneWorkflowId } from '../../workflows/run-journeys.ts';

/** A kind of lanes: the due rows themselves are the signal. */
interface Lanes {
  type: string;
  idOf(lane: number): string;
  signal: string;
  summary: string;
  /** Claims lanes with work and without a lease, marked as signaled. */
  claim(sql: Sql): Promise<readonly { lane: number }[]>;
}

function idleLanes({ type, idOf, signal, summary, claim }: Lanes): SignalSource {
  return async (database) => {
    const rows = await database.read(claim);
    return rows.map(({ lane }) => ({
      type,
      signal,
      summary,
      id: idOf(lane),
      taskQueue: taskQueues.main,
      args: { v: 1, lane },
      searchAttributes: [],
      outboxIds: [],
    }));
  };
}

/** Every kind of lanes; `lanes` is the number of those of webhooks. */
export const laneKinds = (lanes: number): readonly Lanes[] => [
  {
    type: 'deliverWebhooks',
    idOf: laneWorkflowId,
    signal: laneHasWork.name,
    summary: 'First attempts of webhook deliveries',
    claim: async (sql) => claimIdleLanes(sql, lanes, await firstWaitingDay(sql)),
  },
  {
    type: 'followCohortChanges',
    idOf: cohortLaneWorkflowId,
    signal: cohortLaneHasWork.name,
    summary: 'Cohorts that follow every change',
    claim: claimIdleCohortLanes,
  },
  {
    type: 'runJourneys',
    idOf: journeyLaneWorkflowId,
    signal: journeyLaneHasWork.name,
    summary: 'Journeys that are due, and their messages',
    claim: claimIdleJourneyLanes,
  },
];

/** Lanes with work that no workflow processes. */
export const laneSources = (lanes: number): SignalSource[] => laneKinds(lanes).map(idleLanes);
