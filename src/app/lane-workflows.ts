import type { Database } from '../platform/database/client.ts';
import { readInOrder } from '../platform/database/one-trip.ts';
import { claimIdleLanes, findWaitingDays } from '../webhooks/dispatch/lanes/queries.ts';
import { claimIdleLanes as claimIdleCohortLanes } from '../cohorts/realtime/lanes/queries.ts';
import { claimIdleLanes as claimIdleJourneyLanes } from '../journeys/lanes/queries.ts';
import { takeOrphanedLeases } from '../platform/database/leases.ts';
import type { createLaneActivities } from '../../activities/deliver-webhooks.ts';
import type { SignalSource, WorkflowSignal } from '../platform/temporal/relay.ts';
import { taskQueues } from '../platform/temporal/task-queues.ts';
import { laneHasWork, laneOwnerLost, laneWorkflowId } from '../../workflows/deliver-webhooks.ts';
import { cohortLaneHasWork, cohortLaneWorkflowId } from '../../workflows/follow-cohort-changes.ts';
import { journeyLaneHasWork, journeyLaneWorkflowId } from '../../workflows/run-journeys.ts';

/** A kind of lanes: the due rows themselves are the signal. */
interface Lanes {
  type: string;
  idOf(lane: number): string;
  signal: string;
  summary: string;
  details: string;
  /** Claims lanes with work and without a lease, marked as signaled. */
  claim(database: Database): Promise<readonly { lane: number }[]>;
}

function signalTo({ type, idOf, signal, summary, details }: Omit<Lanes, 'claim'>, lane: number) {
  return {
    type,
    signal,
    summary,
    details,
    memo: {},
    id: idOf(lane),
    taskQueue: taskQueues.main,
    args: { v: 1, lane },
    searchAttributes: [],
    outboxIds: [],
  } satisfies WorkflowSignal;
}

function idleLanes(kind: Lanes): SignalSource {
  return async (database) => (await kind.claim(database)).map(({ lane }) => signalTo(kind, lane));
}

const webhookLanes = {
  type: 'deliverWebhooks',
  idOf: laneWorkflowId,
  signal: laneHasWork.name,
  summary: 'First attempts of webhook deliveries',
  details:
    'Deliveries of all teams: `/v2/partner/webhook-subscriptions/{id}/deliveries`. Subscriptions ' +
    'that fail have their own workflow, `webhook-recovery/{id}`. Ends when nothing waits.',
};

/** Every kind of lanes; `lanes` is the number of those of webhooks. */
export const laneKinds = (lanes: number): readonly Lanes[] => [
  {
    ...webhookLanes,
    async claim(database) {
      const { first } = await readInOrder(database, findWaitingDays);
      return readInOrder(database, (sql) => claimIdleLanes(sql, lanes, first));
    },
  },
  {
    type: 'followCohortChanges',
    idOf: cohortLaneWorkflowId,
    signal: cohortLaneHasWork.name,
    summary: 'Cohorts that follow every change',
    details: 'Realtime cohorts of all teams: `/v2/partner/cohorts`. Ends when no change waits.',
    claim: (database) => database.read(claimIdleCohortLanes),
  },
  {
    type: 'runJourneys',
    idOf: journeyLaneWorkflowId,
    signal: journeyLaneHasWork.name,
    summary: 'Journeys that are due, and their messages',
    details:
      'Journeys of all teams: `/v2/partner/journeys`. Sleeps until the next is due; ends when ' +
      'none has a time.',
    claim: (database) => database.read(claimIdleJourneyLanes),
  },
];

const lookForLostOwnersEveryMs = 250;
const drain: keyof ReturnType<typeof createLaneActivities> = 'drainWebhookLane';

/** Lanes of webhooks whose process has ended; `ownPid` is the backend that this process keeps. */
function orphanedLanes(ownPid: () => number | undefined): SignalSource {
  let nextAtMs = 0;
  return async (database) => {
    const now = performance.now();
    if (now < nextAtMs) return [];
    nextAtMs = now + lookForLostOwnersEveryMs;
    const rows = await database.read((sql) => takeOrphanedLeases(sql, ownPid()));
    const kind = { ...webhookLanes, signal: laneOwnerLost.name };
    return rows.map(({ lane }) => ({ ...signalTo(kind, lane), lostActivity: drain }));
  };
}

/** Lanes with work that no workflow processes. */
export const laneSources = (lanes: number, ownPid: () => number | undefined): SignalSource[] => [
  orphanedLanes(ownPid),
  ...laneKinds(lanes).map(idleLanes),
];
