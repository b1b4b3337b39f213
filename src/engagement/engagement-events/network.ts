import { isIPv4, isIPv6 } from 'node:net';

/** The network of an address: /24 of IPv4, /48 of IPv6. */
export function truncatedNetworkOf(ip: string): string | undefined {
  if (isIPv4(ip)) return `${ip.split('.').slice(0, 3).join('.')}.0`;
  if (!isIPv6(ip) || ip.includes('.')) return undefined;
  const [head = ''] = ip.split('%', 1);
  const [before = '', after] = head.split('::', 2);
  const left = before === '' ? [] : before.split(':');
  const right = after === undefined || after === '' ? [] : after.split(':');
  const gap = after === undefined ? [] : Array<string>(8 - left.length - right.length).fill('0');
  return `${[...left, ...gap, ...right].slice(0, 3).join(':').toLowerCase()}::`;
}
