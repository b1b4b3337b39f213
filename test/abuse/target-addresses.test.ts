import net from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { isForbiddenAddress } from '../../src/platform/egress/address-rules.ts';
import type { Egress } from '../../src/platform/egress/client.ts';
import { createDnsLookup } from '../../src/platform/egress/lookup.ts';
import { endpoints } from '../../src/app/endpoints.ts';
import { startNameServer } from '../platform/egress/name-server.ts';
import {
  closeAll,
  countConnects,
  startEgress,
  startReceiver,
} from '../platform/egress/receiver.ts';
import { forbidden, refusedUrls } from '../platform/egress/refusals.ts';
import { productionRules } from '../platform/egress/rules.ts';
import { startTestApi } from '../support/api.ts';
import type { TestApi, TestTeam } from '../support/api.ts';

const path = '/v2/partner/webhook-subscriptions';
const name = 'https://hooks.example.com/';

/** Addresses that this installation denies, although they are public. */
const denied = ['203.0.114.7', '2606:2800:220::1'];
const deniedUrls = [
  'https://203.0.114.7/',
  'https://3405804039/',
  'https://0xcb.0.0x72.7:8443/',
  'https://[2606:2800:220::1]/',
  'https://denied.example.net/',
  'https://DENIED.example.net:8443/hook',
  'https://a.b.denied.example.net/',
  'https://xn--bcher-kva.example.net/',
  'https://hooks.B\u00dcCHER.example.net/',
];
const settings = {
  WEBHOOK_ALLOW_HTTP: 'false',
  WEBHOOK_ALLOW_LOOPBACK: 'false',
  EGRESS_DENIED_NETWORKS: '203.0.114.0/24, 2606:2800:220::/48',
  EGRESS_DENIED_HOSTS: 'denied.example.net, *.b\u00fccher.example.net',
};

interface Row {
  /** Sent as target_url. */
  url: string;
  /** The address that a public name resolves to, if the URL is an address. */
  address?: string;
}
const addresses = [...forbidden.map(([address]) => address), '168.63.129.16', ...denied].filter(
  (address) => net.isIP(address) !== 0 && !address.includes('%'),
);
const rows: Row[] = [
  ...[...refusedUrls, ...deniedUrls].map((url) => ({ url })),
  ...addresses.map((address) => ({
    url: `https://${net.isIPv6(address) ? `[${address}]` : address}/`,
    address,
  })),
];

let api: TestApi;
let team: TestTeam;
let subscription: string;
/** The current addresses of names, and the names that were looked up. */
let resolved: string[] = [];
const asked: string[] = [];
let egress: Egress;
let redirector: { post: (location: string) => ReturnType<Egress['post']> };

const request = { owner: 'one', headers: {}, body: '{}', timeoutMs: 5_000 };

beforeAll(async () => {
  api = await startTestApi(settings);
  team = await api.newTeam();
  const made = await team.post(path, { target_url: name, event_types: ['contact.created'] });
  expect(made.status).toBe(201);
  subscription = `${path}/${made.body.id}`;
  const server = await startNameServer((host) => {
    asked.push(host);
    return resolved;
  });
  egress = startEgress({ rules: api.config.webhooks, lookup: createDnsLookup([server]) });
  const receiver = await startReceiver((response, { path: to = '' }) => {
    response.writeHead(307, { location: decodeURIComponent(to.slice(1)) }).end();
  });
  const rules = { ...api.config.webhooks, allowHttp: true, allowedNetworks: ['127.0.0.1/32'] };
  const client = startEgress({ rules });
  redirector = {
    post: (location) => {
      const url = `http://127.0.0.1:${receiver.port}/${encodeURIComponent(location)}`;
      return client.post({ ...request, url });
    },
  };
});
afterAll(async () => {
  await closeAll();
  await api.stop();
});

describe('a partner address does not lead to an internal or denied host', () => {
  test.each(rows.map((row) => [JSON.stringify(row.url).slice(0, 80), row] as const))(
    '%s, on create, on change and on connect',
    async (_title, { url, address }) => {
      const body = { target_url: url, event_types: ['contact.created'] };
      for (const reply of [
        await team.post(path, body),
        await team.patch(subscription, { target_url: url }),
      ]) {
        expect(reply.status).toBe(422);
        expect(reply.body.errors).toEqual([
          expect.objectContaining({
            code: expect.stringMatching(/^(target_not_allowed|validation_failed)$/),
            meta: expect.objectContaining({ pointer: '/target_url' }),
          }),
        ]);
      }
      // A target that was stored under earlier rules.
      asked.length = 0;
      const connects = await countConnects(async () => {
        expect(await egress.post({ ...request, url })).toMatchObject({
          code: 'target_not_allowed',
        });
        expect(asked).toEqual([]);
        if (address === undefined) return;
        resolved = [address];
        expect(await egress.post({ ...request, url: name })).toMatchObject({
          code: 'target_not_allowed',
        });
        expect(new Set(asked)).toEqual(new Set(['hooks.example.com']));
      });
      expect(connects).toBe(0);
      const followed = await countConnects(async () => {
        if (address !== undefined)
          expect(await redirector.post(url)).toMatchObject({ status: 307 });
      });
      expect(followed).toBeLessThanOrEqual(1);
    },
  );

  test('the table covers all known attempts, and none of them was stored', async () => {
    expect(rows.length).toBeGreaterThan(200);
    const { data } = (await team.get(path)).body;
    expect(data).toEqual([expect.objectContaining({ target_url: name })]);
  });
});

test.each([
  'https://hooks.example.com:8443/x',
  'https://203.0.115.7/',
  'https://notdenied.example.net/',
  'https://denied.example.net.example.com/',
])('a public address remains usable with deny lists: %s', async (target_url) => {
  const made = await team.post(path, { target_url, event_types: ['contact.created'] });
  expect([made.status, made.body.target_url]).toEqual([201, target_url]);
  expect((await team.delete(`${path}/${made.body.id}`)).status).toBe(204);
});

test('an allow list of hosts leaves a stolen credential no other receiver', async () => {
  const narrow = await startTestApi({
    ...settings,
    EGRESS_ALLOWED_HOSTS: 'hooks.example.com, example.net',
  });
  const partner = await narrow.newTeam();
  const create = async (target_url: string) =>
    (await partner.post(path, { target_url, event_types: ['contact.created'] })).status;
  for (const url of [name, 'https://hooks.example.com:8443/', 'https://a.example.net/']) {
    expect([url, await create(url)]).toEqual([url, 201]);
  }
  for (const url of [
    ...['https://attacker.example/', 'https://example.com/', 'https://xhooks.example.com/'],
    ...['https://hooks.example.com.attacker.example/', 'https://8.8.8.8/'],
    ...['https://[2606:4700::1111]/', 'https://denied.example.net/'],
  ]) {
    expect([url, await create(url)]).toEqual([url, 422]);
  }
  const { webhooks: rules } = narrow.config;
  const guarded = startEgress({ rules });
  expect(await guarded.post({ ...request, url: 'https://attacker.example/' })).toMatchObject({
    code: 'target_not_allowed',
  });
  await narrow.stop();
});

test('a denied network remains closed inside an allowed one', () => {
  const rules = {
    ...productionRules,
    allowedNetworks: ['10.0.0.0/8'],
    deniedNetworks: ['10.9.0.0/16'],
  };
  expect(isForbiddenAddress('10.8.0.1', rules)).toBe(false);
  expect(isForbiddenAddress('10.9.0.1', rules)).toBe('denied');
});

test('an allowed NAT64 or 6to4 prefix does not open the private addresses behind it', () => {
  const rules = {
    ...productionRules,
    allowedNetworks: ['64:ff9b::/96', '2002::/16'],
    deniedNetworks: ['203.0.114.0/24'],
  };
  for (const address of ['64:ff9b::8.8.8.8', '2002:808:808::1']) {
    expect(isForbiddenAddress(address, rules)).toBe(false);
  }
  for (const address of [
    ...['64:ff9b::10.0.0.1', '64:ff9b::a9fe:a9fe', '64:ff9b::203.0.114.7'],
    ...['2002:a00:1::', '2002:cb00:7207::1'],
  ]) {
    expect(isForbiddenAddress(address, rules)).not.toBe(false);
  }
});

/** Names of the fields of a body that may hold an address and that clients may write. */
function addressFields(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]) => {
    const read = (name: string): unknown => Reflect.get(Object(value), name);
    if (read('readOnly') === true) return [];
    const isUri = /uri$/.test(String(read('format')));
    const isNamedSo = /(^|_)(ur[il]s?|hosts?|hostname|endpoint)$/i.test(key) && read('type');
    const isAddress = /^\D/.test(key) && (isUri || isNamedSo);
    return [...(isAddress ? [key] : []), ...addressFields(value)];
  });
}

test('no other field that a partner writes is an address that the service connects to', () => {
  const written = endpoints.filter(({ path: at }) => at.startsWith('/v2/'));
  const found = written.flatMap(({ body }) => addressFields(body));
  // A new one is checked like target_url, or it is only shown to people as these are.
  const shownToPeople = ['image_url', 'ios_url', 'android_url', 'url'];
  // Fields of providers: compared, stored, and for topics tied to the host of the provider.
  const reported = ['mx_host'];
  // abuse/file-sources verifies file sources when they are written and connected to.
  const fetched = ['host'];
  expect(new Set(found)).toEqual(
    new Set(['target_url', ...shownToPeople, ...reported, ...fetched]),
  );
});
