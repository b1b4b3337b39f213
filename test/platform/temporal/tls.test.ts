import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import type { Server } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { NativeConnection } from '@temporalio/worker';
import { readConfig } from '../../../src/platform/config.ts';
import { connectTemporal, connectionOptions } from '../../../src/platform/temporal/client.ts';
import type { TemporalSettings } from '../../../src/platform/temporal/client.ts';
import { scratchDirectory } from '../../local/scratch.ts';
import { newAuthority } from '../../support/authority.ts';
import { environmentNames, required } from '../../support/environment.ts';

const root = scratchDirectory();
const authority = newAuthority('Authority of the test');
const other = newAuthority('Another authority');
const sockets = new Set<Socket>();
let front: Server;
let port = 0;
/** Bytes that came through the end of TLS by connections of one attempt. */
let received = { bytes: 0 };

const save = (name: string, text: string) => {
  const path = join(root, name);
  writeFileSync(path, text);
  return path;
};
const files = (name: string, { certificate, key }: ReturnType<typeof authority.issue>) => ({
  TEMPORAL_TLS_CLIENT_CERT_PATH: save(`${name}.crt`, certificate),
  TEMPORAL_TLS_CLIENT_KEY_PATH: save(`${name}.key`, key),
});
const right = {
  TEMPORAL_TLS_SERVER_CA_CERT_PATH: save('authority.pem', authority.certificate),
  TEMPORAL_TLS_SERVER_NAME: 'temporal.example.com',
  ...files('worker', authority.issue('onward-worker')),
};

// A Temporal with mutual TLS: the server of the tests behind a TLS endpoint that requires
// certificates.
beforeAll(async () => {
  const [host = '', behind = ''] = required(environmentNames.temporalAddress).split(':');
  const { certificate: cert, key } = authority.issue('temporal.example.com');
  const identity = { cert, key, ca: authority.certificate, ALPNProtocols: ['h2'] };
  front = createServer({ ...identity, requestCert: true, rejectUnauthorized: true }, (socket) => {
    const upstream = connect({ host, port: Number(behind) });
    // A connection that is closing sends a last frame later, when another attempt is under way.
    const own = received;
    for (const one of [socket, upstream]) {
      sockets.add(one);
      one.on('error', () => undefined);
      one.on('close', () => {
        socket.destroy();
        upstream.destroy();
      });
    }
    socket.on('data', (chunk: Buffer) => (own.bytes += chunk.length));
    socket.pipe(upstream).pipe(socket);
  });
  front.listen(0, '127.0.0.1');
  await once(front, 'listening');
  const address: AddressInfo | string | null = front.address();
  port = typeof address === 'object' && address ? address.port : 0;
});
afterAll(() => {
  for (const socket of sockets) socket.destroy();
  front.close();
});

function settingsOf(tls: Record<string, string>): TemporalSettings {
  const temporalAddress = `127.0.0.1:${String(port)}`;
  return { ...readConfig({ development: true }, tls), temporalAddress };
}

/** The outcome of the client of the relay: 'connected', or the error. */
async function asClient(tls: Record<string, string>): Promise<string> {
  const temporal = connectTemporal(settingsOf(tls));
  try {
    await temporal.within(() => temporal.connection.workflowService.getSystemInfo({}));
    return 'connected';
  } catch (error) {
    return String(error);
  } finally {
    await temporal.close();
  }
}

/** The same of the connection of the workers, which is another implementation of TLS. */
async function asWorker(tls: Record<string, string>): Promise<string> {
  try {
    const connection = await NativeConnection.connect(connectionOptions(settingsOf(tls)));
    await connection.close();
    return 'connected';
  } catch (error) {
    return String(error);
  }
}

const ways = [
  ['client', asClient],
  ['workers', asWorker],
] as const;

test.each(ways)('the %s of Temporal connects with its certificate', async (_, attempt) => {
  received = { bytes: 0 };
  expect(await attempt(right)).toBe('connected');
  expect(received.bytes).toBeGreaterThan(0);
});

const wrongs: [string, Record<string, string>][] = [
  [
    'a server of another authority',
    { ...right, TEMPORAL_TLS_SERVER_CA_CERT_PATH: save('other.pem', other.certificate) },
  ],
  ['a server of another name', { ...right, TEMPORAL_TLS_SERVER_NAME: 'db.example.com' }],
  [
    'a server that refuses its certificate',
    { ...right, ...files('stranger', other.issue('onward-worker')) },
  ],
  [
    'a server that demands a certificate which it does not have',
    {
      TEMPORAL_TLS_SERVER_CA_CERT_PATH: right.TEMPORAL_TLS_SERVER_CA_CERT_PATH,
      TEMPORAL_TLS_SERVER_NAME: right.TEMPORAL_TLS_SERVER_NAME,
    },
  ],
  ['a server with TLS when it has none', {}],
];

describe.each(wrongs)('%s', (_, tls) => {
  test.each(ways)('gets nothing from the %s', async (__, attempt) => {
    received = { bytes: 0 };
    expect(await attempt(tls)).not.toBe('connected');
    expect(received.bytes).toBe(0);
  });
});
