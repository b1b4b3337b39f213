import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises';
import { NativeConnection, Worker } from '@temporalio/worker';
import type { WorkerOptions } from '@temporalio/worker';
import type { ActivitiesByQueue } from '../../activities/index.ts';
import type { Config } from '../platform/config.ts';
import type { Log } from '../platform/observability/log.ts';
import { bundleWorkflows } from '../platform/temporal/bundle.ts';
import { connectionOptions } from '../platform/temporal/client.ts';
import type { TemporalClient } from '../platform/temporal/client.ts';
import { concealFailures } from '../platform/temporal/conceal-failures.ts';
import { connectionAdvice } from '../platform/temporal/connection-advice.ts';
import type { createPayloadCodec } from '../platform/temporal/payload-codec.ts';
import { prepareNamespace } from '../platform/temporal/prepare-namespace.ts';
import type { MissingAttributes } from '../platform/temporal/register-attributes.ts';
import { keepSchedules } from '../platform/temporal/schedules.ts';
import { traceActivities, traceSinks } from '../platform/temporal/trace-activities.ts';
import { workerVersioning } from '../platform/temporal/worker-version.ts';
import { schedules } from './schedules.ts';
import { queuesOfWorker } from './worker-queues.ts';

interface PollerTools {
  config: Config & { temporalAddress: string };
  temporal: TemporalClient;
  codec: ReturnType<typeof createPayloadCodec>;
  activities: ActivitiesByQueue;
  /** Whether the surroundings are as they must be; otherwise no worker runs. */
  isUsable: Promise<boolean>;
  /** Aborted when the workers are to end. */
  stopping: AbortSignal;
  log: Log;
}

/** A connection to Temporal with its workers. */
interface Connected {
  options: ReturnType<typeof optionsOf>;
  /** The connection was lost, or is closed. */
  isOver: boolean;
}

const retryPauseMs = 1_000;
const graceMs = 20_000;
/** After a restart deliveries come first. */
const schedulesAfterMs = 1_000;
const schedulesAgainMs = 10_000;

/**
 * Polls Temporal with a worker for each task queue. Temporal may be unavailable at the start or
 * later: the workers are created again until it responds.
 */
export class WorkerPoller {
  readonly #tools: PollerTools;
  #workers: Worker[] = [];
  #workerCount = 0;
  #bundling: Promise<{ code: string }> | undefined;
  #missing: MissingAttributes | undefined;
  #areSchedulesCurrent = false;

  constructor(tools: PollerTools) {
    this.#tools = tools;
  }

  /** True while all workers poll. */
  isPolling(): boolean {
    const workers = this.#workers;
    return workers.length > 0 && workers.length === this.#workerCount && workers.every(isRunning);
  }

  /** Search attributes that the namespace lacks; undefined until it is known. */
  missing(): MissingAttributes | undefined {
    return this.#missing;
  }

  /** Ends the workers that run, each after its tasks. */
  shutdown(): void {
    for (const worker of this.#workers.filter(isRunning)) worker.shutdown();
  }

  bundle(): Promise<{ code: string }> {
    this.#bundling ??= bundleWorkflows(this.#tools.config.cacheDirectory);
    return this.#bundling;
  }

  /** Repeated when the server may have lost its store. */
  async prepareAgain(): Promise<void> {
    const { temporal, log } = this.#tools;
    await this.#registerAttributes();
    this.#areSchedulesCurrent = await keepSchedules(temporal, log, schedules);
  }

  /** Polls until stopped. */
  async poll(): Promise<void> {
    const { stopping, log } = this.#tools;
    while (!stopping.aborted) {
      try {
        await this.#pollOnce();
      } catch (error) {
        const cause = connectionAdvice(error);
        log.warn(
          { err: error },
          `the workers stopped polling Temporal; they retry${cause === undefined ? '' : `; ${cause}`}`,
        );
      }
      await pause(retryPauseMs, undefined, { signal: stopping }).catch(() => undefined);
    }
  }

  /** Connects and polls until stopped, or until the connection is lost. */
  async #pollOnce(): Promise<void> {
    const { config, activities, stopping } = this.#tools;
    const connecting = NativeConnection.connect(connectionOptions(config));
    connecting.catch(() => undefined);
    const { lanes } = config.webhooks;
    const queues = queuesOfWorker({ activities, workflowBundle: await this.bundle(), lanes });
    const connection = await connecting;
    const connected = { options: optionsOf(this.#tools, connection), isOver: false };
    this.#workerCount = queues.others.length + 1;
    const runs = [this.#run(connected, queues.main, true)];
    try {
      // The thread of the main one for workflows starts first; the others do not wait for it.
      await turn();
      runs.push(...queues.others.map((queue) => this.#run(connected, queue)));
      await Promise.all([...runs, this.#watchSchedules(connected)]);
    } finally {
      connected.isOver = true;
      this.shutdown();
      this.#workers = [];
      // Workers that still end hold it; those of the next connection do not wait for them.
      const ended = Promise.allSettled(runs);
      const closed = ended.then(() => connection.close()).catch(() => undefined);
      if (stopping.aborted) await closed;
    }
  }

  async #run(connected: Connected, queue: WorkerOptions, isMain = false): Promise<void> {
    const { isUsable, stopping } = this.#tools;
    const creating = Worker.create({ ...connected.options, ...queue });
    const before = Promise.allSettled([isUsable, isMain && this.#registerAttributes()]);
    const [worker, [usable, registered]] = await Promise.all([creating, before]);
    const mayRun = usable.status === 'fulfilled' && usable.value;
    this.#workers.push(worker);
    // Also a worker that must end now: one that never ran would hold the connection forever.
    const running = worker.run();
    // Checked last: a stop during the setup finds no running worker, and would wait forever.
    const isRefused = registered.status === 'rejected';
    if (!mayRun || isRefused || connected.isOver || stopping.aborted) worker.shutdown();
    else if (isMain) this.#logPolling();
    await running;
    if (isRefused) throw registered.reason;
  }

  async #registerAttributes(): Promise<void> {
    const { config, temporal, log } = this.#tools;
    this.#missing = await prepareNamespace(temporal, config.temporalNamespace, log);
  }

  #logPolling(): void {
    const { config, log } = this.#tools;
    const advice = this.#missing?.advice === undefined ? '' : `; ${this.#missing.advice}`;
    log.info({ namespace: config.temporalNamespace }, `the workers poll Temporal${advice}`);
  }

  /** Creates the schedules, and retries those that failed, until the connection ends. */
  async #watchSchedules(connected: Connected): Promise<void> {
    const { temporal, stopping: signal, log } = this.#tools;
    this.#areSchedulesCurrent = false;
    for (let afterMs = schedulesAfterMs; ; afterMs = schedulesAgainMs) {
      await pause(afterMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted || connected.isOver) return;
      this.#areSchedulesCurrent ||= await keepSchedules(temporal, log, schedules);
    }
  }
}

/** Options that all workers of a connection share. */
function optionsOf({ config, codec, log }: PollerTools, connection: NativeConnection) {
  return {
    connection,
    namespace: config.temporalNamespace,
    shutdownGraceTime: graceMs,
    // Activities never share state with workflows here, so the cache may be small.
    maxCachedWorkflows: 500,
    // Where a worker has ended, its workflows wait this long before another one takes them.
    stickyQueueScheduleToStartTimeout: '5 seconds',
    interceptors: { activity: [traceActivities, concealFailures(log)] },
    sinks: traceSinks,
    dataConverter: { payloadCodecs: [codec] },
    ...workerVersioning(config),
  };
}

const isRunning = (worker: Worker) => worker.getState() === 'RUNNING';
