import { usualSftpPort } from '../../platform/config/sftp.ts';
import type { SftpConfig } from '../../platform/config.ts';
import { choosePort, rememberPort } from '../../local/ports.ts';
import type { DataDirectory } from '../data-directory.ts';

/** The configured port for files, else a free one, the same at each start. */
export async function chooseSftpPort(
  config: SftpConfig,
  directory: DataDirectory,
): Promise<SftpConfig> {
  const { isServed, listenPort: requested, port } = config;
  if (!isServed) return config;
  const listenPort =
    requested === undefined
      ? await rememberPort(directory.sftpPort, usualSftpPort)
      : await choosePort('SFTP', requested, 'SFTP_PORT');
  // Nothing stands between the clients and this machine unless it was said.
  return { ...config, listenPort, port: port === usualSftpPort ? listenPort : port };
}
