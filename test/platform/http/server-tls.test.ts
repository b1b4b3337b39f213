import { once } from 'node:events';
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from 'node:tls';
import type { ConnectionOptions, TLSSocket } from 'node:tls';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { defaultHttpLimits } from '../../../src/platform/config/http.ts';
import { listen } from '../../../src/platform/http/listen.ts';
import type { Listener } from '../../../src/platform/http/listen.ts';
import { scratchDirectory } from '../../local/scratch.ts';
import { newAuthority } from '../../support/authority.ts';
import { eventually } from '../../support/eventually.ts';

const root = scratchDirectory();
const authority = newAuthority('Authority of the test');
const tls = { certFile: join(root, 'server.crt'), keyFile: join(root, 'server.key') };
let listener: Listener;

/** As one that renews certificates does: each file appears whole. */
function install(name: string): void {
  const { certificate, key } = authority.issue(name);
  for (const [path, text] of [
    [tls.certFile, certificate],
    [tls.keyFile, key],
  ] as const) {
    writeFileSync(`${path}.new`, text);
    renameSync(`${path}.new`, path);
  }
}

beforeAll(async () => {
  install('localhost');
  listener = await listen((_, response) => response.end('ok'), {
    ...{ host: '127.0.0.1', port: 0, tls, http: defaultHttpLimits },
  });
});
afterAll(() => listener.close(100));

async function open(options: ConnectionOptions = {}): Promise<TLSSocket> {
  const socket = connect({
    ...{ host: '127.0.0.1', port: listener.port, servername: 'localhost' },
    ca: authority.certificate,
    ...options,
  });
  await once(socket, 'secureConnect');
  return socket;
}

const outcome = (options: ConnectionOptions) =>
  open(options).then(
    (socket) => {
      const seen = `${socket.getProtocol() ?? ''} ${socket.getCipher().name}`;
      socket.destroy();
      return seen;
    },
    (error: unknown) => String(error),
  );

test('a request over TLS is answered', async () => {
  const socket = await open();
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
  let answer = '';
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
  await once(socket, 'close');
  expect(answer).toMatch(/^HTTP\/1\.1 200 OK[^]*ok/);
});

test('TLS 1.3 and 1.2 are supported, with authenticated encryption and forward secrecy', async () => {
  expect(await outcome({})).toMatch(/^TLSv1\.3 TLS_/);
  expect(await outcome({ maxVersion: 'TLSv1.2' })).toMatch(
    /^TLSv1\.2 ECDHE-ECDSA-.*(GCM|POLY1305)/,
  );
});

test.each<[string, ConnectionOptions]>([
  ['TLS 1.1', { minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT:@SECLEVEL=0' }],
  ['a suite with CBC', { maxVersion: 'TLSv1.2', ciphers: 'ECDHE-ECDSA-AES128-SHA256' }],
])('%s is refused', async (_, options) => {
  expect(await outcome(options)).toMatch(/alert|handshake|protocol version/i);
});

test('a request without TLS gets no answer', async () => {
  await expect(fetch(`http://127.0.0.1:${String(listener.port)}/`)).rejects.toThrow();
});

test('a renewed certificate is used without a restart', async () => {
  install('renewed.example.com');
  const name = () =>
    open({ servername: 'renewed.example.com' }).then(
      (socket) => {
        const { subject } = socket.getPeerCertificate();
        socket.destroy();
        return subject.CN;
      },
      () => '',
    );
  expect(await eventually(name, (seen) => seen !== '')).toBe('renewed.example.com');
});
