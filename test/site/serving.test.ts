import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { endpoints } from '../../src/app/endpoints.ts';
import { errorCatalog } from '../../src/platform/http/error-catalog.ts';
import { openSiteFiles } from '../../src/meta/site-files.ts';
import { scratchDirectory } from '../local/scratch.ts';
import { useTestApi } from '../support/use-test-api.ts';
import { diagramFile } from '../../site/diagram-file.ts';
import { diagramsIn } from './diagrams-in.ts';
import { buildSiteOnce } from './built-site.ts';

const api = useTestApi();
beforeAll(buildSiteOnce);
const root = scratchDirectory();

const get = (path: string, headers: Record<string, string> = {}) =>
  api.call('GET', path, { headers });
/** As a browser asks for it. */
const visit = (path: string) => get(path, { Accept: 'text/html' });

/** Pages of the site, by the links of its menu and pages. */
async function everyPage(): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const waiting = ['/docs', '/docs/operators'];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (found.has(path)) continue;
    const { status, body, headers } = await visit(path);
    expect([path, status, headers.get('content-type')]).toEqual([
      ...[path, 200, 'text/html; charset=utf-8'],
    ]);
    found.set(path, String(body));
    for (const [, link = ''] of String(body).matchAll(/<a [^>]*href="(\/docs[^"#?]*)/g)) {
      if (!/\.(json|png|svg)$/.test(link)) waiting.push(link);
    }
  }
  return found;
}

test('every page, script, style and picture that a page names is served by the API', async () => {
  const pages = await everyPage();
  expect(pages.size).toBeGreaterThan(250);
  const files = new Set<string>();
  for (const [page, html] of pages) {
    for (const [, at = ''] of html.matchAll(/<(?:script|link|img)\b[^>]*(?:src|href)="([^"]+)"/g)) {
      expect([page, at]).toEqual([page, expect.stringMatching(/^(\/docs\/|data:)/)]);
      if (!at.startsWith('data:')) files.add(at);
    }
  }
  for (const file of files) expect([file, (await get(file)).status]).toEqual([file, 200]);
  // Anchors of links: each page has the part that another one names.
  const ids = new Map(
    [...pages].map(([page, html]) => [
      page,
      new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id)),
    ]),
  );
  const broken = [...pages].flatMap(([page, html]) =>
    [...html.matchAll(/<a [^>]*href="(\/docs[^"#?]*)?#([^"]+)"/g)]
      .filter(([, to = page, id = '']) => to !== '/docs/reference/try' && !ids.get(to)?.has(id))
      .map(([link]) => `${page}: ${link}`),
  );
  expect(broken).toEqual([]);
});

test('every page of the menus is served as Markdown, and listed for programs', async () => {
  const { status, body, headers } = await get('/llms.txt');
  expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
  const text = String(body);
  expect(text).toMatch(/^# Onward\n\n> /);
  const links = [...text.matchAll(/^- \[[^\]]+\]\((\S+)\)$/gm)].map(([, link = '']) => link);
  expect(links.length).toBeGreaterThan(50);
  expect(new Set(links).size).toBe(links.length);
  for (const link of links) {
    const page = await get(link);
    expect([link, page.status, page.headers.get('content-type')]).toEqual([
      ...[link, 200, 'text/markdown; charset=utf-8'],
    ]);
    expect(String(page.body)).toMatch(/^# \S/m);
  }
});

test('the collection of requests is linked and served', async () => {
  const [, link] = /href="([^"]+_collection\.json)"/.exec(
    String((await get('/docs/clients')).body),
  ) ?? ['', ''];
  expect(link).toBe('/docs/collections/onward.postman_collection.json');
  const { status, body } = await get(link ?? '');
  expect([status, body.info.name]).toEqual([200, 'Onward']);
});

test('every error code has a section of the list, in order of the status, and a page with its remedy', async () => {
  const errors = String((await get('/docs/errors')).body);
  const codes = Object.keys(errorCatalog);
  expect(codes.filter((code) => !errors.includes(`id="${code}"`))).toEqual([]);
  const statuses = [...errors.matchAll(/<h2 id="(\d+)"/g)].map(([, status]) => Number(status));
  expect(statuses).toEqual(statuses.toSorted((one, other) => one - other));
  const { body, headers } = await visit('/docs/errors/cursor_invalid');
  expect(headers.get('vary')).toContain('Accept');
  expect(String(body)).toContain(errorCatalog.cursor_invalid[1]);
  expect(String(body)).toContain('VPSidebar');
  // Programs need no menus.
  expect(String((await get('/docs/errors/cursor_invalid')).body)).not.toContain('VPSidebar');
});

test('every operation has a section with its fields, samples, errors and an answer', async () => {
  const index = String((await get('/docs/reference')).body);
  const addresses = endpoints.map(({ id }) => {
    const [, address = ''] = new RegExp(`href="(/docs/reference/[\\w-]+)#${id}"`).exec(index) ?? [];
    return { id, address };
  });
  expect(addresses.filter(({ address }) => address === '')).toEqual([]);
  const sections = String((await get('/docs/reference/contacts')).body).split('<h2 ');
  const section = sections.find((one) => one.startsWith('id="createContact"')) ?? '';
  for (const part of [
    ...['>POST</span>', '<code>/v2/partner/contacts</code>', 'partner:contacts:write'],
    ...[
      '<code>first_name</code>',
      'At most 100 characters.',
      'href="/docs/events/contact#contact.created"',
    ],
    ...['onward.contacts.create(', 'contacts create', 'href="/docs/errors/unique_id_taken"'],
    ...['href="/docs/reference/try#createContact"', 'Answer, HTTP 201'],
  ]) {
    expect([part, section.includes(part)]).toEqual([part, true]);
  }
  const update = sections.find((one) => one.startsWith('id="setContactConsent"')) ?? '';
  expect(update).toContain('One of <code>pending</code>, <code>');
});

test('every event type has an address with the time, a body and the fields of its data', async () => {
  const index = String((await get('/docs/events')).body);
  const team = await api.newTeam();
  const { body } = await team.get('/v2/meta/event-types');
  for (const { name, description } of body.data) {
    const anchor = String(name).replace(/\.\*$/, '');
    const [, page = ''] =
      new RegExp(`href="(/docs/events/[\\w-]+)#${anchor.replaceAll('.', '[.]')}"`).exec(index) ??
      [];
    expect([name, page]).not.toEqual([name, '']);
    const html = String((await get(page)).body);
    const section = html.split(`<h2 id="${anchor}"`)[1] ?? '';
    const text = section.replaceAll(/<[^>]+>/g, '').replaceAll('&quot;', '"');
    expect(text).toContain(String(description).replaceAll(/[`]/g, '').split('<')[0] ?? '');
    expect(text).toContain(`"type": "${name.replace(/\.\*$/, '.')}`);
    expect(html).toContain('id="fields-of-data');
  }
  const whole = [index, String((await get('/docs/events/contact')).body)].join();
  expect(whole).not.toContain('npm run generate -- documents');
  expect(whole).toContain('partner:contacts:read');
});

test('the icon is served with a time to cache it, also below the documentation', async () => {
  const { status, headers } = await get('/favicon.ico');
  expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
    ...[200, 'image/x-icon', 'public, max-age=86400'],
  ]);
  expect((await get('/docs/favicon.ico')).status).toBe(200);
});

test('the changelog, which lies outside of docs/, is a page', async () => {
  const html = String((await get('/docs/changelog')).body);
  expect(html).toContain('href="https://keepachangelog.com/');
  expect(html).toContain('href="/docs/api-conventions');
});

test('the list of operations of earlier versions leads to the reference', async () => {
  const { status, body } = await get('/docs/endpoints');
  expect([status, body]).toEqual([
    200,
    expect.stringContaining('location.replace("/docs/reference"'),
  ]);
});

test('a page runs no script but the known ones, and may be cached by its ETag', async () => {
  const { headers, body } = await get('/docs/webhooks');
  const policy = headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).toMatch(/script-src 'self'( 'sha256-[\w+/=]{44}')+;/);
  const etag = headers.get('etag') ?? '';
  const again = await get('/docs/webhooks', { 'If-None-Match': etag });
  expect([again.status, again.body]).toEqual([304, undefined]);
  expect(headers.get('cache-control')).toBe('no-cache');
  const [script = ''] = /\/docs\/assets\/[\w.-]+\.js/.exec(String(body)) ?? [];
  expect((await get(script)).headers.get('cache-control')).toContain('immutable');
});

test('what is not a file of the site is not found', async () => {
  for (const path of ['/docs/.digest', '/docs/../package.json', '/docs/%2e%2e/package.json']) {
    expect([path, (await get(path)).status]).toEqual([path, 404]);
  }
  const page = await get('/docs/no-such-page', { Accept: 'text/html' });
  expect([page.status, page.headers.get('content-type')]).toEqual([
    ...[404, 'text/html; charset=utf-8'],
  ]);
});

test('every diagram has its picture', async () => {
  const missing = diagramsIn('docs').filter(({ text }) => !existsSync(diagramFile(text)));
  // After a change of a diagram: npm run generate -- diagrams.
  expect(missing).toEqual([]);
  expect(String((await get('/docs/concepts')).body)).toContain('<svg id="d');
});

test('a link out of the folder is not followed', async () => {
  const folder = join(root, 'linked');
  mkdirSync(folder);
  writeFileSync(join(root, 'secret.html'), 'secret');
  writeFileSync(join(folder, 'index.html'), 'home');
  symlinkSync(join(root, 'secret.html'), join(folder, 'link.html'));
  const files = openSiteFiles(folder);
  expect((await files.find('/docs'))?.bytes.toString()).toBe('home');
  for (const path of ['/docs/link', '/docs/../secret', '/docs//../secret.html']) {
    expect([path, await files.find(path)]).toEqual([path, undefined]);
  }
});

test('until the first build has ended, there is no site', async () => {
  const folder = join(root, 'later');
  const files = openSiteFiles(folder);
  expect(await files.isBuilt()).toBe(false);
  mkdirSync(folder);
  writeFileSync(join(folder, 'index.html'), 'home');
  expect(await files.isBuilt()).toBe(true);
  expect(await files.find('/docs/')).toBeDefined();
});
