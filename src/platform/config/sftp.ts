import { readNetworks } from './egress-lists.ts';
import type { SettingsReader } from './settings-reader.ts';

/** The SFTP server: the address that credentials name, and the port of a worker. */
export interface SftpConfig {
  host: string;
  port: number;
  isServed: boolean;
  /** Port of a worker; undefined in development: `npm start` chooses one. */
  listenPort: number | undefined;
  /** Balancers whose connections begin with a header of the PROXY protocol. */
  proxyNetworks: readonly string[];
}

/** Needs no special rights to listen on, unlike 22. */
export const usualSftpPort = 2_222;

export function readSftp(settings: SettingsReader, publicHost: string): SftpConfig {
  const { development, text, integer, flag } = settings;
  return {
    host: text('SFTP_PUBLIC_HOST') ?? publicHost,
    port: integer('SFTP_PUBLIC_PORT', development ? usualSftpPort : 22, 1, 65_535),
    isServed: flag('SFTP_ENABLED', true),
    listenPort:
      development && text('SFTP_PORT') === undefined
        ? undefined
        : integer('SFTP_PORT', usualSftpPort, 1, 65_535),
    proxyNetworks: readProxyNetworks(settings),
  };
}

function readProxyNetworks(settings: SettingsReader): readonly string[] {
  const found = readNetworks(settings, 'SFTP_PROXY_NETWORKS');
  if (found.some((network) => network.endsWith('/0'))) {
    settings.problems.push(
      'SFTP_PROXY_NETWORKS must not hold every address: any client could then choose its own',
    );
  }
  return found;
}
