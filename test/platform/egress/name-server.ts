import { isIPv4 } from 'node:net';
import { startNameServer as startServer } from '../../../src/local/name-server.ts';
import { whenClosing } from './receiver.ts';

/** The addresses of a name, queried once per family; undefined is NXDOMAIN. */
export type Zone = (name: string, family: 4 | 6) => readonly string[] | undefined;

/** A name server on loopback; resolves with its address and port. */
export async function startNameServer(zone: Zone): Promise<string> {
  const { address, close } = await startServer((name, type) => {
    const isV4 = type === 'A';
    return (
      zone(name, isV4 ? 4 : 6)
        ?.filter((ip) => isIPv4(ip) === isV4)
        // A lifetime of zero: every query gets a new answer.
        .map((data) => ({ type: isV4 ? ('A' as const) : ('AAAA' as const), name, ttl: 0, data }))
    );
  });
  whenClosing(close);
  return address;
}
