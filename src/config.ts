import { createSettingsReader } from './settings-reader.ts';
import type { Environment } from './settings-reader.ts';

/**
 * Every setting, read from the environment once. Each problem is named with its remedy, all at
 * once. Durations carry their unit in the name.
 */
export interface Config {
  host: string;
  port: number;
  /** Address that clients see, without a trailing slash. */
  publicBaseUrl: string;
  /** Where vulnerabilities are reported, as /.well-known/security.txt names it. */
  securityContact: string | undefined;
  /** Port of the worker's /healthz, /readyz and /metrics. */
  metricsPort: number;
  logLevel: string;
  /** Application role; undefined means the embedded server (only `npm start`). */
  databaseUrl: string | undefined;
  /** Role that owns the schema; used by migrations only. */
  databaseOwnerUrl: string | undefined;
  databasePoolSize: number;
  /** host:port; undefined means a local server (only `npm start`). */
  temporalAddress: string | undefined;
  temporalNamespace: string;
  temporalApiKey: string | undefined;
  temporalUiUrl: string | undefined;
  /** JSON text of the keys, or the file that holds them. */
  keys: string | undefined;
  keysFile: string | undefined;
  cacheDirectory: string | undefined;
  /** Where `npm start` keeps its data, relative to the project. */
  dataDirectory: string;
  searchPath: string;
  /** Hops of reverse proxies whose X-Forwarded-For is believed. */
  trustedProxies: number;
  checkResponses: boolean;
  requestLog: boolean;
  webhooks: WebhookConfig;
  sftp: SftpConfig;
  inbound: InboundConfig;
  operations: OperationsConfig;
  /** Answers that take as long are kept, and given again for some minutes. DECISIONS 27. */
  insights: { keptFromMs: number };
  sending: SendingConfig;
}

export interface OperationsConfig {
  /** Share of the time that a worker's batches and imports may be working. */
  share: number;
}

/** How messages leave. */
export interface SendingConfig {
  /** How long a message is taken by whoever sends it; then it is sent again, under the same id. */
  leaseMs: number;
  /** Longest that a provider may take for one message. */
  timeoutMs: number;
  /** Pauses before what a provider did not take is tried again, in ms; then it has failed. */
  retryScheduleMs: readonly number[];
  /** Pauses before each probe of a provider that takes nothing, in ms; the last one repeats. */
  probeScheduleMs: readonly number[];
  /** Of e-mails that name no address to come from. */
  defaultFrom: string;
  /** Whether everybody who reaches the API may look into the mailbox. */
  showsMailbox: boolean;
  /** Each goes to the mailbox where it is undefined. */
  smtp: SmtpConfig | undefined;
  sms: (ProviderConfig & { kind: 'sms_a' | 'sms_b' }) | undefined;
  push: (ProviderConfig & { kind: 'push_a' | 'push_b' }) | undefined;
}

export interface SmtpConfig {
  /** smtp://user:password@host:port or smtps://… */
  url: string;
  /** Of one process. */
  connections: number;
  /** The provider behind the server: it decides how our ids travel. */
  family: 'email_a' | 'email_b' | 'email_c' | undefined;
}

/** A provider over HTTP. */
export interface ProviderConfig {
  url: string;
  /** Account, project or application there. */
  account: string;
  key: string;
  /** Number or name that text messages come from, where the message names none. */
  from: string;
}

export interface InboundConfig {
  /** Pauses before a callback that could not be applied is tried again, in ms. DECISIONS 40. */
  retryScheduleMs: readonly number[];
}

/** The SFTP server, as partners reach it and as workers serve it. */
export interface SftpConfig {
  host: string;
  port: number;
  isServed: boolean;
  /** Port of a worker; undefined in development: `npm start` chooses one. */
  listenPort: number | undefined;
}

/** Free for everybody, unlike 22. */
export const usualSftpPort = 2_222;

export interface WebhookConfig {
  /** Pause before each attempt, in ms; its length is the number of attempts. DECISIONS 29. */
  retryScheduleMs: readonly number[];
  /** Share by which each pause varies, 0 to 1. */
  jitter: number;
  /** Age after which a delivery fails for good. */
  maxAgeMs: number;
  attemptTimeoutMs: number;
  /** Deliveries failed for good in a row until a subscription is disabled. DECISIONS 30. */
  disableAfter: number;
  /** Tries in a minute from which a share of failures opens the circuit breaker. DECISIONS 34. */
  breakerTries: number;
  /** First and longest pause of the circuit breaker's probes. */
  breakerFirstPauseMs: number;
  breakerLongestPauseMs: number;
  lanes: number;
  lingerMs: number;
  allowHttp: boolean;
  allowLoopback: boolean;
  allowedNetworks: readonly string[];
  proxyUrl: string | undefined;
}

export class ConfigError extends Error {
  constructor(problems: readonly string[]) {
    super(`The configuration is not usable:\n${problems.map((text) => `  - ${text}`).join('\n')}`);
    this.name = 'ConfigError';
  }
}

/** Defaults that differ between `npm start` (development) and the production roots. */
export interface ConfigDefaults {
  development: boolean;
}

/** Pauses before the attempts of a delivery; the first goes out at once. DECISIONS 29. */
const retrySchedules = {
  production: [0, 5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400],
  /** Short, so that a developer sees a delivery retried, fail for good, and what follows. */
  development: [0, 1, 2, 3, 4, 5, 5, 5, 5],
};

/** Pauses before further attempts to send a message: fifteen hours in all. */
const sendSchedules = {
  production: [30, 300, 1_800, 7_200, 14_400, 28_800],
  development: [1, 2, 5, 10],
};

/** Pauses before the probes of a provider that takes no messages. */
const probeSchedules = {
  production: [5, 10, 20, 40, 80, 160, 300],
  development: [1, 2, 5],
};

export function readConfig(
  { development }: ConfigDefaults,
  environment: Environment = process.env,
): Config {
  const { problems, text, integer, share, flag, url, schedule, choice } =
    createSettingsReader(environment);
  const smtp = () => {
    const given = url('SMTP_URL', ['smtp:', 'smtps:']);
    const connections = integer('SMTP_CONNECTIONS', 20, 1, 200);
    const family = choice('SMTP_FAMILY', ['email_a', 'email_b', 'email_c']);
    return given === undefined ? undefined : { url: given, connections, family };
  };
  const provider = <const Kind extends string>(prefix: string, kinds: readonly Kind[]) => {
    const kind = choice(`${prefix}_SENDER`, kinds);
    if (kind === undefined) return undefined;
    const base = url(`${prefix}_PROVIDER_URL`, ['http:', 'https:']);
    const key = text(`${prefix}_PROVIDER_KEY`);
    if (base === undefined) problems.push(`${prefix}_PROVIDER_URL is required with ${kind}`);
    if (key === undefined) problems.push(`${prefix}_PROVIDER_KEY is required with ${kind}`);
    const account = text(`${prefix}_PROVIDER_ACCOUNT`) ?? '';
    return { kind, url: base ?? '', account, key: key ?? '', from: text(`${prefix}_FROM`) ?? '' };
  };

  const hurried = development
    ? {
        schedule: retrySchedules.development,
        sends: sendSchedules.development,
        probes: probeSchedules.development,
        breakerTries: 1_000,
        breakerFirst: 1,
        breakerLongest: 5,
      }
    : {
        schedule: retrySchedules.production,
        sends: sendSchedules.production,
        probes: probeSchedules.production,
        breakerTries: 10,
        breakerFirst: 30,
        breakerLongest: 900,
      };
  const port = integer('PORT', 3000, 1, 65_535);
  const lanes = integer('WEBHOOK_LANES', 4, 1, 256);
  const required = (name: string, value: string | undefined, hint: string) => {
    if (value === undefined && !development) problems.push(`${name} is required: ${hint}`);
    return value;
  };

  const publicBaseUrl =
    url('PUBLIC_BASE_URL', ['http:', 'https:']) ?? `http://127.0.0.1:${String(port)}`;

  const config: Config = {
    host: text('HOST') ?? (development ? '127.0.0.1' : '0.0.0.0'),
    port,
    publicBaseUrl,
    securityContact: url('SECURITY_CONTACT', ['mailto:', 'https:']),
    metricsPort: integer('METRICS_PORT', 9465, 1, 65_535),
    logLevel: text('LOG_LEVEL') ?? (development ? 'warn' : 'info'),
    databaseUrl: required(
      'DATABASE_URL',
      url('DATABASE_URL', ['postgres:', 'postgresql:']),
      'the address of Postgres 18 with the application role, postgres://user:password@host/database',
    ),
    databaseOwnerUrl: url('DATABASE_OWNER_URL', ['postgres:', 'postgresql:']),
    databasePoolSize: integer('DATABASE_POOL_SIZE', 10, 2, 200),
    temporalAddress: text('TEMPORAL_ADDRESS'),
    temporalNamespace: text('TEMPORAL_NAMESPACE') ?? 'default',
    temporalApiKey: text('TEMPORAL_API_KEY'),
    temporalUiUrl: url('TEMPORAL_UI_URL', ['http:', 'https:']),
    keys: text('ONWARD_KEYS'),
    keysFile: text('ONWARD_KEYS_FILE'),
    cacheDirectory: text('ONWARD_CACHE_DIR') ?? text('XDG_CACHE_HOME'),
    dataDirectory: text('ONWARD_DATA_DIR') ?? '.onward',
    searchPath: text('PATH') ?? '',
    trustedProxies: integer('TRUSTED_PROXIES', 0, 0, 10),
    checkResponses: flag('CHECK_RESPONSES', development),
    requestLog: flag('REQUEST_LOG', true),
    webhooks: {
      retryScheduleMs: schedule(
        'WEBHOOK_RETRY_SCHEDULE_SECONDS',
        hurried.schedule.map((seconds) => seconds * 1_000),
      ),
      jitter: integer('WEBHOOK_JITTER_PERCENT', 20, 0, 100) / 100,
      maxAgeMs: integer('WEBHOOK_MAX_AGE_SECONDS', 345_600, 1, 2_592_000) * 1_000,
      attemptTimeoutMs: integer('WEBHOOK_TIMEOUT_SECONDS', 15, 1, 30) * 1_000,
      disableAfter: integer('WEBHOOK_DISABLE_AFTER', 10, 1, 1_000),
      breakerTries: integer('WEBHOOK_BREAKER_TRIES', hurried.breakerTries, 2, 1_000_000),
      breakerFirstPauseMs:
        integer('WEBHOOK_BREAKER_FIRST_PAUSE_SECONDS', hurried.breakerFirst, 1, 3_600) * 1_000,
      breakerLongestPauseMs:
        integer('WEBHOOK_BREAKER_LONGEST_PAUSE_SECONDS', hurried.breakerLongest, 1, 86_400) * 1_000,
      lanes,
      lingerMs: integer('WEBHOOK_LINGER_SECONDS', 10, 1, 300) * 1_000,
      allowHttp: flag('WEBHOOK_ALLOW_HTTP', development),
      allowLoopback: flag('WEBHOOK_ALLOW_LOOPBACK', development),
      allowedNetworks: (text('WEBHOOK_ALLOWED_NETWORKS') ?? '').split(',').filter(Boolean),
      proxyUrl: url('WEBHOOK_PROXY_URL', ['http:', 'https:']),
    },
    sftp: {
      host: text('SFTP_PUBLIC_HOST') ?? new URL(publicBaseUrl).hostname,
      port: integer('SFTP_PUBLIC_PORT', development ? usualSftpPort : 22, 1, 65_535),
      isServed: flag('SFTP_ENABLED', true),
      listenPort:
        development && text('SFTP_PORT') === undefined
          ? undefined
          : integer('SFTP_PORT', usualSftpPort, 1, 65_535),
    },
    inbound: {
      retryScheduleMs: schedule(
        'INBOUND_RETRY_SCHEDULE_SECONDS',
        [60, 600, 3_600].map((seconds) => seconds * 1_000),
      ),
    },
    operations: { share: share('BATCH_SHARE', 0.5, 0.05) },
    insights: { keptFromMs: integer('INSIGHTS_KEPT_FROM_MS', 50, 0, 3_600_000) },
    sending: {
      leaseMs: integer('SEND_LEASE_SECONDS', 60, 2, 600) * 1_000,
      timeoutMs: integer('SEND_TIMEOUT_SECONDS', 15, 1, 120) * 1_000,
      retryScheduleMs: schedule(
        'SEND_RETRY_SCHEDULE_SECONDS',
        hurried.sends.map((seconds) => seconds * 1_000),
      ),
      probeScheduleMs: schedule(
        'SEND_PROBE_SCHEDULE_SECONDS',
        hurried.probes.map((seconds) => seconds * 1_000),
      ),
      defaultFrom: text('EMAIL_FROM') ?? `no-reply@${new URL(publicBaseUrl).hostname}`,
      showsMailbox: flag('MAILBOX_PAGE', development),
      smtp: smtp(),
      sms: provider('SMS', ['sms_a', 'sms_b']),
      push: provider('PUSH', ['push_a', 'push_b']),
    },
  };
  if (!development && config.keys === undefined && config.keysFile === undefined) {
    problems.push(
      'ONWARD_KEYS_FILE is required: make one with `npm run admin -- keys init --file keys.json`',
    );
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}
