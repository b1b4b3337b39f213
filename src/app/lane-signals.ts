import { claimIdleLanes as claimIdleCohortLanes } from '../cohorts/realtime/lanes/queries.ts';
import { claimIdleLanes as claimIdleJourneyLanes } from '../journeys/lanes/queries.ts';
import type { Database } from '../platform/database/client.ts';
import { takeOrphanedLeases } from '../platform/database/leases.ts';
import { readInOrder } from '../platform/database/one-trip.ts';
import { changedSignal, jobId, ownerLostSignal, roundName } from '../platform/jobs/shape.ts';
import type { LaneShape } from '../platform/jobs/shape.ts';
import type { SignalSource, WorkflowSignal } from '../platform/temporal/relay.ts';
import { taskQueues } from '../platform/temporal/task-queues.ts';
import { claimIdleLanes, findWaitingDays } from '../webhooks/dispatch/lanes/queries.ts';
import { cohortLane, journeyLane, webhookLane } from '../../workflows/lanes.ts';

function signalTo(shape: LaneShape, lane: number, signal = changedSignal): WorkflowSignal {
  return {
    type: shape.workflow,
    signal,
    summary: shape.summary,
    details: shape.details,
    memo: {},
    id: jobId(shape, String(lane)),
    taskQueue: taskQueues.main,
    args: { lane },
    searchAttributes: [],
    outboxIds: [],
  };
}

/** Claims lanes with work and without a lease: the due rows themselves are the signal. */
const idleLanes =
  (
    shape: LaneShape,
    claim: (database: Database) => Promise<readonly { lane: number }[]>,
  ): SignalSource =>
  async (database) =>
    (await claim(database)).map(({ lane }) => signalTo(shape, lane));

const lookForLostOwnersEveryMs = 250;

/** Lanes of webhooks whose process has ended; `ownPid` is the backend that this process keeps. */
function orphanedLanes(ownPid: () => number | undefined): SignalSource {
  let nextAtMs = 0;
  return async (database) => {
    const now = performance.now();
    if (now < nextAtMs) return [];
    nextAtMs = now + lookForLostOwnersEveryMs;
    const rows = await database.read((sql) => takeOrphanedLeases(sql, ownPid()));
    const lostActivity = roundName(webhookLane.workflow);
    return rows.map(({ lane }) => ({
      ...signalTo(webhookLane, lane, ownerLostSignal),
      lostActivity,
    }));
  };
}

/** Lanes with work that no workflow processes; `lanes` is the number of those of webhooks. */
export const laneSignals = (lanes: number, ownPid: () => number | undefined): SignalSource[] => [
  orphanedLanes(ownPid),
  idleLanes(webhookLane, async (database) => {
    const { first } = await readInOrder(database, findWaitingDays);
    return readInOrder(database, (sql) => claimIdleLanes(sql, lanes, first));
  }),
  idleLanes(cohortLane, (database) => database.read(claimIdleCohortLanes)),
  idleLanes(journeyLane, (database) => database.read(claimIdleJourneyLanes)),
];
