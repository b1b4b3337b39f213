import { randomUUID } from 'node:crypto';
import { Agent, request as send } from 'node:http';
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { useTestApi } from '../support/use-test-api.ts';
import type { TestTeam } from '../support/api.ts';
import { noteCode } from '../reach/record.ts';
import { expectHouseForm, verdictOf } from './answers.ts';
import { sendRaw } from './raw-http.ts';

const api = useTestApi();
let team: TestTeam;

beforeAll(async () => {
  team = await api.newTeam();
});
afterEach(async () => {
  const reply = await team.get('/v2/meta/capabilities');
  expect(reply.status).toBe(200);
});

const crlf = '\r\n';
const path = '/v2/partner/contacts';
const bodyText = () => JSON.stringify({ unique_id: randomUUID() });

/** A request from its lines; `{token}` stands for the team's token, `{length}` for the body's. */
function request(lines: readonly string[], body = ''): string {
  const head = lines
    .map((line) => line.replace('{token}', team.token).replace('{length}', String(body.length)))
    .join(crlf);
  return `${head}${crlf}${crlf}${body}`;
}

const common = [
  'Host: onward.test',
  'Authorization: Bearer {token}',
  'Content-Type: application/json',
];
const post = (...lines: string[]) => [`POST ${path} HTTP/1.1`, ...common, ...lines];
const get = (...lines: string[]) => [
  `GET ${path} HTTP/1.1`,
  'Authorization: Bearer {token}',
  ...lines,
];

describe('a request that the service and a proxy could parse differently is refused', () => {
  const requests: Record<string, () => string> = {
    'Content-Length with Transfer-Encoding': () =>
      request(post('Content-Length: 4', 'Transfer-Encoding: chunked'), `0${crlf}${crlf}`),
    'two lengths': () => request(post('Content-Length: 2', 'Content-Length: 3'), '{}'),
    'the same length twice': () => request(post('Content-Length: 2', 'Content-Length: 2'), '{}'),
    'a length with a sign': () => request(post('Content-Length: +2'), '{}'),
    'a length in hex': () => request(post('Content-Length: 0x2'), '{}'),
    'a list of lengths': () => request(post('Content-Length: 2, 2'), '{}'),
    'a negative length': () => request(post('Content-Length: -1'), '{}'),
    'a folded header': () => request(post('X-Folded: a', ' b', 'Content-Length: 2'), '{}'),
    'a space before the colon': () => request(post('Content-Length : 2'), '{}'),
    'a bare line feed': () => request(post('X-One: 1\nX-Two: 2', 'Content-Length: 2'), '{}'),
    'a bare carriage return': () => request(post('X-One: 1\rX-Two: 2', 'Content-Length: 2'), '{}'),
    'a NUL in a header': () => request(post('X-One: a\0b', 'Content-Length: 2'), '{}'),
    'a header without a name': () => request(post(': x', 'Content-Length: 2'), '{}'),
    'an encoding after chunked': () =>
      request(post('Transfer-Encoding: chunked, identity'), `0${crlf}${crlf}`),
    'an encoding before chunked': () =>
      request(post('Transfer-Encoding: identity, chunked'), `0${crlf}${crlf}`),
    'an unknown encoding': () => request(post('Transfer-Encoding: xchunked'), `0${crlf}${crlf}`),
    'chunked twice': () =>
      request(post('Transfer-Encoding: chunked', 'Transfer-Encoding: chunked'), `0${crlf}${crlf}`),
    'a chunk size that is none': () =>
      request(post('Transfer-Encoding: chunked'), `zz${crlf}{}${crlf}`),
    'a chunk size that overflows': () =>
      request(post('Transfer-Encoding: chunked'), `fffffffffffffffff${crlf}{}${crlf}`),
    'no Host': () => request(get()),
    'two Hosts': () => request(get('Host: onward.test', 'Host: elsewhere.test')),
    'two Authorizations': () => request(get('Host: onward.test', 'Authorization: Bearer x')),
    'two Idempotency-Keys': () =>
      request(
        post('Idempotency-Key: a', 'Idempotency-Key: b', 'Content-Length: {length}'),
        bodyText(),
      ),
    'two Content-Types': () =>
      request(post('Content-Type: application/json', 'Content-Length: {length}'), bodyText()),
    'an absolute target of another scheme': () =>
      request([`GET ftp://onward.test${path} HTTP/1.1`, 'Host: onward.test']),
    'an absolute target with a user': () =>
      request([`GET http://a@onward.test${path} HTTP/1.1`, 'Host: onward.test']),
    'an absolute target without a host': () =>
      request([`GET http://${path} HTTP/1.1`, 'Host: onward.test']),
    'an absolute target without Host': () => request([`GET http://onward.test${path} HTTP/1.1`]),
    'an absolute target whose host is no name': () =>
      request([`GET http://onward.test:x${path} HTTP/1.1`, 'Host: onward.test']),
    'an asterisk for a target': () => request(['OPTIONS * HTTP/1.1', 'Host: onward.test']),
    'an authority for a target': () =>
      request(['CONNECT elsewhere.test:443 HTTP/1.1', 'Host: elsewhere.test']),
    'an unknown method': () => request(['SPLICE / HTTP/1.1', 'Host: onward.test']),
    'a method in lower case': () => request([`get ${path} HTTP/1.1`, 'Host: onward.test']),
    'another protocol': () => request([`GET ${path} HTTP/2.0`, 'Host: onward.test']),
    'no protocol': () => request([`GET ${path}`, 'Host: onward.test']),
    'TLS on a plain port': () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
    'a space in the target': () => request([`GET ${path}?a=b c HTTP/1.1`, 'Host: onward.test']),
    'too long a target': () => request([`GET ${path}?a=${'b'.repeat(20_000)} HTTP/1.1`, 'Host: x']),
    'too large a header': () => request(get('Host: x', `X-Large: ${'b'.repeat(20_000)}`)),
    'too many headers': () =>
      request(get('Host: x', ...Array.from({ length: 3_000 }, (_, at) => `X-${String(at)}: 1`))),
  };
  test.each(Object.entries(requests))('%s', async (name, make) => {
    const reply = await sendRaw(api.url, Buffer.from(make(), 'latin1'));
    const { code } = reply.body.errors[0];
    expect([reply.status, code]).toEqual(
      /^too (long|large|many)/.test(name)
        ? [431, 'request_head_too_large']
        : [400, 'invalid_request'],
    );
    noteCode(code);
    expect(reply.body.errors[0].meta.request_id).toBe(reply.headers.get('x-request-id'));
    expect(reply.headers.get('cache-control')).toBe('no-store');
  });

  test('a refused request leaves no bytes that could be parsed as a second one', async () => {
    const smuggled = request(['DELETE /v2/partner/contacts/x HTTP/1.1', ...common]);
    const outer = request(post('Content-Length: 4', 'Transfer-Encoding: chunked'));
    const reply = await sendRaw(api.url, `${outer}0${crlf}${crlf}${smuggled}`);
    expect(reply.status).toBe(400);
    expect(reply.headers.get('connection')).toBe('close');
  });
});

describe('an unusual but unambiguous request is served', () => {
  test('an absolute target, whose host replaces that of the header', async () => {
    const ask = (target: string, host = 'onward.test') =>
      sendRaw(api.url, request([`GET ${target} HTTP/1.1`, `Host: ${host}`]));
    for (const target of ['http://onward.test', 'HTTPS://onward.test:443', 'http://127.0.0.1']) {
      expect([target, (await ask(`${target}/v2/meta/time`)).status]).toEqual([target, 200]);
    }
    expect((await ask('http://onward.test/v2/meta/time', 'elsewhere.test')).status).toBe(200);
    expect((await ask('http://elsewhere.test/v2/meta/time')).status).toBe(421);
    expect((await ask('http://onward.test')).status).toBe((await ask('/')).status);
  });

  test('HTTP/1.0, pipelined requests, a body on GET and an unknown expectation', async () => {
    const host = 'Host: onward.test';
    const old = await sendRaw(api.url, request(['GET /v2/meta/time HTTP/1.0', host]));
    expect(old.status).toBe(200);
    const one = request(['GET /v2/meta/time HTTP/1.1', host]);
    expect((await sendRaw(api.url, one + one + one)).status).toBe(200);
    const withBody = request(get(host, 'Content-Length: 2'), '{}');
    expect((await sendRaw(api.url, withBody)).status).toBe(200);
    const expecting = request(get(host, 'Expect: a-miracle'));
    expect((await sendRaw(api.url, expecting)).status).toBe(200);
  });

  test('a client that waits for 100 Continue, and one that requests an upgrade', async () => {
    const body = bodyText();
    const waiting = request(post('Expect: 100-continue', 'Content-Length: {length}'), body);
    expect((await sendRaw(api.url, waiting)).status).toBe(201);
    const upgrade = request(get('Host: onward.test', 'Connection: Upgrade', 'Upgrade: websocket'));
    expect((await sendRaw(api.url, upgrade)).status).toBe(200);
  });
});

describe('a body that is too large is refused with 413, whether complete or endless', () => {
  const megabyte = Buffer.alloc(1_048_576, 0x20);
  const expectTooLarge = (reply: Parameters<typeof expectHouseForm>[0]) => {
    expectHouseForm(reply);
    expect(verdictOf(reply)).toBe('413 payload_too_large');
  };

  test('ten megabytes with a content length', async () => {
    for (let round = 0; round < 5; round += 1) {
      const head = request(post(`Content-Length: ${String(10 * megabyte.length)}`));
      const reply = await sendRaw(api.url, async (socket, signal) => {
        socket.write(head);
        for (let sent = 0; sent < 10 && !signal.aborted; sent += 1) await write(socket, megabyte);
      });
      expectTooLarge(reply);
    }
  });

  test('the answer reaches a client that is still sending, and its next request is served', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const post = (bytes: number) =>
      new Promise<number | undefined>((resolve, reject) => {
        const headers = {
          Authorization: `Bearer ${team.token}`,
          'Content-Type': 'application/json',
        };
        const sent = send(`${api.url}${path}`, { method: 'POST', agent, headers }, (answer) => {
          answer.resume().once('end', () => {
            resolve(answer.statusCode);
          });
        });
        sent.once('error', reject);
        // A large body is not written in one piece, so that the answer comes in between.
        sent.end(bytes === 0 ? bodyText() : Buffer.alloc(bytes, 0x20));
      });
    expect(await post(20 * megabyte.length)).toBe(413);
    expect(await post(0)).toBe(201);
    agent.destroy();
  });

  test('ten megabytes that are announced but not sent', async () => {
    const head = request(post('Content-Length: 10000000'));
    expectTooLarge(await sendRaw(api.url, head));
  });

  test('endless chunks', async () => {
    for (let round = 0; round < 5; round += 1) {
      const head = request(post('Transfer-Encoding: chunked'));
      const reply = await sendRaw(api.url, async (socket, signal) => {
        socket.write(head);
        for (let sent = 0; sent < 30 && !signal.aborted; sent += 1) {
          await write(
            socket,
            Buffer.concat([Buffer.from(`100000${crlf}`), megabyte, Buffer.from(crlf)]),
          );
        }
      });
      expectTooLarge(reply);
    }
  });

  test('a compressed body is refused unread', async () => {
    const lines = post('Content-Encoding: gzip', 'Content-Length: 1000000000');
    const reply = await sendRaw(api.url, request(lines));
    expectHouseForm(reply);
    expect(verdictOf(reply)).toBe('415 unsupported_media_type');
  });

  /** Resolves when the socket accepts more, or is closed. */
  function write(
    socket: Parameters<Extract<Parameters<typeof sendRaw>[1], (...args: never) => unknown>>[0],
    bytes: Buffer,
  ): Promise<void> {
    return new Promise((resolve) => {
      if (!socket.writable) resolve();
      else socket.write(bytes, () => resolve());
    });
  }
});

test('a truncated body receives no answer, and nothing is written', async () => {
  const uniqueId = randomUUID();
  const text = JSON.stringify({ unique_id: uniqueId });
  const lines = post(`Content-Length: ${String(text.length + 10)}`);
  await sendRaw(api.url, async (socket) => {
    socket.end(request(lines) + text);
    await Promise.resolve();
  });
  const found = await team.get(`${path}?filter[unique_id]=${uniqueId}`);
  expect(found.body.data).toEqual([]);
});
