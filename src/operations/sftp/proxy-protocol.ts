import { isIPv4, isIPv6 } from 'node:net';
import type { Socket } from 'node:net';
import { canonicalAddress } from '../../platform/http/client-address.ts';

/**
 * The header that a balancer sends before the bytes of a client: the PROXY protocol, versions 1 and
 * 2, https://www.haproxy.org/download/3.0/doc/proxy-protocol.txt. `source` is undefined where the
 * balancer names no client, which is how it checks the health of a server.
 */
export type ProxyHeader =
  | { kind: 'incomplete' }
  | { kind: 'invalid' }
  | { kind: 'complete'; length: number; source: string | undefined };

/** A line of version 1 with its line break (§2.1). */
export const maxTextBytes = 107;
/** A header of version 2: 16 fixed bytes, then addresses and further fields in one TCP segment. */
export const maxBinaryBytes = 552;

const incomplete: ProxyHeader = { kind: 'incomplete' };
const invalid: ProxyHeader = { kind: 'invalid' };

const textSignature = Buffer.from('PROXY ');
const binarySignature = Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1');
const fixedBytes = 16;

/** Reads the header at the start of what a connection has sent so far. */
export function parseProxyHeader(bytes: Buffer): ProxyHeader {
  if (beginsLike(bytes, textSignature)) return parseText(bytes);
  if (beginsLike(bytes, binarySignature)) return parseBinary(bytes);
  return invalid;
}

/** Whether the bytes are, or may become, a header with this signature. */
function beginsLike(bytes: Buffer, signature: Buffer): boolean {
  const compared = Math.min(bytes.length, signature.length);
  return bytes.subarray(0, compared).equals(signature.subarray(0, compared));
}

/**
 * Reads the header from a connection, which is then paused, and returns the address of the client.
 * It is that of the balancer if the header has none, and undefined without a valid header.
 */
export function readProxiedAddress(socket: Socket, balancer: string): Promise<string | undefined> {
  let received = Buffer.alloc(0);
  return new Promise((resolve) => {
    const stop = () => socket.off('data', read).off('close', fail).pause();
    const fail = () => {
      stop();
      resolve(undefined);
    };
    const read = (bytes: Buffer) => {
      received = Buffer.concat([received, bytes]);
      const header = parseProxyHeader(received);
      if (header.kind === 'incomplete') return;
      if (header.kind === 'invalid') {
        fail();
        return;
      }
      const { length, source } = header;
      stop();
      if (received.length > length) socket.unshift(received.subarray(length));
      resolve(source === undefined ? balancer : canonicalAddress(source));
    };
    socket.on('data', read).on('close', fail);
  });
}

function parseText(bytes: Buffer): ProxyHeader {
  const end = bytes.subarray(0, maxTextBytes).indexOf('\r\n');
  if (end < 0) return bytes.length < maxTextBytes ? incomplete : invalid;
  const length = end + 2;
  const [, family, source, target, ...ports] = bytes.toString('latin1', 0, end).split(' ');
  if (family === 'UNKNOWN') return { kind: 'complete', length, source: undefined };
  const isAddress = family === 'TCP4' ? isIPv4 : family === 'TCP6' ? isPlainIPv6 : undefined;
  if (!isAddress || source === undefined || target === undefined) return invalid;
  const isValid =
    isAddress(source) && isAddress(target) && ports.length === 2 && ports.every(isPort);
  return isValid ? { kind: 'complete', length, source } : invalid;
}

/** Without a zone: it names an interface of the balancer. */
const isPlainIPv6 = (text: string) => isIPv6(text) && !text.includes('%');

const isPort = (text: string) => /^(0|[1-9]\d{0,4})$/.test(text) && Number(text) <= 65_535;

function parseBinary(bytes: Buffer): ProxyHeader {
  if (bytes.length < fixedBytes) return incomplete;
  const length = fixedBytes + bytes.readUInt16BE(14);
  if (length > maxBinaryBytes) return invalid;
  const form = formOf(bytes.readUInt8(12), bytes.readUInt8(13));
  if (!form || length < fixedBytes + form.bytes) return invalid;
  if (bytes.length < length) return incomplete;
  return { kind: 'complete', length, source: form.read(bytes) };
}

/**
 * Length of both addresses and ports, by command and family, with the reader of the client's
 * (§2.2).
 */
function formOf(command: number, family: number) {
  if (command === local) return { bytes: 0, read: () => undefined };
  if (command !== proxied) return undefined;
  switch (family) {
    case unspecified:
      return { bytes: 0, read: () => undefined };
    case tcpOverIPv4:
      return { bytes: 12, read: (bytes: Buffer) => bytes.subarray(16, 20).join('.') };
    case tcpOverIPv6:
      return { bytes: 36, read: (bytes: Buffer) => writtenIPv6(bytes.subarray(16, 32)) };
    default:
      return undefined;
  }
}

const local = 0x20;
const proxied = 0x21;
const unspecified = 0x00;
const tcpOverIPv4 = 0x11;
const tcpOverIPv6 = 0x21;

function writtenIPv6(bytes: Buffer): string {
  const groups = Array.from({ length: 8 }, (_, at) => bytes.readUInt16BE(at * 2).toString(16));
  return groups.join(':');
}
