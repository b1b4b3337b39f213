import { expect, test } from '@jest/globals';
import { startTestApi } from '../support/api.ts';

const path = '/.well-known/security.txt';

test('a researcher finds the contact that the operator named, with a date in the near future', async () => {
  const api = await startTestApi({ SECURITY_CONTACT: 'mailto:security@onward.test' });
  try {
    const reply = await fetch(`${api.url}${path}`);
    expect(reply.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    const text = await reply.text();
    expect(text).toContain('Contact: mailto:security@onward.test\n');
    expect(text).toContain(`Canonical: http://onward.test${path}\n`);
    const days = (Date.parse(/^Expires: (.*)$/m.exec(text)?.[1] ?? '') - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(80);
    expect(days).toBeLessThan(365);
  } finally {
    await api.stop();
  }
});

test('an installation without a contact has no such file', async () => {
  const api = await startTestApi();
  try {
    expect((await api.call('GET', path)).status).toBe(404);
  } finally {
    await api.stop();
  }
});
