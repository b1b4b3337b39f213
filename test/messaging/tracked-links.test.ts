import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Parser } from 'htmlparser2';
import { newKeyFile, openKeyring } from '../../src/platform/auth/keyring.ts';
import { replaceLinks } from '../../src/platform/content/links.ts';
import { escapeHtml, sanitizeMarkup } from '../../src/platform/content/html.ts';
import { createTracker, withTrackedLinks } from '../../src/messaging/tracking/rewrite.ts';
import {
  agentClassOf,
  countedBy,
  isFetchedAhead,
  isMachineVisit,
  maxTrackedBytes,
  mayRecord,
  periodOf,
} from '../../src/messaging/tracking/rules.ts';
import type { Visit } from '../../src/messaging/tracking/rules.ts';
import { readTrackedPath, trackedUrls } from '../../src/messaging/tracking/token.ts';

const keyring = openKeyring(newKeyFile());
const publicBaseUrl = 'https://onward.example';
const domain = 'links.bank.example';
const baseUrl = `https://${domain}`;
const send = {
  ...{ team_id: randomUUID(), id: randomUUID() },
  inserted_at: '2026-05-04T03:02:01.123Z',
};
const host = { kind: 'tracking', name: domain, teamId: send.team_id } as const;
const tracked = (html: string) =>
  withTrackedLinks(
    html,
    createTracker({ keyring, publicBaseUrl }, send, {
      opens: false,
      clicks: true,
      baseUrl,
      domain,
    }),
  );
const pathOf = (url: string) => url.slice(baseUrl.length);

/** The addresses of the links of a document, those that are tracked by their targets. */
function targetsOf(html: string): string[] {
  const found: string[] = [];
  const parser = new Parser({
    onopentag(name, { href }) {
      if (name !== 'a' || href === undefined) return;
      if (!href.startsWith(`${baseUrl}/`)) found.push(href);
      else found.push(readTrackedPath(keyring, pathOf(href), host)?.target ?? 'invalid');
    },
  });
  parser.end(html);
  return found;
}

/** An address as a browser opens it. */
const opened = (href: string) => (/^https?:/i.test(href.trim()) ? new URL(href.trim()).href : href);

const address = fc.oneof(
  fc.webUrl({ withFragments: true, withQueryParameters: true }),
  fc.constantFrom(
    'https://shop.example/?a=1&b=2&copy=3',
    ' https://shop.example/x y ',
    'HTTP://Shop.Example/Ü?q="\'<>',
    'mailto:ada@example.com',
    'tel:+14155550100',
    '#top',
    '/here',
    `https://shop.example/${'x'.repeat(maxTrackedBytes)}`,
    `${publicBaseUrl}/unsubscribe/dou~k~n~p`,
    `${publicBaseUrl}/journey#dol~k~n~p`,
    `${publicBaseUrl}/p/${send.team_id}/offer`,
  ),
);
const text = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.constantFrom(
    '<b>',
    '</p>',
    '<a',
    'href="https://no.example"',
    '&amp;',
    "'>",
    '<!-- <a href="',
    '-->',
  ),
);
const link = fc
  .tuple(
    address,
    fc.constantFrom('"', "'"),
    fc.constantFrom('', ' class="x"', ' title="a > b"'),
    text,
  )
  .map(
    ([href, quote, more, label]) =>
      `<a${more} href=${quote}${escapeHtml(href)}${quote}>${label}</a>`,
  );
const documents = fc.array(fc.oneof(text, link), { maxLength: 12 }).map((parts) => parts.join(''));

test('every link of a document leads where it did, and nothing else of it changes', () => {
  fc.assert(
    fc.property(documents, (source) => {
      const html = sanitizeMarkup(source, { liquid: false });
      const result = tracked(html);
      expect(targetsOf(result).map(opened)).toEqual(targetsOf(html).map(opened));
      const place = (text: string) => replaceLinks(text, () => 'x');
      expect(place(result)).toBe(place(html));
    }),
    { numRuns: 300 },
  );
});

test('links of the service with secrets, other schemes, long and refused links stay', () => {
  const stays = [
    `<a href="${publicBaseUrl}/unsubscribe/dou~k~n~p">a</a>`,
    `<a href="${publicBaseUrl}/preferences/dou~k~n~p">a</a>`,
    `<a href="${publicBaseUrl}/journey#dol~k~n~p">a</a>`,
    '<a href="mailto:ada@example.com">a</a><a href="tel:+1415">a</a><a href="#top">a</a>',
    `<a href="https://shop.example/${'x'.repeat(maxTrackedBytes)}">a</a>`,
    '<img src="https://shop.example/a.png"><p>https://shop.example</p>',
  ].join('');
  expect(tracked(stays)).toBe(stays);
  const refused = '<a data-onward-track="false" href="https://shop.example/">a</a>';
  expect(tracked(sanitizeMarkup(refused, { liquid: false }))).toBe(
    '<a href="https://shop.example/">a</a>',
  );
  expect(withTrackedLinks(refused, undefined)).toBe('<a href="https://shop.example/">a</a>');
  expect(targetsOf(tracked(`<a href="${publicBaseUrl}/p/x/offer">a</a>`))).toEqual([
    `${publicBaseUrl}/p/x/offer`,
  ]);
  expect(tracked('<a href=https://shop.example>a</a><area href="https://shop.example">')).toMatch(
    /^<a href=https:\/\/links\.bank\.example\/t\/c\/[\w~-]+>a<\/a><area href="https:\/\/links\.bank\.example\/t\/c\/[\w~-]+">$/,
  );
});

test('a token proves its delivery and its target, and no other kind of link', () => {
  const urls = trackedUrls({ baseUrl, domain }, keyring, send);
  const [open, click] = [pathOf(urls.open()), pathOf(urls.click('https://shop.example/ü'))];
  expect(readTrackedPath(keyring, open, host)).toEqual({ send, target: null });
  expect(readTrackedPath(keyring, click, host)).toEqual({ send, target: 'https://shop.example/ü' });
  const otherKeys = openKeyring(newKeyFile());
  const [, , page = '', token = ''] = click.split('/');
  const [prefix = '', keyId = '', name = '', proof = ''] = token.split('~');
  const evil = Buffer.from(
    Buffer.from(name, 'base64url').toString('latin1').replace('shop', 'evil'),
    'latin1',
  ).toString('base64url');
  const forged = [
    `/t/o/${token}.gif`,
    `/t/c/${open.slice('/t/o/'.length, -'.gif'.length)}`,
    `/t/c/${token}.gif`,
    `/t/${page}/${[prefix, keyId, evil, proof].join('~')}`,
    `/t/${page}/${[prefix, keyId, name, proof.slice(1)].join('~')}`,
    `/t/${page}/${['dou', keyId, name, proof].join('~')}`,
    `/t/${page}/${token}~`,
    `/t/${page}/`,
  ];
  for (const path of forged)
    expect([path, readTrackedPath(keyring, path, host)]).toEqual([path, undefined]);
  expect(readTrackedPath(otherKeys, click, host)).toBeUndefined();
});

test('a token proves nothing at another host, and for another team', () => {
  const own = { kind: 'service' } as const;
  const target = 'https://shop.example/';
  const atDomain = pathOf(trackedUrls({ baseUrl, domain }, keyring, send).click(target));
  const atService = trackedUrls({ baseUrl: '' }, keyring, send).click(target);
  expect(readTrackedPath(keyring, atDomain, host)?.target).toBe(target);
  expect(readTrackedPath(keyring, atService, own)?.target).toBe(target);
  for (const [path, place] of [
    [atDomain, own],
    [atDomain, { ...host, name: 'links.other.example' }],
    [atDomain, { ...host, teamId: randomUUID() }],
    [atService, host],
  ] as const)
    expect(readTrackedPath(keyring, path, place)).toBeUndefined();
});

const browser = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';
const phone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148';
const sentMs = Date.parse(send.inserted_at);
const visit = (fields: Partial<Visit> = {}): Visit => ({
  ...{ target: 'https://shop.example/', atMs: sentMs + 60_000, agent: 'desktop', isAhead: false },
  ...fields,
});

test.each([
  [browser, 'desktop'],
  [phone, 'mobile'],
  ['Mozilla/5.0', 'machine'],
  [
    'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)',
    'unknown',
  ],
  ['YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html', 'unknown'],
  ['Slackbot-LinkExpanding 1.0', 'machine'],
  ['', 'unknown'],
  [undefined, 'unknown'],
])('the user agent %p is of the class %s', (userAgent, agent) => {
  expect(agentClassOf(userAgent)).toBe(agent);
});

test('requests of the head and of browsers that fetch ahead are made by machines', () => {
  expect(isFetchedAhead('HEAD', [])).toBe(true);
  expect(isFetchedAhead('GET', [undefined, 'prefetch;prerender'])).toBe(true);
  expect(isFetchedAhead('GET', [undefined, undefined])).toBe(false);
  expect(isMachineVisit(visit({ isAhead: true }), sentMs, [])).toBe(true);
  expect(isMachineVisit(visit({ agent: 'machine', target: null }), sentMs, [])).toBe(true);
});

test('a click within a second of the sending, or with clicks on two further links, is of a machine', () => {
  const judge = (one: Visit, clicks: readonly Visit[] = [one]) =>
    isMachineVisit(one, sentMs, clicks);
  expect(judge(visit())).toBe(false);
  expect(judge(visit({ atMs: sentMs + 999 }))).toBe(true);
  expect(judge(visit({ atMs: sentMs + 1_000 }))).toBe(false);
  expect(isMachineVisit(visit(), undefined, [])).toBe(true);
  expect(judge(visit({ target: null, atMs: sentMs }))).toBe(false);
  const links = ['a', 'b', 'c'].map((target, at) => visit({ target, atMs: sentMs + 9_000 + at }));
  const [first = visit()] = links;
  expect(judge(first, links)).toBe(true);
  expect(judge(first, links.slice(0, 2))).toBe(false);
  expect(judge(first, [first, first, first])).toBe(false);
  expect(
    judge(first, [...links.slice(0, 2), visit({ target: 'c', atMs: first.atMs + 1_001 })]),
  ).toBe(false);
});

test('a flood on one delivery is bounded, for people and machines apart', () => {
  const none = { open_count: 0, click_count: 0, machine_open_count: 0 };
  for (const [target, isMachine] of [
    ['https://shop.example/', false],
    [null, false],
    [null, true],
  ] as const) {
    let counters = none;
    let recorded = 0;
    while (mayRecord(counters, visit({ target }), isMachine)) {
      counters = countedBy(counters, visit({ target }), isMachine);
      recorded += 1;
    }
    expect(recorded).toBe(100);
    expect(mayRecord(counters, visit({ target }), !isMachine)).toBe(true);
  }
  const later = visit({ atMs: sentMs + 86_400_000 });
  expect(periodOf(later, true)).toBe(periodOf(visit(), true));
  expect(periodOf(later, false)).not.toBe(periodOf(visit(), false));
});
