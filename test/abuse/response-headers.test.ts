import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestApi } from '../support/api.ts';
import type { TestApi } from '../support/api.ts';

const jsonPolicy =
  "default-src 'none'; base-uri 'none'; object-src 'none'; form-action 'none'; frame-ancestors 'none'";

/** The raw answer to bytes that are no HTTP request, which never reach the application. */
function sendGarbage(url: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    let reply = '';
    const socket = connect({ host: hostname, port: Number(port) }, () => {
      socket.write('GARBAGE\r\n\r\n');
    });
    socket.setEncoding('utf8');
    socket.on('data', (text: string) => (reply += text));
    socket.on('end', () => resolve(reply));
    socket.on('error', reject);
  });
}

describe('an installation with HTTPS', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startTestApi({ PUBLIC_BASE_URL: 'https://onward.test' });
  });
  afterAll(() => api.stop());

  test.each(['/v2/partner/contacts', '/v2/meta/openapi.json', '/docs', '/healthz', '/nowhere'])(
    'nobody between a client and %s can have later requests sent in the clear',
    async (path) => {
      const { headers } = await api.call('GET', path);
      expect(headers.get('strict-transport-security')).toBe('max-age=63072000; includeSubDomains');
    },
  );

  test('a response that a browser is made to show as a page loads and runs nothing', async () => {
    const team = await api.newTeam();
    for (const reply of [
      await team.get('/v2/partner/contacts'),
      await api.call('GET', '/v2/partner/contacts'),
      await api.call('GET', '/v2/meta/error-codes'),
    ]) {
      expect(reply.headers.get('content-security-policy')).toBe(jsonPolicy);
      expect(reply.headers.get('x-content-type-options')).toBe('nosniff');
      expect(reply.headers.get('referrer-policy')).toBe('same-origin');
    }
  });

  test('bytes that are no HTTP request are answered with the same headers', async () => {
    const reply = await sendGarbage(api.url);
    expect(reply).toMatch(/^HTTP\/1\.1 400 /);
    expect(reply).toContain(`\r\nContent-Security-Policy: ${jsonPolicy}\r\n`);
    expect(reply).toContain('\r\nStrict-Transport-Security: max-age=');
  });
});

test('an installation without HTTPS does not ask browsers for it', async () => {
  const api = await startTestApi();
  try {
    const { headers } = await api.call('GET', '/healthz');
    expect(headers.get('strict-transport-security')).toBeNull();
  } finally {
    await api.stop();
  }
});
