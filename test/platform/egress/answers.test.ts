import { once } from 'node:events';
import type net from 'node:net';
import { afterAll, expect, test } from '@jest/globals';
import { closedPort, closeAll, startEgress, startRaw, startReceiver } from './receiver.ts';

afterAll(closeAll);

const post = (url: string, more: { timeoutMs?: number; signal?: AbortSignal } = {}) => ({
  url,
  owner: 'one',
  headers: { 'content-type': 'application/json', 'webhook-id': 'evt_1' },
  body: '{"hello":"wörld"}',
  timeoutMs: 5_000,
  ...more,
});

test('a request arrives byte for byte and its answer comes back', async () => {
  const receiver = await startReceiver((response) => {
    response.writeHead(200, { 'X-Custom': 'Yes', 'set-cookie': ['a=1', 'b=2'] });
    response.end('{"ok":true}');
  });
  const result = await startEgress().post(post(`${receiver.url}?a=b#c`));
  expect(result).toEqual({
    kind: 'answered',
    status: 200,
    headers: expect.objectContaining({ 'x-custom': 'Yes', 'set-cookie': 'a=1, b=2' }),
    bodyExcerpt: '{"ok":true}',
    truncated: false,
    durationMs: expect.any(Number),
    remoteIp: '127.0.0.1',
  });
  expect(receiver.received).toEqual([
    {
      method: 'POST',
      path: '/hook?a=b',
      headers: expect.objectContaining({
        host: `127.0.0.1:${receiver.port}`,
        'accept-encoding': 'identity',
        'content-length': '18',
        'webhook-id': 'evt_1',
      }),
      body: Buffer.from('{"hello":"wörld"}').toString('latin1'),
    },
  ]);
});

test('bytes are sent unchanged, and an empty body is allowed', async () => {
  const receiver = await startReceiver((response) => response.end());
  const egress = startEgress();
  await egress.post({ ...post(receiver.url), body: Uint8Array.of(0, 255, 128) });
  await egress.post({ ...post(receiver.url), body: '' });
  await egress.get({ url: receiver.url, owner: 'one', headers: {}, timeoutMs: 5_000 });
  expect(receiver.received.map(({ method, body }) => [method, body])).toEqual([
    ['POST', '\0ÿ\x80'],
    ['POST', ''],
    ['GET', ''],
  ]);
});

test('headers that belong to the connection cannot be set', async () => {
  const receiver = await startReceiver((response) => response.end());
  const headers = {
    Host: 'metadata.internal',
    'Content-Length': '3',
    'transfer-encoding': 'chunked',
    connection: 'close',
    'Accept-Encoding': 'gzip',
    expect: '100-continue',
    'x-mine': '1',
  };
  await startEgress().post({ ...post(receiver.url), headers });
  expect(receiver.received[0]?.headers).toEqual({
    host: `127.0.0.1:${receiver.port}`,
    connection: 'keep-alive',
    'accept-encoding': 'identity',
    'content-length': '18',
    'x-mine': '1',
  });
});

test('a header that splits the request is an error of the caller, and opens no connection', async () => {
  const receiver = await startReceiver((response) => response.end());
  const egress = startEgress({ maxConnections: 1 });
  const headers = { 'x-a': 'b\r\nx-injected: 1' };
  await expect(egress.post({ ...post(receiver.url), headers })).rejects.toThrow('x-a');
  expect(await egress.post(post(receiver.url))).toMatchObject({ kind: 'answered', status: 200 });
  expect(receiver.received).toHaveLength(1);
});

test.each([204, 205, 400, 410, 429, 500, 503])('status %d is an answer', async (status) => {
  const receiver = await startReceiver((response) =>
    response.writeHead(status, { 'retry-after': '7' }).end(),
  );
  const result = await startEgress().post(post(receiver.url));
  expect(result).toMatchObject({ status, headers: { 'retry-after': '7' }, bodyExcerpt: '' });
});

test.each([301, 302, 303, 307, 308])(
  'redirect %d is an answer and is not followed',
  async (status) => {
    const honeypot = await startReceiver((response) => response.end());
    const receiver = await startReceiver((response) =>
      response
        .writeHead(status, { location: honeypot.url, 'alt-svc': `h2="127.0.0.1:${honeypot.port}"` })
        .end('elsewhere'),
    );
    const egress = startEgress();
    expect(await egress.post(post(receiver.url))).toMatchObject({ kind: 'answered', status });
    expect(await egress.post(post(receiver.url))).toMatchObject({ kind: 'answered', status });
    expect(honeypot.connections()).toBe(0);
    expect(receiver.received).toHaveLength(2);
  },
);

test('interim answers are passed over', async () => {
  const receiver = await startRaw((socket) =>
    socket.write(
      'HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n' +
        'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok',
    ),
  );
  const result = await startEgress().post(post(receiver.url));
  expect(result).toMatchObject({
    status: 200,
    bodyExcerpt: 'ok',
    headers: { 'content-length': '2' },
  });
});

const continued = 'HTTP/1.1 100 Continue\r\n\r\n';
const ok = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';

test.each<[string, string[]]>([
  ['one, with the answer', [continued + ok]],
  ['two, with fields, before the answer', [continued, 'HTTP/1.0 100 Go on\r\nx: 1\r\n\r\n', ok]],
  [
    'one and other interim answers',
    [`${continued}HTTP/1.1 103 Early Hints\r\n\r\n${continued}`, ok],
  ],
  ['one, byte by byte', `${continued}${ok}`.split('')],
  ['none, byte by byte', ok.split('')],
])('a 100 Continue that nobody asked for is passed over: %s', async (_, parts) => {
  const receiver = await startRaw((socket) => {
    socket.setNoDelay(true);
    let at = 0;
    const next = () => {
      socket.write(parts[at] ?? '', () => {
        at += 1;
        if (at < parts.length) setImmediate(next);
      });
    };
    next();
  });
  const egress = startEgress();
  for (let call = 0; call < 3; call += 1) {
    const result = await egress.post(post(receiver.url));
    expect(result).toMatchObject({ status: 200, bodyExcerpt: 'ok' });
  }
});

test('a body that looks like a 100 Continue is not changed', async () => {
  const receiver = await startReceiver((response) => response.end(continued + continued));
  const egress = startEgress();
  await egress.post(post(receiver.url));
  const result = await egress.post(post(receiver.url));
  expect(result).toMatchObject({ bodyExcerpt: continued + continued });
});

test('a body of any bytes becomes text that can be stored', async () => {
  const bytes = Buffer.from([0x61, 0, 0xff, 0xc3, 0x28, 0xe2, 0x82, 0xac, 0]);
  const receiver = await startReceiver((response) => response.end(bytes));
  const result = await startEgress().post(post(receiver.url));
  expect(result).toMatchObject({ bodyExcerpt: 'a\ufffd\ufffd(€', truncated: false });
});

test('an excerpt of 16 KB is stored of a long body, and its connections are reused', async () => {
  const receiver = await startReceiver((response) => response.end('€'.repeat(20_000)));
  const egress = startEgress();
  const result = await egress.post(post(receiver.url));
  if (result.kind !== 'answered') throw new Error(result.detail);
  expect(result.truncated).toBe(true);
  expect(result.bodyExcerpt).toMatch(/^€{5000,}/);
  expect(Buffer.byteLength(result.bodyExcerpt)).toBeLessThanOrEqual(16_384);
  for (let n = 0; n < 5; n += 1) await egress.post(post(receiver.url));
  expect(receiver.connections()).toBeLessThanOrEqual(2);
});

test('repaired bytes do not make the excerpt longer than 16 KB', async () => {
  const receiver = await startReceiver((response) => response.end(Buffer.alloc(16_384, 0xff)));
  const result = await startEgress().post(post(receiver.url));
  if (result.kind !== 'answered') throw new Error(result.detail);
  expect(Buffer.byteLength(result.bodyExcerpt)).toBeLessThanOrEqual(16_384);
});

test('an endless body is a success of its status, and its connection is closed', async () => {
  let closed: Promise<unknown> | undefined;
  const chunk = Buffer.alloc(65_536, 120);
  const receiver = await startReceiver((response) => {
    closed = once(response, 'close');
    const pour = () => {
      while (!response.destroyed && response.write(chunk));
    };
    response.on('drain', pour);
    pour();
  });
  const result = await startEgress().post(post(receiver.url));
  expect(result).toMatchObject({ kind: 'answered', status: 200, truncated: true });
  await closed;
});

test('too many header bytes are refused', async () => {
  const receiver = await startRaw((socket) =>
    socket.write(`HTTP/1.1 200 OK\r\nx-long: ${'a'.repeat(200_000)}\r\n\r\n`),
  );
  const result = await startEgress().post(post(receiver.url));
  expect(result).toMatchObject({ kind: 'failed', code: 'response_too_large' });
});

test('many headers and long values are cut', async () => {
  const receiver = await startReceiver((response) => {
    for (let n = 0; n < 100; n += 1) response.setHeader(`x-${n}`, 'a');
    response.setHeader('a-long', 'a'.repeat(4_000)).setHeader('__proto__', 'x').end();
  });
  const result = await startEgress().post(post(receiver.url));
  if (result.kind !== 'answered') throw new Error(result.detail);
  expect(Object.keys(result.headers).length).toBeLessThanOrEqual(64);
  for (const value of Object.values(result.headers)) expect(value.length).toBeLessThanOrEqual(1024);
});

test.each<[name: string, onRequest: (socket: net.Socket) => void]>([
  ['is silent', () => undefined],
  ['drips headers', (socket) => drip(socket, 'HTTP/1.1 200 OK\r\n', 'x-a: b\r\n')],
  ['drips interim answers', (socket) => drip(socket, '', 'HTTP/1.1 102 Processing\r\n\r\n')],
  ['drips 100 Continue', (socket) => drip(socket, '', 'HTTP/1.1 100 Continue\r\n\r\n')],
  ['drips the head of a 100 Continue', (socket) => drip(socket, 'HTTP/1.1 100 Continue\r\n', 'a')],
  [
    'drips a body',
    (socket) => drip(socket, 'HTTP/1.1 200 OK\r\ncontent-length: 9999\r\n\r\n', 'a'),
  ],
  ['stops in a body', (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\na')],
])('a target that %s is cut off at the deadline', async (_name, onRequest) => {
  let closed: Promise<unknown> | undefined;
  const receiver = await startRaw((socket, count) => {
    if (count > 1) return;
    closed = new Promise((resolve) => socket.once('close', resolve));
    onRequest(socket);
  });
  const result = await startEgress().post(post(receiver.url, { timeoutMs: 300 }));
  expect(result).toMatchObject({ kind: 'failed', code: 'timeout', remoteIp: '127.0.0.1' });
  expect(result.durationMs).toBeGreaterThanOrEqual(290);
  expect(receiver.requests()).toBe(1);
  await closed;
});

function drip(socket: net.Socket, start: string, piece: string): void {
  socket.write(start);
  const timer = setInterval(() => socket.write(piece), 10);
  socket.on('close', () => clearInterval(timer));
}

test.each<[name: string, onRequest: (socket: net.Socket) => void]>([
  ['resets', (socket) => socket.resetAndDestroy()],
  ['closes', (socket) => socket.end()],
  ['closes within the headers', (socket) => socket.end('HTTP/1.1 200 OK\r\nx-a')],
  [
    'closes within the body',
    (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\na'),
  ],
  [
    'resets within the body',
    (socket) =>
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\na', () => socket.resetAndDestroy()),
  ],
  [
    'closes within a body in chunks',
    (socket) => socket.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nab'),
  ],
  [
    'ends its lines with LF alone',
    (socket) => socket.end('HTTP/1.1 200 OK\ncontent-length: 2\n\nok'),
  ],
  ['does not speak HTTP', (socket) => socket.end('SSH-2.0-OpenSSH_9.9\r\n')],
  [
    'switches protocols',
    (socket) =>
      socket.write(
        'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n',
      ),
  ],
  [
    'lies about the length',
    (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\nabc'),
  ],
])('a target that %s has failed, after one request', async (_name, onRequest) => {
  const receiver = await startRaw((socket) => onRequest(socket));
  const result = await startEgress().post(post(receiver.url));
  expect(result).toMatchObject({ kind: 'failed', code: 'connection_reset' });
  expect(receiver.requests()).toBe(1);
});

test.each([
  ['with a body after 204', 'HTTP/1.1 204 No Content\r\ncontent-length: 2\r\n\r\nok', 204],
  ['with a length after 204', 'HTTP/1.1 204 No Content\r\ncontent-length: 2\r\n\r\n', 204],
  ['with a length after 304', 'HTTP/1.1 304 Not Modified\r\ncontent-length: 2\r\n\r\n', 304],
  ['with a body without a length after 204', 'HTTP/1.1 204 No Content\r\n\r\nok', 204],
  [
    'with chunks after 204',
    'HTTP/1.1 204 No Content\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n',
    204,
  ],
  ['that is longer than its length', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\nok', 200],
  ['without a reason', 'HTTP/1.1 200\r\ncontent-length: 2\r\n\r\nok', 200],
  [
    'that says gzip and is none',
    'HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 2\r\n\r\nok',
    200,
  ],
  [
    'with two hundred headers',
    `HTTP/1.1 200 OK\r\n${'x-a: b\r\n'.repeat(200)}content-length: 2\r\n\r\nok`,
    200,
  ],
])('an answer %s is one, and disturbs none of the next requests', async (_, answer, status) => {
  const receiver = await startRaw((socket) => socket.write(answer));
  const egress = startEgress();
  for (let call = 0; call < 10; call += 1) {
    const result = await egress.post(post(receiver.url));
    expect(result).toMatchObject({ kind: 'answered', status });
  }
  expect(receiver.requests()).toBe(10);
});

test('an answer by HTTP/1.0 ends with its connection', async () => {
  const receiver = await startRaw((socket) => socket.end('HTTP/1.0 200 OK\r\n\r\nok'));
  const egress = startEgress();
  for (let call = 0; call < 3; call += 1) {
    const result = await egress.post(post(receiver.url));
    expect(result).toMatchObject({ kind: 'answered', status: 200, bodyExcerpt: 'ok' });
  }
});

test.each([200, 413])('an answer %d is seen although a reset follows it', async (status) => {
  const receiver = await startRaw((socket) =>
    socket.write(`HTTP/1.1 ${String(status)} Early\r\ncontent-length: 0\r\n\r\n`, () =>
      socket.resetAndDestroy(),
    ),
  );
  const body = 'x'.repeat(8_192);
  const egress = startEgress();
  for (let call = 0; call < 10; call += 1) {
    expect(await egress.post({ ...post(receiver.url), body })).toMatchObject({ status });
  }
});

test('a header that is cut within a character can be stored', async () => {
  const value = Buffer.from(`${'x'.repeat(1_023)}😀`).toString('latin1');
  const receiver = await startRaw((socket) =>
    socket.write(
      Buffer.from(`HTTP/1.1 200 OK\r\nx-long: ${value}\r\ncontent-length: 0\r\n\r\n`, 'latin1'),
    ),
  );
  const result = await startEgress().post(post(receiver.url));
  if (result.kind !== 'answered') throw new Error(result.detail);
  const { 'x-long': stored = '' } = result.headers;
  expect(stored).toMatch(/^x{1000,1023}/);
  expect([stored.length <= 1_024, stored.isWellFormed()]).toEqual([true, true]);
});

test('a port without a listener is a refused connection', async () => {
  const url = `http://127.0.0.1:${await closedPort()}/`;
  const result = await startEgress().post(post(url));
  expect(result).toMatchObject({ code: 'connection_refused', remoteIp: '127.0.0.1' });
});
