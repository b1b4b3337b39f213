import dgram from 'node:dgram';
import { once } from 'node:events';
import { isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { whenClosing } from './receiver.ts';

/** The addresses of a name, queried once per family; undefined is NXDOMAIN. */
export type Zone = (name: string, family: 4 | 6) => readonly string[] | undefined;

const A = 1;
const AAAA = 28;

/** A TTL of zero: every query gets a new answer. */
function record(ip: string): Buffer {
  const data = ipaddr.parse(ip).toByteArray();
  const head = [0xc0, 12, 0, isIPv4(ip) ? A : AAAA, 0, 1, 0, 0, 0, 0, 0, data.length];
  return Buffer.from([...head, ...data]);
}

/** A name server on loopback (RFC 1035 §4.1); resolves with its address and port. */
export async function startNameServer(zone: Zone): Promise<string> {
  const server = dgram.createSocket({ type: 'udp4', recvBufferSize: 1_000_000 });
  server.on('message', (query, from) => {
    const labels: string[] = [];
    let at = 12;
    for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
      labels.push(query.toString('latin1', at + 1, at + 1 + length));
      at += 1 + length;
    }
    const isV4 = query.readUInt16BE(at + 1) === A;
    const answers = zone(labels.join('.'), isV4 ? 4 : 6);
    const matching = (answers ?? []).filter((ip) => isIPv4(ip) === isV4);
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
  whenClosing(() => server.close());
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
  return `127.0.0.1:${server.address().port}`;
}
