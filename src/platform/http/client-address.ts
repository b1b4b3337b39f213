import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { isCidr } from '../schema/fields.ts';

/**
 * The address that a request comes from: the nth from the right of X-Forwarded-For where n proxies
 * are trusted. Some proxies add the port. A text that is no address gives that of the connection.
 */
export function clientAddress(request: IncomingMessage, trustedProxies: number): string {
  const direct = canonicalAddress(request.socket.remoteAddress ?? '') ?? '';
  if (trustedProxies === 0) return direct;
  const forwarded = request.headers['x-forwarded-for']?.toString().split(',') ?? [];
  const given = forwarded.at(-trustedProxies)?.trim() ?? '';
  return canonicalAddress(given) ?? canonicalAddress(withoutPort(given)) ?? direct;
}

/** Whether an address is in one of the networks, which are in CIDR notation. */
export function isInNetworks(address: string, networks: readonly string[]): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  return networks.some((cidr) => {
    const network = parseNetwork(cidr);
    return network[0].kind() === parsed.kind() && parsed.match(network);
  });
}

/** A network of IPv4 addresses in IPv6, such as ::ffff:10.0.0.0/104, is that of the IPv4 addresses. */
function parseNetwork(cidr: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  const [base, bits] = ipaddr.parseCIDR(cidr);
  return base instanceof ipaddr.IPv6 && base.isIPv4MappedAddress() && bits >= 96
    ? [base.toIPv4Address(), bits - 96]
    : [base, bits];
}

/** One spelling for each network, without bits of hosts; of an address alone, the network of it. */
export function canonicalNetwork(text: string): string | undefined {
  const address = text.includes('%') ? undefined : canonicalAddress(text);
  if (address !== undefined) return `${address}/${address.includes(':') ? '128' : '32'}`;
  if (!isCidr(text)) return undefined;
  const [base, bits] = parseNetwork(text);
  const own = `${base.toString()}/${String(bits)}`;
  const parts = base instanceof ipaddr.IPv4 ? ipaddr.IPv4 : ipaddr.IPv6;
  return `${parts.networkAddressFromCIDR(own).toString()}/${String(bits)}`;
}

/**
 * Unit of limits: an IPv4 address, or the /64 of an IPv6 address, which belongs to one customer.
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  const network = ipaddr.fromByteArray([...parsed.toByteArray().slice(0, 8), ...hostBytes]);
  return `${network.toString()}/64`;
}

/** An address without its last part: the /24 of IPv4, the /48 of IPv6, which name no household. */
export function coarseNetworkOf(address: string): string {
  if (!ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.process(address);
  const bits = parsed.kind() === 'ipv4' ? 24 : 48;
  const bytes = parsed.toByteArray().map((byte, at) => (at < bits / 8 ? byte : 0));
  return `${ipaddr.fromByteArray(bytes).toString()}/${String(bits)}`;
}

const hostBytes = Array.from({ length: 8 }, () => 0);

/** One spelling for each address, without a zone; an IPv4 address may come as IPv6. */
export function canonicalAddress(address: string): string | undefined {
  const bare = address.replace(/%.*$/s, '');
  // Not what C reads as an address too: 010.0.0.1 is 8.0.0.1 to some programs, 10.0.0.1 to others.
  return isIP(bare) > 0 ? ipaddr.process(bare).toString() : undefined;
}

function withoutPort(text: string): string {
  return /^\[(.*)\](?::\d+)?$/.exec(text)?.[1] ?? text.replace(/:\d+$/, '');
}
