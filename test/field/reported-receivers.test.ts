import { afterAll, expect, test } from '@jest/globals';
import { createServer } from 'node:http';
import {
  closedPort,
  closeAll,
  startEgress,
  startRaw,
  startReceiver,
} from '../platform/egress/receiver.ts';
import { useTestApi } from '../support/use-test-api.ts';

// Public bug reports of those who receive webhooks of other products; README.md lists them.

const api = useTestApi();
afterAll(closeAll);

const post = (url: string, timeoutMs = 5_000) => ({
  ...{ url, owner: 'one', timeoutMs, body: '{"name":"Zoë","nested":{"b":1,"a":[1,2]}}' },
  headers: { 'content-type': 'application/json' },
});

test('a body has its length, and does not come in chunks', async () => {
  const receiver = await startReceiver((response) => response.end());
  await startEgress().post(post(receiver.url));
  const [{ headers, body } = { headers: {}, body: '' }] = receiver.received;
  expect(headers['transfer-encoding']).toBeUndefined();
  expect(Number(headers['content-length'])).toBe(body.length);
});

test.each([
  ['/hook/', '/hook/'],
  ['/hook', '/hook'],
  ['', '/'],
  ['/a%2Fb/?c=d&e=%20f', '/a%2Fb/?c=d&e=%20f'],
])('the path %j is called as it is written', async (written, called) => {
  const receiver = await startReceiver((response) => response.end());
  await startEgress().post(post(`http://127.0.0.1:${String(receiver.port)}${written}`));
  expect(receiver.received.map(({ path }) => path)).toEqual([called]);
});

test.each([301, 302, 307, 308])(
  'an answer %d is an answer, and is not followed',
  async (status) => {
    const receiver = await startReceiver((response) => {
      response.writeHead(status, { location: '/elsewhere' }).end();
    });
    const result = await startEgress().post(post(receiver.url));
    expect(result).toMatchObject({ kind: 'answered', status });
    expect(receiver.received).toHaveLength(1);
  },
);

test('an address with a name and a password is refused with a reason', async () => {
  const team = await api.newTeam();
  const { status, body } = await team.post('/v2/partner/webhook-subscriptions', {
    target_url: 'https://user:secret@hooks.example.com/hook',
    event_types: ['contact.created'],
  });
  expect(status).toBe(422);
  expect(body.errors[0].meta.pointer).toBe('/target_url');
  expect(JSON.stringify(body)).not.toContain('secret');
});

test('a receiver that closes without an answer, or takes no connection, is tried again later', async () => {
  const closing = await startRaw((socket) => socket.end());
  expect(await startEgress().post(post(closing.url))).toMatchObject({
    ...{ kind: 'failed', code: 'connection_reset' },
  });
  const nobody = `http://127.0.0.1:${String(await closedPort())}/hook`;
  expect(await startEgress().post(post(nobody))).toMatchObject({
    ...{ kind: 'failed', code: 'connection_refused' },
  });
});

test('a receiver that closes idle connections at once loses no request', async () => {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.end());
  });
  server.keepAliveTimeout = 1;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const egress = startEgress();
  const outcomes: unknown[] = [];
  for (let times = 0; times < 100; times += 1) {
    const result = await egress.post(post(`http://127.0.0.1:${String(port)}/hook`));
    outcomes.push(result.kind === 'answered' ? result.status : result);
  }
  expect(outcomes).toEqual(Array(100).fill(200));
  server.close();
});

test.each([
  ['chunks without content', 'Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
  ['no length, and the end of the connection', 'Connection: close\r\n\r\n'],
])('an answer of %s is a success', async (_, head) => {
  const receiver = await startRaw((socket) => socket.end(`HTTP/1.1 200 OK\r\n${head}`));
  expect(await startEgress().post(post(receiver.url))).toMatchObject({
    ...{ kind: 'answered', status: 200, bodyExcerpt: '' },
  });
});

test('an answer in chunks without an end fails when the time is over', async () => {
  const receiver = await startRaw((socket) => {
    socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
  });
  expect(await startEgress().post(post(receiver.url, 500))).toMatchObject({
    ...{ kind: 'failed', code: 'timeout' },
  });
});

test('an answer with two lengths is no answer', async () => {
  const receiver = await startRaw((socket) => {
    socket.end(
      'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n',
    );
  });
  expect(await startEgress().post(post(receiver.url))).toMatchObject({
    ...{ kind: 'failed', code: 'connection_reset' },
  });
});
