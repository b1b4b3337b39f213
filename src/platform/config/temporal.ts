import { loadClientConfigProfile } from '@temporalio/envconfig';
import type { ClientConfigProfile } from '@temporalio/envconfig';
import { isLoopbackHost } from './hosts.ts';
import type { SettingsReader } from './settings-reader.ts';
import { checkTls, tlsSettings } from './temporal-tls.ts';

export interface TemporalConfig {
  /** host:port; undefined means a local server (only `npm start`). */
  temporalAddress: string | undefined;
  temporalNamespace: string;
  /** API key, TLS and headers of the connection. Its files are read when the connection opens. */
  temporalProfile: Pick<ClientConfigProfile, 'apiKey' | 'tls' | 'grpcMeta'>;
  temporalUiUrl: string | undefined;
  /** Whether new payloads are encrypted; encrypted ones are always read. */
  temporalEncrypts: boolean;
  /** Version of this worker; undefined without Worker Versioning. */
  temporalVersion: { deploymentName: string; buildId: string } | undefined;
}

export function readTemporal(settings: SettingsReader): TemporalConfig {
  const { problems, url } = settings;
  const profile = readProfile(settings);
  const { address, namespace = 'default', apiKey, grpcMeta } = profile;
  const tls = profile.tls?.disabled === true ? undefined : profile.tls;
  const hasTls = profile.tls === undefined ? apiKey !== undefined : tls !== undefined;
  if (apiKey !== undefined && !hasTls) {
    problems.push('TEMPORAL_API_KEY needs TLS: remove TEMPORAL_TLS=false');
  }
  if (address !== undefined && /[\s/]/.test(address)) {
    problems.push(`TEMPORAL_ADDRESS is "${address}": give host:port, such as 127.0.0.1:7233`);
  } else if (address !== undefined && !hasTls && !isLoopbackHost(address.replace(/:\d+$/, ''))) {
    settings.acceptedLink(
      'TEMPORAL_PRIVATE_LINK',
      `The connection to Temporal at ${address} has no TLS: set TEMPORAL_TLS=true`,
    );
  }
  return {
    temporalAddress: address,
    temporalNamespace: namespace,
    temporalProfile: {
      ...(apiKey !== undefined && { apiKey }),
      ...(tls && { tls }),
      ...(grpcMeta && { grpcMeta }),
    },
    temporalUiUrl: url('TEMPORAL_UI_URL', ['http:', 'https:']),
    temporalEncrypts: settings.flag('TEMPORAL_ENCRYPT_PAYLOADS', false),
    temporalVersion: readVersion(settings),
  };
}

/** The names are those that the worker controller of Temporal gives to its pods. */
function readVersion({ text, problems }: SettingsReader): TemporalConfig['temporalVersion'] {
  const buildId = text('TEMPORAL_WORKER_BUILD_ID');
  const deploymentName = text('TEMPORAL_DEPLOYMENT_NAME') ?? 'onward';
  if (deploymentName.includes('.')) {
    problems.push(
      'TEMPORAL_DEPLOYMENT_NAME must not contain a period: Temporal writes one between it and the build id',
    );
  }
  return buildId === undefined ? undefined : { deploymentName, buildId };
}

/** The variables, over the profile that TEMPORAL_CONFIG_FILE or TEMPORAL_PROFILE names. */
function readProfile(settings: SettingsReader): ClientConfigProfile {
  const { problems, text, file } = settings;
  const before = problems.length;
  const path = file('TEMPORAL_CONFIG_FILE');
  const name = text('TEMPORAL_PROFILE');
  const variables = readVariables(settings);
  if (problems.length > before) return {};
  try {
    const profile = loadClientConfigProfile({
      // A file of the `temporal` program in the home directory is used only where a setting asks.
      disableFile: path === undefined && name === undefined,
      profile: name ?? 'default',
      configFileStrict: true,
      ...(path !== undefined && { configSource: { path } }),
      overrideEnvVars: variables,
    });
    checkTls(settings, profile.tls ?? {}, variables);
    return profile;
  } catch (error) {
    problems.push(problemOf(error, name ?? 'default', path));
    return {};
  }
}

/** The variables that Temporal's library reads, checked, with flags in its spelling. */
function readVariables(settings: SettingsReader): Readonly<Record<string, string>> {
  const { problems, text, flag, file, matching } = settings;
  const given = matching(/^(TEMPORAL_.+|HOME|XDG_CONFIG_HOME|APPDATA)$/);
  for (const { path, data } of Object.values(tlsSettings)) {
    if (file(path) === undefined || text(data) === undefined) continue;
    problems.push(`${path} and ${data} exclude each other: set one of them`);
  }
  for (const name of [
    'TEMPORAL_ADDRESS',
    'TEMPORAL_NAMESPACE',
    'TEMPORAL_API_KEY',
    'TEMPORAL_TLS_SERVER_NAME',
  ] as const) {
    text(name);
  }
  if (text('TEMPORAL_TLS') === undefined) return given;
  return { ...given, TEMPORAL_TLS: String(flag('TEMPORAL_TLS', false)) };
}

/** Errors of the TOML parser quote the file, which may contain an API key: only their line is used. */
function problemOf(error: unknown, name: string, path: string | undefined): string {
  const origin = path === undefined ? 'TEMPORAL_PROFILE' : 'TEMPORAL_CONFIG_FILE';
  const file = path ?? "temporal.toml in Temporal's default directory";
  if (!(error instanceof Error)) return `${origin}: ${file} cannot be used`;
  if ('line' in error) return `${origin}: ${file} is not TOML, see line ${String(error.line)}`;
  if (error instanceof TypeError || error.message.startsWith('Profile ')) {
    return `TEMPORAL_PROFILE: ${file} has no table [profile.${name}]`;
  }
  return `${origin}: ${file}: ${error.message}`;
}
