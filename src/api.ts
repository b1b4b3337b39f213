import { startApi } from './app/start-api.ts';
import { loadKeyring } from './platform/auth/key-source.ts';
import { readConfig } from './platform/config.ts';
import { runProcess } from './app/run-process.ts';
import { createLog } from './platform/observability/log.ts';
import { startTracing } from './platform/observability/tracing.ts';
import { serveMonitoring } from './meta/monitoring.ts';

// `npm run server`: the API alone, against a Postgres that `npm run migrate` has prepared; health and
// metrics on their own port.
runProcess(async () => {
  const config = readConfig({ development: false, serviceName: 'onward-api' });
  const log = createLog(config.logLevel, 'api');
  for (const warning of config.warnings) log.warn(warning);
  const tracing = await startTracing(config, log);
  const { databaseUrl = '' } = config;
  const api = await startApi({ ...config, databaseUrl }, loadKeyring(config), log);
  const monitoring = await serveMonitoring(config, api);
  log.info({ url: api.url, metrics_port: monitoring.port }, 'listening');
  return async () => {
    await monitoring.close();
    await api.close();
    await tracing.stop();
  };
});
