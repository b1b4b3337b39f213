import { once } from 'node:events';
import net from 'node:net';
import type tls from 'node:tls';
import { afterAll, describe, expect, test } from '@jest/globals';
import { selfSigned } from './certificate.ts';
import {
  closeAll,
  closedPort,
  countConnects,
  startEgress,
  startProxy,
  startRaw,
  startReceiver,
} from './receiver.ts';
import { developmentRules, productionRules } from './rules.ts';

afterAll(closeAll);

const post = (url: string, timeoutMs = 5_000) => ({
  ...{ url, owner: 'one', headers: {}, body: '{}', timeoutMs },
});
const rules = { ...productionRules, allowHttp: true };

describe('a name', () => {
  test.each([
    ['a private address', ['10.0.0.1']],
    ['the metadata service', ['169.254.169.254']],
    ['a private IPv6 address only', ['fd00::1']],
    ['a mapped address', ['::ffff:8.8.8.8']],
    ['public and private addresses', ['8.8.8.8', '192.168.0.1']],
    ['private and public addresses', ['127.0.0.1', '8.8.8.8']],
    [
      'a thousand addresses, the last of them private',
      [...Array<string>(999).fill('8.8.8.8'), '10.0.0.1'],
    ],
    ['no address at all but text', ['metadata']],
  ])('that resolves to %s is denied without a connection or a hint', async (_name, answers) => {
    const egress = startEgress({ rules, lookup: () => Promise.resolve(answers) });
    const connects = await countConnects(async () => {
      const result = await egress.post(post('https://hooks.example.com/a'));
      expect(result).toEqual({
        kind: 'failed',
        code: 'target_not_allowed',
        detail: 'the host name leads to where we do not call',
        durationMs: expect.any(Number),
      });
    });
    expect(connects).toBe(0);
  });

  test('of a refused URL is neither resolved nor called', async () => {
    const asked: string[] = [];
    const lookup = (name: string) => Promise.resolve([`8.8.8.${asked.push(name)}`]);
    const egress = startEgress({ rules, lookup });
    const connects = await countConnects(async () => {
      for (const url of [
        'https://2130706433/',
        'http://[::1]:8080/',
        'https://db.internal/',
        'no',
      ]) {
        expect(await egress.post(post(url))).toMatchObject({ code: 'target_not_allowed' });
      }
    });
    expect([connects, asked]).toEqual([0, []]);
  });

  test('is checked at every new connection, after any number of changes', async () => {
    const honeypot = await startReceiver((response) => response.end());
    let asked = 0;
    const lookup = () => Promise.resolve([(asked += 1) % 2 === 0 ? '127.0.0.1' : '127.0.0.2']);
    const egress = startEgress({
      rules: { ...rules, allowedNetworks: ['127.0.0.2/32'] },
      lookup,
    });
    const codes = new Map<string, number>();
    for (let n = 0; n < 100; n += 1) {
      const result = await egress.post(post(`http://rebind.example.com:${honeypot.port}/`));
      const code = result.kind === 'failed' ? result.code : 'answered';
      codes.set(code, (codes.get(code) ?? 0) + 1);
    }
    // 127.0.0.2 may be called but has no listener.
    expect(Object.fromEntries(codes)).toEqual({ connection_refused: 50, target_not_allowed: 50 });
    expect(asked).toBe(100);
    expect(honeypot.connections()).toBe(0);
  });

  test('is called at its verified address and remains the Host', async () => {
    const receiver = await startReceiver((response) => response.end());
    let asked = 0;
    const lookup = () => Promise.resolve((asked += 1) > 0 ? ['127.0.0.1'] : []);
    const egress = startEgress({ lookup });
    const url = `http://hooks.example.com:${receiver.port}/`;
    expect(await egress.post(post(url))).toMatchObject({ status: 200, remoteIp: '127.0.0.1' });
    expect(receiver.received[0]?.headers.host).toBe(`hooks.example.com:${receiver.port}`);
    expect(asked).toBe(1);
  });

  test('with several addresses is called at the next one if the first is dead', async () => {
    const receiver = await startReceiver((response) => response.end());
    const egress = startEgress({ lookup: () => Promise.resolve(['127.0.0.9', '127.0.0.1']) });
    const result = await egress.post(post(`http://hooks.example.com:${receiver.port}/`));
    expect(result).toMatchObject({ status: 200, remoteIp: '127.0.0.1' });
  });

  test.each([
    ['does not exist', () => Promise.reject(Object.assign(new Error('x'), { code: 'ENOTFOUND' }))],
    ['has no address', () => Promise.resolve([])],
    ['does not resolve in time', () => new Promise<never>(() => undefined)],
  ])('that %s is a DNS error', async (_name, lookup) => {
    const egress = startEgress({ lookup, connectTimeoutMs: 100 });
    const result = await egress.post(post('https://hooks.example.com/'));
    expect(result).toMatchObject({ kind: 'failed', code: 'dns_error' });
  });

  test('takes its resolution time from the deadline', async () => {
    const egress = startEgress({ lookup: () => new Promise<never>(() => undefined) });
    const result = await egress.post(post('https://hooks.example.com/', 100));
    expect(result).toMatchObject({ kind: 'failed', code: 'timeout' });
  });

  test('that resolves after the deadline is not called', async () => {
    let answer: (ips: string[]) => void = () => undefined;
    const lookup = () => new Promise<string[]>((resolve) => (answer = resolve));
    const egress = startEgress({ lookup, connectTimeoutMs: 50 });
    const connects = await countConnects(async () => {
      await egress.post(post('http://hooks.example.com:8080/'));
      answer(['127.0.0.1']);
      await egress.post(post('http://other.example.com:8080/'));
    });
    expect(connects).toBe(0);
  });
});

describe('TLS', () => {
  const name = 'hooks.example.com';
  const lookup = () => Promise.resolve(['127.0.0.1']);

  test('a trusted certificate for the name is accepted, and SNI carries the name', async () => {
    const certificate = selfSigned(name);
    const receiver = await startReceiver((response) => response.end('ok'), certificate);
    const handshake = once(receiver.server, 'secureConnection');
    const egress = startEgress({ rules: developmentRules, lookup, ca: certificate.cert });
    const result = await egress.post(post(`https://${name}:${receiver.port}/`));
    expect(result).toMatchObject({ status: 200, bodyExcerpt: 'ok', remoteIp: '127.0.0.1' });
    const [socket]: tls.TLSSocket[] = await handshake;
    expect(socket?.servername).toBe(name);
    expect(receiver.received[0]?.headers.host).toBe(`${name}:${receiver.port}`);
  });

  test.each([
    ['is self-signed', selfSigned(name), undefined],
    ['has expired', selfSigned(name, new Date('2021-01-01')), 'trusted'],
    ['is for another name', selfSigned('other.example.com'), 'trusted'],
  ])(
    'a certificate that %s is a TLS error and nothing is sent',
    async (_name, certificate, trust) => {
      const receiver = await startReceiver((response) => response.end(), certificate);
      const egress = startEgress({ lookup, ...(trust ? { ca: certificate.cert } : {}) });
      const result = await egress.post(post(`https://${name}:${receiver.port}/`));
      expect(result).toMatchObject({ kind: 'failed', code: 'tls_error' });
      expect(receiver.received).toEqual([]);
    },
  );

  test('a port that does not speak TLS is a TLS error', async () => {
    const receiver = await startReceiver((response) => response.end());
    const egress = startEgress({ lookup });
    const result = await egress.post(post(`https://${name}:${receiver.port}/`));
    expect(result).toMatchObject({ code: 'tls_error' });
  });

  test.each(['TLSv1.2', 'TLSv1.3'] as const)(
    'a target that speaks %s alone is called',
    async (only) => {
      const certificate = selfSigned(name);
      const versions = { minVersion: only, maxVersion: only };
      const receiver = await startReceiver((response) => response.end('ok'), {
        ...{ ...certificate, ...versions },
      });
      const handshake = once(receiver.server, 'secureConnection');
      const egress = startEgress({ rules: developmentRules, lookup, ca: certificate.cert });
      const result = await egress.post(post(`https://${name}:${receiver.port}/`));
      expect(result).toMatchObject({ kind: 'answered', status: 200, bodyExcerpt: 'ok' });
      const [socket]: tls.TLSSocket[] = await handshake;
      expect(socket?.getProtocol()).toBe(only);
    },
  );

  test.each(['TLSv1', 'TLSv1.1'] as const)(
    'a target that speaks %s at most is a TLS error that says so, and nothing is sent',
    async (most) => {
      const certificate = selfSigned(name);
      const receiver = await startReceiver((response) => response.end(), {
        ...certificate,
        ...{ minVersion: 'TLSv1', maxVersion: most, ciphers: 'DEFAULT:@SECLEVEL=0' },
      });
      const egress = startEgress({ rules: developmentRules, lookup, ca: certificate.cert });
      expect(await egress.post(post(`https://${name}:${receiver.port}/`))).toMatchObject({
        ...{ kind: 'failed', code: 'tls_error' },
        detail: 'the TLS handshake failed (ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION)',
      });
      expect(receiver.received).toEqual([]);
    },
  );

  test('a target that chooses TLS 1.1 although it is not offered is a TLS error that says so', async () => {
    // A ServerHello (RFC 5246 §7.4.1.3); other servers refuse with an alert.
    const hello = `0302${'00'.repeat(32)}00c01300`;
    const bytes = hello.length / 2;
    const hex = (value: number, digits: number) => value.toString(16).padStart(digits, '0');
    const record = Buffer.from(`160302${hex(bytes + 4, 4)}02${hex(bytes, 6)}${hello}`, 'hex');
    const receiver = await startRaw((socket) => socket.write(record));
    const egress = startEgress({ rules: developmentRules, lookup });
    expect(await egress.post(post(`https://${name}:${receiver.port}/`))).toMatchObject({
      ...{ kind: 'failed', code: 'tls_error' },
      detail: 'the TLS handshake failed (ERR_SSL_UNSUPPORTED_PROTOCOL)',
    });
  });

  test('a target that closes once the handshake is done has failed, after one try', async () => {
    const certificate = selfSigned(name);
    const receiver = await startReceiver((response) => response.end(), certificate);
    receiver.server.on('secureConnection', (socket: tls.TLSSocket) => socket.destroy());
    const egress = startEgress({ rules: developmentRules, lookup, ca: certificate.cert });
    for (let n = 0; n < 10; n += 1) {
      const result = await egress.post(post(`https://${name}:${receiver.port}/`));
      expect(result).toMatchObject({ kind: 'failed', code: 'connection_reset' });
    }
    expect(receiver.connections()).toBe(10);
  });

  test('a target that sends a broken record is a TLS error at once', async () => {
    const certificate = selfSigned(name);
    const receiver = await startReceiver((response) => response.end(), certificate);
    const garbage = Buffer.from('1703030018'.padEnd(58, '0'), 'hex');
    const relay = await startRaw((socket, _count, hello) => {
      const upstream = net.connect(receiver.port, '127.0.0.1', () => upstream.write(hello));
      upstream.on('data', (flight) => socket.write(Buffer.concat([flight, garbage])));
      upstream.on('error', () => undefined);
      socket.removeAllListeners('data').on('data', (more) => upstream.write(more));
      socket.on('close', () => upstream.destroy());
    });
    const egress = startEgress({ rules: developmentRules, lookup, ca: certificate.cert });
    const result = await egress.post(post(`https://${name}:${relay.port}/`));
    expect(result).toMatchObject({ kind: 'failed', code: 'tls_error' });
    expect(relay.connections()).toBe(1);
  });

  test('a handshake that is never answered is a connect timeout', async () => {
    const receiver = await startRaw(() => undefined);
    const egress = startEgress({ lookup, connectTimeoutMs: 100 });
    const result = await egress.post(post(`https://${name}:${receiver.port}/`));
    expect(result).toMatchObject({ code: 'connect_timeout' });
    expect(receiver.requests()).toBe(1);
  });
});

describe('an egress proxy', () => {
  const lookup = () => Promise.reject(new Error('names are the proxy’s business'));

  test('carries requests by name, with TLS from end to end', async () => {
    const certificate = selfSigned('hooks.example.com');
    const receiver = await startReceiver((response) => response.end('ok'), certificate);
    const { proxyUrl, asked } = await startProxy({ port: receiver.port });
    const egress = startEgress({ rules, lookup, proxyUrl, ca: certificate.cert });
    const result = await egress.post(post('https://hooks.example.com/'));
    expect(result).toMatchObject({ kind: 'answered', status: 200, bodyExcerpt: 'ok' });
    expect(result.remoteIp).toBeUndefined();
    expect(asked).toEqual([
      {
        authority: 'hooks.example.com:443',
        authorization: `Basic ${Buffer.from('me:p@ss').toString('base64')}`,
      },
    ]);
  });

  test('gets no request for forbidden addresses', async () => {
    const { proxyUrl, asked } = await startProxy({ status: 200 });
    const egress = startEgress({ rules, lookup, proxyUrl });
    for (const url of ['https://127.1/', 'https://[::ffff:10.0.0.1]/', 'https://localhost/']) {
      expect(await egress.post(post(url))).toMatchObject({ code: 'target_not_allowed' });
    }
    expect(asked).toEqual([]);
  });

  test.each([
    [403, 'proxy_error'],
    [407, 'proxy_error'],
    [500, 'proxy_error'],
    [502, 'connection_refused'],
    [503, 'connection_refused'],
    [504, 'connect_timeout'],
  ])('that answers %d gives %s, after one try', async (status, code) => {
    const { proxyUrl, asked } = await startProxy({ status });
    const egress = startEgress({ rules, lookup, proxyUrl });
    expect(await egress.post(post('https://hooks.example.com/'))).toMatchObject({ code });
    expect(asked).toHaveLength(1);
  });

  test('that is down, hangs or closes is not counted as a fault of the target', async () => {
    const hanging = await startRaw(() => undefined);
    const leaving = await startRaw((socket) => socket.end());
    for (const port of [await closedPort(), hanging.port, leaving.port]) {
      const proxyUrl = `http://127.0.0.1:${port}`;
      const egress = startEgress({ rules, lookup, proxyUrl, connectTimeoutMs: 200 });
      const result = await egress.post(post('https://hooks.example.com/'));
      expect(result).toMatchObject({ kind: 'failed', code: 'proxy_error' });
    }
    expect([hanging.requests(), leaving.requests()]).toEqual([1, 1]);
  });
});
