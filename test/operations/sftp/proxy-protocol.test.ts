import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  maxBinaryBytes,
  maxTextBytes,
  parseProxyHeader,
} from '../../../src/operations/sftp/proxy-protocol.ts';

const signature = Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1');

function binary(command: number, family: number, payload: Buffer): Buffer {
  const fixed = Buffer.from([command, family, payload.length >> 8, payload.length & 0xff]);
  return Buffer.concat([signature, fixed, payload]);
}

const port = fc.integer({ min: 0, max: 65_535 });
const fields = fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes));
const bytesOf = (length: number) =>
  fc.uint8Array({ minLength: length, maxLength: length }).map((bytes) => Buffer.from(bytes));

/** A header with the address of the client that it names. */
const header: fc.Arbitrary<{ bytes: Buffer; source: string | undefined }> = fc.oneof(
  fc.tuple(fc.ipV4(), fc.ipV4(), port, port).map(([from, to, ...ports]) => ({
    bytes: Buffer.from(`PROXY TCP4 ${from} ${to} ${ports.join(' ')}\r\n`),
    source: from,
  })),
  fc.tuple(fc.ipV6(), fc.ipV6(), port, port).map(([from, to, ...ports]) => ({
    bytes: Buffer.from(`PROXY TCP6 ${from} ${to} ${ports.join(' ')}\r\n`),
    source: from,
  })),
  fc.tuple(bytesOf(12), fields).map(([addresses, more]) => ({
    bytes: binary(0x21, 0x11, Buffer.concat([addresses, more])),
    source: addresses.subarray(0, 4).join('.'),
  })),
  fields.map((payload) => ({ bytes: binary(0x20, 0x00, payload), source: undefined })),
  fields.map((payload) => ({ bytes: binary(0x21, 0x00, payload), source: undefined })),
);

describe('a header', () => {
  test('names the client and ends where the bytes of the client begin', () => {
    fc.assert(
      fc.property(header, fields, ({ bytes, source }, rest) => {
        const parsed = parseProxyHeader(Buffer.concat([bytes, rest]));
        expect(parsed).toEqual({ kind: 'complete', length: bytes.length, source });
      }),
    );
  });

  test('that has arrived in part is incomplete at every byte', () => {
    fc.assert(
      fc.property(header, fc.nat(), ({ bytes }, seed) => {
        const part = bytes.subarray(0, seed % bytes.length);
        expect(parseProxyHeader(part)).toEqual({ kind: 'incomplete' });
      }),
    );
  });

  test('of IPv6 in version 2 names the client', () => {
    const addresses = Buffer.alloc(36);
    addresses.write('20010db8000000000000000000000007', 'hex');
    expect(parseProxyHeader(binary(0x21, 0x21, addresses))).toEqual({
      kind: 'complete',
      length: 52,
      source: '2001:db8:0:0:0:0:0:7',
    });
  });

  test('of version 1 without a known client names none', () => {
    const longest = `PROXY UNKNOWN ${'f'.repeat(39)} ${'f'.repeat(39)} 65535 65535\r\n`;
    expect(longest).toHaveLength(maxTextBytes);
    for (const line of ['PROXY UNKNOWN\r\n', longest]) {
      expect(parseProxyHeader(Buffer.from(line))).toEqual({
        kind: 'complete',
        length: line.length,
        source: undefined,
      });
    }
  });
});

test.each([
  ...['SSH-2.0-client\r\n', 'GET / HTTP/1.1\r\n', 'proxy TCP4 1.2.3.4 1.2.3.4 1 1\r\n'],
  ...['PROXY \r\n', 'PROXY TCP4\r\n', 'PROXY UDP4 1.2.3.4 1.2.3.4 1 1\r\n'],
  ...['PROXY TCP4 1.2.3.4 1.2.3.4 1\r\n', 'PROXY TCP4 1.2.3.4 1.2.3.4 1 1 1\r\n'],
  ...['PROXY TCP4 1.2.3 1.2.3.4 1 1\r\n', 'PROXY TCP4 ::1 ::1 1 1\r\n'],
  ...['PROXY TCP4 01.2.3.4 1.2.3.4 1 1\r\n', 'PROXY TCP4 1.2.3.4 1.2.3.256 1 1\r\n'],
  ...['PROXY TCP6 1.2.3.4 1.2.3.4 1 1\r\n', 'PROXY TCP6 fe80::1%eth0 ::1 1 1\r\n'],
  ...['PROXY TCP4 1.2.3.4 1.2.3.4 65536 1\r\n', 'PROXY TCP4 1.2.3.4 1.2.3.4 01 1\r\n'],
  ...['PROXY TCP4 1.2.3.4 1.2.3.4 1 1 \r\n', 'PROXY TCP4  1.2.3.4 1.2.3.4 1 1\r\n'],
  ...['PROXY TCP4 1.2.3.4 1.2.3.4 -1 1\r\n', 'PROXY TCP4 1.2.3.4 1.2.3.4 1 1\n\r\n'],
  `PROXY UNKNOWN ${'x'.repeat(200)}`,
])('%j is no header', (text) => {
  expect(parseProxyHeader(Buffer.from(text))).toEqual({ kind: 'invalid' });
});

test.each([
  ['version 1 in the binary form', binary(0x11, 0x11, Buffer.alloc(12))],
  ['an unknown command', binary(0x22, 0x11, Buffer.alloc(12))],
  ['UDP', binary(0x21, 0x12, Buffer.alloc(12))],
  ['a socket of the machine', binary(0x21, 0x31, Buffer.alloc(216))],
  ['addresses that are too short', binary(0x21, 0x11, Buffer.alloc(11))],
  ['more than a segment', binary(0x21, 0x11, Buffer.alloc(maxBinaryBytes - 15))],
])('a binary header with %s is refused', (_, bytes) => {
  expect(parseProxyHeader(bytes)).toEqual({ kind: 'invalid' });
});

test('no bytes delay a reader beyond the longest header', () => {
  const start = fc.constantFrom(Buffer.from('PROXY '), signature, Buffer.alloc(0));
  const length = maxBinaryBytes;
  fc.assert(
    fc.property(start, bytesOf(length), (prefix, bytes) => {
      expect(parseProxyHeader(Buffer.concat([prefix, bytes])).kind).not.toBe('incomplete');
    }),
  );
});
