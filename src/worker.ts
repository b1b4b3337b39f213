import { setFlagsFromString } from 'node:v8';
import { loadKeyring } from './platform/auth/key-source.ts';
import { ConfigError, readConfig } from './platform/config.ts';
import { createLog } from './platform/observability/log.ts';
import { startTracing } from './platform/observability/tracing.ts';
import { serveMonitoring } from './meta/monitoring.ts';
import { runProcess } from './app/run-process.ts';
import { startWorker } from './app/start-worker.ts';
import { installRuntime } from './platform/temporal/install-runtime.ts';

/**
 * By how much the old generation grows before it is collected. V8 lets it double, so that a worker
 * through which a large file flows would hold another 80 MB that it does not need.
 */
const heapGrowthPercent = 20;

// `npm run worker`: the Temporal workers and the relay, with health and metrics on their own port.
runProcess(async () => {
  setFlagsFromString(`--heap-growing-percent=${String(heapGrowthPercent)}`);
  const config = readConfig({ development: false, serviceName: 'onward-worker' });
  const { databaseUrl = '', temporalAddress } = config;
  if (temporalAddress === undefined) {
    throw new ConfigError([
      'TEMPORAL_ADDRESS is required: host:port of the Temporal server, or a profile that has it',
    ]);
  }
  const log = createLog(config.logLevel, 'worker');
  for (const warning of config.warnings) log.warn(warning);
  const tracing = await startTracing(config, log);
  installRuntime(log, config);
  const worker = await startWorker(
    { ...config, databaseUrl, temporalAddress },
    loadKeyring(config),
    log,
  );
  const monitoring = await serveMonitoring(config, worker);
  log.info({ port: monitoring.port }, 'working');
  return async () => {
    await monitoring.close();
    await worker.close();
    await tracing.stop();
  };
});
