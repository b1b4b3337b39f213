import { describe, expect, test } from '@jest/globals';
import {
  checkTargetHost,
  checkTargetUrl,
  isForbiddenAddress,
} from '../../../src/platform/egress/address-rules.ts';
import { forbidden, refusedUrls } from './refusals.ts';
import { developmentRules, productionRules } from './rules.ts';

describe('addresses', () => {
  test.each(forbidden)('%s is forbidden as %s', (address, range) => {
    expect(isForbiddenAddress(address, productionRules)).toBe(range);
  });

  test.each(['8.8.8.8', '1.1.1.1', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '2a00::1'])(
    '%s may be called',
    (address) => {
      expect(isForbiddenAddress(address, productionRules)).toBe(false);
    },
  );

  test('the loopback setting allows loopback only', () => {
    const allowed = forbidden.filter(([ip]) => isForbiddenAddress(ip, developmentRules) === false);
    expect(allowed.map(([ip]) => ip)).toEqual(['127.0.0.1', '127.255.255.254', '::1']);
  });

  test('an internal network may be called exactly within the allow-list', () => {
    const rules = { ...productionRules, allowedNetworks: ['10.20.0.0/16', 'fd00:1::/32'] };
    expect(isForbiddenAddress('10.20.3.4', rules)).toBe(false);
    expect(isForbiddenAddress('10.21.0.1', rules)).toBe('private');
    expect(isForbiddenAddress('::ffff:10.20.3.4', rules)).toBe('ipv4Mapped');
    expect(isForbiddenAddress('fd00:1::9', rules)).toBe(false);
    expect(isForbiddenAddress('fd00:2::9', rules)).toBe('uniqueLocal');
  });
});

describe('target URLs', () => {
  test('the table has at least 120 different refusals', () => {
    expect(new Set(refusedUrls).size).toBeGreaterThanOrEqual(120);
    expect(new Set(refusedUrls).size).toBe(refusedUrls.length);
  });

  test.each(refusedUrls.map((url) => [JSON.stringify(url).slice(0, 80), url]))(
    '%s is refused with a reason',
    (_title, url) => {
      const verdict = checkTargetUrl(url, productionRules);
      expect(verdict).toEqual({ ok: false, reason: expect.stringMatching(/\.$/) });
    },
  );

  test.each([
    'https://example.com',
    'https://hooks.example.com/a/b?c=d#e',
    'https://example.com:443/',
    'https://example.com:8443/',
    'https://example.com:1024/',
    'https://example.com:65535/',
    'https://8.8.8.8/',
    'https://[2606:4700::1111]:8443/',
    'https://bücher.example.com/',
    'https://xn--bcher-kva.example.com/',
    'https://notlocalhost.com/',
    'https://local.example.com/',
    'https://127.0.0.1.example.com/',
    'https://example.com/@me',
    'https://example.com/?to=a@b',
    'https://example.com/%zz?%',
    'https://example.com/a/./../b//c',
  ])('%s is accepted', (url) => {
    expect(checkTargetUrl(url, productionRules)).toEqual({ ok: true, url: new URL(url) });
  });

  test('the same URL is accepted however often it is checked', () => {
    const refused = Array.from({ length: 20_000 }, () =>
      checkTargetUrl('https://bücher.example.com/', productionRules),
    ).filter(({ ok }) => !ok);
    expect(refused).toEqual([]);
  });

  test('development takes http, port 80 and local names', () => {
    for (const url of [
      'http://localhost/',
      'http://127.0.0.1:3000/',
      'http://[::1]:3000/',
      'http://receiver:8080/',
      'http://example.com:80/',
    ]) {
      expect(checkTargetUrl(url, developmentRules).ok).toBe(true);
    }
    for (const url of ['http://10.0.0.1/', 'http://localhost:22/', 'ftp://localhost/']) {
      expect(checkTargetUrl(url, developmentRules).ok).toBe(false);
    }
  });
});

describe('servers that speak no HTTP', () => {
  test.each([
    ['files', [22, 443, 8_443], [21, 25, 80, 587, 1_023]],
    ['mail', [25, 465, 587, 2_525], [22, 24, 26, 80, 443, 586, 1_024, 8_443]],
  ] as const)('of %s have their own ports', (purpose, allowed, refused) => {
    const host = 'server.example.com';
    for (const port of allowed) {
      const verdict = checkTargetHost(host, port, productionRules, purpose);
      expect(verdict).toEqual({ ok: true, hostname: host });
    }
    for (const port of refused) {
      const verdict = checkTargetHost(host, port, productionRules, purpose);
      expect(verdict).toMatchObject({ ok: false, part: 'port' });
    }
  });

  test('of mail have high ports where loopback is allowed', () => {
    expect(checkTargetHost('127.0.0.1', 1_025, developmentRules, 'mail').ok).toBe(true);
    expect(checkTargetHost('127.0.0.1', 22, developmentRules, 'mail').ok).toBe(false);
  });
});
