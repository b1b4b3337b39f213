import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { ClientConfigProfile, ConfigDataSource } from '@temporalio/envconfig';
import type { SettingsReader } from './settings-reader.ts';

type TemporalTls = NonNullable<ClientConfigProfile['tls']>;

/** PEM of the connection to Temporal: the variable with a path, and the one with the content. */
export const tlsSettings = {
  clientCert: {
    path: 'TEMPORAL_TLS_CLIENT_CERT_PATH',
    data: 'TEMPORAL_TLS_CLIENT_CERT_DATA',
    inFile: 'client_cert',
  },
  clientKey: {
    path: 'TEMPORAL_TLS_CLIENT_KEY_PATH',
    data: 'TEMPORAL_TLS_CLIENT_KEY_DATA',
    inFile: 'client_key',
  },
  serverCACert: {
    path: 'TEMPORAL_TLS_SERVER_CA_CERT_PATH',
    data: 'TEMPORAL_TLS_SERVER_CA_CERT_DATA',
    inFile: 'server_ca_cert',
  },
} as const;

/** Reads certificates and key once, since a connection would report a bad one without its name. */
export function checkTls(
  settings: SettingsReader,
  tls: TemporalTls,
  variables: Readonly<Record<string, string>>,
): void {
  const { problems, readable } = settings;
  const nameOf = (part: keyof typeof tlsSettings) => {
    const { path, data, inFile } = tlsSettings[part];
    return [path, data].find((name) => name in variables) ?? `${inFile} of the Temporal profile`;
  };
  const read = <T>(part: keyof typeof tlsSettings, parse: (pem: Buffer) => T, content: string) => {
    const source = tls[part];
    if (source === undefined) return undefined;
    const before = problems.length;
    if ('path' in source) readable(nameOf(part), source.path);
    if (problems.length > before) return undefined;
    try {
      return parse(contentOf(source));
    } catch {
      problems.push(`${nameOf(part)} has no ${content} in PEM`);
      return undefined;
    }
  };
  const toCertificate = (pem: Buffer) => new X509Certificate(pem);
  read('serverCACert', toCertificate, 'certificate');
  const certificate = read('clientCert', toCertificate, 'certificate');
  const key = read('clientKey', createPrivateKey, 'private key without a passphrase');
  if ((tls.clientCert === undefined) !== (tls.clientKey === undefined)) {
    problems.push(
      'TEMPORAL_TLS_CLIENT_CERT_PATH and TEMPORAL_TLS_CLIENT_KEY_PATH belong together: set both or none',
    );
  } else if (certificate && key && !certificate.checkPrivateKey(key)) {
    problems.push(`${nameOf('clientKey')} is not the key of ${nameOf('clientCert')}`);
  }
}

function contentOf(source: ConfigDataSource): Buffer {
  return 'path' in source ? readFileSync(source.path) : Buffer.from(source.data);
}
