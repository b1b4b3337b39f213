import type http from 'node:http';
import { afterAll, expect, test } from '@jest/globals';
import { closeAll, closedPort, startEgress, startRaw, startReceiver } from './receiver.ts';

afterAll(closeAll);

const post = (url: string, more: { timeoutMs?: number; signal?: AbortSignal } = {}) => ({
  url,
  headers: {},
  body: '{}',
  timeoutMs: 5_000,
  ...more,
});

test('connections to one origin are kept and used again', async () => {
  const receiver = await startReceiver((response) => response.end());
  const egress = startEgress();
  for (let n = 0; n < 50; n += 1) {
    expect(await egress.post(post(receiver.url))).toMatchObject({ remoteIp: '127.0.0.1' });
  }
  expect(receiver.received).toHaveLength(50);
  expect(receiver.connections()).toBeLessThanOrEqual(2);
});

test('an origin gets no more connections than the limit, and all requests get through', async () => {
  const receiver = await startReceiver((response) => response.end());
  const egress = startEgress({ maxConnectionsPerOrigin: 4 });
  const results = await Promise.all(
    Array.from({ length: 200 }, () => egress.post(post(receiver.url))),
  );
  expect(results.filter((result) => result.kind === 'answered')).toHaveLength(200);
  expect(receiver.connections()).toBeLessThanOrEqual(4);
});

test('requests that wait for an origin that refuses connections are refused, too', async () => {
  const egress = startEgress({ maxConnectionsPerOrigin: 4 });
  const url = `http://127.0.0.1:${await closedPort()}/`;
  const results = await Promise.all(Array.from({ length: 200 }, () => egress.post(post(url))));
  const codes = results.map((result) => result.kind === 'failed' && result.code);
  expect(new Set(codes)).toEqual(new Set(['connection_refused']));
});

test('an origin that comes back is called again by those who waited', async () => {
  const receiver = await startReceiver((response) => response.end());
  let asked = 0;
  const lookup = () => Promise.resolve([(asked += 1) <= 10 ? '127.0.0.2' : '127.0.0.1']);
  const egress = startEgress({ maxConnectionsPerOrigin: 4, lookup });
  const url = `http://hooks.example.com:${receiver.port}/`;
  const results = await Promise.all(Array.from({ length: 100 }, () => egress.post(post(url))));
  const refused = results.filter((result) => result.kind === 'failed');
  expect(refused.map((result) => result.code)).toEqual(Array(10).fill('connection_refused'));
  expect(receiver.received).toHaveLength(90);
});

test('a hanging origin does not hold up another', async () => {
  const hanging = await startRaw(() => undefined);
  const receiver = await startReceiver((response) => response.end());
  const egress = startEgress({ maxConnectionsPerOrigin: 2 });
  const stuck = Array.from({ length: 20 }, () =>
    egress.post(post(hanging.url, { timeoutMs: 500 })),
  );
  expect(await egress.post(post(receiver.url))).toMatchObject({ status: 200 });
  const codes = (await Promise.all(stuck)).map((result) => result.kind === 'failed' && result.code);
  expect(new Set(codes)).toEqual(new Set(['timeout']));
});

test('a request whose deadline passed while it waited is never sent', async () => {
  const open: http.ServerResponse[] = [];
  const receiver = await startReceiver((response, { path }) => {
    if (path === '/slow') open.push(response);
    else response.end();
  });
  const at = (path: string) => `http://127.0.0.1:${receiver.port}${path}`;
  const egress = startEgress({ maxConnectionsPerOrigin: 1 });
  const slow = egress.post(post(at('/slow')));
  const late = await egress.post(post(at('/late'), { timeoutMs: 100 }));
  expect(late).toMatchObject({
    kind: 'failed',
    code: 'timeout',
    detail: 'no connection could be used within 100 ms',
  });
  for (const response of open) response.end();
  expect(await slow).toMatchObject({ status: 200 });
  expect(await egress.post(post(at('/next')))).toMatchObject({ status: 200 });
  expect(receiver.received.map((received) => received.path)).toEqual(['/slow', '/next']);
  expect(receiver.connections()).toBe(1);
});

test('an idle connection that the target has cut is replaced without a failure', async () => {
  const receiver = await startRaw((socket, count) => {
    if (count === 2) socket.resetAndDestroy();
    else socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
  });
  const egress = startEgress({ maxConnectionsPerOrigin: 1 });
  expect(await egress.post(post(receiver.url))).toMatchObject({ status: 200 });
  expect(await egress.post(post(receiver.url))).toMatchObject({ status: 200 });
  expect([receiver.requests(), receiver.connections()]).toEqual([3, 2]);
});

test('a connection is not taken up again once the target has said that it closes', async () => {
  const receiver = await startReceiver((response) =>
    response.setHeader('connection', 'close').end(),
  );
  const egress = startEgress({ maxConnectionsPerOrigin: 1 });
  for (let n = 0; n < 3; n += 1) {
    expect(await egress.post(post(receiver.url))).toMatchObject({ status: 200 });
  }
  expect(receiver.connections()).toBe(3);
});

test('a signal ends what is under way and what waits, and is not needed afterwards', async () => {
  const hanging = await startRaw(() => undefined);
  const receiver = await startReceiver((response) => response.end());
  const egress = startEgress({ maxConnectionsPerOrigin: 2 });
  const stop = new AbortController();
  const { signal } = stop;
  expect(await egress.post(post(receiver.url, { signal }))).toMatchObject({ status: 200 });
  const stuck = Array.from({ length: 50 }, () => egress.post(post(hanging.url, { signal })));
  stop.abort();
  const results = await Promise.all(stuck);
  expect(results.every((result) => result.kind === 'failed' && result.code === 'aborted')).toBe(
    true,
  );
  const afterwards = await egress.post(post(receiver.url, { signal }));
  expect(afterwards).toMatchObject({ kind: 'failed', code: 'aborted' });
  expect(receiver.received).toHaveLength(1);
});

test('closing ends requests under way and names being resolved, and refuses new ones', async () => {
  const hanging = await startRaw(() => undefined);
  const egress = startEgress({ lookup: () => new Promise<never>(() => undefined) });
  const stuck = [egress.post(post(hanging.url)), egress.post(post('https://hooks.example.com/'))];
  await egress.close();
  stuck.push(egress.post(post(hanging.url)));
  for (const result of await Promise.all(stuck)) {
    expect(result).toMatchObject({ kind: 'failed', code: 'aborted' });
  }
});
