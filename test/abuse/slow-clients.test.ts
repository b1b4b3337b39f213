import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { readConfig } from '../../src/platform/config.ts';
import { registry } from '../../src/platform/http/metrics.ts';
import { sendRaw } from '../contract/raw-http.ts';
import { startTestApi } from '../support/api.ts';
import { useTestApi } from '../support/use-test-api.ts';
import type { TestTeam } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { pace } from '../support/pace.ts';

const api = useTestApi({
  HTTP_MAX_CONNECTIONS: '32',
  HTTP_HEADERS_TIMEOUT_SECONDS: '1',
  HTTP_REQUEST_TIMEOUT_SECONDS: '1',
});
let team: TestTeam;

beforeAll(async () => {
  team = await api.newTeam();
});

const head = (path: string, type: string, length: number, from = team) =>
  [
    `POST ${path} HTTP/1.1`,
    'Host: onward.test',
    `Authorization: Bearer ${from.token}`,
    `Content-Type: ${type}`,
    `Content-Length: ${String(length)}`,
    '\r\n',
  ].join('\r\n');

async function openAt(url: string, count: number): Promise<Socket[]> {
  const { hostname, port } = new URL(url);
  const sockets = Array.from({ length: count }, () => connect(Number(port), hostname));
  for (const socket of sockets) {
    socket.on('error', () => undefined);
    // A connection is seen to end by reading.
    socket.resume();
  }
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  return sockets;
}

/** Sends a byte every few milliseconds until the answer begins: the client is slow, not silent. */
async function trickle(socket: Socket, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && !socket.destroyed) {
    socket.write(' ');
    await pace(5);
  }
}

describe('a slow client occupies a connection only for a short time', () => {
  test.each([
    ['/v2/partner/contacts', 'application/json'],
    ['/oauth2/token', 'application/x-www-form-urlencoded'],
  ])('a slow body for %s is ended, while an upload continues', async (path, type) => {
    const file = 'unique_id,email\n1,ada@example.com\n';
    let finishUpload: () => void = () => undefined;
    const isRefused = new Promise<void>((resolve) => (finishUpload = resolve));
    const upload = sendRaw(
      api.url,
      async (socket) => {
        socket.write(head('/v2/batch/uploads', 'text/csv', file.length) + file.slice(0, 10));
        await isRefused;
        socket.write(file.slice(10));
      },
      30_000,
    );
    for (const send of [
      (socket: Socket) => Promise.resolve(void socket.write('{')),
      (socket: Socket, signal: AbortSignal) => trickle(socket, signal),
    ]) {
      const { status, headers, body } = await sendRaw(
        api.url,
        async (socket, signal) => {
          socket.write(head(path, type, 5_000));
          await send(socket, signal);
        },
        20_000,
      );
      expect([status, headers.get('connection')]).toEqual([408, 'close']);
      expect(body.errors[0].code).toBe('request_timeout');
    }
    finishUpload();
    expect((await upload).status).toBe(201);
  });

  test('an endless upload is ended and leaves no data', async () => {
    const brief = await startTestApi({
      HTTP_HEADERS_TIMEOUT_SECONDS: '1',
      HTTP_REQUEST_TIMEOUT_SECONDS: '1',
      HTTP_UPLOAD_TIMEOUT_SECONDS: '2',
    });
    const sender = await brief.newTeam();
    const { status } = await sendRaw(
      brief.url,
      async (socket, signal) => {
        socket.write(head('/v2/batch/uploads', 'text/csv', 5_000_000, sender));
        await trickle(socket, signal);
      },
      20_000,
    );
    expect(status).toBe(408);
    await eventually(
      () => brief.db.look((sql) => sql`select from uploads where team_id = ${sender.id}`),
      (rows) => rows.length === 0,
    );
    await brief.stop();
  });

  test.each(['', 'GET /healthz HTTP/1.1\r\nHost: onward.test\r\nX-Slow: '])(
    'endless headers are answered with 408: %j',
    async (content) => {
      const { status, headers } = await sendRaw(api.url, content, 20_000);
      expect([status, headers.get('connection')]).toEqual([408, 'close']);
    },
  );

  test('headers that arrive byte by byte are answered with 408', async () => {
    const { status } = await sendRaw(
      api.url,
      async (socket, signal) => {
        socket.write('GET /healthz HTTP/1.1\r\nX-Slow:');
        await trickle(socket, signal);
      },
      20_000,
    );
    expect(status).toBe(408);
  });
});

const refused = async (limit: string) => {
  const text = await registry.getSingleMetricAsString('onward_http_connections_refused_total');
  return Number(new RegExp(`limit="${limit}"\\} (\\d+)`).exec(text)?.[1] ?? 0);
};

describe('connections are limited', () => {
  test('an address without a proxy in front cannot use up the connections of other clients', async () => {
    const direct = await startTestApi({ HTTP_MAX_CONNECTIONS: '32' });
    const before = await refused('address');
    // A quarter of 32.
    const held = await openAt(direct.url, 8);
    const surplus = await openAt(direct.url, 3);
    await eventually(
      () => Promise.resolve([...held, ...surplus].filter(({ destroyed }) => destroyed).length),
      (count) => count === 3,
    );
    expect(await refused('address')).toBe(before + 3);
    for (const socket of [...held, ...surplus]) socket.destroy();
    const { status } = await eventually(
      () => direct.call('GET', '/healthz').catch(() => ({ status: 0 })),
      (reply) => reply.status === 200,
    );
    expect(status).toBe(200);
    await direct.stop();
  });

  test('a process serves a limited number of connections and accepts more when some end', async () => {
    const behindProxy = await startTestApi({ HTTP_MAX_CONNECTIONS: '16', TRUSTED_PROXIES: '1' });
    const before = await refused('process');
    const sockets = await openAt(behindProxy.url, 20);
    await eventually(
      () => Promise.resolve(sockets.filter(({ destroyed }) => destroyed).length),
      (count) => count === 4,
    );
    expect(await refused('process')).toBe(before + 4);
    for (const socket of sockets) socket.destroy();
    const { status } = await eventually(
      () => behindProxy.call('GET', '/healthz').catch(() => ({ status: 0 })),
      (reply) => reply.status === 200,
    );
    expect(status).toBe(200);
    await behindProxy.stop();
  });
});

test('an upload timeout shorter than the other timeouts is refused at startup', () => {
  const settings = { HTTP_UPLOAD_TIMEOUT_SECONDS: '10' };
  expect(() => readConfig({ development: true }, settings)).toThrow('HTTP_UPLOAD_TIMEOUT_SECONDS');
});
