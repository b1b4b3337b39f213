import type { Database } from './database/client.ts';
import {
  claimSleepingLanes,
  firstWaitingDay,
} from './partner/webhook-subscriptions/sending/lanes/queries.ts';
import {
  holdStrays,
  listOverdueRecoveries,
} from './partner/webhook-subscriptions/sending/recovery/queries.ts';
import { listOverdueReceivers } from './inbound/projection/queries.ts';
import { listUntouchedReplays } from './inbound/replays/running/queries.ts';
import { listOverdueTemplates } from './partner/templates/queries.ts';
import type { WakeSource, WorkflowWake } from './temporal/relay.ts';
import { searchAttributes } from './temporal/search-attributes.ts';
import { taskQueues } from './temporal/task-queues.ts';
import { claimWakes } from './temporal/wakes.ts';
import type { WokenWorkflow } from './temporal/wake.ts';
import { laneHasWork, laneWorkflowId } from '../workflows/deliver-webhooks.ts';
import { inboundChanged, inboundWorkflowId } from '../workflows/project-inbound.ts';
import { recoveryChanged, recoveryWorkflowId } from '../workflows/recover-webhook-subscription.ts';
import { replayChanged, replayWorkflowId } from '../workflows/replay-inbound.ts';
import { templateChanged, templateWorkflowId } from '../workflows/run-template.ts';

const wakesPerRound = 500;
/** Rows that are overdue by this and untouched have lost their workflow. */
const overdueSeconds = 8;
/** Longer than a replay waits between two rounds. */
const untouchedReplaySeconds = 20;

/** How each woken workflow is started, by the word that stands in `wakes`. */
const starts: Readonly<
  Record<WokenWorkflow, (key: string, teamId: string, wakeIds: number[]) => WorkflowWake>
> = {
  webhook_recovery: recoveryWake,
  template: templateWake,
  inbound: inboundWake,
  inbound_replay: replayWake,
};

function recoveryWake(subscriptionId: string, teamId: string, wakeIds: number[]): WorkflowWake {
  return {
    type: 'recoverWebhookSubscription',
    id: recoveryWorkflowId(subscriptionId),
    taskQueue: taskQueues.main,
    args: { v: 1, teamId, subscriptionId },
    signal: recoveryChanged.name,
    summary: 'Retries of a webhook subscription in trouble',
    searchAttributes: [
      { key: searchAttributes.teamId, value: teamId },
      { key: searchAttributes.subscriptionId, value: subscriptionId },
    ],
    wakeIds,
  };
}

function templateWake(templateId: string, teamId: string, wakeIds: number[]): WorkflowWake {
  return {
    type: 'runTemplate',
    id: templateWorkflowId(templateId),
    taskQueue: taskQueues.main,
    args: { v: 1, teamId, templateId },
    signal: templateChanged.name,
    summary: 'Launch and expiry of a template',
    searchAttributes: [
      { key: searchAttributes.teamId, value: teamId },
      { key: searchAttributes.templateId, value: templateId },
    ],
    wakeIds,
  };
}

function inboundWake(receiverId: string, teamId: string, wakeIds: number[]): WorkflowWake {
  return {
    type: 'projectInbound',
    id: inboundWorkflowId(receiverId),
    taskQueue: taskQueues.main,
    args: { v: 1, teamId, receiverId },
    signal: inboundChanged.name,
    summary: 'Callbacks of a receiver that could not be applied',
    searchAttributes: [
      { key: searchAttributes.teamId, value: teamId },
      { key: searchAttributes.receiverId, value: receiverId },
    ],
    wakeIds,
  };
}

function replayWake(replayId: string, teamId: string, wakeIds: number[]): WorkflowWake {
  return {
    type: 'replayInbound',
    id: replayWorkflowId(replayId),
    taskQueue: taskQueues.main,
    args: { v: 1, teamId, replayId },
    signal: replayChanged.name,
    summary: 'Replay of callbacks that came in before',
    searchAttributes: [{ key: searchAttributes.teamId, value: teamId }],
    wakeIds,
  };
}

/** Wakes that transactions asked for, one per workflow. */
const recordedWakes: WakeSource = async (database) => {
  const rows = await database.read((sql) => claimWakes(sql, wakesPerRound));
  const folded = new Map<string, WorkflowWake>();
  for (const { id, workflow, key, team_id } of rows) {
    const known = folded.get(`${workflow} ${key}`);
    if (known) known.wakeIds.push(id);
    else folded.set(`${workflow} ${key}`, starts[workflow](key, team_id, [id]));
  }
  return [...folded.values()];
};

/** Lanes with work that nobody drains: for lanes the due rows themselves are the wake. */
function sleepingLanes(lanes: number): WakeSource {
  return async (database: Database) => {
    const rows = await database.read(async (sql) =>
      claimSleepingLanes(sql, lanes, await firstWaitingDay(sql)),
    );
    return rows.map(({ lane }) => ({
      type: 'deliverWebhooks',
      id: laneWorkflowId(lane),
      taskQueue: taskQueues.main,
      args: { v: 1, lane },
      signal: laneHasWork.name,
      summary: 'First attempts of webhook deliveries',
      searchAttributes: [],
      wakeIds: [],
    }));
  };
}

const overdueRecoveries: WakeSource = async (database) => {
  const rows = await database.read(async (sql) => [
    ...(await holdStrays(sql)),
    ...(await listOverdueRecoveries(sql, overdueSeconds)),
  ]);
  return rows.map(({ subscription_id, team_id }) => recoveryWake(subscription_id, team_id, []));
};

const overdueTemplates: WakeSource = async (database) => {
  const rows = await database.read((sql) =>
    listOverdueTemplates(sql, overdueSeconds * 1_000, wakesPerRound),
  );
  return rows.map(({ id, team_id }) => templateWake(id, team_id, []));
};

const overdueInbound: WakeSource = async (database) => {
  const rows = await database.read((sql) =>
    listOverdueReceivers(sql, overdueSeconds * 1_000, wakesPerRound),
  );
  return rows.map(({ receiver_id, team_id }) => inboundWake(receiver_id, team_id, []));
};

const untouchedReplays: WakeSource = async (database) => {
  const rows = await database.read((sql) =>
    listUntouchedReplays(sql, untouchedReplaySeconds * 1_000, wakesPerRound),
  );
  return rows.map(({ id, team_id }) => replayWake(id, team_id, []));
};

export function wakeSources(lanes: number): { sources: WakeSource[]; repairs: WakeSource[] } {
  return {
    sources: [recordedWakes, sleepingLanes(lanes)],
    repairs: [overdueRecoveries, overdueTemplates, overdueInbound, untouchedReplays],
  };
}
