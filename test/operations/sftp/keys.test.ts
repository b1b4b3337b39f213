import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, dirname } from 'node:path';
import { expect, test } from '@jest/globals';
import ssh2 from 'ssh2';
import { sshKeyPair } from '../../support/ssh-keys.ts';
import { useDrop } from './use-drop.ts';

const drop = useDrop();

/** Connects with a new RSA key, and returns the announced algorithms and those of PK_OK. */
async function connectWithRsa() {
  const pair = sshKeyPair('rsa', 3072);
  const made = await drop.team.post('/v2/partner/sftp-credentials', {
    name: 'rsa',
    public_key: pair.public,
  });
  const connection = new ssh2.Client();
  const announced: string[][] = [];
  const lines: string[] = [];
  connection.connect({
    host: '127.0.0.1',
    port: drop.server.port,
    username: made.body.username,
    privateKey: pair.private,
    debug: (line) => lines.push(line),
  });
  const handlers: Record<string, (...args: any[]) => void> = Reflect.get(
    Object(Reflect.get(connection, '_protocol')),
    '_handlers',
  );
  const { EXT_INFO: extInfo, USERAUTH_PK_OK: pkOk } = handlers;
  const accepted: string[] = [];
  Object.assign(handlers, {
    EXT_INFO(protocol: unknown, extensions: { name: string; algs: string[] }[]) {
      announced.push(...extensions.map(({ algs }) => algs));
      extInfo?.(protocol, extensions);
    },
    USERAUTH_PK_OK(protocol: unknown, algorithm: string, ...more: unknown[]) {
      accepted.push(algorithm);
      pkOk?.(protocol, algorithm, ...more);
    },
  });
  await once(connection, 'ready');
  connection.end();
  await once(connection, 'close');
  return { announced, accepted };
}

test('a client with an RSA key sees SHA-2 in the announcement and in the answer to its key', async () => {
  expect(await connectWithRsa()).toEqual({
    announced: [
      [
        ...['ssh-ed25519', 'ecdsa-sha2-nistp256', 'ecdsa-sha2-nistp384', 'ecdsa-sha2-nistp521'],
        ...['rsa-sha2-512', 'rsa-sha2-256'],
      ],
    ],
    accepted: [expect.stringMatching(/^rsa-sha2-(256|512)$/)],
  });
});

test('ssh2 still has the faults that the announcement and the answer replace', () => {
  const library = dirname(createRequire(import.meta.url).resolve('ssh2'));
  const read = (name: string) => readFileSync(join(library, name), 'utf8');
  expect(read('protocol/Protocol.js')).toMatch(/ecdsa-sha2-nistp521'\s+\+ 'rsa-sha2-512/);
  expect(read('server.js')).toContain('authPKOK(this.key.algo, this.key.data)');
});
