import { readDomains, readNetworks } from './egress-lists.ts';
import type { SettingName } from './settings.ts';
import type { SettingsReader } from './settings-reader.ts';
import { readSwitch } from './switches.ts';

export interface WebhookConfig {
  /** Pause before each attempt, in ms; its length is the number of attempts. ADR 29. */
  retryScheduleMs: readonly number[];
  /** Share by which each pause varies, 0 to 1. */
  jitter: number;
  /** Age after which a delivery fails for good. */
  maxAgeMs: number;
  attemptTimeoutMs: number;
  /** Deliveries failed for good in a row until a subscription is disabled. ADR 30. */
  disableAfter: number;
  /** Attempts in a minute from which a share of failures opens the circuit breaker. ADR 34. */
  breakerTries: number;
  /** First and longest pause of the circuit breaker's probes. */
  breakerFirstPauseMs: number;
  breakerMaxPauseMs: number;
  lanes: number;
  /** Sockets of one process to all that it calls. */
  maxConnections: number;
  idleTimeoutMs: number;
  allowHttp: boolean;
  allowLoopback: boolean;
  allowedNetworks: readonly string[];
  /** Networks and domains that are never called, even if another setting allows them. */
  deniedNetworks: readonly string[];
  /** Where not empty, the only domains that are called. */
  allowedHosts: readonly string[];
  deniedHosts: readonly string[];
  proxyUrl: string | undefined;
}

/** In development, deliveries fail for good within seconds, so that a developer sees it. */
const defaults = {
  production: {
    retrySeconds: [0, 5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400],
    breakerTries: 10,
    breakerFirstPauseSeconds: 30,
    breakerMaxPauseSeconds: 900,
  },
  development: {
    retrySeconds: [0, 1, 2, 3, 4, 5, 5, 5, 5],
    breakerTries: 1_000,
    breakerFirstPauseSeconds: 1,
    breakerMaxPauseSeconds: 5,
  },
};

export function readWebhooks(settings: SettingsReader): WebhookConfig {
  const { development, integer, url, schedule } = settings;
  const usual = development ? defaults.development : defaults.production;
  const seconds = (name: SettingName, fallback: number, max: number) =>
    integer(name, fallback, 1, max) * 1_000;
  return {
    retryScheduleMs: schedule('WEBHOOK_RETRY_SCHEDULE_SECONDS', usual.retrySeconds),
    jitter: integer('WEBHOOK_JITTER_PERCENT', 20, 0, 100) / 100,
    maxAgeMs: seconds('WEBHOOK_MAX_AGE_SECONDS', 345_600, 2_592_000),
    attemptTimeoutMs: seconds('WEBHOOK_TIMEOUT_SECONDS', 15, 30),
    disableAfter: integer('WEBHOOK_DISABLE_AFTER', 10, 1, 1_000),
    breakerTries: integer('WEBHOOK_BREAKER_TRIES', usual.breakerTries, 2, 1_000_000),
    breakerFirstPauseMs: seconds(
      'WEBHOOK_BREAKER_FIRST_PAUSE_SECONDS',
      usual.breakerFirstPauseSeconds,
      3_600,
    ),
    breakerMaxPauseMs: seconds(
      'WEBHOOK_BREAKER_MAX_PAUSE_SECONDS',
      usual.breakerMaxPauseSeconds,
      86_400,
    ),
    lanes: integer('WEBHOOK_LANES', 4, 1, 256),
    maxConnections: integer('EGRESS_MAX_CONNECTIONS', 2_048, 64, 65_536),
    idleTimeoutMs: seconds('WEBHOOK_LANE_IDLE_SECONDS', 10, 300),
    allowHttp: readSwitch(settings, 'WEBHOOK_ALLOW_HTTP'),
    allowLoopback: readSwitch(settings, 'WEBHOOK_ALLOW_LOOPBACK'),
    allowedNetworks: readNetworks(settings, 'WEBHOOK_ALLOWED_NETWORKS'),
    deniedNetworks: readNetworks(settings, 'EGRESS_DENIED_NETWORKS'),
    allowedHosts: readDomains(settings, 'EGRESS_ALLOWED_HOSTS'),
    deniedHosts: readDomains(settings, 'EGRESS_DENIED_HOSTS'),
    proxyUrl: url('WEBHOOK_PROXY_URL', ['http:', 'https:']),
  };
}
