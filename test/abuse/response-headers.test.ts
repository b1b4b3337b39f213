import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestApi } from '../support/api.ts';
import type { TestApi } from '../support/api.ts';

const jsonPolicy =
  "default-src 'none'; base-uri 'none'; object-src 'none'; form-action 'none'; frame-ancestors 'none'";

/** The raw answer to bytes that are not an HTTP request, which never reach the application. */
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
    'requires HTTPS for later requests to %s',
    async (path) => {
      const { headers } = await api.call('GET', path);
      expect(headers.get('strict-transport-security')).toBe('max-age=63072000; includeSubDomains');
    },
  );

  test('sends JSON with policies that let a browser load and run nothing from it', async () => {
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

  test('sends the same headers for bytes that are not an HTTP request', async () => {
    const reply = await sendGarbage(api.url);
    expect(reply).toMatch(/^HTTP\/1\.1 400 /);
    expect(reply).toContain(`\r\nContent-Security-Policy: ${jsonPolicy}\r\n`);
    expect(reply).toContain('\r\nStrict-Transport-Security: max-age=');
  });
});

test('an installation without HTTPS does not require it of browsers', async () => {
  const api = await startTestApi();
  try {
    const { headers } = await api.call('GET', '/healthz');
    expect(headers.get('strict-transport-security')).toBeNull();
  } finally {
    await api.stop();
  }
});
