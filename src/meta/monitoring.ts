import type { ServerResponse } from 'node:http';
import type { Config, SendingConfig } from '../platform/config.ts';
import type { Database } from '../platform/database/client.ts';
import { listen } from '../platform/http/listen.ts';
import type { Listener } from '../platform/http/listen.ts';
import { registry } from '../platform/http/metrics.ts';
import { unservedChannels } from '../messaging/providers/unconfigured.ts';
import { readiness, scrapeMetrics } from './readiness.ts';

/** A process as operators watch it. */
export interface Monitored {
  database: Database;
  /** Whether it polls Temporal; absent where it need not. */
  isPolling?(): boolean;
  /** Whether it refuses further SFTP clients; absent where it serves none. */
  isSftpFull?(): boolean;
  /** Updates figures that it reads elsewhere than in Postgres. */
  refreshMetrics?(): Promise<void>;
}

type Monitoring = Pick<Config, 'host' | 'metricsPort' | 'sending' | 'http'> &
  Partial<Pick<Config, 'tls'>>;

/**
 * Serves /healthz, /readyz and /metrics on a separate port: the figures concern operators only, and
 * a busy public port does not delay probes. Unlike the API, a worker is not ready while Temporal is
 * unavailable or work is overdue. ADR 46.
 */
export async function serveMonitoring(
  { host, metricsPort: port, tls, sending, http }: Monitoring,
  monitored: Monitored,
): Promise<Listener> {
  return listen(
    ({ url = '/' }, response) => {
      answer(monitored, sendingCheck(sending), url, response).catch(() => {
        if (response.headersSent) response.destroy();
        else reply(response, 500, { status: 'failed' });
      });
    },
    { host, port, tls, http },
  );
}

/** Messages of a channel without a provider wait; everything else is served. */
function sendingCheck(sending: SendingConfig): { sending?: string } {
  const channels = unservedChannels(sending);
  return channels.length > 0 ? { sending: `no provider for ${channels.join(', ')}` } : {};
}

async function answer(
  { database, isPolling, isSftpFull, refreshMetrics }: Monitored,
  further: { sending?: string },
  url: string,
  response: ServerResponse,
): Promise<void> {
  if (url === '/healthz') {
    reply(response, 200, { status: 'ok' });
  } else if (url === '/readyz') {
    const { status, checks } = await readiness(database);
    const report = { status, checks: { ...checks, ...further } };
    if (!isPolling) {
      reply(response, report.status === 'unavailable' ? 503 : 200, report);
      return;
    }
    const isReady = report.status === 'ok' && isPolling();
    // Its other work goes on, so that a full SFTP server only degrades it.
    const isFull = isSftpFull?.() ?? false;
    reply(response, isReady ? 200 : 503, {
      status: !isReady ? 'unavailable' : isFull ? 'degraded' : 'ok',
      checks: {
        ...report.checks,
        temporal: isPolling() ? 'ok' : 'not polling',
        ...(isFull && { sftp: 'full: further clients are refused' }),
      },
    });
  } else if (url === '/metrics') {
    await refreshMetrics?.();
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
