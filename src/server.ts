import { startApi } from './api-process.ts';
import { loadKeyring } from './auth/key-source.ts';
import { readConfig } from './config.ts';
import { runProcess } from './process-root.ts';
import { createLog } from './log.ts';

// `npm run server`: the API alone, against a Postgres that `npm run migrate` has prepared.
runProcess(async () => {
  const config = readConfig({ development: false });
  const log = createLog(config.logLevel, 'api');
  const { databaseUrl = '' } = config;
  const api = await startApi({ ...config, databaseUrl }, loadKeyring(config), log);
  log.info({ url: api.url }, 'listening');
  return () => api.close();
});
