import type { WebhookConfig } from '../platform/config.ts';
import type { Sql } from '../platform/database/sql.ts';
import { firstWaitingDay } from '../webhooks/dispatch/lanes/queries.ts';
import { releaseExpiredLimits } from '../webhooks/dispatch/limits/queries.ts';
import {
  assignToRecovery,
  listOverdueRecoveries,
  signalDueRecoveries,
} from '../webhooks/recovery/queries.ts';
import { listOverdueReceivers } from '../inbound/projection/queries.ts';
import { inboundReplays } from '../inbound/replays/queries.ts';
import { webhookReplays } from '../webhooks/webhook-subscriptions/replays/queries.ts';
import { listStaleReplays } from '../platform/replays/queries.ts';
import { listStaleErasures } from '../contacts/contact-erasures/sweeping/queries.ts';
import { listStaleExports } from '../operations/exports/writing/queries.ts';
import { listOverdueFetches, listOverdueTests } from '../operations/sftp/fetching/queries.ts';
import { listOverdueCohorts } from '../cohorts/evaluation/queries.ts';
import { listStaleResyncs } from '../journeys/resyncs/queries.ts';
import { listStaleRuns } from '../operations/runs/running/queries.ts';
import { laneSources } from './lane-workflows.ts';
import { maxRunning } from '../operations/runs/rules.ts';
import { wokenBy } from '../operations/runs/start.ts';
import { listOverdueTemplates } from '../campaigns/templates/queries.ts';
import type { SignalSource, WorkflowSignal } from '../platform/temporal/relay.ts';
import { searchAttributes } from '../platform/temporal/search-attributes.ts';
import { taskQueues } from '../platform/temporal/task-queues.ts';
import { claimOutboxEntries } from '../platform/temporal/outbox.ts';
import type { SignaledWorkflow } from '../platform/temporal/signal-workflow.ts';
import { inboundChanged, inboundWorkflowId } from '../../workflows/project-inbound.ts';
import {
  recoveryChanged,
  recoveryWorkflowId,
} from '../../workflows/recover-webhook-subscription.ts';
import { cohortChanged, cohortWorkflowId } from '../../workflows/refresh-cohort.ts';
import { replayChanged, replayWorkflowId } from '../../workflows/replay-inbound.ts';
import { webhookReplayChanged, webhookReplayWorkflowId } from '../../workflows/replay-webhooks.ts';
import {
  batchWorkflowId,
  operationChanged,
  operationWorkflowId,
} from '../../workflows/run-operation.ts';
import { templateChanged, templateWorkflowId } from '../../workflows/run-template.ts';
import { sourceTestRequested, sourceTestWorkflowId } from '../../workflows/test-file-source.ts';
import { fetchChanged, fetchWorkflowId } from '../../workflows/fetch-file.ts';
import { erasureChanged, erasureWorkflowId } from '../../workflows/erase-copies.ts';
import { exportChanged, exportWorkflowId } from '../../workflows/write-export.ts';

const signalsPerRound = 500;
/** Rows that are overdue by this and untouched have lost their workflow. */
const overdueSeconds = 8;
/** Longer than a replay waits between two rounds. */
const untouchedReplaySeconds = 20;
/** Longer than a run waits for its turn among those of other teams. */
const untouchedRunSeconds = 20;
/** Longer than the duration of a test of a file source. */
const untouchedTestSeconds = 60;
/** Longer than an erasure waits before it looks once more. */
const untouchedErasureSeconds = 60;

/** A workflow of one row: the id of the row is the key of its outbox entries. */
interface SignalTarget {
  type: string;
  idOf(key: string): string;
  /** Name of the key in its arguments. */
  keyName: string;
  signal: string;
  summary: string;
  /** Search attribute for operators, in addition to the team. */
  attribute?: (typeof searchAttributes)['teamId'];
}

/** Each signaled workflow, by its name in `workflow_outbox`. */
export const signalTargets: Readonly<Record<SignaledWorkflow, SignalTarget>> = {
  webhook_recovery: {
    type: 'recoverWebhookSubscription',
    idOf: recoveryWorkflowId,
    keyName: 'subscriptionId',
    signal: recoveryChanged.name,
    summary: 'Retries of a webhook subscription in trouble',
    attribute: searchAttributes.subscriptionId,
  },
  template: {
    type: 'runTemplate',
    idOf: templateWorkflowId,
    keyName: 'templateId',
    signal: templateChanged.name,
    summary: 'Launch and expiry of a template',
    attribute: searchAttributes.templateId,
  },
  cohort: {
    type: 'refreshCohort',
    idOf: cohortWorkflowId,
    keyName: 'cohortId',
    signal: cohortChanged.name,
    summary: 'Evaluation of a cohort by its schedule',
    attribute: searchAttributes.cohortId,
  },
  export: {
    type: 'writeExport',
    idOf: exportWorkflowId,
    keyName: 'exportId',
    signal: exportChanged.name,
    summary: 'File of an export',
  },
  file_fetch: {
    type: 'fetchFile',
    idOf: fetchWorkflowId,
    keyName: 'uploadId',
    signal: fetchChanged.name,
    summary: 'Fetch of a file from a server of a partner',
  },
  file_source_test: {
    type: 'testFileSource',
    idOf: sourceTestWorkflowId,
    keyName: 'sourceId',
    signal: sourceTestRequested.name,
    summary: 'Test of the login of a file source',
  },
  erasure: {
    type: 'eraseCopies',
    idOf: erasureWorkflowId,
    keyName: 'teamId',
    signal: erasureChanged.name,
    summary: 'Copies of contacts that were erased',
  },
  inbound: {
    type: 'projectInbound',
    idOf: inboundWorkflowId,
    keyName: 'receiverId',
    signal: inboundChanged.name,
    summary: 'Callbacks of a receiver that could not be applied',
    attribute: searchAttributes.receiverId,
  },
  inbound_replay: {
    type: 'replayInbound',
    idOf: replayWorkflowId,
    keyName: 'replayId',
    signal: replayChanged.name,
    summary: 'Replay of callbacks that came in before',
  },
  webhook_replay: {
    type: 'replayWebhooks',
    idOf: webhookReplayWorkflowId,
    keyName: 'replayId',
    signal: webhookReplayChanged.name,
    summary: 'Replay of webhook deliveries',
  },
  operation_run: {
    type: 'runOperation',
    idOf: operationWorkflowId,
    keyName: 'runId',
    signal: operationChanged.name,
    summary: 'Execution of an integration operation',
  },
  batch: {
    type: 'runOperation',
    idOf: batchWorkflowId,
    keyName: 'runId',
    signal: operationChanged.name,
    summary: 'Batch of an integration operation',
  },
};

function signalTo(
  workflow: SignaledWorkflow,
  key: string,
  teamId: string,
  outboxIds: number[] = [],
): WorkflowSignal {
  const { type, idOf, keyName, signal, summary, attribute } = signalTargets[workflow];
  return {
    type,
    signal,
    summary,
    outboxIds,
    id: idOf(key),
    taskQueue: taskQueues.main,
    args: { v: 1, teamId, [keyName]: key },
    searchAttributes: [
      { key: searchAttributes.teamId, value: teamId },
      ...(attribute ? [{ key: attribute, value: key }] : []),
    ],
  };
}

/** Signals of outbox entries, one per workflow. */
const outboxSignals: SignalSource = async (database) => {
  const rows = await database.read((sql) => claimOutboxEntries(sql, signalsPerRound));
  const folded = new Map<string, WorkflowSignal>();
  for (const { id, workflow, key, team_id } of rows) {
    const known = folded.get(`${workflow} ${key}`);
    if (known) known.outboxIds.push(id);
    else folded.set(`${workflow} ${key}`, signalTo(workflow, key, team_id, [id]));
  }
  return [...folded.values()];
};

/** Finds rows whose workflow may not be running, and signals it. */
function repair<Row>(
  find: (sql: Sql) => Promise<readonly Row[]>,
  signalOf: (row: Row) => WorkflowSignal,
): SignalSource {
  return async (database) => (await database.read(find)).map(signalOf);
}

/** The same where the id of the row is the key of the workflow. */
function repairOf(
  workflow: SignaledWorkflow,
  seconds: number,
  list: (sql: Sql, ms: number, most: number) => Promise<readonly { id: string; team_id: string }[]>,
): SignalSource {
  return repair(
    (sql) => list(sql, seconds * 1_000, signalsPerRound),
    ({ id, team_id }) => signalTo(workflow, id, team_id),
  );
}

const repairs = (maxAgeMs: number): SignalSource[] => [
  repair(
    async (sql) => [
      ...(await assignToRecovery(sql)),
      ...(await signalDueRecoveries(sql, await firstWaitingDay(sql))),
      ...(await releaseExpiredLimits(sql, maxAgeMs)),
      ...(await listOverdueRecoveries(sql, overdueSeconds)),
    ],
    ({ subscription_id, team_id }) => signalTo('webhook_recovery', subscription_id, team_id),
  ),
  repairOf('template', overdueSeconds, listOverdueTemplates),
  repairOf('template', overdueSeconds, listStaleResyncs),
  repairOf('cohort', overdueSeconds, listOverdueCohorts),
  repair(
    (sql) => listOverdueReceivers(sql, overdueSeconds * 1_000, signalsPerRound),
    ({ receiver_id, team_id }) => signalTo('inbound', receiver_id, team_id),
  ),
  repairOf('inbound_replay', untouchedReplaySeconds, (sql, ms, most) =>
    listStaleReplays(sql, inboundReplays, ms, most),
  ),
  repairOf('webhook_replay', untouchedReplaySeconds, (sql, ms, most) =>
    listStaleReplays(sql, webhookReplays, ms, most),
  ),
  repair(
    (sql) => listStaleRuns(sql, untouchedRunSeconds * 1_000, maxRunning, signalsPerRound),
    ({ id, team_id, surface }) => signalTo(wokenBy(surface), id, team_id),
  ),
  repairOf('export', untouchedRunSeconds, listStaleExports),
  repairOf('file_fetch', overdueSeconds, listOverdueFetches),
  repairOf('file_source_test', untouchedTestSeconds, listOverdueTests),
  repair(
    (sql) => listStaleErasures(sql, untouchedErasureSeconds * 1_000, signalsPerRound),
    ({ team_id }) => signalTo('erasure', team_id, team_id),
  ),
];

/** `ownPid` is the Postgres backend that this process keeps. */
export function signalSources(
  { lanes, maxAgeMs }: WebhookConfig,
  ownPid: () => number | undefined,
) {
  return {
    sources: [outboxSignals, ...laneSources(lanes, ownPid)],
    repairs: repairs(maxAgeMs),
  };
}
