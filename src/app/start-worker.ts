import './event-catalog.ts';
import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises';
import { NativeConnection, Worker } from '@temporalio/worker';
import type { WorkerOptions } from '@temporalio/worker';
import { concealFailures } from '../platform/temporal/conceal-failures.ts';
import { activitiesOf, createWork } from '../../activities/index.ts';
import type { Keyring } from '../platform/auth/keyring.ts';
import type { Config } from '../platform/config.ts';
import { connectDatabase } from '../platform/database/client.ts';
import type { Database } from '../platform/database/client.ts';
import { ensurePartitions } from '../platform/database/maintenance.ts';
import { checkApplicationRole } from '../platform/database/migrate.ts';
import { createNotifier, openListener } from '../platform/database/notify.ts';
import { createClock } from '../platform/database/clock.ts';
import { retryUntilAvailable } from '../platform/database/wait-for-database.ts';
import { createEgress } from '../platform/egress/client.ts';
import { refuseOpenProxy } from '../platform/egress/proxy-check.ts';
import type { Log } from '../platform/observability/log.ts';
import { createSenders } from '../messaging/providers/senders.ts';
import { createProviderPool } from '../messaging/send-queue/provider-pool.ts';
import { unservedChannels } from '../messaging/providers/unconfigured.ts';
import { copyErasers } from './copy-erasers.ts';
import { registerHooks } from './hooks.ts';
import { schedules } from './schedules.ts';
import { keepServing } from '../operations/sftp/keep-serving.ts';
import { bundleWorkflows } from '../platform/temporal/bundle.ts';
import { connectionAdvice } from '../platform/temporal/connection-advice.ts';
import { connectionOptions, connectTemporal } from '../platform/temporal/client.ts';
import { prepareNamespace } from '../platform/temporal/prepare-namespace.ts';
import { withoutMissing } from '../platform/temporal/register-attributes.ts';
import type { MissingAttributes } from '../platform/temporal/register-attributes.ts';
import { createPayloadCodec } from '../platform/temporal/payload-codec.ts';
import { startRelay } from '../platform/temporal/relay.ts';
import { workerVersioning } from '../platform/temporal/worker-version.ts';
import { keepSchedules } from '../platform/temporal/schedules.ts';
import {
  identifyActivities,
  traceActivities,
  traceSinks,
} from '../platform/temporal/trace-activities.ts';
import { observeSchedules } from '../platform/temporal/schedule-metrics.ts';
import { deleteOutboxEntries, parkOutboxEntries } from '../platform/temporal/outbox.ts';
import { queuesOfWorker } from './worker-queues.ts';
import { outboxSignals, overdueSignals } from './job-signals.ts';
import { laneSignals } from './lane-signals.ts';
import { observeEgress } from '../meta/egress-metrics.ts';

export interface WorkerProcess {
  database: Database;
  /** True while the workers poll Temporal. */
  isPolling(): boolean;
  /** Updates the metrics of the schedules. */
  refreshMetrics(): Promise<void>;
  /** Port of the SFTP server, if this process runs one. */
  sftpPort: number | undefined;
  /** Whether its SFTP server has as many connections as it may. */
  isSftpFull(): boolean;
  close(): Promise<void>;
}

const retryPauseMs = 1_000;
const graceMs = 20_000;
/** After a restart deliveries come first. */
const schedulesAfterMs = 1_000;
const schedulesAgainMs = 10_000;

const isRunning = (worker: Worker) => worker.getState() === 'RUNNING';

/**
 * Runs the workers and the relay until closed. Temporal may be unavailable at the start or later:
 * the workers are created again until it responds, and the rows wait.
 */
export async function startWorker(
  config: Config & { databaseUrl: string; temporalAddress: string },
  keyring: Keyring,
  log: Log,
): Promise<WorkerProcess> {
  registerHooks();
  identifyActivities();
  const egress = createEgress({
    rules: config.webhooks,
    maxConnections: config.webhooks.maxConnections,
    ...(config.webhooks.proxyUrl !== undefined && { proxyUrl: config.webhooks.proxyUrl }),
  });
  const forgetEgress = observeEgress(egress);
  const database: Database = connectDatabase({
    url: config.databaseUrl,
    maxConnections: config.databasePoolSize,
    applicationName: 'onward-worker',
    reusesPlans: true,
    onWork: createNotifier(() => database),
  });
  const clock = createClock(database);
  const codec = createPayloadCodec(keyring, config.temporalEncrypts);
  const temporal = connectTemporal(config, codec);
  const unserved = unservedChannels(config.sending);
  if (unserved.length > 0) {
    log.warn({ channels: unserved }, 'no provider is configured; messages of these channels wait');
  }
  const providers = createProviderPool({
    ...{ database, egress, keyring, sending: config.sending, log },
    senders: createSenders(config.sending, { database, egress }),
  });
  const stopping = new AbortController();
  let missing: MissingAttributes | undefined;
  const listener = openListener(database);
  const tools = {
    database,
    clock,
    keyring,
    egress,
    log,
    policy: config.webhooks,
    inbound: config.inbound,
    operations: config.operations,
    sending: config.sending,
    providers,
    erasers: copyErasers,
    publicBaseUrl: config.publicBaseUrl,
    stopping: stopping.signal,
    listener,
  };
  const work = createWork(tools);
  const activities = activitiesOf(tools, work);
  const { lanes } = config.webhooks;
  const sources = [outboxSignals, ...laneSignals(lanes, listener.backendPid)];
  const repairs = overdueSignals(work.jobs);
  let workers: Worker[] = [];
  let workerCount = 0;
  let bundling: Promise<{ code: string }> | undefined;

  function bundle(): Promise<{ code: string }> {
    bundling ??= bundleWorkflows(config.cacheDirectory);
    return bundling;
  }

  async function checkSurroundings(): Promise<void> {
    await refuseOpenProxy(egress, log);
    await retryUntilAvailable(
      async () => {
        await database.read((sql) => checkApplicationRole(sql));
        await database.read((sql) => ensurePartitions(sql));
        await clock.start();
      },
      () => log.warn('Postgres does not respond; the worker retries'),
    );
  }

  async function registerAttributes(): Promise<void> {
    missing = await prepareNamespace(temporal, config.temporalNamespace, log);
  }

  function logPolling(): void {
    const advice = missing?.advice === undefined ? '' : `; ${missing.advice}`;
    log.info({ namespace: config.temporalNamespace }, `the workers poll Temporal${advice}`);
  }

  let areSchedulesCurrent = false;
  /** Repeated when the server may have lost its store. */
  async function prepareAgain(): Promise<void> {
    await registerAttributes();
    areSchedulesCurrent = await keepSchedules(temporal, log, schedules);
  }

  /** Creates the schedules, and retries those that failed, until the connection ends. */
  async function watchSchedules(isOver: () => boolean): Promise<void> {
    const { signal } = stopping;
    areSchedulesCurrent = false;
    for (let afterMs = schedulesAfterMs; ; afterMs = schedulesAgainMs) {
      await pause(afterMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted || isOver()) return;
      areSchedulesCurrent ||= await keepSchedules(temporal, log, schedules);
    }
  }

  /** Connects and polls until stopped, or until the connection is lost. */
  async function pollOnce(): Promise<void> {
    const connecting = NativeConnection.connect(connectionOptions(config));
    connecting.catch(() => undefined);
    const queues = queuesOfWorker({ activities, workflowBundle: await bundle(), lanes });
    const connection = await connecting;
    const shared = {
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
    let isOver = false;
    workerCount = queues.others.length + 1;

    async function run(queue: WorkerOptions, isMain = false): Promise<void> {
      const creating = Worker.create({ ...shared, ...queue });
      const before = Promise.allSettled([isUsable, isMain && registerAttributes()]);
      const [worker, [usable, registered]] = await Promise.all([creating, before]);
      const mayRun = usable.status === 'fulfilled' && usable.value;
      workers.push(worker);
      // Also a worker that must end now: one that never ran would hold the connection forever.
      const running = worker.run();
      // Checked last: a stop during the setup finds no running worker, and would wait forever.
      const isRefused = registered.status === 'rejected';
      if (!mayRun || isRefused || isOver || stopping.signal.aborted) worker.shutdown();
      else if (isMain) logPolling();
      await running;
      if (isRefused) throw registered.reason;
    }

    const runs = [run(queues.main, true)];
    try {
      // The thread of the main one for workflows starts first; the others do not wait for it.
      await turn();
      runs.push(...queues.others.map((queue) => run(queue)));
      await Promise.all([...runs, watchSchedules(() => isOver)]);
    } finally {
      isOver = true;
      for (const worker of workers.filter(isRunning)) worker.shutdown();
      workers = [];
      // Workers that still end hold it; those of the next connection do not wait for them.
      const ended = Promise.allSettled(runs);
      const closed = ended.then(() => connection.close()).catch(() => undefined);
      if (stopping.signal.aborted) await closed;
    }
  }

  async function poll(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await pollOnce();
      } catch (error) {
        const cause = connectionAdvice(error);
        log.warn(
          { err: error },
          `the workers stopped polling Temporal; they retry${cause === undefined ? '' : `; ${cause}`}`,
        );
      }
      await pause(retryPauseMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  }

  // The workers take longer to set up than Postgres to respond.
  const checked = checkSurroundings();
  const isUsable = checked.then(
    () => true,
    () => false,
  );
  const polling = poll();
  await Promise.all([checked, bundle()]).catch((error: unknown) => {
    stopping.abort();
    throw error;
  });
  const relay = startRelay({
    database,
    listener,
    temporal,
    log,
    sources: sources.map((source) => withoutMissing(source, () => missing)),
    repairs: repairs.map((source) => withoutMissing(source, () => missing)),
    forget: (from, ids) => from.read((sql) => deleteOutboxEntries(sql, ids)),
    park: (from, ids, error) => parkOutboxEntries({ database: from, log }, ids, error),
    prepareAgain,
  });
  const { isServed, listenPort, proxyNetworks } = config.sftp;
  const sftp =
    isServed && listenPort !== undefined
      ? await keepServing(
          { database, keyring, log },
          { host: config.host, port: listenPort, proxyNetworks },
        )
      : undefined;
  return {
    database,
    sftpPort: sftp?.port,
    isSftpFull: () => sftp?.isFull() ?? false,
    refreshMetrics: observeSchedules(temporal, schedules),
    isPolling: () =>
      workers.length > 0 && workers.length === workerCount && workers.every(isRunning),
    async close() {
      const files = sftp?.close();
      stopping.abort();
      for (const worker of workers.filter(isRunning)) worker.shutdown();
      await polling;
      await files;
      const ended = relay.stop();
      listener.stop();
      clock.stop();
      await ended;
      await providers.close();
      forgetEgress();
      await egress.close();
      await temporal.close();
      await database.close();
    },
  };
}
