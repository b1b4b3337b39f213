import { flag, networks, optionalPort, text } from './kinds.ts';
import { readGroup } from './setting.ts';
import type { SettingsReader } from './settings-reader.ts';

/** Needs no special rights to listen on, unlike 22. */
export const usualSftpPort = 2_222;

export const sftpSettings = {
  isServed: flag('SFTP_ENABLED', {
    default: true,
    meaning: 'Whether a worker receives files by SFTP ([sftp.md](sftp.md))',
  }),
  listenPort: optionalPort('SFTP_PORT', {
    shown: { development: '`2222`, or any where it is taken', production: '`2222`' },
    meaning: 'Port on which a worker receives files, at `HOST`',
  }),
  host: text('SFTP_PUBLIC_HOST', {
    shown: {
      development: 'host of `PUBLIC_BASE_URL`',
      production: 'host of `PUBLIC_BASE_URL`',
    },
    meaning: 'Host of the SFTP server that credentials name',
  }),
  port: optionalPort('SFTP_PUBLIC_PORT', {
    shown: { development: 'the port that is served', production: '`22`' },
    meaning: 'Port of the SFTP server that credentials name',
  }),
  proxyNetworks: networks('SFTP_PROXY_NETWORKS', {
    meaning:
      'Networks of balancers. Their connections must begin with a header of the PROXY protocol, version 1 or 2, and have the address that it names ([sftp.md](sftp.md))',
  }),
};

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

export function readSftp(reader: SettingsReader, publicHost: string): SftpConfig {
  const { development, problems } = reader;
  const { host = publicHost, port, listenPort, ...rest } = readGroup(sftpSettings, reader);
  if (rest.proxyNetworks.some((network) => network.endsWith('/0'))) {
    problems.push(
      'SFTP_PROXY_NETWORKS must not hold every address: any client could then choose its own',
    );
  }
  return {
    ...rest,
    host,
    port: port ?? (development ? usualSftpPort : 22),
    listenPort: listenPort ?? (development ? undefined : usualSftpPort),
  };
}
