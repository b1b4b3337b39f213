import {
  developmentSwitch,
  domains,
  integer,
  networks,
  percent,
  schedule,
  seconds,
  url,
} from './kinds.ts';
import type { ValuesOf } from './setting.ts';

/** Deliveries of webhooks, and everything that the service calls. ADRs 29, 30 and 34. */
export const webhookSettings = {
  retryScheduleMs: schedule('WEBHOOK_RETRY_SCHEDULE_SECONDS', {
    default: [0, 5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400],
    // Deliveries fail permanently within seconds, so that a developer sees it.
    development: [0, 1, 2, 3, 4, 5, 5, 5, 5],
    meaning: 'Pause before each attempt; how many there are is the number of attempts',
  }),
  jitter: percent('WEBHOOK_JITTER_PERCENT', {
    default: 20,
    meaning: 'Share by which each pause before a retry or a probe varies',
  }),
  maxAgeMs: seconds('WEBHOOK_MAX_AGE_SECONDS', {
    default: 345_600,
    range: [1, 2_592_000],
    meaning: 'Age at which a delivery fails permanently (96 h)',
  }),
  attemptTimeoutMs: seconds('WEBHOOK_TIMEOUT_SECONDS', {
    default: 15,
    range: [1, 30],
    meaning: 'Longest time of an attempt, body included',
  }),
  disableAfter: integer('WEBHOOK_DISABLE_AFTER', {
    default: 10,
    range: [1, 1_000],
    meaning: 'Deliveries in a row that fail permanently until a subscription is disabled',
  }),
  breakerTries: integer('WEBHOOK_BREAKER_TRIES', {
    default: 10,
    development: 1_000,
    range: [2, 1_000_000],
    meaning: 'Tries in a minute from which 80 % failures open the circuit breaker',
  }),
  breakerFirstPauseMs: seconds('WEBHOOK_BREAKER_FIRST_PAUSE_SECONDS', {
    default: 30,
    development: 1,
    range: [1, 3_600],
    meaning: 'Pause before the first probe; it doubles with each that fails',
  }),
  breakerMaxPauseMs: seconds('WEBHOOK_BREAKER_MAX_PAUSE_SECONDS', {
    default: 900,
    development: 5,
    range: [1, 86_400],
    meaning: 'Longest pause between probes',
  }),
  lanes: integer('WEBHOOK_LANES', {
    default: 4,
    range: [1, 256],
    meaning: 'Lanes of healthy deliveries. Must be the same in all workers: restart them together',
  }),
  idleTimeoutMs: seconds('WEBHOOK_LANE_IDLE_SECONDS', {
    default: 10,
    range: [1, 300],
    meaning: 'Time for which a lane stays awake without work',
  }),
  allowHttp: developmentSwitch('WEBHOOK_ALLOW_HTTP', {
    risk: {
      opens: 'webhooks, with their signatures and data, travel without TLS',
      isRefused: true,
    },
    meaning: 'Targets with `http:` and port 80; production refuses `true` at a public address',
  }),
  allowLoopback: developmentSwitch('WEBHOOK_ALLOW_LOOPBACK', {
    risk: {
      opens: 'tenants reach the programs of this machine by their webhook addresses',
      isRefused: true,
    },
    meaning:
      'Targets on this machine, and local names; production refuses `true` at a public address',
  }),
  allowedNetworks: networks('WEBHOOK_ALLOWED_NETWORKS', {
    meaning: 'Networks of your own that may be called though they are private',
  }),
  deniedNetworks: networks('EGRESS_DENIED_NETWORKS', {
    meaning:
      'Networks that are never called, although they are public or allowed. Name your own public addresses and load balancers here',
  }),
  deniedHosts: domains('EGRESS_DENIED_HOSTS', {
    meaning: 'Domains that are never called, each with all names below it',
  }),
  allowedHosts: domains('EGRESS_ALLOWED_HOSTS', {
    meaning:
      'The only domains that are called, each with all names below it; an address without a name is then refused. Name providers of SMS and push and hosts of confirmed topics (`amazonaws.com`) too. Hosts of keys and certificates need no entry',
  }),
  proxyUrl: url('WEBHOOK_PROXY_URL', ['http:', 'https:'], {
    meaning:
      'HTTP proxy for all webhooks. It resolves the names then, so it must refuse private addresses: a process does not start with one that opens a tunnel to 127.0.0.1, unless `WEBHOOK_ALLOW_LOOPBACK` is on. An example is [kubernetes/egress-proxy.conf](kubernetes/egress-proxy.conf)',
  }),
  maxConnections: integer('EGRESS_MAX_CONNECTIONS', {
    default: 2_048,
    range: [64, 65_536],
    meaning:
      'Sockets of one process to receivers and providers, idle ones included. The limit of open files of the process must allow them. `onward_egress_waiting_requests` shows requests that wait at the limit',
  }),
};

export type WebhookConfig = ValuesOf<typeof webhookSettings>;
