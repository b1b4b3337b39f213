import { join, resolve } from 'node:path';

/** Paths of the files that `npm start` stores between starts. */
export interface DataDirectory {
  path: string;
  postgres: string;
  temporal: string;
  /** Port of the SFTP server. */
  sftpPort: string;
  /** Port of health and metrics. */
  metricsPort: string;
  /** Port of the name server. */
  namePort: string;
  /** Records that the name server has. */
  zone: string;
  /** The service's own keys. */
  keys: string;
  /** Password of the role with which the application connects. */
  applicationPassword: string;
  /** Addresses and credentials for people who try the service out. */
  demo: string;
  /** The same, as variables for a shell. */
  environment: string;
  /** The team with made-up data. */
  sample: string;
}

/** Name of the database in the embedded server. */
export const localDatabase = 'onward';

export function openDataDirectory(directory: string): DataDirectory {
  const path = resolve(directory);
  return {
    path,
    postgres: join(path, 'postgres'),
    temporal: join(path, 'temporal'),
    sftpPort: join(path, 'sftp-port'),
    metricsPort: join(path, 'metrics-port'),
    namePort: join(path, 'dns-port'),
    zone: join(path, 'dns.json'),
    keys: join(path, 'keys.json'),
    applicationPassword: join(path, 'application-password'),
    demo: join(path, 'demo.json'),
    environment: join(path, 'env'),
    sample: join(path, 'sample.json'),
  };
}
