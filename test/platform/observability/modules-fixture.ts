import { createRequire } from 'node:module';
import { startApi } from '../../../src/app/start-api.ts';
import '../../../src/app/start-worker.ts';
import { loadKeyring } from '../../../src/platform/auth/key-source.ts';
import { readConfig } from '../../../src/platform/config.ts';
import { createLog } from '../../../src/platform/observability/log.ts';
import { startTracing } from '../../../src/platform/observability/tracing.ts';

// Starts what src/api.ts and src/worker.ts start, and prints the packages of OpenTelemetry that the
// process has loaded.
const config = readConfig({ development: true });
const log = createLog('silent', 'api');
const tracing = await startTracing(config, log);
const { databaseUrl = '' } = config;
const api = await startApi({ ...config, databaseUrl, port: 0 }, loadKeyring(config), log);
await fetch(`${api.url}/v2/partner/contacts`);
const loaded = Object.keys(createRequire(import.meta.url).cache).flatMap(
  (path) => /node_modules\/(@opentelemetry\/[^/]+)/.exec(path)?.[1] ?? [],
);
console.log(JSON.stringify([...new Set(loaded)].sort()));
await api.close();
await tracing.stop();
