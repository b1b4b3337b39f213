import { once } from 'node:events';
import { connect as connectTcp } from 'node:net';
import type { Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import ssh2 from 'ssh2';
import type { Client } from 'ssh2';
import { createLog } from '../../src/platform/observability/log.ts';
import { startSftpServer } from '../../src/operations/sftp/server.ts';
import type { SftpServer, SftpServerOptions } from '../../src/operations/sftp/server.ts';
import { called, connect, newCredential } from '../operations/sftp/a-client.ts';
import type { TestCredential } from '../operations/sftp/a-client.ts';
import { useTestApi } from '../support/use-test-api.ts';
import type { TestTeam } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';

const api = useTestApi();
let team: TestTeam;
const lines: Record<string, unknown>[] = [];

beforeEach(async () => {
  team = await api.newTeam();
  lines.length = 0;
});

const serve = (options: Partial<SftpServerOptions> = {}) => {
  const log = createLog('info', 'worker', { write: (line) => lines.push(JSON.parse(line)) });
  const dependencies = { database: api.db.database, keyring: api.keyring, log };
  return startSftpServer(dependencies, { host: '127.0.0.1', port: 0, graceMs: 0, ...options });
};

/** Authenticates without opening a session. Rejects when the server ends the connection. */
async function enter(server: SftpServer, credential: TestCredential): Promise<Client> {
  const connection = new ssh2.Client();
  connection.on('error', () => undefined);
  connection.connect({
    host: '127.0.0.1',
    port: server.port,
    username: credential.username,
    privateKey: credential.private_key,
  });
  await once(connection, 'ready');
  return connection;
}

/** Whether the server lets the connection stay until it has answered a request for a session. */
const stays = (connection: Client) =>
  called((done) => connection.sftp(done)).then(
    () => true,
    () => false,
  );

describe('the holder of one credential', () => {
  let server: SftpServer;
  beforeAll(async () => {
    server = await serve();
  });
  afterAll(() => server.close());

  test('cannot open more than ten connections and regains a place for each that ends', async () => {
    const [mine, neighbor] = [await newCredential(team), await newCredential(team)];
    const held = await Promise.all(Array.from({ length: 10 }, () => enter(server, mine)));
    expect(await stays(await enter(server, mine))).toBe(false);
    expect(await stays(await enter(server, neighbor))).toBe(true);
    expect(lines).toContainEqual(
      expect.objectContaining({
        msg: 'an SFTP client has too many connections',
        sftp_credential_id: mine.id,
      }),
    );
    held.pop()?.end();
    await eventually(
      async () => stays(await enter(server, mine)),
      (isServed) => isServed,
    );
  });

  test('cannot use up the places of other teams with many credentials', async () => {
    const held: Client[] = [];
    for (let number = 0; number < 5; number += 1) {
      const credential = await newCredential(team);
      held.push(
        ...(await Promise.all(Array.from({ length: 10 }, () => enter(server, credential)))),
      );
    }
    expect(await stays(await enter(server, await newCredential(team)))).toBe(false);
    const other = await newCredential(await api.newTeam());
    expect(await stays(await enter(server, other))).toBe(true);
    for (const connection of held) connection.end();
  });

  test('cannot hold a connection without a session', async () => {
    const strict = await serve({ firstSessionMs: 200 });
    const credential = await newCredential(team);
    const idle = await enter(strict, credential);
    await once(idle, 'close');
    const working = await connect(strict.port, credential);
    const waiting = await enter(strict, credential);
    await once(waiting, 'close');
    expect(await working.names('/')).toEqual(['in', 'out']);
    await strict.close();
  });

  test('cannot hold a connection by leaving its own side open', async () => {
    const strict = await serve({ firstSessionMs: 200 });
    const socket = connectTcp({ port: strict.port, host: '127.0.0.1', allowHalfOpen: true });
    const { username, private_key: privateKey } = await newCredential(team);
    const connection = new ssh2.Client();
    connection.on('error', () => undefined);
    // The client never ends its side.
    socket.end = () => socket;
    connection.connect({ sock: socket, username, privateKey });
    await once(connection, 'ready');
    await once(socket, 'end');
    const broken = once(socket, 'error');
    const writing = setInterval(() => socket.write('x'), 20);
    expect(await broken).toMatchObject([{ code: expect.stringMatching(/EPIPE|ECONNRESET/) }]);
    clearInterval(writing);
    await strict.close();
  });

  test('cannot use up the places of all by resets', async () => {
    // More than a process serves, as a balancer checks a server that it serves.
    for (let number = 0; number < 300; number += 1) {
      const socket = connectTcp(server.port, '127.0.0.1');
      socket.on('error', () => undefined);
      await new Promise((resolve) => socket.once('data', resolve).once('close', resolve));
      socket.resetAndDestroy();
    }
    await eventually(
      async () => stays(await enter(server, await newCredential(team))),
      (isServed) => isServed,
    );
    expect(server.isFull()).toBe(false);
  });

  test('cannot fill the memory with answers that it does not read', async () => {
    const socket = connectTcp({ port: server.port, host: '127.0.0.1' });
    const { username, private_key: privateKey } = await newCredential(team);
    const connection = new ssh2.Client();
    connection.on('error', () => undefined);
    connection.connect({ sock: socket, username, privateKey });
    await once(connection, 'ready');
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.pause();
    const protocol = Reflect.get(connection, '_protocol');
    const flood = () => {
      while (!socket.destroyed && !socket.writableNeedDrain) protocol.ping();
      if (!socket.destroyed) setImmediate(flood);
    };
    flood();
    await closed;
  });
});

describe('behind a balancer', () => {
  let server: SftpServer;
  beforeAll(async () => {
    server = await serve({ proxyNetworks: ['127.0.0.1/32'], handshakeMs: 5_000 });
  });
  afterAll(() => server.close());

  /** A connection of the balancer, which has sent its header. */
  async function balanced(header: string | Buffer, port = server.port): Promise<Socket> {
    const socket = connectTcp(port, '127.0.0.1');
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    socket.write(header);
    return socket;
  }
  const headerOf = (source: string) => `PROXY TCP4 ${source} 192.0.2.1 40000 22\r\n`;
  const greets = async (socket: Socket) => {
    const [first] = await Promise.race([once(socket, 'data'), once(socket, 'close')]);
    return String(first).startsWith('SSH-2.0-');
  };

  test('a stranger cannot use up the connections of other clients', async () => {
    const mine = await Promise.all(
      Array.from({ length: 20 }, () => balanced(headerOf('203.0.113.7'))),
    );
    expect(await Promise.all(mine.map(greets))).not.toContain(false);
    expect(await greets(await balanced(headerOf('203.0.113.7')))).toBe(false);
    expect(await greets(await balanced(headerOf('203.0.113.8')))).toBe(true);
    for (const socket of mine) socket.destroy();
  });

  test('a stranger cannot use up more connections with many addresses of one IPv6 network', async () => {
    const from = (last: number) =>
      balanced(`PROXY TCP6 2001:db8::${String(last)} 2001:db8::1 40000 22\r\n`);
    const mine = await Promise.all(Array.from({ length: 20 }, (_, last) => from(last)));
    expect(await Promise.all(mine.map(greets))).not.toContain(false);
    expect(await greets(await from(21))).toBe(false);
    for (const socket of mine) socket.destroy();
  });

  test('the networks of credentials and the log refer to the client', async () => {
    const { username, private_key: privateKey } = await newCredential(team, {
      allowed_cidrs: ['198.51.100.0/24'],
    });
    const from = async (source: string) => {
      const connection = new ssh2.Client();
      const outcome = Promise.race([
        once(connection, 'ready').then(
          () => 'taken',
          () => 'refused',
        ),
        once(connection, 'close').then(
          () => 'refused',
          () => 'refused',
        ),
      ]);
      const addresses = Buffer.from([...source.split('.').map(Number), 192, 0, 2, 1, 1, 1, 0, 22]);
      const fixed = Buffer.from('\r\n\r\n\0\r\nQUIT\n\x21\x11\0\x0c', 'latin1');
      const sock = await balanced(Buffer.concat([fixed, addresses]));
      connection.connect({ sock, username, privateKey });
      const result = await outcome;
      connection.end();
      return result;
    };
    expect(await from('198.51.100.9')).toBe('taken');
    expect(await from('203.0.113.9')).toBe('refused');
    const logged = () => Promise.resolve(lines.map(({ msg, source_ip: ip }) => [msg, ip]));
    const seen = await eventually(logged, ({ length }) => length === 2);
    expect(seen).toEqual([
      ['an SFTP client is there', '198.51.100.9'],
      ['an SFTP client was refused', '203.0.113.9'],
    ]);
  });

  test.each([
    ['the bytes of a client', 'SSH-2.0-x\r\n'],
    ['a header without an address', 'PROXY TCP4 1.2.3 1.2.3.4 1 1\r\n'],
    ['a line that does not end', `PROXY UNKNOWN ${'x'.repeat(5_000)}`],
  ])('a connection that begins with %s is closed', async (_, start) => {
    expect(await greets(await balanced(start))).toBe(false);
    expect(lines).toContainEqual(
      expect.objectContaining({ msg: 'a balancer sent no PROXY header', source_ip: '127.0.0.1' }),
    );
  });

  test('a connection whose header does not arrive is closed', async () => {
    const strict = await serve({ proxyNetworks: ['127.0.0.1/32'], handshakeMs: 200 });
    const socket = await balanced('PROXY TCP4 ', strict.port);
    expect(await greets(socket)).toBe(false);
    await strict.close();
  });

  test('a header that arrives byte by byte counts as one', async () => {
    const socket = await balanced('');
    socket.setNoDelay(true);
    for (const byte of headerOf('203.0.113.20')) socket.write(byte);
    expect(await greets(socket)).toBe(true);
    socket.destroy();
  });

  test('a client that is not a balancer cannot choose its address', async () => {
    const direct = await serve({ proxyNetworks: ['192.0.2.0/24'] });
    const socket = await balanced(`${headerOf('198.51.100.9')}SSH-2.0-x\r\n`, direct.port);
    let received = '';
    socket.setEncoding('latin1').on('data', (text: string) => (received += text));
    await once(socket, 'close');
    expect(received).toBe('SSH-2.0-Onward\r\n');
    await direct.close();
  });
});
