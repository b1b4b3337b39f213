import { randomBytes } from 'node:crypto';
import { startApi } from './app/start-api.ts';
import { openDataDirectory } from './commands/data-directory.ts';
import { readDemoFile, writeDemoFile } from './commands/demo-file.ts';
import { applyMigrations } from './commands/apply-migrations.ts';
import { chooseApiAddress } from './commands/start/api-address.ts';
import { openDatabase } from './commands/start/database.ts';
import { ensureDemoClient } from './commands/start/demo-client.ts';
import { buildDocumentation } from './commands/start/documentation.ts';
import { createLocalPages } from './commands/start/local-pages.ts';
import { openKeys } from './commands/start/keys.ts';
import { openNameServer } from './commands/start/name-server.ts';
import { say, step } from './commands/start/progress.ts';
import { chooseSftpPort } from './commands/start/sftp-port.ts';
import { openTemporal } from './commands/start/temporal.ts';
import { welcome } from './commands/start/welcome.ts';
import { readConfig } from './platform/config.ts';
import { connectDatabase } from './platform/database/client.ts';
import { endpoints } from './app/endpoints.ts';
import { lockDirectory } from './local/directory-lock.ts';
import { LocalFailure } from './local/local-failure.ts';
import { onParentGone } from './local/parent.ts';
import { onFreePort, rememberPort } from './local/ports.ts';
import { createLog } from './platform/observability/log.ts';
import { startTracing } from './platform/observability/tracing.ts';
import { serveMonitoring } from './meta/monitoring.ts';
import { knownScopes } from './team/oauth2/endpoints.ts';
import { runProcess } from './app/run-process.ts';
import { startWorker } from './app/start-worker.ts';
import { installRuntime } from './platform/temporal/install-runtime.ts';

// `npm start`: everything on one machine. Postgres and Temporal are brought along unless
// DATABASE_URL and TEMPORAL_ADDRESS name others.
runProcess(async (end) => {
  const startedAtMs = performance.now();
  const given = readConfig({ development: true });
  const directory = openDataDirectory(given.dataDirectory);
  const lock = lockDirectory(directory.path);
  if (!('release' in lock)) {
    throw new LocalFailure(
      `Onward already runs with the data in ${directory.path}, as process ${String(lock.pid)} (${lock.command}).\nEnd it first, or start a second one with ONWARD_DATA_DIR and PORT.`,
    );
  }
  const address = await chooseApiAddress(given);
  const names = await openNameServer(given.sending.domains, directory);
  const config = {
    ...given,
    ...address,
    sending: { ...given.sending, domains: names.domains },
    sftp: await chooseSftpPort(given.sftp, directory),
  };
  onParentGone(end);
  say(`Onward starts; its data is in ${directory.path}`);
  const log = createLog(config.logLevel, 'onward');
  const tracing = await startTracing(config, log);
  const keyring = await openKeys(config, directory);

  const known = await readDemoFile(directory.demo);
  const pages = createLocalPages(known?.page_key ?? randomBytes(24).toString('base64url'));
  // The very first start may build Temporal for minutes; the API is up long before.
  let isTemporalReady = false;
  const [temporal, { database, api, client }] = await Promise.all([
    startTemporalPart(),
    startApiPart(),
  ]);

  pages.addTemporal(temporal.uiUrl);
  const { databaseUrl } = database;
  const worker = await step('Worker', async () => {
    installRuntime(log, config);
    return startWorker({ ...config, databaseUrl, temporalAddress: temporal.address }, keyring, log);
  });
  const monitoring = await onFreePort(async () => {
    const metricsPort = await rememberPort(directory.metricsPort, given.metricsPort);
    return serveMonitoring({ ...config, metricsPort }, worker);
  });
  // The file of an earlier start, from which the client comes, has the addresses of then.
  const demo = {
    ...client,
    page_key: pages.pageKey,
    base_url: config.publicBaseUrl,
    docs_url: `${config.publicBaseUrl}/docs`,
    ...(temporal.uiUrl !== undefined && { temporal_ui_url: temporal.uiUrl }),
    temporal_address: temporal.address,
    temporal_namespace: config.temporalNamespace,
  };
  await writeDemoFile(directory, demo);
  const ports = { sftp: worker.sftpPort, metrics: monitoring.port };
  say(welcome(demo, directory.environment, ports, (performance.now() - startedAtMs) / 1_000));
  const documentation = buildDocumentation();
  const reads = knownScopes(endpoints).filter((scope) => scope.endsWith(':read'));
  const hasSample = config.signsInLocally && config.hasSample && database.isEmbedded;
  const sample = hasSample
    ? pages.addSample(database.ownerUrl, directory.sample, reads, log)
    : Promise.resolve();

  return async () => {
    say('Onward stops: API, worker, Temporal, Postgres');
    documentation.stop();
    await sample;
    await monitoring.close();
    await api.close();
    await worker.close();
    await tracing.stop();
    await temporal.stop();
    await database.stop();
    names.server?.close();
    lock.release();
    say('Onward has stopped');
  };

  async function startTemporalPart() {
    const temporal = await step(
      'Temporal',
      () => openTemporal(config, directory),
      ({ address }) => address,
    );
    isTemporalReady = true;
    return temporal;
  }

  async function startApiPart() {
    const database = await step('Postgres', () => openDatabase(config, directory));
    const { ownerUrl, databaseUrl } = database;
    await step(
      'Schema',
      () => applyMigrations(ownerUrl, databaseUrl),
      (applied) => (applied.length > 0 ? `${String(applied.length)} schema files applied` : ''),
    );
    const client = await prepareClient(databaseUrl);
    const local = config.signsInLocally ? pages : undefined;
    const api = await step(
      'API',
      () => startApi({ ...config, databaseUrl }, keyring, log, { local }),
      ({ url }) => url,
    );
    if (!isTemporalReady) say('  The API answers; webhooks and timers wait for Temporal');
    return { database, api, client };
  }

  async function prepareClient(url: string) {
    const pool = connectDatabase({ url, maxConnections: 1, applicationName: 'onward-setup' });
    try {
      const client = await ensureDemoClient(pool, keyring, known, knownScopes(endpoints));
      await pages.addClient(pool, client.client_id, 'Demo');
      return client;
    } finally {
      await pool.close();
    }
  }
});
