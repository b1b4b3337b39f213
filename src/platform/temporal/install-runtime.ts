import { Runtime } from '@temporalio/worker';
import type { Log } from '../observability/log.ts';

/**
 * Quiet core logs: what matters is logged by us. The metrics of the SDK are served at `metrics`,
 * host:port. Call before any worker is made, once.
 */
export function installRuntime(log: Log, metrics?: string): void {
  Runtime.install({
    shutdownSignals: [],
    telemetryOptions: {
      // Through the logger below: the core's own lines are not JSON.
      logging: { forward: {} },
      ...(metrics !== undefined && {
        metrics: {
          prometheus: {
            bindAddress: metrics,
            countersTotalSuffix: true,
            unitSuffix: true,
            useSecondsForDurations: true,
          },
        },
      }),
    },
    logger: {
      log: () => undefined,
      trace: () => undefined,
      debug: () => undefined,
      info: () => undefined,
      warn: (message) => {
        // Most queues run activities only, whose failures are logged with their causes.
        if (message.startsWith('No workflows registered') || message === 'Activity failed') return;
        log.warn({ source: 'temporal' }, message);
      },
      error: (message) => log.error({ source: 'temporal' }, message),
    },
  });
}
