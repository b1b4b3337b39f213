import { lookup, Resolver } from 'node:dns/promises';

/** All addresses of a name, or a rejection whose `code` is the reason why there are none. */
export type Lookup = (hostname: string) => Promise<readonly string[]>;

/**
 * Queries DNS servers directly. The system's getaddrinfo would use the four threads of libuv, where
 * a few slow name servers block all lookups, and it would follow search domains.
 */
export function createDnsLookup(servers?: readonly string[]): Lookup {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  if (servers !== undefined) resolver.setServers(servers);
  return async (hostname) => {
    const [v4, v6] = await Promise.allSettled([
      resolver.resolve4(hostname),
      resolver.resolve6(hostname),
    ]);
    if (v4.status === 'rejected' && v6.status === 'rejected') throw v4.reason;
    // IPv4 first: in a network without an IPv6 route, the first connection should not fail.
    return [
      ...(v4.status === 'fulfilled' ? v4.value : []),
      ...(v6.status === 'fulfilled' ? v6.value : []),
    ];
  };
}

/** Reads the hosts file too (localhost, host.docker.internal), for development. */
export const systemLookup: Lookup = async (hostname) => {
  const answers = await lookup(hostname, { all: true, verbatim: false });
  return answers.map((answer) => answer.address);
};

/** The TXT records of a name, each in one piece; undefined where no server has answered. */
export type TextLookup = (name: string) => Promise<readonly string[] | undefined>;

/** `servers` are addresses with or without a port; those of the system by default. */
export function createTextLookup(servers: readonly string[]): TextLookup {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  if (servers.length > 0) resolver.setServers(servers);
  return async (name) => {
    try {
      // A text of more than 255 bytes comes in parts (RFC 7208 §3.3).
      return (await resolver.resolveTxt(name)).map((parts) => parts.join(''));
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      return code === 'ENOTFOUND' || code === 'ENODATA' ? [] : undefined;
    }
  };
}
