import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import {
  clientAddress,
  isInNetworks,
  networkOf,
} from '../../../src/platform/http/client-address.ts';

function requestFrom(remoteAddress: string, forwarded?: string): IncomingMessage {
  const socket = Object.defineProperty(new Socket(), 'remoteAddress', { value: remoteAddress });
  const request = new IncomingMessage(socket);
  if (forwarded !== undefined) request.headers['x-forwarded-for'] = forwarded;
  return request;
}

describe('the address of a caller', () => {
  test('is that of the connection unless a proxy is trusted', () => {
    expect(clientAddress(requestFrom('::ffff:192.0.2.7', '203.0.113.9'), 0)).toBe('192.0.2.7');
  });

  test.each([
    [1, '198.51.100.1, 203.0.113.9', '203.0.113.9'],
    [2, '198.51.100.1, 203.0.113.9', '198.51.100.1'],
    [1, '203.0.113.9:51234', '203.0.113.9'],
    [1, '[2001:DB8:0::1]:51234', '2001:db8::1'],
    [1, '[2001:db8::1]', '2001:db8::1'],
    [1, 'fe80::1%eth0', 'fe80::1'],
    [1, '::ffff:203.0.113.9', '203.0.113.9'],
  ])('behind %i proxies that write %j is %s', (proxies, forwarded, address) => {
    expect(clientAddress(requestFrom('192.0.2.7', forwarded), proxies)).toBe(address);
  });

  test.each([
    '',
    'unknown',
    '_hidden',
    '203.0.113.9 x',
    'x'.repeat(300),
    '300.1.1.1',
    '010.0.0.1',
    '1.2.3',
    '0x7f.1',
  ])('is that of the proxy if the header holds no address: %j', (forwarded) => {
    expect(clientAddress(requestFrom('192.0.2.7', forwarded), 1)).toBe('192.0.2.7');
  });
});

test.each([
  ['192.0.2.7', ['192.0.2.0/24'], true],
  ['192.0.3.7', ['192.0.2.0/24', '2001:db8::/32'], false],
  ['::ffff:192.0.2.7', ['192.0.2.0/24'], true],
  ['192.0.2.7', ['::ffff:192.0.2.0/120'], true],
  ['192.0.3.7', ['::ffff:192.0.2.0/120'], false],
  ['2001:db8::1', ['::ffff:0:0/96'], false],
  ['192.0.2.7', ['::/0'], false],
  ['', ['0.0.0.0/0', '::/0'], false],
])('the address %j is in the networks %j: %s', (address, networks, isIn) => {
  expect(isInNetworks(address, networks)).toBe(isIn);
});

describe('limits count by', () => {
  test.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2:ffff::', '2001:db8:1:2::/64'],
    ['', 'unknown'],
  ])('%j as %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});
