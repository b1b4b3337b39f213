import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request as send } from 'node:http';
import type { OutgoingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { defaultHttpLimits } from '../../src/platform/config/http.ts';
import { listen } from '../../src/platform/http/listen.ts';
import { aReceiver } from '../inbound/a-receiver.ts';
import { useTestApi } from '../support/use-test-api.ts';
import type { TestTeam } from '../support/api.ts';
import { untilTrue } from '../support/eventually.ts';
import { pace } from '../support/pace.ts';

const api = useTestApi();
let team: TestTeam;
let inboundPath: string;

beforeAll(async () => {
  team = await api.newTeam();
  inboundPath = (await aReceiver(api, team)).path;
});

const body = Buffer.alloc(6 * 1_048_576, 0x20);
const length = { 'Content-Length': String(body.length) };
const parts = (count: number) => Array.from({ length: count }, () => body.subarray(0, 65_536));

interface Sent {
  path: string;
  type: string;
}

const headersOf = ({ type }: Sent): Record<string, string> => ({
  'Content-Type': type,
  Authorization: `Bearer ${team.token}`,
});

/** Node's client; rejects where the connection breaks before the response. */
function byNode(
  to: Sent,
  how: { agent: Agent | false; headers?: OutgoingHttpHeaders; paceMs?: number },
): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { ...headersOf(to), ...how.headers };
    const options = { method: 'POST', agent: how.agent, headers };
    const sent = send(`${api.url}${to.path}`, options, (answer) => {
      answer.resume().once('end', () => {
        resolve(answer.statusCode ?? 0);
      });
    });
    sent.once('error', reject);
    Readable.from(slowly(how.paceMs)).pipe(sent);
  });
}

async function* slowly(paceMs?: number): AsyncGenerator<Buffer> {
  for (const part of parts(body.length / 65_536)) {
    if (paceMs !== undefined) await pace(paceMs);
    yield part;
  }
}

async function byFetch(to: Sent, isChunked: boolean): Promise<number> {
  const streamed = { body: Readable.toWeb(Readable.from(slowly())), duplex: 'half' as const };
  const init: RequestInit = {
    method: 'POST',
    headers: headersOf(to),
    ...(isChunked ? streamed : { body }),
  };
  const answer = await fetch(`${api.url}${to.path}`, init);
  await answer.text();
  return answer.status;
}

async function byCurl(to: Sent, ...flags: string[]): Promise<number> {
  const headers = Object.entries(headersOf(to)).flatMap(([name, value]) => [
    '-H',
    `${name}: ${value}`,
  ]);
  const child = spawn('curl', [
    ...['-sS', '-o', '/dev/null', '-w', '%{http_code}', '--data-binary', '@-', ...flags],
    ...[...headers, `${api.url}${to.path}`],
  ]);
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  child.stdin.on('error', () => undefined);
  child.stdin.end(body);
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`curl ended with ${String(code)}`);
  return Number(printed);
}

describe('a refusal reaches a client that is still sending', () => {
  const keepAlive = new Agent({ keepAlive: true });
  afterAll(() => {
    keepAlive.destroy();
  });
  const clients: Record<string, (to: Sent) => Promise<number>> = {
    'Node with a length, which closes': (to) => byNode(to, { agent: false, headers: length }),
    'Node in chunks, which closes': (to) => byNode(to, { agent: false }),
    'Node with a length': (to) => byNode(to, { agent: keepAlive, headers: length }),
    'Node in chunks': (to) => byNode(to, { agent: keepAlive }),
    'Node slowly, which closes': (to) => byNode(to, { agent: false, headers: length, paceMs: 5 }),
    'fetch with a length': (to) => byFetch(to, false),
    'fetch in chunks': (to) => byFetch(to, true),
    curl: (to) => byCurl(to),
    'curl without an expectation': (to) => byCurl(to, '-H', 'Expect:'),
    'curl in chunks, which closes': (to) =>
      byCurl(to, '-H', 'Expect:', '-H', 'Transfer-Encoding: chunked', '-H', 'Connection: close'),
    'curl as HTTP/1.0': (to) => byCurl(to, '--http1.0'),
  };

  describe.each(Object.keys(clients))('%s', (name) => {
    test.each([
      ['an inbound callback', () => inboundPath, 'application/json'],
      ['a resource', () => '/v2/partner/contacts', 'application/json'],
      ['the token endpoint', () => '/oauth2/token', 'application/x-www-form-urlencoded'],
    ])('%s', async (_, pathOf, type) => {
      for (let round = 0; round < 2; round += 1) {
        expect(await clients[name]?.({ path: pathOf(), type })).toBe(413);
      }
    });
  });
});

/** A client that reads, and leaves its own side open. */
function openAt(url: string): Socket {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  socket.on('error', () => undefined);
  return socket.resume();
}

describe('a refused client occupies its connection for a short time only', () => {
  test.each([
    ['sends without an end', body, 1_000_000_000],
    ['sends a byte now and then', Buffer.from('x'), 30_000],
  ])('one that %s', async (_, part, mostBytes) => {
    const socket = openAt(api.url);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    const to = { path: inboundPath, type: 'application/json' };
    const head = Object.entries({ ...headersOf(to), Host: 'x', Connection: 'close' });
    socket.write(
      `POST ${to.path} HTTP/1.1\r\n${head.map((pair) => pair.join(': ')).join('\r\n')}\r\n` +
        'Content-Length: 9000000000\r\n\r\n',
    );
    const startedAtMs = performance.now();
    const sending = setInterval(() => {
      if (!socket.writableNeedDrain) socket.write(part);
    }, 1);
    await closed;
    clearInterval(sending);
    expect(performance.now() - startedAtMs).toBeLessThan(20_000);
    expect(socket.bytesWritten).toBeLessThan(mostBytes);
  });

  test('one that keeps its side open after a malformed request', async () => {
    const socket = openAt(api.url);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.write('NO HTTP\r\n\r\n');
    await once(socket, 'end');
    // The connection is closed: what the client sends is answered with a reset.
    const trickle = setInterval(() => socket.write('x'), 50);
    await closed;
    clearInterval(trickle);
  });

  test('one that does not read its response', async () => {
    const listener = await listen(
      (_request, response) => {
        response.once('close', () => clients.delete(response)).end(Buffer.alloc(50_000_000));
        clients.add(response);
      },
      { host: '127.0.0.1', port: 0, http: { ...defaultHttpLimits, stalledMs: 300 } },
    );
    const clients = new Set<object>();
    const socket = connect(listener.port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(socket, 'readable');
    // It reads no further, so the server has to end the connection.
    await listener.close(600_000);
    await untilTrue(() => clients.size === 0);
    socket.destroy();
  });
});
