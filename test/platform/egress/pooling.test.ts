import type http from 'node:http';
import { afterAll, expect, test } from '@jest/globals';
import { registry } from '../../../src/platform/http/metrics.ts';
import { observeEgress, setEgressMetrics } from '../../../src/meta/egress-metrics.ts';
import { untilTrue } from '../../support/eventually.ts';
import { closeAll, closedPort, startEgress, startRaw, startReceiver } from './receiver.ts';

afterAll(closeAll);

interface More {
  owner?: string;
  timeoutMs?: number;
  signal?: AbortSignal;
}

const post = (url: string, more: More = {}) => ({
  url,
  owner: 'one',
  headers: {},
  body: '{}',
  timeoutMs: 30_000,
  ...more,
});

type Egress = ReturnType<typeof startEgress>;

/** Asks again after a wait for a connection that was too long, as callers do: a busy machine is slow. */
async function postInTurn(egress: Egress, request: ReturnType<typeof post>) {
  for (;;) {
    const result = await egress.post(request);
    if (result.kind !== 'failed' || result.code !== 'aborted') return result;
  }
}

test('connections to one origin are reused', async () => {
  const receiver = await startReceiver((response) => response.end());
  const egress = startEgress();
  for (let n = 0; n < 50; n += 1) {
    expect(await egress.post(post(receiver.url))).toMatchObject({ remoteIp: '127.0.0.1' });
  }
  expect(receiver.received).toHaveLength(50);
  expect(receiver.connections()).toBeLessThanOrEqual(2);
});

test.each([{ maxConnections: 4 }, { maxPerOwner: 4 }])(
  'there are no more connections than the limit, and all requests get through: %j',
  async (limits) => {
    const receiver = await startReceiver((response) => response.end());
    const egress = startEgress(limits);
    const results = await Promise.all(
      Array.from({ length: 200 }, () => postInTurn(egress, post(receiver.url))),
    );
    expect(results.filter((result) => result.kind !== 'answered')).toEqual([]);
    expect(receiver.connections()).toBeLessThanOrEqual(4);
  },
);

test('requests that wait for an origin that refuses connections are refused, too', async () => {
  const egress = startEgress({ maxConnections: 4 });
  const url = `http://127.0.0.1:${await closedPort()}/`;
  const results = await Promise.all(
    Array.from({ length: 200 }, () => postInTurn(egress, post(url))),
  );
  const codes = results.map((result) => result.kind === 'failed' && result.code);
  expect(new Set(codes)).toEqual(new Set(['connection_refused']));
});

test('waiting requests call an origin again once it is back', async () => {
  const receiver = await startReceiver((response) => response.end());
  let asked = 0;
  const lookup = () => Promise.resolve([(asked += 1) <= 10 ? '127.0.0.2' : '127.0.0.1']);
  const egress = startEgress({ maxConnections: 4, lookup });
  const url = `http://hooks.example.com:${receiver.port}/`;
  const results = await Promise.all(
    Array.from({ length: 100 }, () => postInTurn(egress, post(url))),
  );
  const refused = results.filter((result) => result.kind === 'failed');
  expect(refused.map((result) => result.code)).toEqual(Array(10).fill('connection_refused'));
  expect(receiver.received).toHaveLength(90);
});

test('hanging requests of one owner do not hold up another owner at the same origin', async () => {
  const receiver = await startReceiver((response, { path }) => {
    if (path !== '/hang') response.end();
  });
  const egress = startEgress({ maxPerOwner: 2 });
  const hang = { owner: 'hanging', timeoutMs: 500 };
  const stuck = Array.from({ length: 20 }, () =>
    egress.post(post(`http://127.0.0.1:${receiver.port}/hang`, hang)),
  );
  const results = await Promise.all(
    Array.from({ length: 20 }, () => postInTurn(egress, post(receiver.url, { owner: 'healthy' }))),
  );
  expect(results.map((result) => result.kind)).toEqual(Array(20).fill('answered'));
  const codes = (await Promise.all(stuck)).map((result) => result.kind === 'failed' && result.code);
  // Two had a connection; the others waited for one, which is no failure of their receiver.
  expect(codes.filter((code) => code === 'timeout')).toHaveLength(2);
  expect(codes.filter((code) => code === 'aborted')).toHaveLength(18);
});

test('an idle connection of one owner is closed to make room for another', async () => {
  const receiver = await startReceiver((response) => response.end());
  const egress = startEgress({ maxConnections: 2 });
  for (let at = 0; at < 10; at += 1) {
    const owner = `owner ${at}`;
    expect(await egress.post(post(receiver.url, { owner }))).toMatchObject({ status: 200 });
    expect(egress.connections()).toBeLessThanOrEqual(2);
  }
  expect(receiver.connections()).toBe(10);
});

test('at the limit an owner has a share, until connections of others are unused', async () => {
  const held: http.ServerResponse[] = [];
  const receiver = await startReceiver((response) => held.push(response));
  const egress = startEgress({ maxConnections: 8, maxPerOwner: 6 });
  const asked = (owner: string, count: number) =>
    Array.from({ length: count }, () => egress.post(post(receiver.url, { owner })));
  const early = asked('early', 6);
  expect(egress.shareOf('late')).toBe(6);
  const late = asked('late', 2);
  expect([egress.shareOf('early'), egress.shareOf('late')]).toEqual([6, 2]);
  expect(egress.shareOf('new')).toBe(2);
  await untilTrue(() => held.length === 8);
  for (const response of held) response.end();
  await Promise.all([...early, ...late]);
  expect(egress.shareOf('new')).toBe(2);
  await untilTrue(() => egress.shareOf('new') === 6);
});

test('waiting owners get connections in turn, independent of the number of their requests', async () => {
  const receiver = await startReceiver((response) => response.end());
  const egress = startEgress({ maxConnections: 1 });
  const order: string[] = [];
  const call = async (owner: string) => {
    await egress.post(post(receiver.url, { owner }));
    order.push(owner);
  };
  await Promise.all([...Array.from({ length: 20 }, () => call('greedy')), call('modest')]);
  expect(order.indexOf('modest')).toBeLessThanOrEqual(2);
});

test('a request whose wait for a connection times out is aborted, and never sent', async () => {
  const open: http.ServerResponse[] = [];
  const receiver = await startReceiver((response, { path }) => {
    if (path === '/slow') open.push(response);
    else response.end();
  });
  const at = (path: string) => `http://127.0.0.1:${receiver.port}${path}`;
  const egress = startEgress({ maxConnections: 1 });
  const slow = egress.post(post(at('/slow')));
  const late = await egress.post(post(at('/late'), { timeoutMs: 100 }));
  expect(late).toMatchObject({
    kind: 'failed',
    code: 'aborted',
    detail: 'no connection was free within 50 ms',
  });
  for (const response of open) response.end();
  expect(await slow).toMatchObject({ status: 200 });
  expect(await egress.post(post(at('/next')))).toMatchObject({ status: 200 });
  expect(receiver.received.map((received) => received.path)).toEqual(['/slow', '/next']);
  expect(receiver.connections()).toBe(1);
});

test('a request has its full timeout after its wait for a connection', async () => {
  const receiver = await startReceiver((response, { path }) => {
    if (path !== '/hang') response.end();
  });
  const at = (path: string) => `http://127.0.0.1:${receiver.port}${path}`;
  const egress = startEgress({ maxConnections: 1 });
  const first = egress.post(post(at('/hang'), { timeoutMs: 300 }));
  const second = egress.post(post(at('/hang'), { timeoutMs: 1_000 }));
  expect(await first).toMatchObject({ code: 'timeout' });
  const late = await second;
  expect(late).toMatchObject({ code: 'timeout', detail: 'no answer within 1000 ms' });
  expect(late.durationMs).toBeGreaterThanOrEqual(990);
});

test('an idle connection that the target has cut is replaced without a failure', async () => {
  const receiver = await startRaw((socket, count) => {
    if (count === 2) socket.resetAndDestroy();
    else socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
  });
  const egress = startEgress({ maxConnections: 1 });
  expect(await egress.post(post(receiver.url))).toMatchObject({ status: 200 });
  expect(await egress.post(post(receiver.url))).toMatchObject({ status: 200 });
  expect([receiver.requests(), receiver.connections()]).toEqual([3, 2]);
});

test('a connection is not reused once the target has announced its close', async () => {
  const receiver = await startReceiver((response) =>
    response.setHeader('connection', 'close').end(),
  );
  const egress = startEgress({ maxConnections: 1 });
  for (let n = 0; n < 3; n += 1) {
    expect(await egress.post(post(receiver.url))).toMatchObject({ status: 200 });
  }
  expect(receiver.connections()).toBe(3);
});

test('a signal ends requests in flight and waiting ones, and is released afterwards', async () => {
  const hanging = await startRaw(() => undefined);
  const receiver = await startReceiver((response) => response.end());
  const egress = startEgress({ maxConnections: 2 });
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

test('metrics show the connections in use, and the limit that requests wait for', async () => {
  const receiver = await startReceiver(() => undefined);
  const egress = startEgress({ maxConnections: 3, maxPerOwner: 2 });
  const figures = async () => {
    setEgressMetrics();
    const lines = (await registry.metrics()).matchAll(/^onward_egress_(\S+) (\d+)$/gm);
    return new Map([...lines].map(([, name = '', value]) => [name, Number(value)]));
  };
  // Other egresses of this process are counted too.
  const before = await figures();
  const shown = async () =>
    Object.fromEntries(
      [...(await figures())].map(([name, value]) => [name, value - (before.get(name) ?? 0)]),
    );
  const forget = observeEgress(egress);
  const stop = new AbortController();
  const hang = (owner: string, timeoutMs: number) =>
    egress.post(post(receiver.url, { owner, timeoutMs, signal: stop.signal }));
  const served = [hang('one', 60_000), hang('one', 60_000), hang('two', 60_000)];
  const late = [hang('one', 2_000), hang('two', 2_000)];
  expect(await shown()).toMatchObject({
    'connections{state="in_use"}': 3,
    'connections{state="idle"}': 0,
    connections_limit: 3,
    'waiting_requests{limit="process"}': 1,
    'waiting_requests{limit="owner"}': 1,
  });
  expect(await Promise.all(late)).toMatchObject([{ code: 'aborted' }, { code: 'aborted' }]);
  expect(await shown()).toMatchObject({
    'waiting_requests{limit="process"}': 0,
    abandoned_waits_total: 2,
  });
  stop.abort();
  await Promise.all(served);
  forget();
  expect(await shown()).toMatchObject({ connections_limit: 0 });
});
