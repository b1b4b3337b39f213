import { loadClientConfigProfile } from '@temporalio/envconfig';
import type { ClientConfigProfile } from '@temporalio/envconfig';
import { isLoopbackHost } from './hosts.ts';
import { file, flag, text, url } from './kinds.ts';
import { readGroup } from './setting.ts';
import type { ValuesOf } from './setting.ts';
import type { SettingsReader } from './settings-reader.ts';
import { checkTls, tlsSettings } from './temporal-tls.ts';

const pem = 'Content of that file, where a variable is easier to provide than a file';

/** Those of the connection are variables that Temporal's own library reads. */
export const temporalSettings = {
  address: text('TEMPORAL_ADDRESS', {
    shown: { development: 'local server', production: 'required by the worker' },
    meaning: '`host:port`; the API does not use it',
  }),
  namespace: text('TEMPORAL_NAMESPACE', {
    shown: { development: '`default`', production: '`default`' },
    meaning: 'Namespace of the workflows; each environment needs its own',
  }),
  apiKey: text('TEMPORAL_API_KEY', {
    meaning: 'API key for Temporal, as Temporal Cloud issues them; with it the connection uses TLS',
  }),
  tls: flag('TEMPORAL_TLS', {
    default: false,
    meaning:
      '`true` connects by TLS. An API key and each of the other `TEMPORAL_TLS_*` settings imply it',
  }),
  serverCACertPath: file('TEMPORAL_TLS_SERVER_CA_CERT_PATH', {
    meaning: 'PEM file with the authority of the server; without it, those of the system',
  }),
  serverCACertData: text('TEMPORAL_TLS_SERVER_CA_CERT_DATA', { meaning: pem }),
  clientCertPath: file('TEMPORAL_TLS_CLIENT_CERT_PATH', {
    meaning:
      'PEM file with the client certificate, for a server that demands one (mTLS). Restart the workers after a renewal',
  }),
  clientCertData: text('TEMPORAL_TLS_CLIENT_CERT_DATA', { meaning: pem }),
  clientKeyPath: file('TEMPORAL_TLS_CLIENT_KEY_PATH', {
    meaning: 'PEM file with the key of the client certificate, without a passphrase',
  }),
  clientKeyData: text('TEMPORAL_TLS_CLIENT_KEY_DATA', { meaning: pem }),
  serverName: text('TEMPORAL_TLS_SERVER_NAME', {
    meaning: "Name in the server's certificate where it is not the host of `TEMPORAL_ADDRESS`",
  }),
  configFile: file('TEMPORAL_CONFIG_FILE', {
    meaning:
      "TOML file with profiles, as the `temporal` program writes it. Default with `TEMPORAL_PROFILE`: `temporalio/temporal.toml` in the user's configuration directory, such as `~/.config`",
  }),
  profile: text('TEMPORAL_PROFILE', {
    meaning:
      'Profile in that file, `default` with `TEMPORAL_CONFIG_FILE` alone. The variables above override its values. Without both settings, no file is read',
  }),
  isPrivate: flag('TEMPORAL_PRIVATE_LINK', {
    default: false,
    shown: { development: '–' },
    meaning:
      '`true` accepts a connection without TLS to a host that is not loopback, because nobody else reaches the network between. The worker logs it as a warning at the start',
  }),
  buildId: text('TEMPORAL_WORKER_BUILD_ID', {
    meaning:
      'Version of the worker, such as a commit. With it the worker gets only what Worker Versioning assigns to this version (docs/operators.md); without it any work',
  }),
  deploymentName: text('TEMPORAL_DEPLOYMENT_NAME', {
    default: 'onward',
    meaning: 'Name of the worker deployment that `TEMPORAL_WORKER_BUILD_ID` is a version of',
  }),
  encrypts: flag('TEMPORAL_ENCRYPT_PAYLOADS', {
    default: false,
    meaning:
      'Whether workers encrypt what Temporal stores of arguments, results, memos and details, with the keys `temporal_codec`. Encrypted payloads are read with either value',
  }),
  uiUrl: url('TEMPORAL_UI_URL', ['http:', 'https:'], {
    shown: { development: 'that of the local server' },
    meaning: 'Address of the Temporal UI that `npm start` shows where Temporal is elsewhere',
  }),
};

type Given = ValuesOf<typeof temporalSettings>;

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

export function readTemporal(reader: SettingsReader): TemporalConfig {
  const { problems } = reader;
  const before = problems.length;
  const given = readGroup(temporalSettings, reader);
  const profile = readProfile(reader, given, before);
  const { address, namespace = 'default', apiKey, grpcMeta } = profile;
  const tls = profile.tls?.disabled === true ? undefined : profile.tls;
  const hasTls = profile.tls === undefined ? apiKey !== undefined : tls !== undefined;
  if (apiKey !== undefined && !hasTls) {
    problems.push('TEMPORAL_API_KEY needs TLS: remove TEMPORAL_TLS=false');
  }
  if (address !== undefined && /[\s/]/.test(address)) {
    problems.push(`TEMPORAL_ADDRESS is "${address}": give host:port, such as 127.0.0.1:7233`);
  } else if (address !== undefined && !hasTls && !isLoopbackHost(address.replace(/:\d+$/, ''))) {
    reader.acceptLink(
      'TEMPORAL_PRIVATE_LINK',
      given.isPrivate,
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
    temporalUiUrl: given.uiUrl,
    temporalEncrypts: given.encrypts,
    temporalVersion: versionOf(reader, given),
  };
}

/** The names are those that the worker controller of Temporal gives to its pods. */
function versionOf(
  { problems }: SettingsReader,
  { buildId, deploymentName }: Given,
): TemporalConfig['temporalVersion'] {
  if (deploymentName.includes('.')) {
    problems.push(
      'TEMPORAL_DEPLOYMENT_NAME must not contain a period: Temporal writes one between it and the build id',
    );
  }
  return buildId === undefined ? undefined : { deploymentName, buildId };
}

/**
 * The variables, over the profile that TEMPORAL_CONFIG_FILE or TEMPORAL_PROFILE names. Nothing is read
 * after a problem of the settings.
 */
function readProfile(
  reader: SettingsReader,
  given: Given,
  problemsBefore: number,
): ClientConfigProfile {
  const { problems } = reader;
  const { configFile: path, profile: name } = given;
  const variables = variablesOf(reader, given);
  if (problems.length > problemsBefore) return {};
  try {
    const profile = loadClientConfigProfile({
      // A file of the `temporal` program in the home directory is used only where a setting asks.
      disableFile: path === undefined && name === undefined,
      profile: name ?? 'default',
      configFileStrict: true,
      ...(path !== undefined && { configSource: { path } }),
      overrideEnvVars: variables,
    });
    checkTls(reader, profile.tls ?? {}, variables);
    return profile;
  } catch (error) {
    problems.push(problemOf(error, name ?? 'default', path));
    return {};
  }
}

/** The variables that Temporal's library reads, with flags in its spelling. */
function variablesOf(
  { problems, text: textOf, matching }: SettingsReader,
  given: Given,
): Readonly<Record<string, string>> {
  for (const part of ['serverCACert', 'clientCert', 'clientKey'] as const) {
    if (given[`${part}Path`] === undefined || given[`${part}Data`] === undefined) continue;
    const { path, data } = tlsSettings[part];
    problems.push(`${path} and ${data} exclude each other: set one of them`);
  }
  const variables = matching(/^(TEMPORAL_.+|HOME|XDG_CONFIG_HOME|APPDATA)$/);
  const { name } = temporalSettings.tls;
  return textOf(name) === undefined ? variables : { ...variables, [name]: String(given.tls) };
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
