import type { WebhookConfig } from '../platform/config.ts';
import { readInOrder } from '../platform/database/one-trip.ts';
import type { Sql } from '../platform/database/sql.ts';
import { findWaitingDays } from '../webhooks/dispatch/lanes/queries.ts';
import { releaseExpiredLimits } from '../webhooks/dispatch/limits/queries.ts';
import {
  assignToRecovery,
  listOverdueRecoveries,
  signalDueRecoveries,
} from '../webhooks/recovery/queries.ts';
import { findCallers } from '../team/audit-events/queries.ts';
import { listOverdueDomains } from '../team/sending-domains/queries.ts';
import { listOverdueProviderTests } from '../messaging/sending-providers/testing/queries.ts';
import { listOverdueReceivers } from '../inbound/projection/queries.ts';
import { inboundReplays } from '../inbound/replays/queries.ts';
import { webhookReplays } from '../webhooks/webhook-subscriptions/replays/queries.ts';
import { listStaleReplays } from '../platform/replays/queries.ts';
import { listStaleErasures } from '../contacts/contact-erasures/sweeping/queries.ts';
import { listStaleExports } from '../operations/exports/writing/queries.ts';
import { listOverdueFetches, listOverdueTests } from '../operations/sftp/fetching/queries.ts';
import { listOverdueCohorts } from '../cohorts/evaluation/queries.ts';
import { listLostWatches, watchOverdue } from '../journeys/watches/queries.ts';
import { listStaleResyncs } from '../journeys/resyncs/queries.ts';
import { listStaleRuns } from '../operations/runs/running/queries.ts';
import { laneSources } from './lane-workflows.ts';
import { signalTargets } from './signal-targets.ts';
import { maxRunning } from '../operations/runs/rules.ts';
import { wokenBy } from '../operations/runs/start.ts';
import { listOverdueTemplates } from '../campaigns/templates/queries.ts';
import type { SignalSource, WorkflowSignal } from '../platform/temporal/relay.ts';
import { searchAttributes } from '../platform/temporal/search-attributes.ts';
import { taskQueues } from '../platform/temporal/task-queues.ts';
import { claimOutboxEntries } from '../platform/temporal/outbox.ts';
import type { SignaledWorkflow } from '../platform/temporal/signal-workflow.ts';

const signalsPerRound = 500;
/** Rows that are overdue by this and untouched have lost their workflow. */
const overdueSeconds = 8;
/** Longer than a replay waits between two rounds. */
const untouchedReplaySeconds = 20;
/** Longer than a run waits for its turn among those of other teams. */
const untouchedRunSeconds = 20;
/** Longer than the duration of a test of a file source or sending provider. */
const untouchedTestSeconds = 60;
/** Longer than the duration of a check of the records of a sending domain. */
const overdueCheckSeconds = 60;
/** Longer than the workflow of a watched journey waits before it looks once more. */
const untouchedWatchSeconds = 900;
/** Longer than an erasure waits before it looks once more. */
const untouchedErasureSeconds = 60;

/** A signal, with the workflow and the row for which the audit trail may name a caller. */
interface Signal extends WorkflowSignal {
  row?: { id: string; teamId: string };
}

function signalTo(workflow: SignaledWorkflow, key: string, teamId: string): Signal {
  const { type, idOf, keyName, signal, summary, resource, isRequested, attribute } =
    signalTargets[workflow];
  return {
    type,
    signal,
    summary,
    outboxIds: [],
    id: idOf(key),
    taskQueue: taskQueues.main,
    args: { v: 1, teamId, [keyName]: key },
    details: `API resource: \`${resource(key)}\` of team \`${teamId}\`.`,
    memo: { teamId, resource: resource(key) },
    searchAttributes: [
      { key: searchAttributes.teamId, value: teamId },
      ...(attribute ? [{ key: attribute, value: key }] : []),
    ],
    ...(isRequested && { row: { id: key, teamId } }),
  };
}

/** Adds the ids of the client and of its request to the memos. */
async function withCallers(sql: Sql, signals: readonly Signal[]): Promise<WorkflowSignal[]> {
  const rows = signals.flatMap(({ row }) => (row ? [row] : []));
  const callers = rows.length > 0 ? await findCallers(sql, rows) : new Map<string, never>();
  return signals.map(({ row, ...signal }) => {
    const caller = row && callers.get(row.id);
    return caller ? { ...signal, memo: { ...signal.memo, ...caller } } : signal;
  });
}

/** Signals of outbox entries, one per workflow. */
const outboxSignals: SignalSource = (database) =>
  database.read(async (sql) => {
    const rows = await claimOutboxEntries(sql, signalsPerRound);
    const folded = new Map<string, Signal>();
    for (const { id, workflow, key, team_id, traceparent } of rows) {
      const known = folded.get(`${workflow} ${key}`);
      const signal = known ?? signalTo(workflow, key, team_id);
      folded.set(`${workflow} ${key}`, signal);
      signal.outboxIds.push(id);
      if (traceparent !== null) (signal.traceparents ??= []).push(traceparent);
    }
    return withCallers(sql, [...folded.values()]);
  });

/** Finds rows whose workflow may not be running, and signals it. */
function repair<Row>(
  find: (sql: Sql) => Promise<readonly Row[]>,
  signalOf: (row: Row) => Signal,
): SignalSource {
  return (database) =>
    database.read(async (sql) => withCallers(sql, (await find(sql)).map(signalOf)));
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

const toRecovery = (row: { subscription_id: string; team_id: string }) =>
  signalTo('webhook_recovery', row.subscription_id, row.team_id);

const dueRecoveries: SignalSource = async (database) => {
  const { first } = await readInOrder(database, findWaitingDays);
  const due = await readInOrder(database, (sql) => signalDueRecoveries(sql, first));
  return database.read((sql) => withCallers(sql, due.map(toRecovery)));
};

const repairs = (maxAgeMs: number): SignalSource[] => [
  dueRecoveries,
  repair(
    async (sql) => [
      ...(await assignToRecovery(sql)),
      ...(await releaseExpiredLimits(sql, maxAgeMs)),
      ...(await listOverdueRecoveries(sql, overdueSeconds)),
    ],
    toRecovery,
  ),
  repairOf('template', overdueSeconds, listOverdueTemplates),
  repairOf('template', overdueSeconds, listStaleResyncs),
  repair(watchOverdue, ({ id, team_id }) => signalTo('journey', id, team_id)),
  repairOf('journey', untouchedWatchSeconds, listLostWatches),
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
  repairOf('sending_domain', overdueCheckSeconds, listOverdueDomains),
  repairOf('file_fetch', overdueSeconds, listOverdueFetches),
  repairOf('file_source_test', untouchedTestSeconds, listOverdueTests),
  repairOf('sending_provider_test', untouchedTestSeconds, listOverdueProviderTests),
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
