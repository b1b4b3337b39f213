import { readBackground } from './config/background.ts';
import type { BackgroundConfig } from './config/background.ts';
import { readDatabase } from './config/database.ts';
import type { DatabaseConfig } from './config/database.ts';
import { readKeys } from './config/keys.ts';
import type { KeysConfig } from './config/keys.ts';
import { readLocal } from './config/local.ts';
import type { LocalConfig } from './config/local.ts';
import { readSending } from './config/sending.ts';
import type { SendingConfig } from './config/sending.ts';
import { readService } from './config/service.ts';
import type { ServiceConfig } from './config/service.ts';
import { createSettingsReader } from './config/settings-reader.ts';
import type { Environment } from './config/settings-reader.ts';
import { readSftp } from './config/sftp.ts';
import type { SftpConfig } from './config/sftp.ts';
import { readTemporal } from './config/temporal.ts';
import type { TemporalConfig } from './config/temporal.ts';
import { readGroup } from './config/setting.ts';
import { readTracing } from './config/tracing.ts';
import type { TracingConfig } from './config/tracing.ts';
import { webhookSettings } from './config/webhooks.ts';
import type { WebhookConfig } from './config/webhooks.ts';

export type { InboundConfig, OperationsConfig } from './config/background.ts';
export type {
  NoticeLimits,
  ProviderConfig,
  SendingConfig,
  SendingDomainConfig,
  SmtpConfig,
} from './config/sending.ts';
export type { SftpConfig } from './config/sftp.ts';
export type { TracingConfig } from './config/tracing.ts';
export type { WebhookConfig } from './config/webhooks.ts';

/** Every setting. Each group has a file in config/. Durations carry their unit in the name. */
export type Config = ServiceConfig &
  DatabaseConfig &
  TemporalConfig &
  KeysConfig &
  LocalConfig &
  BackgroundConfig & {
    webhooks: WebhookConfig;
    sftp: SftpConfig;
    sending: SendingConfig;
    /** Undefined where nothing is traced. */
    tracing: TracingConfig | undefined;
    /** Weaknesses that the operator has accepted, for the log at the start. */
    warnings: readonly string[];
  };

export class ConfigError extends Error {
  constructor(problems: readonly string[]) {
    super(
      `The configuration is not usable:\n${[...new Set(problems)].map((text) => `  - ${text}`).join('\n')}`,
    );
    this.name = 'ConfigError';
  }
}

/** Defaults that differ between `npm start` (development) and the production roots. */
export interface ConfigDefaults {
  development: boolean;
  /** Name of the process in traces. */
  serviceName?: string;
}

/** Reads what `npm run migrate` needs, by the rules of production. Throws ConfigError. */
export function readMigrationConfig(environment: Environment = process.env): DatabaseConfig {
  const settings = createSettingsReader(environment, false);
  const config = readDatabase(settings);
  if (settings.problems.length > 0) throw new ConfigError(settings.problems);
  return config;
}

/** Reads the environment once. Throws ConfigError with every problem and its remedy. */
export function readConfig(
  { development, serviceName = 'onward' }: ConfigDefaults,
  environment: Environment = process.env,
): Config {
  const settings = createSettingsReader(environment, development);
  const service = readService(settings);
  const publicHost = new URL(service.publicBaseUrl).hostname;
  const config = {
    ...service,
    ...readDatabase(settings),
    ...readTemporal(settings),
    ...readKeys(settings),
    ...readLocal(settings),
    ...readBackground(settings),
    webhooks: readGroup(webhookSettings, settings),
    sftp: readSftp(settings, publicHost),
    sending: readSending(settings, { host: service.host, publicHost }),
    tracing: readTracing(settings, serviceName),
    warnings: settings.warnings,
  };
  if (settings.problems.length > 0) throw new ConfigError(settings.problems);
  return config;
}
