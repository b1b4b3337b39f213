import { isIPv6 } from 'node:net';
import { Runtime } from '@temporalio/worker';
import type { LogMetadata } from '@temporalio/common';
import type { RuntimeOptions, TelemetryOptions } from '@temporalio/worker';
import { ConfigError } from '../config.ts';
import type { Config } from '../config.ts';
import type { Log } from '../observability/log.ts';

type MetricsAddress = Pick<Config, 'host' | 'temporalMetricsPort'>;

/**
 * Quiet core logs: what matters is logged by us. Serves the metrics of the SDK where the settings give
 * them a port. Call before any worker is made, once.
 */
export function installRuntime(log: Log, settings?: MetricsAddress): void {
  try {
    Runtime.install(runtimeOptions(log, settings));
  } catch (error) {
    if (settings?.temporalMetricsPort === undefined || !(error instanceof Error)) throw error;
    throw new ConfigError([
      `TEMPORAL_METRICS_PORT cannot be served: ${error.message}. Give it a free port, and HOST an IP address`,
    ]);
  }
}

function runtimeOptions(log: Log, settings?: MetricsAddress): RuntimeOptions {
  return {
    shutdownSignals: [],
    telemetryOptions: {
      // Through the logger below: the core's own lines are not JSON.
      logging: { forward: {} },
      ...metricsOptions(settings),
    },
    logger: {
      log: () => undefined,
      trace: () => undefined,
      debug: () => undefined,
      info: () => undefined,
      warn: (message, meta) => {
        // Most queues run activities only, whose failures are logged with their causes.
        if (message.startsWith('No workflows registered') || message === 'Activity failed') return;
        log.warn({ source: 'temporal', ...workflowOf(meta) }, message);
      },
      error: (message, meta) => log.error({ source: 'temporal', ...workflowOf(meta) }, message),
    },
  };
}

/** Ids of the workflow that a line of the SDK is about; other details may quote payloads. */
function workflowOf(meta: LogMetadata | undefined) {
  const { workflowId, runId }: Record<string, unknown> = meta ?? {};
  return {
    ...(typeof workflowId === 'string' && { workflow_id: workflowId }),
    ...(typeof runId === 'string' && { run_id: runId }),
  };
}

function metricsOptions(settings?: MetricsAddress): TelemetryOptions {
  if (settings?.temporalMetricsPort === undefined) return {};
  const { host, temporalMetricsPort: port } = settings;
  const bindAddress = `${isIPv6(host) ? `[${host}]` : host}:${String(port)}`;
  const names = { countersTotalSuffix: true, unitSuffix: true, useSecondsForDurations: true };
  return { metrics: { prometheus: { bindAddress, ...names } } };
}
