import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newKeyFile } from '../../src/platform/auth/keyring.ts';
import { scratchDirectory } from '../local/scratch.ts';
import { newAuthority } from '../support/authority.ts';
import { eventually, untilTrue } from '../support/eventually.ts';
import { useTestApi } from '../support/use-test-api.ts';

// Checks of a balancer that end with a reset, and connections that are half open or idle, take no
// place of others, no memory, and do not end the process.

const api = useTestApi();
const authority = newAuthority('Authority of the test');
const tls = join(scratchDirectory(), 'server');
let child: ChildProcess;
let ports: Record<string, number>;
let before: State;

interface State {
  connections: number;
  bytes: number;
  isSftpFull: boolean;
}

beforeAll(async () => {
  const { certificate, key } = authority.issue('localhost');
  writeFileSync(`${tls}.crt`, certificate);
  writeFileSync(`${tls}.key`, key);
  const { PATH = '', HOME = '' } = process.env;
  const keys = JSON.stringify(newKeyFile());
  child = fork('src/local/run.mjs', ['test/abuse/connections/listeners-fixture.ts'], {
    cwd: new URL('../../', import.meta.url),
    execArgv: ['--expose-gc'],
    env: {
      ...{ PATH, HOME, ONWARD_KEYS: keys, DATABASE_URL: api.config.databaseUrl },
      ...{ PUBLIC_BASE_URL: 'http://onward.test', TLS_OF_TEST: tls },
    },
  });
  [ports] = await once(child, 'message');
  before = await state();
});
afterAll(() => {
  child.kill('SIGKILL');
});

async function state(): Promise<State> {
  child.send('how much?');
  const [answer] = await once(child, 'message');
  return answer;
}

/** A connection whose errors are expected. */
function open(name: string): Socket {
  const port = ports[name] ?? 0;
  return connect({ port, host: '127.0.0.1', allowHalfOpen: true }).on('error', () => undefined);
}

const opened = (socket: Socket) =>
  new Promise<void>((resolve) => {
    socket.once('connect', resolve).once('close', () => {
      resolve();
    });
  });

const request = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n';
const hello = Buffer.from('16030100f4010000f00303', 'hex');

/** Bytes that a client sends before its reset, by listener. */
const starts: Readonly<Record<string, readonly (string | Buffer)[]>> = {
  api: [
    '',
    'GET / HT',
    request,
    'POST /oauth2/token HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\na',
  ],
  metrics: ['', 'GET /met', request, 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'],
  tls: ['', hello, request],
  sftp: ['', 'SSH-2.0-check\r\n', 'PROXY TCP4', Buffer.alloc(40)],
};
const names = Object.keys(starts);

/** Connects and resets as many times, a few at once. */
async function reset(name: string, count: number): Promise<void> {
  let left = count;
  const client = async () => {
    while (left > 0) {
      left -= 1;
      const sent = starts[name]?.[left % 4] ?? '';
      const socket = open(name);
      await opened(socket);
      // Half of them see the answer, as a check does that expects one.
      const seen = new Promise((resolve) => {
        for (const event of ['data', 'end', 'close']) socket.once(event, resolve);
      });
      if (sent.length > 0) socket.write(sent);
      if (left % 8 < 4 && (name === 'sftp' || sent === request)) await seen;
      socket.resetAndDestroy();
    }
  };
  await Promise.all(Array.from({ length: 8 }, client));
}

const answers: Readonly<Record<string, () => Promise<unknown>>> = {
  api: () => statusOf('api'),
  metrics: () => statusOf('metrics'),
  async tls() {
    const socket = connectTls({
      ...{ host: '127.0.0.1', port: ports['tls'] ?? 0, servername: 'localhost' },
      ca: authority.certificate,
    });
    socket.write(request);
    const [data] = await once(socket, 'data');
    socket.destroy();
    return Number(String(data).split(' ')[1]);
  },
  async sftp() {
    const socket = open('sftp');
    // A connection that is refused is closed without a greeting.
    const greeting = await new Promise<string>((resolve) => {
      socket.once('data', (bytes: Buffer) => {
        resolve(bytes.toString());
      });
      // Our side stays open, so the end of theirs alone closes nothing.
      for (const event of ['end', 'close']) {
        socket.once(event, () => {
          resolve('');
        });
      }
    });
    socket.destroy();
    return greeting.startsWith('SSH-2.0-') ? 200 : 0;
  },
};
async function statusOf(name: string): Promise<number | undefined> {
  const [response] = await once(
    get({ port: ports[name], path: '/healthz', agent: false }),
    'response',
  );
  response.resume();
  return response.statusCode;
}

/** All places are free again and a good client is served. */
async function expectFree(name: string): Promise<State> {
  const after = await eventually(state, ({ connections }) => connections <= before.connections + 1);
  expect(after.isSftpFull).toBe(false);
  await untilTrue(async () => (await answers[name]?.()) === 200);
  expect(child.exitCode).toBeNull();
  return after;
}

describe.each(names)('the listener of %s', (name) => {
  test('stands ten thousand resets with level memory', async () => {
    await reset(name, 3_000);
    const early = await expectFree(name);
    await reset(name, 7_000);
    const late = await expectFree(name);
    // Caches fill up by some megabytes. A socket that is left behind holds several kilobytes, and
    // seven thousand of them thirty megabytes.
    expect(late.bytes - early.bytes).toBeLessThan(10_000_000);
  });
});

/** Opens connections to every listener; all of them are closed, and good clients are served. */
async function expectClosed(start: (name: string, at: number) => Socket): Promise<void> {
  const sockets = names.flatMap((name) => Array.from({ length: 100 }, (_, at) => start(name, at)));
  await Promise.all(sockets.map(opened));
  for (const name of names) await expectFree(name);
  for (const socket of sockets) socket.destroy();
}

// Time closes them, so all listeners wait together.
test('every listener closes connections that are half open', () =>
  expectClosed((name, at) => {
    const socket = open(name);
    const start = starts[name]?.[at % 4] ?? '';
    if (start.length > 0) socket.write(start);
    // Our side ends and stays; nothing is read.
    return socket.end();
  }));

test(
  'every listener closes connections that neither send nor read',
  () => expectClosed((name) => open(name)),
  900_000,
);

/** Requests with long answers, many on one connection. */
const long: Readonly<Record<string, string>> = {
  api: 'GET /v2/meta/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n',
  metrics: 'GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n',
  tls: request,
};

function askForMuch([name, text]: [string, string]) {
  const plain = open(name);
  const socket =
    name === 'tls'
      ? connectTls({ socket: plain, servername: 'localhost', ca: authority.certificate })
      : plain;
  socket.on('error', () => undefined).pause();
  const isSent = new Promise<void>((resolve) => {
    socket.once(name === 'tls' ? 'secureConnect' : 'connect', () => {
      socket.write(text.repeat(100), () => {
        resolve();
      });
    });
  });
  return { socket, isSent };
}

test('every listener closes connections that ask for much and read nothing', async () => {
  const early = await state();
  const sockets = Object.entries(long).flatMap((one) =>
    Array.from({ length: 40 }, () => askForMuch(one)),
  );
  await Promise.all(sockets.map(({ isSent }) => isSent));
  // A client whose answers fit into buffers of the system is idle, and is closed after 65 s. The
  // service itself may have opened connections to its database.
  await eventually(
    state,
    ({ connections, bytes }) =>
      connections <= early.connections + 15 && bytes < early.bytes + 20_000_000,
  );
  for (const name of Object.keys(long))
    await untilTrue(async () => (await answers[name]?.()) === 200);
  expect(child.exitCode).toBeNull();
  for (const { socket } of sockets) socket.destroy();
}, 900_000);
