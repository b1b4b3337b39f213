import { describe, expect, test } from '@jest/globals';
import { checkTargetUrl, isForbiddenAddress } from '../../src/egress/address-rules.ts';

const production = { allowHttp: false, allowLoopback: false, allowedNetworks: [] };

describe('a target_url', () => {
  test.each([
    'https://168.63.129.16/',
    'https://vault.corp/',
    'https://db.private/',
    'https://intranet/',
    'https://metadata.google.internal/',
    'https://8.8.8.8:80/',
    'https:///example.com',
    'https:example.com',
  ])('does not make the service call an inside host: %s', (url) => {
    expect(checkTargetUrl(url, production)).toMatchObject({ ok: false });
  });

  test('may be a public name at a port of its own', () => {
    expect(checkTargetUrl('https://hooks.example.com:8443/x', production)).toMatchObject({
      ok: true,
    });
  });
});

test('a public name that leads to the platform of the host is not dialled', () => {
  expect(isForbiddenAddress('168.63.129.16', production)).toBe('platform');
  expect(isForbiddenAddress('168.63.129.17', production)).toBe(false);
});
