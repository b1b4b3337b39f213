import { readZone } from '../dns/zone.ts';
import { rememberPort } from '../../local/ports.ts';
import { startNameServer, textRecord } from '../../local/name-server.ts';
import type { NameServer } from '../../local/name-server.ts';
import type { SendingDomainConfig } from '../../platform/config.ts';
import type { DataDirectory } from '../data-directory.ts';

interface LocalNames {
  domains: SendingDomainConfig;
  /** Undefined where the settings name servers. */
  server: NameServer | undefined;
}

/**
 * A name server with the records that `npm run dns` publishes, for sending domains: on this machine
 * nobody has a zone to publish them in.
 */
export async function openNameServer(
  domains: SendingDomainConfig,
  directory: DataDirectory,
): Promise<LocalNames> {
  if (domains.dnsServers.length > 0) return { domains, server: undefined };
  const server = await startNameServer(
    async (name, type) => {
      const texts = (await readZone(directory.zone))[name];
      if (texts === undefined) return undefined;
      return type === 'TXT' ? texts.map((text) => textRecord(name, text)) : [];
    },
    await rememberPort(directory.namePort),
  );
  return { domains: { ...domains, dnsServers: [server.address] }, server };
}
