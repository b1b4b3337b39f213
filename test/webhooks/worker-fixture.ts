// A worker process on its own, with the settings of its environment; a test kills it.
import { loadKeyring } from '../../src/platform/auth/key-source.ts';
import { readConfig } from '../../src/platform/config.ts';
import { createLog } from '../../src/platform/observability/log.ts';
import { startWorker } from '../../src/app/start-worker.ts';
import { installRuntime } from '../../src/platform/temporal/install-runtime.ts';

const config = readConfig({ development: true });
const { databaseUrl, temporalAddress } = config;
if (databaseUrl === undefined || temporalAddress === undefined) throw new Error('no addresses');
const log = createLog(process.env['TEST_LOG_LEVEL'] ?? 'silent', 'worker');
installRuntime(log);
const worker = await startWorker(
  { ...config, databaseUrl, temporalAddress },
  loadKeyring(config),
  log,
);
console.log(JSON.stringify({ started: process.pid }));
process.on('SIGTERM', () => {
  void worker.close().then(() => process.exit(0));
});
