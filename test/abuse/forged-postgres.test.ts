import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TLSSocket, createSecureContext } from 'node:tls';
import { afterEach, expect, test } from '@jest/globals';
import { readConfig, readMigrationConfig } from '../../src/platform/config.ts';
import { connectDatabase } from '../../src/platform/database/client.ts';
import { DatabaseUnavailable, codeOf } from '../../src/platform/database/failures.ts';
import { scratchDirectory } from '../local/scratch.ts';
import { newAuthority } from '../support/authority.ts';
import type { Credentials } from '../support/authority.ts';

const root = scratchDirectory();
const trusted = newAuthority('Authority of the operator');
const authorityFile = join(root, 'authority.pem');
writeFileSync(authorityFile, trusted.certificate);
const user = 'onward_app_login';
const closes: (() => void)[] = [];
afterEach(() => {
  for (const close of closes.splice(0)) close();
});

/** A server between the service and Postgres with a configurable answer to the TLS request. */
async function startImpostor(answer: string, identity?: Credentials) {
  let seen = '';
  const sockets: Socket[] = [];
  const record = (socket: Socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => (seen += chunk.toString('latin1')));
  };
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.once('data', () => {
      socket.write(answer);
      if (!identity) {
        record(socket);
        return;
      }
      const { certificate: cert, key } = identity;
      record(
        new TLSSocket(socket, {
          isServer: true,
          secureContext: createSecureContext({ cert, key }),
        }),
      );
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closes.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { port, seen: () => seen };
}

/** The error with which the service refuses the impostor under `verify-full`. */
async function refusal(port: number): Promise<string> {
  const url = new URL(`postgres://${user}:a-password-of-the-test@localhost:${String(port)}/onward`);
  url.searchParams.set('sslmode', 'verify-full');
  url.searchParams.set('sslrootcert', authorityFile);
  const database = connectDatabase({ url: url.href, maxConnections: 1, applicationName: 'tests' });
  try {
    await database.read((sql) => sql`select 1`);
    return '';
  } catch (error) {
    const cause = error instanceof DatabaseUnavailable ? error.cause : error;
    return `${codeOf(cause)} ${String(cause)}`;
  } finally {
    await database.close();
  }
}

const identities: [string, Credentials, string][] = [
  [
    'of another authority',
    newAuthority('Authority of an attacker').issue('localhost'),
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  ],
  ['for another name', trusted.issue('db.example.com'), 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ['that has expired', trusted.issue('localhost', new Date('2021-01-01')), 'CERT_HAS_EXPIRED'],
];
test.each(identities)(
  'an impostor with a certificate %s does not see the login',
  async (_, identity, code) => {
    const impostor = await startImpostor('S', identity);
    expect(await refusal(impostor.port)).toContain(code);
    expect(impostor.seen()).not.toContain(user);
  },
);

test.each([
  ['says that it has no TLS', 'N'],
  ['puts plain text in front of the handshake', 'S\u0052\u0000\u0000\u0000\u0008'],
])('an impostor that %s does not see the login', async (_, answer) => {
  const impostor = await startImpostor(answer);
  expect(await refusal(impostor.port)).toContain('does not offer TLS');
  expect(impostor.seen()).not.toContain(user);
});

const settings = {
  PUBLIC_BASE_URL: 'https://onward.example.com',
  TRUSTED_PROXIES: '1',
  ONWARD_KEYS: '{}',
};
const address = 'postgres://app:a-password-of-the-test@db.example.com/onward';

function problems(read: () => unknown): string {
  try {
    read();
    return '';
  } catch (error) {
    return String(error);
  }
}

test.each(['disable', 'require', 'verify-ca'])(
  'production and migrations refuse sslmode=%s, which accepts any server on the network path',
  (mode) => {
    for (const given of [
      { DATABASE_URL: `${address}?sslmode=${mode}` },
      { DATABASE_URL: address, DATABASE_SSL_MODE: mode },
    ]) {
      for (const read of [
        () => readConfig({ development: false }, { ...settings, ...given }),
        () => readMigrationConfig(given),
      ]) {
        expect(problems(read)).toContain(`sslmode=${mode}, so the server is not verified`);
      }
    }
  },
);
