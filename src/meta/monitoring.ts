import type { ServerResponse } from 'node:http';
import type { Database } from '../database/client.ts';
import { listen } from '../http/listen.ts';
import type { Listener } from '../http/listen.ts';
import { registry } from '../http/metrics.ts';
import { readiness, scrapeMetrics } from './readiness.ts';

/** A process as operators watch it. */
export interface Monitored {
  database: Database;
  /** Whether it polls Temporal; absent where it need not. */
  isPolling?(): boolean;
}

/**
 * Serves /healthz, /readyz and /metrics on a port of their own: the figures concern operators only,
 * and a probe is answered whatever the public port has to do. Unlike the API, a worker is not ready
 * while Temporal is away or work grows old. DECISIONS 46.
 */
export async function serveMonitoring(
  { host, metricsPort }: { host: string; metricsPort: number },
  monitored: Monitored,
): Promise<Listener> {
  return listen(
    ({ url = '/' }, response) => {
      void answer(monitored, url, response);
    },
    host,
    metricsPort,
  );
}

async function answer(
  { database, isPolling }: Monitored,
  url: string,
  response: ServerResponse,
): Promise<void> {
  if (url === '/healthz') {
    reply(response, 200, { status: 'ok' });
  } else if (url === '/readyz') {
    const report = await readiness(database);
    if (!isPolling) {
      reply(response, report.status === 'unavailable' ? 503 : 200, report);
      return;
    }
    const isReady = report.status === 'ok' && isPolling();
    reply(response, isReady ? 200 : 503, {
      status: isReady ? 'ok' : 'unavailable',
      checks: { ...report.checks, temporal: isPolling() ? 'ok' : 'not polling' },
    });
  } else if (url === '/metrics') {
    response.writeHead(200, { 'Content-Type': registry.contentType });
    response.end(await scrapeMetrics(database));
  } else {
    reply(response, 404, { status: 'not found' });
  }
}

function reply(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify(body));
}
