import { afterAll, describe, expect, test } from '@jest/globals';
import { newKeyFile } from '../../src/platform/auth/keyring.ts';
import { ConfigError } from '../../src/platform/config.ts';
import type { EgressRules } from '../../src/platform/egress/address-rules.ts';
import { refuseOpenProxy } from '../../src/platform/egress/proxy-check.ts';
import { createLog } from '../../src/platform/observability/log.ts';
import { runEntry } from '../commands/spawn.ts';
import {
  closeAll,
  closedPort,
  startEgress,
  startProxy,
  startRaw,
  startReceiver,
} from '../platform/egress/receiver.ts';
import { developmentRules, productionRules } from '../platform/egress/rules.ts';

afterAll(closeAll);

const rules: EgressRules = { ...productionRules, deniedHosts: ['denied.example.net'] };
const request = { owner: 'one', headers: {}, body: '{}', timeoutMs: 5_000 };

/** Lines that a start logs about its proxy. */
async function start(proxyUrl: string, given = rules): Promise<string> {
  let logged = '';
  const log = createLog('warn', 'test', { write: (line) => void (logged += line) });
  const egress = startEgress({ rules: given, proxyUrl, connectTimeoutMs: 1_000 });
  await refuseOpenProxy(egress, log);
  return logged;
}

describe('an egress proxy without rules', () => {
  test.each(['api', 'worker'])(
    'gives no access to internal services: the process %s does not start',
    async (root) => {
      const receiver = await startReceiver((response) => response.end());
      const { proxyUrl } = await startProxy({ port: receiver.port }, 200);
      const { code, stderr } = await runEntry(`src/${root}.ts`, [], {
        DATABASE_URL: 'postgres://app:a-long-password-for-tests@127.0.0.1:1/onward',
        TEMPORAL_ADDRESS: '127.0.0.1:1',
        PUBLIC_BASE_URL: 'https://onward.example.com',
        TRUSTED_PROXIES: '1',
        ONWARD_KEYS: JSON.stringify(newKeyFile()),
        WEBHOOK_PROXY_URL: proxyUrl,
      });
      expect(code).toBe(1);
      expect(stderr).toContain('WEBHOOK_PROXY_URL names a proxy that opens a tunnel to 127.0.0.1');
      expect(stderr).toContain('docs/kubernetes/egress-proxy.conf');
      expect(receiver.received).toEqual([]);
    },
  );

  test.each([200, 204, 299])(
    'is refused for any answer that opens a tunnel: %d',
    async (status) => {
      const { proxyUrl } = await startProxy({ status: 403 }, status);
      await expect(start(proxyUrl)).rejects.toThrow(ConfigError);
    },
  );

  test.each([502, 503, 504])(
    'is logged if its answer shows an attempt to connect: %d',
    async (status) => {
      const { proxyUrl } = await startProxy({ status: 403 }, status);
      expect(await start(proxyUrl)).toContain('tries to connect to 127.0.0.1');
    },
  );

  test('may be used if development allows loopback', async () => {
    const { proxyUrl } = await startProxy({ status: 403 }, 200);
    expect(await start(proxyUrl, developmentRules)).toBe('');
  });
});

test.each([403, 407])('a proxy that refuses internal addresses may be used: %d', async (status) => {
  const { proxyUrl } = await startProxy({ status: 403 }, status);
  expect(await start(proxyUrl)).toBe('');
});

test('a proxy that did not answer at startup receives no request until it is checked', async () => {
  expect(await start(`http://127.0.0.1:${await closedPort()}`)).toContain('does not respond');
  const raw = await startRaw((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'));
  const egress = startEgress({ rules, proxyUrl: `http://127.0.0.1:${raw.port}` });
  expect(await egress.post({ ...request, url: 'https://hooks.example.com/' })).toMatchObject({
    code: 'proxy_error',
    detail: 'the egress proxy opens tunnels to inside addresses',
  });
  expect(raw.requests()).toBe(1);
});

test('a proxy that is repaired is used without a restart', async () => {
  let inside = 200;
  const asked: string[] = [];
  const raw = await startRaw((socket, _count, bytes) => {
    const [, authority = ''] = bytes.toString().split(' ');
    asked.push(authority);
    socket.end(`HTTP/1.1 ${authority.startsWith('127.') ? inside : 502} Answer\r\n\r\n`);
  });
  const egress = startEgress({ rules, proxyUrl: `http://127.0.0.1:${raw.port}` });
  const post = () => egress.post({ ...request, url: 'https://hooks.example.com/' });
  expect(await post()).toMatchObject({ code: 'proxy_error' });
  inside = 403;
  expect(await post()).toMatchObject({ code: 'connection_refused' });
  expect(await post()).toMatchObject({ code: 'connection_refused' });
  // A successful check is not repeated.
  expect(asked).toEqual([
    ...['127.0.0.1:1', '127.0.0.1:1'],
    ...['hooks.example.com:443', 'hooks.example.com:443'],
  ]);
});

test.each([
  ...['https://localhost/', 'https://metadata.google.internal/', 'https://postgres/'],
  ...['https://denied.example.net/', 'https://10.0.0.1/', 'https://[64:ff9b::a9fe:a9fe]/'],
])('a proxy receives no request for %s, which the egress guard checks first', async (url) => {
  const { proxyUrl, asked } = await startProxy({ status: 502 });
  const egress = startEgress({ rules, proxyUrl });
  expect(await egress.post({ ...request, url })).toMatchObject({ code: 'target_not_allowed' });
  expect(asked).toEqual([]);
});
