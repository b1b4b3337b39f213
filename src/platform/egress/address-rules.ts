import { isIPv4, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { parseUrl } from '../schema/rules.ts';

/** Rules for the target of a team; production allows no exceptions. ADR 33. */
export interface EgressRules {
  /** http: targets and port 80, for development. */
  allowHttp: boolean;
  /** 127.0.0.0/8, ::1 and local names (localhost, single labels …), for development. */
  allowLoopback: boolean;
  /** Our own networks, in CIDR notation, that may be called although they are special-use. */
  allowedNetworks: readonly string[];
  /** Networks that are never called, in CIDR notation; they have precedence over allowed ones. */
  deniedNetworks: readonly string[];
  /**
   * Domains, in ASCII and lower case, each with all names below it. If some are allowed, no other
   * host and no bare address is called. Denied ones are never called.
   */
  allowedHosts: readonly string[];
  deniedHosts: readonly string[];
}

const MAX_URL_LENGTH = 2048;
const GLOBAL_UNICAST_V6 = ipaddr.IPv6.parseCIDR('2000::/3');
/** A service of the machine's platform at a public address: Azure responds on it inside a host. */
const PLATFORM_ADDRESSES: readonly string[] = ['168.63.129.16'];
const LOCAL_SUFFIXES = [
  'localhost',
  'localdomain',
  'local',
  'internal',
  'intranet',
  'lan',
  'corp',
  'private',
  'home.arpa',
  'onion',
];

function inNetwork(address: ipaddr.IPv4 | ipaddr.IPv6, cidr: string): boolean {
  const network = ipaddr.parseCIDR(cidr);
  return network[0].kind() === address.kind() && address.match(network);
}

/** The IPv4 address that a translator or a tunnel delivers to; undefined for a native address. */
function embeddedV4(address: ipaddr.IPv4 | ipaddr.IPv6): string | undefined {
  if (address instanceof ipaddr.IPv4) return undefined;
  const bytes = address.toByteArray();
  switch (address.range()) {
    case 'ipv4Mapped':
    case 'rfc6145':
    case 'rfc6052':
      return bytes.slice(12).join('.');
    case '6to4':
      return bytes.slice(2, 6).join('.');
    default:
      return undefined;
  }
}

/** False if the address may be called, otherwise the class of its special-use range. */
export function isForbiddenAddress(ip: string, rules: EgressRules): false | string {
  if (!ipaddr.isValid(ip)) return 'invalid';
  const address = ipaddr.parse(ip);
  if (rules.deniedNetworks.some((cidr) => inNetwork(address, cidr))) return 'denied';
  if (rules.allowedNetworks.some((cidr) => inNetwork(address, cidr))) {
    // A network with NAT64 allows its prefix, which must not open the private addresses behind it.
    const inner = embeddedV4(address);
    return inner === undefined ? false : isForbiddenAddress(inner, rules);
  }
  if (PLATFORM_ADDRESSES.includes(address.toString())) return 'platform';
  const range = address.range();
  if (range === 'loopback' && rules.allowLoopback) return false;
  if (range !== 'unicast') return range;
  // Outside 2000::/3 nothing is allocated, and ::/96 (IPv4-compatible) still reaches IPv4 hosts.
  const isGlobal = address instanceof ipaddr.IPv4 || address.match(GLOBAL_UNICAST_V6);
  return isGlobal ? false : 'reserved';
}

function isBelow(name: string, domains: readonly string[]): boolean {
  return domains.some((domain) => name === domain || name.endsWith(`.${domain}`));
}

function isLocalName(name: string): boolean {
  return !name.includes('.') || isBelow(name, LOCAL_SUFFIXES);
}

function hostFault(hostname: string, rules: EgressRules): string | undefined {
  const { allowedHosts } = rules;
  if (allowedHosts.length > 0 && !isBelow(hostname, allowedHosts)) {
    return 'This installation calls only hosts that its operator has allowed.';
  }
  const literal = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  if (isIPv4(literal) || isIPv6(literal)) {
    const range = isForbiddenAddress(literal, rules);
    return range === false
      ? undefined
      : `The address lies in a range (${range}) that is not called.`;
  }
  if (hostname.endsWith('.')) return 'The host name must not end in a dot.';
  if (isBelow(hostname, rules.deniedHosts)) return 'This installation does not call this host.';
  if (!rules.allowLoopback && isLocalName(hostname)) {
    return 'The host must be a public, fully qualified name.';
  }
  return undefined;
}

function isAllowedPort(port: number, rules: EgressRules): boolean {
  return port === 443 || port >= 1024 || (port === 80 && rules.allowHttp);
}

/**
 * Checks the text of a target, at create, change and before every attempt. The reason is written
 * for the client. The parser has already turned every spelling of an IPv4 address (decimal, octal,
 * hex, short, full-width, trailing dot) into four decimal parts.
 */
export function checkTargetUrl(
  text: string,
  rules: EgressRules,
): { ok: true; url: URL } | { ok: false; reason: string } {
  const refuse = (reason: string) => ({ ok: false as const, reason });
  if (text.length > MAX_URL_LENGTH) {
    return refuse(`The URL must have at most ${MAX_URL_LENGTH} characters.`);
  }
  // oxlint-disable-next-line no-control-regex -- the parser would drop tabs and line breaks silently
  if (/[\u0000-\u0020\u007f\\]/.test(text)) {
    return refuse('The URL must not contain spaces, control characters or backslashes.');
  }
  // The parser would take the first part of the path for the host.
  if (/^[a-z]+:(?!\/\/[^/])/i.test(text)) {
    return refuse('The URL must have two slashes and a host after the scheme.');
  }
  const url = parseUrl(text);
  if (!url) return refuse('This is not an absolute URL with a valid host.');
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && rules.allowHttp)) {
    return refuse('The scheme must be https.');
  }
  if (url.href.length > MAX_URL_LENGTH) {
    return refuse(`The URL must have at most ${MAX_URL_LENGTH} characters once encoded.`);
  }
  if (/^[a-z]+:\/*[^/?#]*@/i.test(text)) {
    return refuse('The URL must not contain a user name or password.');
  }
  const defaultPort = url.protocol === 'https:' ? 443 : 80;
  if (!isAllowedPort(url.port === '' ? defaultPort : Number(url.port), rules)) {
    return refuse('The port must be 443, 8443 or another from 1024 up.');
  }
  const fault = hostFault(url.hostname, rules);
  return fault === undefined ? { ok: true, url } : refuse(fault);
}

/** Ports of servers that speak no HTTP. */
const SERVER_PORTS = {
  /** SSH, and file servers over HTTPS. */
  files: {
    isAllowed: (port: number, rules: EgressRules) => port === 22 || isAllowedPort(port, rules),
    reason: 'The port must be 22, 443 or another from 1024 up.',
  },
  /** SMTP; the ports of tests and of development only where loopback is allowed. */
  mail: {
    isAllowed: (port: number, rules: EgressRules) =>
      [25, 465, 587, 2525].includes(port) ||
      (rules.allowLoopback && port >= 1024 && port <= 65_535),
    reason: 'The port must be 25, 465, 587 or 2525.',
  },
};

/** Purpose of a server that speaks no HTTP; decides on its ports. */
export type ServerPurpose = keyof typeof SERVER_PORTS;

/**
 * Checks the host and port of a server by their text, as `checkTargetUrl` does for a URL. The reason
 * is written for the client.
 */
export function checkTargetHost(
  host: string,
  port: number,
  rules: EgressRules,
  purpose: ServerPurpose = 'files',
): { ok: true; hostname: string } | { ok: false; part: 'host' | 'port'; reason: string } {
  const checked = checkTargetUrl(`https://${host}/`, rules);
  if (!checked.ok) return { ...checked, part: 'host' };
  const { hostname, pathname, port: extra } = checked.url;
  if (pathname !== '/' || extra !== '') {
    const reason = 'The host must be a name or an address and nothing else.';
    return { ok: false, part: 'host', reason };
  }
  const { isAllowed, reason } = SERVER_PORTS[purpose];
  if (!isAllowed(port, rules)) return { ok: false, part: 'port', reason };
  return { ok: true, hostname: hostname.startsWith('[') ? hostname.slice(1, -1) : hostname };
}
