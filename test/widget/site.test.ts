import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { useTestApi } from '../support/use-test-api.ts';
import { aWidget, bank, verdict, widgetInstances } from './a-widget.ts';

const api = useTestApi();

const policyOf = ({ headers }: { headers: Headers }) => headers.get('content-security-policy');

describe('the script', () => {
  test('is small and self-contained, and every page may load it', async () => {
    const reply = await api.call('GET', '/widget.js');
    expect(reply.status).toBe(200);
    expect(gzipSync(String(reply.body)).length).toBeLessThanOrEqual(24_000);
    expect(Buffer.byteLength(String(reply.body))).toBeLessThanOrEqual(64_000);
    expect(reply.body).not.toMatch(/^\s*(import|export) /m);
    expect(Object.fromEntries(reply.headers)).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'cache-control': 'public, max-age=300, stale-while-revalidate=86400',
      'x-content-type-options': 'nosniff',
    });
  });

  test('is answered 304 to a client with its ETag', async () => {
    const etag = String((await api.call('GET', '/widget.js')).headers.get('etag'));
    const headers = { 'If-None-Match': `"other", ${etag}` };
    const again = await api.call('GET', '/widget.js', { headers });
    expect([again.status, again.body, again.headers.get('etag')]).toEqual([304, undefined, etag]);
    const other = await api.call('GET', '/widget.js', { headers: { 'If-None-Match': '"other"' } });
    expect(other.status).toBe(200);
  });
});

test('the page of a recipient runs only the script, and cannot be framed', async () => {
  const reply = await api.call('GET', '/journey');
  expect(reply.status).toBe(200);
  expect(policyOf(reply)).toBe(
    "default-src 'none'; base-uri 'none'; object-src 'none'; form-action 'none'; frame-ancestors 'none'; " +
      "style-src 'unsafe-inline'; img-src https: http: data:; script-src 'self'; connect-src 'self'",
  );
  expect(reply.headers.get('referrer-policy')).toBe('no-referrer');
  expect(reply.body).not.toMatch(/<script>|style=|\son\w+=/);
});

test('the page of a widget may be framed by its origins, while it is open', async () => {
  const team = await api.newTeam();
  const other = 'https://other.example.com';
  const id = await aWidget(team, { allowed_origins: [bank, other] });
  const { body } = await team.get(`${widgetInstances}/${id}`);
  const path = `/widget/${String(body.publishable_key)}`;
  const reply = await api.call('GET', path);
  expect(policyOf(reply)).toContain(`frame-ancestors ${bank} ${other}`);
  await team.patch(`${widgetInstances}/${id}`, { allowed_origins: [] });
  expect(policyOf(await api.call('GET', path))).toContain("frame-ancestors 'none'");
  await team.patch(`${widgetInstances}/${id}`, { is_active: false });
  expect(verdict(await api.call('GET', path))).toBe('404 route_not_found');
  expect(verdict(await api.call('GET', '/widget/wpk_AAAAAAAAAAAA'))).toBe('404 route_not_found');
});

describe('a landing page', () => {
  async function published(fields: object = {}) {
    const team = await api.newTeam();
    const block = await team.post('/v2/partner/content-blocks', {
      ...{ name: 'Offer', key: 'offer', kind: 'rich_text' },
      body: { html: '<p>First {{ contact.first_name | default: "you" }}</p>' },
    });
    const made = await team.post('/v2/partner/landing-pages', {
      ...{ name: 'Offer', slug: `offer-${randomUUID()}`, title: 'The card', ...fields },
      content_block_ids: [block.body.id],
    });
    const at = `/v2/partner/landing-pages/${String(made.body.id)}`;
    await team.post(`${at}/publish`);
    return { team, at, path: new URL(String(made.body.url)).pathname, blockId: block.body.id };
  }
  const viewsOf = async ({ team }: Awaited<ReturnType<typeof published>>) =>
    (await team.get('/v2/partner/engagement-events')).body.data;

  test('shows the latest published snapshot at its url', async () => {
    const page = await published();
    const reply = await api.call('GET', page.path);
    expect(reply.status).toBe(200);
    expect(reply.body).toContain('<title>The card</title>');
    expect(reply.body).toContain('First you');
    expect(policyOf(reply)).not.toContain('script-src');
    expect(policyOf(reply)).toContain("default-src 'none'");
    await page.team.patch(`/v2/partner/content-blocks/${String(page.blockId)}`, {
      body: { html: '<p>Second</p>' },
    });
    expect((await api.call('GET', page.path)).body).toContain('First you');
    await page.team.post(`${page.at}/publish`);
    expect((await api.call('GET', page.path)).body).toContain('Second');
  });

  test.each([
    ['ar-EG', 'lang="ar-EG" dir="rtl"'],
    ['de', 'lang="de" dir="ltr"'],
    [undefined, 'lang="en-US" dir="auto"'],
  ])('of the locale %s has the attributes %s', async (locale, attributes) => {
    const { path } = await published(locale === undefined ? {} : { locale });
    const { body } = await api.call('GET', path);
    expect(body.startsWith(`<!doctype html><html ${attributes}><head>`)).toBe(true);
  });

  test('is not found before its publication, after its withdrawal, and for another team', async () => {
    const page = await published();
    const [, , , slug = ''] = page.path.split('/');
    const stranger = await api.newTeam();
    for (const path of [`/p/${stranger.id}/${slug}`, `/p/${randomUUID()}/x`]) {
      const reply = await api.call('GET', path);
      expect([reply.status, reply.headers.get('content-type')]).toEqual([
        404,
        'text/html; charset=utf-8',
      ]);
    }
    await page.team.post(`${page.at}/unpublish`);
    expect((await api.call('GET', page.path)).status).toBe(404);
    expect(await viewsOf(page)).toEqual([]);
  });

  test('counts views, and distinguishes machines from persons', async () => {
    const page = await published();
    await api.call('HEAD', page.path);
    await api.call('GET', page.path, {
      headers: { 'User-Agent': 'Mozilla/5.0 (X11) Firefox/150' },
    });
    await api.call('GET', page.path, { headers: { 'User-Agent': 'Googlebot/2.1' } });
    const views = await viewsOf(page);
    expect(views.map(({ is_machine }: any) => is_machine).sort()).toEqual([false, true]);
    for (const view of views) {
      expect(view).toMatchObject({
        ...{ kind: 'landing_page.viewed', source: 'landing_page', channel: 'web' },
        landing_page_id: page.at.split('/').at(-1),
      });
      expect(view).not.toHaveProperty('contact_id');
    }
  });
});
