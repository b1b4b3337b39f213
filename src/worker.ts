import type { ServerResponse } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { loadKeyring } from './auth/key-source.ts';
import { ConfigError, readConfig } from './config.ts';
import { readiness, scrapeMetrics } from './meta/readiness.ts';
import { listen } from './http/listen.ts';
import { registry } from './http/metrics.ts';
import { createLog } from './log.ts';
import { runProcess } from './process-root.ts';
import { installRuntime, startWorker } from './worker-process.ts';

/**
 * By how much the old generation grows before it is collected. V8 lets it double, so that a worker
 * through which a large file flows would hold another 80 MB that it does not need.
 */
const heapGrowthPercent = 20;

// `npm run worker`: the Temporal workers and the relay, with health and metrics on their own port.
runProcess(async () => {
  setFlagsFromString(`--heap-growing-percent=${String(heapGrowthPercent)}`);
  const config = readConfig({ development: false });
  const { databaseUrl = '', temporalAddress } = config;
  if (temporalAddress === undefined) {
    throw new ConfigError(['TEMPORAL_ADDRESS is required: host:port of the Temporal server']);
  }
  const log = createLog(config.logLevel, 'worker');
  installRuntime(log);
  const worker = await startWorker(
    { ...config, databaseUrl, temporalAddress },
    loadKeyring(config),
    log,
  );
  const listener = await listen(
    (request, response) => {
      void answer(request.url ?? '/', response);
    },
    config.host,
    config.metricsPort,
  );
  log.info({ port: listener.port }, 'working');

  /** Unlike the API, a worker is red when work grows old or Temporal is away. DECISIONS 46. */
  async function answer(url: string, response: ServerResponse): Promise<void> {
    if (url === '/healthz') {
      reply(response, 200, { status: 'ok' });
    } else if (url === '/readyz') {
      const report = await readiness(worker.database);
      const temporal = worker.isPolling() ? 'ok' : 'not polling';
      const isReady = report.status === 'ok' && worker.isPolling();
      reply(response, isReady ? 200 : 503, {
        status: isReady ? 'ok' : 'unavailable',
        checks: { ...report.checks, temporal },
      });
    } else if (url === '/metrics') {
      response.writeHead(200, { 'Content-Type': registry.contentType });
      response.end(await scrapeMetrics(worker.database));
    } else {
      reply(response, 404, { status: 'not found' });
    }
  }

  return async () => {
    await listener.close();
    await worker.close();
  };
});

function reply(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify(body));
}
