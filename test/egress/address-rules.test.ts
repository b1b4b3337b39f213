import { describe, expect, test } from '@jest/globals';
import {
  checkTargetUrl,
  isForbiddenAddress,
  type EgressRules,
} from '../../src/egress/address-rules.ts';

const production: EgressRules = { allowHttp: false, allowLoopback: false, allowedNetworks: [] };
const development: EgressRules = { allowHttp: true, allowLoopback: true, allowedNetworks: [] };

const forbidden: [address: string, range: string][] = [
  ['0.0.0.0', 'unspecified'],
  ['0.1.2.3', 'unspecified'],
  ['10.0.0.1', 'private'],
  ['10.255.255.255', 'private'],
  ['100.64.0.1', 'carrierGradeNat'],
  ['100.127.255.255', 'carrierGradeNat'],
  ['127.0.0.1', 'loopback'],
  ['127.255.255.254', 'loopback'],
  ['169.254.0.1', 'linkLocal'],
  ['169.254.169.254', 'linkLocal'],
  ['172.16.0.1', 'private'],
  ['172.31.255.255', 'private'],
  ['192.0.0.1', 'reserved'],
  ['192.0.2.1', 'reserved'],
  ['192.31.196.1', 'as112'],
  ['192.52.193.1', 'amt'],
  ['192.88.99.1', 'reserved'],
  ['192.168.0.1', 'private'],
  ['192.168.255.255', 'private'],
  ['192.175.48.1', 'as112'],
  ['198.18.0.1', 'reserved'],
  ['198.19.255.255', 'reserved'],
  ['198.51.100.1', 'reserved'],
  ['203.0.113.1', 'reserved'],
  ['224.0.0.1', 'multicast'],
  ['239.255.255.255', 'multicast'],
  ['240.0.0.1', 'reserved'],
  ['255.255.255.255', 'broadcast'],
  ['::', 'unspecified'],
  ['::1', 'loopback'],
  ['::127.0.0.1', 'ipv4Mapped'],
  ['::808:808', 'reserved'],
  ['::ffff:127.0.0.1', 'ipv4Mapped'],
  ['::ffff:8.8.8.8', 'ipv4Mapped'],
  ['::ffff:0:127.0.0.1', 'rfc6145'],
  ['64:ff9b::7f00:1', 'rfc6052'],
  ['64:ff9b::808:808', 'rfc6052'],
  ['64:ff9b:1::a00:1', 'rfc6052'],
  ['100::1', 'discard'],
  ['100:0:0:1::1', 'reserved'],
  ['200::1', 'reserved'],
  ['2001::1', 'teredo'],
  ['2001:2::1', 'benchmarking'],
  ['2001:3::1', 'amt'],
  ['2001:4:112::1', 'as112v6'],
  ['2001:10::1', 'deprecatedOrchid'],
  ['2001:20::1', 'orchid2'],
  ['2001:30::1', 'droneRemoteIdProtocolEntityTags'],
  ['2001:1ff::1', 'reserved'],
  ['2001:db8::1', 'reserved'],
  ['2002:7f00:1::1', '6to4'],
  ['2002:a00:1::', '6to4'],
  ['2620:4f:8000::1', 'as112v6'],
  ['3fff::1', 'reserved'],
  ['4000::1', 'reserved'],
  ['5f00::1', 'segmentRouting'],
  ['fc00::1', 'uniqueLocal'],
  ['fd00:ec2::254', 'uniqueLocal'],
  ['fe80::1', 'linkLocal'],
  ['fe80::1%eth0', 'linkLocal'],
  ['febf::1', 'linkLocal'],
  ['fec0::1', 'deprecatedSiteLocal'],
  ['ff02::1', 'multicast'],
  ['not an address', 'invalid'],
  ['', 'invalid'],
];

const refusedUrls: string[] = [
  // IPv4, spelt in every way that resolvers have ever taken
  'https://127.0.0.1/',
  'https://127.0.0.1./',
  'https://127.1/',
  'https://127.0.1/',
  'https://2130706433/',
  'https://0x7f000001/',
  'https://0x7f.0.0.1/',
  'https://0X7F.1/',
  'https://0177.0.0.1/',
  'https://0177.1/',
  'https://017700000001/',
  'https://0x7f.0.0.0x1./',
  'https://%31%32%37.0.0.1/',
  'https://①②⑦.⓪.⓪.①/',
  'https://0/',
  'https://0.0.0.0/',
  'https://00/',
  'https://169.254.169.254/latest/meta-data/',
  'https://2852039166/',
  'https://0251.0376.0251.0376/',
  'https://0xa9fea9fe/',
  'https://0xa9.0xfe.0xa9.0xfe/',
  'https://169.254.43518/',
  'https://10.0.0.1/',
  'https://10.1/',
  'https://012.0.0.1/',
  'https://172.16.0.1/',
  'https://172.31.255.255/',
  'https://192.168.1.1/',
  'https://192.168.257/',
  'https://3232235777/',
  'https://100.64.0.1/',
  'https://192.0.0.1/',
  'https://192.0.2.1/',
  'https://192.88.99.1/',
  'https://198.18.0.1/',
  'https://198.51.100.1/',
  'https://203.0.113.1/',
  'https://224.0.0.1/',
  'https://240.0.0.1/',
  'https://255.255.255.255/',
  'https://4294967295/',
  'https://256.256.256.256/',
  'https://4294967296/',
  'https://1.2.3.4.5/',
  'https://08.0.0.1/',
  // IPv6
  'https://[::]/',
  'https://[::1]/',
  'https://[0:0:0:0:0:0:0:1]/',
  'https://[0000:0000:0000:0000:0000:0000:0000:0001]/',
  'https://[::127.0.0.1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:7f00:1]/',
  'https://[::FFFF:169.254.169.254]/',
  'https://[::ffff:8.8.8.8]/',
  'https://[::ffff:0:10.0.0.1]/',
  'https://[64:ff9b::127.0.0.1]/',
  'https://[64:ff9b::a9fe:a9fe]/',
  'https://[64:ff9b:1::10.0.0.1]/',
  'https://[100::1]/',
  'https://[2001::1]/',
  'https://[2001:2::1]/',
  'https://[2001:10::1]/',
  'https://[2001:20::1]/',
  'https://[2001:db8::1]/',
  'https://[2002:7f00:1::]/',
  'https://[3fff::1]/',
  'https://[5f00::1]/',
  'https://[fc00::1]/',
  'https://[fd00:ec2::254]/',
  'https://[fe80::1]/',
  'https://[fe80::1%25eth0]/',
  'https://[fec0::1]/',
  'https://[ff02::1]/',
  'https://[::1].example.com/',
  'https://[example.com]/',
  'https://[127.0.0.1]/',
  'https://::1/',
  // names
  'https://localhost/',
  'https://localhost./',
  'https://LOCALHOST/',
  'https://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/',
  'https://loc%61lhost/',
  'https://a.localhost/',
  'https://a.b.localhost/',
  'https://localhost.localdomain/',
  'https://printer.local/',
  'https://printer.LOCAL./',
  'https://metadata.google.internal/computeMetadata/v1/',
  'https://db.internal/',
  'https://db.svc.cluster.local/',
  'https://wiki.intranet/',
  'https://router.lan/',
  'https://nas.home.arpa/',
  'https://abc.onion/',
  'https://internal/',
  'https://postgres/',
  'https://metadata/',
  'https://com/',
  'https://example.com./',
  'https://example.com./hook',
  'https://./',
  'https://../',
  'https://.example.com../',
  // user information
  'https://user@example.com/',
  'https://user:password@example.com/',
  'https://:password@example.com/',
  'https://@example.com/',
  'https:@example.com/',
  'https://example.com@127.0.0.1/',
  'https://example.com%40x@hooks.example.com/',
  // ports
  'https://example.com:0/',
  'https://example.com:1/',
  'https://example.com:22/',
  'https://example.com:25/',
  'https://example.com:80/',
  'https://example.com:444/',
  'https://example.com:1023/',
  'https://example.com:65536/',
  'https://example.com:-1/',
  'https://example.com:abc/',
  // schemes
  'http://example.com/',
  'http://example.com:443/',
  'HTTP://example.com/',
  'ftp://example.com/',
  'ws://example.com/',
  'wss://example.com/',
  'file:///etc/passwd',
  'gopher://example.com/',
  'data:text/plain,hello',
  'javascript:alert(1)',
  'unix:/var/run/docker.sock',
  // text
  '',
  ' ',
  'example.com',
  '//example.com/',
  '/hook',
  'https:',
  'https://',
  'https:///',
  'https://exa mple.com/',
  ' https://example.com/',
  'https://example.com/ ',
  'https://example.com/a b',
  'https://exa\nmple.com/',
  'https://example.com/\r\nx-injected: 1',
  'https://example.com/\t',
  'https://example.com/\0',
  'https:\\\\example.com\\',
  'https://example.com\\@127.0.0.1/',
  'https://exa<mple.com/',
  'https://example.com|x/',
  `https://example.com/${'a'.repeat(2029)}`,
  `https://example.com/${'ü'.repeat(1000)}`,
  // full-width and half-width digits, letters and dots
  'https://\uff11\uff12\uff17.\uff10.\uff10.\uff11/',
  'https://127\u30020\u30020\u30021/',
  'https://127\uff0e0\uff0e0\uff0e1/',
  'https://127\uff610\uff610\uff611/',
  'https://\uff4c\uff4f\uff43\uff41\uff4c\uff48\uff4f\uff53\uff54/',
  'https://db\u3002internal/',
  'https://local\u00adhost/',
];

describe('addresses', () => {
  test.each(forbidden)('%s is forbidden as %s', (address, range) => {
    expect(isForbiddenAddress(address, production)).toBe(range);
  });

  test.each(['8.8.8.8', '1.1.1.1', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '2a00::1'])(
    '%s may be called',
    (address) => {
      expect(isForbiddenAddress(address, production)).toBe(false);
    },
  );

  test('loopback is all that allowing loopback allows', () => {
    const allowed = forbidden.filter(([ip]) => isForbiddenAddress(ip, development) === false);
    expect(allowed.map(([ip]) => ip)).toEqual(['127.0.0.1', '127.255.255.254', '::1']);
  });

  test('a network of our own is called exactly as far as the allow-list goes', () => {
    const rules = { ...production, allowedNetworks: ['10.20.0.0/16', 'fd00:1::/32'] };
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
      const verdict = checkTargetUrl(url, production);
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
  ])('%s is accepted', (url) => {
    expect(checkTargetUrl(url, production)).toEqual({ ok: true, url: new URL(url) });
  });

  test('development takes http, port 80 and local names', () => {
    for (const url of [
      'http://localhost/',
      'http://127.0.0.1:3000/',
      'http://[::1]:3000/',
      'http://receiver:8080/',
      'http://example.com:80/',
    ]) {
      expect(checkTargetUrl(url, development).ok).toBe(true);
    }
    for (const url of ['http://10.0.0.1/', 'http://localhost:22/', 'ftp://localhost/']) {
      expect(checkTargetUrl(url, development).ok).toBe(false);
    }
  });
});
