import type { SearchAttributePair } from '@temporalio/common';
import type { WorkListener } from '../database/notify.ts';
import type { Database } from '../database/client.ts';
import type { Log } from '../observability/log.ts';
import { continueTrace } from '../observability/tracing.ts';
import type { TemporalClient } from './client.ts';
import { retryLostActivity } from './retry-lost-activity.ts';
import { withTraceHeader } from './trace-header.ts';

/** A workflow that must read its rows: signaled, or started by the signal. */
export interface WorkflowSignal {
  type: string;
  id: string;
  taskQueue: string;
  args: object;
  signal: string;
  /** Purpose, in a line. */
  summary: string;
  /** Markdown that the Temporal UI shows also while no worker runs, in the first run of a chain. */
  details: string;
  /** The team, the path of the resource, and the caller whose request the workflow serves. */
  memo: Readonly<Record<string, string>>;
  searchAttributes: SearchAttributePair[];
  /** Outbox entries of the signal, which are deleted after it has been sent. */
  outboxIds: number[];
  /** Contexts of the requests that asked for it, as far as they are traced. */
  traceparents?: string[];
  /** An activity whose process has ended: it is retried at once, or else the signal is sent. */
  lostActivity?: string;
}

/** Sources of signals: each claims its rows, so that several relays share the work. */
export type SignalSource = (database: Database) => Promise<WorkflowSignal[]>;

export interface RelayOptions {
  database: Database;
  /** Ends the pause of the poll at a notification without another subscriber in this process. */
  listener: WorkListener;
  temporal: TemporalClient;
  log: Log;
  sources: readonly SignalSource[];
  /** Reconcilers of overdue rows, which run every few seconds. */
  repairs: readonly SignalSource[];
  forget(database: Database, outboxIds: readonly number[]): Promise<void>;
  /** Leaves entries out for a while whose signal Temporal refuses while it accepts others. */
  park(database: Database, outboxIds: readonly number[], error: unknown): Promise<void>;
  /** The server rejects what it accepted before: it may have restarted with an empty store. */
  prepareAgain(): Promise<unknown>;
}

export interface Relay {
  /** Resolves after the current round, which a stop of the listener shortens. */
  stop(): Promise<void>;
}

const shortestPauseMs = 100;
const maxPauseMs = 1_000;
const repairEveryMs = 5_000;
/** Notifications within this time are handled in one round. */
const gatherMs = 5;

/** Reads outbox entries and signals their workflows, at each notification or adaptive poll. */
export function startRelay(options: RelayOptions): Relay {
  const stopping = new AbortController();
  const running = run(options, stopping.signal);
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

async function run(options: RelayOptions, stopping: AbortSignal): Promise<void> {
  const { listener, log, sources, repairs } = options;
  let pauseMs = shortestPauseMs;
  let repairAtMs = performance.now() + repairEveryMs;
  while (!stopping.aborted) {
    try {
      const isRepair = performance.now() > repairAtMs;
      if (isRepair) repairAtMs = performance.now() + repairEveryMs;
      const signaled = await round(options, isRepair ? [...sources, ...repairs] : sources);
      pauseMs = signaled > 0 ? shortestPauseMs : Math.min(maxPauseMs, pauseMs * 1.5);
    } catch (error) {
      log.warn({ err: error }, 'the relay cannot read its rows; it retries');
      pauseMs = maxPauseMs;
    }
    await listener.wait(pauseMs, listener.hasNoSubscriber);
    await new Promise((resolve) => setTimeout(resolve, gatherMs));
  }
}

async function round(options: RelayOptions, from: readonly SignalSource[]): Promise<number> {
  const { database, listener, temporal, log } = options;
  const signals = await read(options, from);
  const results = await Promise.allSettled(signals.map((one) => signal(temporal, one)));
  const signaled = signals.filter((_, at) => results[at]?.status === 'fulfilled');
  const ids = signaled.flatMap(({ outboxIds }) => outboxIds);
  if (ids.length > 0) await options.forget(database, ids);
  const refused = signals.flatMap(({ outboxIds }, at) => {
    const result = results[at];
    if (result?.status !== 'rejected') return [];
    const error: unknown = result.reason;
    return [{ outboxIds, error }];
  });
  // Only what Temporal refuses while it accepts others is at fault itself; an outage is short.
  const isAtFault = (error: unknown) => signaled.length > 0 && isRefusal(error);
  for (const { outboxIds, error } of refused) {
    if (isAtFault(error)) await options.park(database, outboxIds, error);
  }
  const failure = refused.find(({ error }) => !isAtFault(error));
  if (failure) {
    log.warn({ err: failure.error }, 'Temporal does not accept a signal; the rows wait');
    if (isRefusal(failure.error)) await options.prepareAgain();
    await listener.wait(maxPauseMs, listener.hasNoSubscriber);
  }
  return signals.length;
}

/** The signals of all sources; one that cannot be read delays no other. */
async function read(
  { database, log }: RelayOptions,
  from: readonly SignalSource[],
): Promise<WorkflowSignal[]> {
  const results = await Promise.allSettled(from.map((source) => source(database)));
  const failures = results.filter((one) => one.status === 'rejected');
  if (failures.length === from.length) throw failures[0]?.reason;
  for (const { reason } of failures) {
    log.error({ err: reason }, 'a source of signals cannot be read; the relay retries');
  }
  return results.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
}

async function signal(temporal: TemporalClient, target: WorkflowSignal): Promise<void> {
  if (target.lostActivity !== undefined) {
    if (await retryLostActivity(temporal, target.id, target.lostActivity)) return;
    await temporal.within(() => forgetWorker(temporal, target.id));
  }
  const span = spanOf(target);
  try {
    const { signaledRunId } = await temporal.within(() =>
      withTraceHeader(span?.traceparent, () => signalWithStart(temporal, target)),
    );
    span?.set({ 'temporal.workflow.run_id': signaledRunId });
    span?.end();
  } catch (error) {
    span?.end('signal_failed');
    throw error;
  }
}

/**
 * Otherwise the next task waits ten seconds for the worker that has the workflow in its cache. A
 * workflow that has ended needs no more than the signal, which starts it.
 */
async function forgetWorker(temporal: TemporalClient, workflowId: string): Promise<void> {
  const { workflowService, options: connected } = temporal.client;
  const { namespace } = connected;
  await workflowService
    .resetStickyTaskQueue({ namespace, execution: { workflowId } })
    .catch(() => undefined);
}

function signalWithStart(temporal: TemporalClient, target: WorkflowSignal) {
  const { teamId } = target.memo;
  return temporal.client.workflow.signalWithStart(target.type, {
    workflowId: target.id,
    taskQueue: target.taskQueue,
    args: [target.args],
    signal: target.signal,
    signalArgs: [],
    staticSummary: target.summary,
    staticDetails: target.details,
    memo: target.memo,
    typedSearchAttributes: target.searchAttributes,
    // A server with fairness switched on shares its task queues evenly between teams.
    ...(teamId !== undefined && { priority: { fairnessKey: teamId } }),
  });
}

/** In the trace of the first request; those of others, which the same signal serves, are links. */
function spanOf({ type, id, traceparents = [] }: WorkflowSignal) {
  const [parent, ...links] = traceparents;
  return continueTrace(`signal ${type}`, parent, () => ({
    kind: 'producer',
    links,
    attributes: { 'temporal.workflow.type': type, 'temporal.workflow.id': id },
  }));
}

/** INVALID_ARGUMENT or NOT_FOUND of gRPC: the server responds, but lacks what the call names. */
function isRefusal(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : 0;
  return code === 3 || code === 5;
}
