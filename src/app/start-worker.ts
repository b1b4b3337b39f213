import './event-catalog.ts';
import { activitiesOf, createWork } from '../../activities/index.ts';
import type { Work } from '../../activities/index.ts';
import type { Keyring } from '../platform/auth/keyring.ts';
import type { Config } from '../platform/config.ts';
import { connectDatabase } from '../platform/database/client.ts';
import type { Database } from '../platform/database/client.ts';
import { ensurePartitions } from '../platform/database/maintenance.ts';
import { checkDatabase } from '../platform/database/migrate.ts';
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
import { connectTemporal } from '../platform/temporal/client.ts';
import { withoutMissing } from '../platform/temporal/register-attributes.ts';
import { createPayloadCodec } from '../platform/temporal/payload-codec.ts';
import { startRelay } from '../platform/temporal/relay.ts';
import type { Relay, SignalSource } from '../platform/temporal/relay.ts';
import { identifyActivities } from '../platform/temporal/trace-activities.ts';
import { observeSchedules } from '../platform/temporal/schedule-metrics.ts';
import { deleteOutboxEntries, parkOutboxEntries } from '../platform/temporal/outbox.ts';
import { outboxSignals, overdueSignals } from './job-signals.ts';
import { laneSignals } from './lane-signals.ts';
import { WorkerPoller } from './worker-poller.ts';
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

type WorkerConfig = Config & { databaseUrl: string; temporalAddress: string };

/**
 * Runs the workers and the relay until closed. Temporal may be unavailable at the start or later:
 * the workers are created again until it responds, and the rows wait.
 */
export async function startWorker(
  config: WorkerConfig,
  keyring: Keyring,
  log: Log,
): Promise<WorkerProcess> {
  registerHooks();
  identifyActivities();
  const connected = connect(config, keyring, log);
  const { database, temporal, codec } = connected;
  const stopping = new AbortController();
  const tools = {
    ...connected,
    ...{ keyring, log, policy: config.webhooks, inbound: config.inbound },
    ...{ operations: config.operations, sending: config.sending, erasers: copyErasers },
    ...{ publicBaseUrl: config.publicBaseUrl, stopping: stopping.signal },
  };
  const work = createWork(tools);
  const activities = activitiesOf(tools, work);
  // The workers take longer to set up than Postgres to respond.
  const checked = checkSurroundings(connected, log);
  const poller = new WorkerPoller({
    ...{ config, temporal, codec, activities, log, stopping: stopping.signal },
    isUsable: checked.then(
      () => true,
      () => false,
    ),
  });
  const polling = poller.poll();
  await Promise.all([checked, poller.bundle()]).catch((error: unknown) => {
    stopping.abort();
    throw error;
  });
  const relay = relaySignals(connected, work, poller, config, log);
  const sftp = await serveFiles(database, keyring, config, log);
  return {
    database,
    sftpPort: sftp?.port,
    isSftpFull: () => sftp?.isFull() ?? false,
    refreshMetrics: observeSchedules(temporal, schedules),
    isPolling: () => poller.isPolling(),
    async close() {
      const files = sftp?.close();
      stopping.abort();
      poller.shutdown();
      await polling;
      await files;
      await close(connected, relay);
    },
  };
}

type Connected = ReturnType<typeof connect>;

/** Opens what the work shares: connections and the clock. */
function connect(config: WorkerConfig, keyring: Keyring, log: Log) {
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
  const listener = openListener(database);
  return { egress, forgetEgress, database, clock, codec, temporal, providers, listener };
}

async function checkSurroundings({ egress, database, clock }: Connected, log: Log): Promise<void> {
  await refuseOpenProxy(egress, log);
  await retryUntilAvailable(
    async () => {
      await database.read((sql) => checkDatabase(sql));
      await database.read((sql) => ensurePartitions(sql));
      await clock.start();
    },
    () => log.warn('Postgres does not respond; the worker retries'),
  );
}

/** Starts the relay from outbox entries, lanes and overdue rows to workflows. */
function relaySignals(
  { database, listener, temporal }: Connected,
  work: Work,
  poller: WorkerPoller,
  config: Config,
  log: Log,
): Relay {
  const sources = [outboxSignals, ...laneSignals(config.webhooks.lanes, listener.backendPid)];
  const known = (source: SignalSource) => withoutMissing(source, () => poller.missing());
  return startRelay({
    ...{ database, listener, temporal, log },
    sources: sources.map(known),
    repairs: overdueSignals(work.jobs).map(known),
    forget: (from, ids) => from.read((sql) => deleteOutboxEntries(sql, ids)),
    park: (from, ids, error) => parkOutboxEntries({ database: from, log }, ids, error),
    prepareAgain: () => poller.prepareAgain(),
  });
}

/** Undefined if this process serves no files. */
async function serveFiles(database: Database, keyring: Keyring, config: Config, log: Log) {
  const { isServed, listenPort, proxyNetworks } = config.sftp;
  if (!isServed || listenPort === undefined) return undefined;
  const address = { host: config.host, port: listenPort, proxyNetworks };
  return keepServing({ database, keyring, log }, address);
}

/** Ends the relay, and closes what it and the work have shared. */
async function close(connected: Connected, relay: Relay): Promise<void> {
  const ended = relay.stop();
  connected.listener.stop();
  connected.clock.stop();
  await ended;
  await connected.providers.close();
  connected.forgetEgress();
  await connected.egress.close();
  await connected.temporal.close();
  await connected.database.close();
}
