import { afterAll, expect, test } from '@jest/globals';
import { createDnsLookup } from '../../../src/platform/egress/lookup.ts';
import type { Lookup } from '../../../src/platform/egress/lookup.ts';
import { startNameServer } from './name-server.ts';
import type { Zone } from './name-server.ts';
import { closeAll, countConnects, startEgress } from './receiver.ts';
import { productionRules } from './rules.ts';

afterAll(closeAll);

async function startDns(zone: Zone): Promise<Lookup> {
  return createDnsLookup([await startNameServer(zone)]);
}

test('a name gives all its addresses, IPv4 first', async () => {
  const lookup = await startDns(() => ['2606:4700::1111', '8.8.8.8', '8.8.4.4']);
  expect(await lookup('hooks.example.com')).toEqual(['8.8.8.8', '8.8.4.4', '2606:4700::1111']);
});

test('a name with one family of addresses gives those', async () => {
  const lookup = await startDns((name) =>
    name === 'four.example.com' ? ['8.8.8.8'] : ['2606:4700::1111'],
  );
  expect(await lookup('four.example.com')).toEqual(['8.8.8.8']);
  expect(await lookup('six.example.com')).toEqual(['2606:4700::1111']);
});

test('a name that does not exist, or has no address, is rejected with the reason', async () => {
  const lookup = await startDns((name) => (name === 'empty.example.com' ? [] : undefined));
  await expect(lookup('none.example.com')).rejects.toMatchObject({ code: 'ENOTFOUND' });
  await expect(lookup('empty.example.com')).rejects.toMatchObject({ code: 'ENODATA' });
});

test('names that a hostile name server resolves to internal addresses are denied without a connection', async () => {
  const zone: Record<string, string[]> = {
    'mixed.example.com': ['8.8.8.8', '10.0.0.1'],
    'six.example.com': ['fd00::1'],
    'both.example.com': ['8.8.8.8', '::ffff:127.0.0.1'],
  };
  const lookup = await startDns((name) => zone[name]);
  const egress = startEgress({ rules: productionRules, lookup });
  const connects = await countConnects(async () => {
    for (const name of Object.keys(zone)) {
      const request = {
        url: `https://${name}/`,
        owner: 'one',
        headers: {},
        body: '{}',
        timeoutMs: 5_000,
      };
      expect(await egress.post(request)).toMatchObject({ code: 'target_not_allowed' });
    }
    const request = {
      url: 'https://none.example.com/',
      owner: 'one',
      headers: {},
      body: '',
      timeoutMs: 5_000,
    };
    expect(await egress.post(request)).toMatchObject({ code: 'dns_error' });
  });
  expect(connects).toBe(0);
});
