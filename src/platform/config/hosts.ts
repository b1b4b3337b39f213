import { BlockList, isIP } from 'node:net';
import { parseUrl } from '../schema/rules.ts';

/** Names that public DNS never resolves: RFC 6761, RFC 6762, RFC 8375, and ICANN's `internal`. */
const privateSuffixes = ['localhost', 'test', 'local', 'internal', 'home.arpa'];

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8);
loopback.addAddress('::1', 'ipv6');

/** RFC 1918, RFC 4193, shared and link-local addresses. */
const inside = new BlockList();
inside.addSubnet('10.0.0.0', 8);
inside.addSubnet('100.64.0.0', 10);
inside.addSubnet('169.254.0.0', 16);
inside.addSubnet('172.16.0.0', 12);
inside.addSubnet('192.168.0.0', 16);
inside.addSubnet('fc00::', 7, 'ipv6');
inside.addSubnet('fe80::', 10, 'ipv6');

const hostForm = /^(?:\[[0-9a-f:.]{2,45}\]|[a-z0-9._-]{1,254})$/i;

/** One spelling of a host: lower case, without the final dot; undefined where it is no host. */
export function canonicalHost(host: string): string | undefined {
  if (!hostForm.test(host)) return undefined;
  const name = host.toLowerCase().replace(/\.$/, '');
  return name.startsWith('[') ? parseUrl(`http://${name}`)?.hostname : name || undefined;
}

/** Whether the host of a URL is this machine, so that a connection to it crosses no network. */
export function isLoopbackHost(host: string): boolean {
  const name = withoutBrackets(host);
  return name === 'localhost' || name.endsWith('.localhost') || isIn(loopback, name);
}

/** Whether the host of a URL can be reached from inside a machine or a private network only. */
export function isPrivateHost(host: string): boolean {
  const name = withoutBrackets(host);
  if (isLoopbackHost(name) || isIn(inside, name)) return true;
  if (isIP(name) !== 0) return false;
  return privateSuffixes.some((suffix) => name.endsWith(`.${suffix}`));
}

function isIn(list: BlockList, address: string): boolean {
  const version = isIP(address);
  return version !== 0 && list.check(address, version === 6 ? 'ipv6' : 'ipv4');
}

function withoutBrackets(host: string): string {
  return host.replace(/^\[|\]$/g, '').toLowerCase();
}
