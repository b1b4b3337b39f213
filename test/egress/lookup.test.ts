import dgram from 'node:dgram';
import { once } from 'node:events';
import { isIPv4 } from 'node:net';
import { afterAll, expect, test } from '@jest/globals';
import { createDnsLookup } from '../../src/egress/lookup.ts';
import { closeAll, countConnects, startEgress } from './receiver.ts';

const servers: dgram.Socket[] = [];
afterAll(async () => {
  for (const server of servers) server.close();
  await closeAll();
});

const A = 1;
const AAAA = 28;

function record(ip: string): Buffer {
  const data = isIPv4(ip)
    ? Buffer.from(ip.split('.').map(Number))
    : Buffer.from(ip.replaceAll(':', ''), 'hex');
  const head = Buffer.from([0xc0, 12, 0, isIPv4(ip) ? A : AAAA, 0, 1, 0, 0, 0, 0, 0, data.length]);
  return Buffer.concat([head, data]);
}

/** A name server on loopback (RFC 1035 §4.1): full addresses by name; none means NXDOMAIN. */
async function startDns(zone: (name: string, count: number) => readonly string[] | undefined) {
  const server = dgram.createSocket('udp4');
  let queries = 0;
  server.on('message', (query, from) => {
    const labels: string[] = [];
    let at = 12;
    for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
      labels.push(query.toString('latin1', at + 1, at + 1 + length));
      at += 1 + length;
    }
    const type = query.readUInt16BE(at + 1);
    const answers = zone(labels.join('.'), (queries += 1));
    const matching = (answers ?? []).filter((ip) => isIPv4(ip) === (type === A));
    const header = Buffer.alloc(12);
    query.copy(header, 0, 0, 2);
    header.writeUInt16BE(answers === undefined ? 0x8183 : 0x8180, 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(matching.length, 6);
    const question = query.subarray(12, at + 5);
    server.send(
      Buffer.concat([header, question, ...matching.map(record)]),
      from.port,
      from.address,
    );
  });
  servers.push(server);
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
  return createDnsLookup([`127.0.0.1:${server.address().port}`]);
}

test('a name gives all its addresses, IPv4 first', async () => {
  const lookup = await startDns(() => [
    '2606:4700:0000:0000:0000:0000:0000:1111',
    '8.8.8.8',
    '8.8.4.4',
  ]);
  expect(await lookup('hooks.example.com')).toEqual(['8.8.8.8', '8.8.4.4', '2606:4700::1111']);
});

test('a name with one family of addresses gives those', async () => {
  const lookup = await startDns((name) =>
    name === 'four.example.com' ? ['8.8.8.8'] : ['2606:4700:0000:0000:0000:0000:0000:1111'],
  );
  expect(await lookup('four.example.com')).toEqual(['8.8.8.8']);
  expect(await lookup('six.example.com')).toEqual(['2606:4700::1111']);
});

test('a name that does not exist, or has no address, is rejected with the reason', async () => {
  const lookup = await startDns((name) => (name === 'empty.example.com' ? [] : undefined));
  await expect(lookup('none.example.com')).rejects.toMatchObject({ code: 'ENOTFOUND' });
  await expect(lookup('empty.example.com')).rejects.toMatchObject({ code: 'ENODATA' });
});

test('names that a hostile name server leads inside are denied without a connection', async () => {
  const zone: Record<string, string[]> = {
    'mixed.example.com': ['8.8.8.8', '10.0.0.1'],
    'six.example.com': ['fd00:0000:0000:0000:0000:0000:0000:0001'],
    'both.example.com': ['8.8.8.8', '0000:0000:0000:0000:0000:ffff:7f00:0001'],
  };
  const lookup = await startDns((name) => zone[name]);
  const rules = { allowHttp: false, allowLoopback: false, allowedNetworks: [] };
  const egress = startEgress({ rules, lookup });
  const connects = await countConnects(async () => {
    for (const name of Object.keys(zone)) {
      const request = { url: `https://${name}/`, headers: {}, body: '{}', timeoutMs: 5_000 };
      expect(await egress.post(request)).toMatchObject({ code: 'target_not_allowed' });
    }
    const request = { url: 'https://none.example.com/', headers: {}, body: '', timeoutMs: 5_000 };
    expect(await egress.post(request)).toMatchObject({ code: 'dns_error' });
  });
  expect(connects).toBe(0);
});
