import { isLoopbackHost } from './hosts.ts';
import type { SettingsReader } from './settings-reader.ts';

export interface TemporalConfig {
  /** host:port; undefined means a local server (only `npm start`). */
  temporalAddress: string | undefined;
  temporalNamespace: string;
  temporalApiKey: string | undefined;
  /** Undefined for a connection without TLS. */
  temporalTls: TemporalTls | undefined;
  temporalUiUrl: string | undefined;
}

/** Files in PEM. Without an authority, those of the system are trusted. */
export interface TemporalTls {
  authorityFile: string | undefined;
  /** Sent to a server that demands a client certificate. */
  client: { certificateFile: string; keyFile: string } | undefined;
  /** Name in the server's certificate where it is not the host of the address. */
  serverName: string | undefined;
}

export function readTemporal(settings: SettingsReader): TemporalConfig {
  const { text, url } = settings;
  const address = text('TEMPORAL_ADDRESS');
  const apiKey = text('TEMPORAL_API_KEY');
  const tls = readTls(settings, apiKey !== undefined);
  if (address !== undefined && tls === undefined && !isLoopbackHost(hostOf(address))) {
    settings.acceptedLink(
      'TEMPORAL_PRIVATE_LINK',
      `The connection to Temporal at ${address} has no TLS: set TEMPORAL_TLS=true`,
    );
  }
  return {
    temporalAddress: address,
    temporalNamespace: text('TEMPORAL_NAMESPACE') ?? 'default',
    temporalApiKey: apiKey,
    temporalTls: tls,
    temporalUiUrl: url('TEMPORAL_UI_URL', ['http:', 'https:']),
  };
}

/** The names are those of Temporal's own environment configuration. */
function readTls(settings: SettingsReader, hasApiKey: boolean): TemporalTls | undefined {
  const { problems, text, flag, file } = settings;
  const certificateFile = file('TEMPORAL_TLS_CLIENT_CERT_PATH');
  const keyFile = file('TEMPORAL_TLS_CLIENT_KEY_PATH');
  const authorityFile = file('TEMPORAL_TLS_SERVER_CA_CERT_PATH');
  const serverName = text('TEMPORAL_TLS_SERVER_NAME');
  if ((certificateFile === undefined) !== (keyFile === undefined)) {
    problems.push(
      'TEMPORAL_TLS_CLIENT_CERT_PATH and TEMPORAL_TLS_CLIENT_KEY_PATH belong together: set both or none',
    );
  }
  const isWanted = [certificateFile, authorityFile, serverName].some((one) => one !== undefined);
  if (!flag('TEMPORAL_TLS', hasApiKey || isWanted)) {
    if (hasApiKey) problems.push('TEMPORAL_API_KEY needs TLS: remove TEMPORAL_TLS=false');
    return undefined;
  }
  const client =
    certificateFile === undefined || keyFile === undefined
      ? undefined
      : { certificateFile, keyFile };
  return { authorityFile, client, serverName };
}

function hostOf(address: string): string {
  return address.replace(/:\d+$/, '');
}
