import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import { useTestApi } from '../support/use-test-api.ts';
import type { TestTeam } from '../support/api.ts';
import { aFormPage, proofIn } from '../widget/a-form.ts';

const api = useTestApi();
let team: TestTeam;
beforeAll(async () => {
  team = await api.newTeam();
});

const pages = '/v2/partner/landing-pages';
const open = (path: string, tag?: string | null) =>
  api.call('GET', path, { headers: tag ? { 'If-None-Match': `"other", W/${tag}` } : undefined });

async function aPage(html: string) {
  const block = await team.post('/v2/partner/content-blocks', {
    ...{ name: 'Text', key: `text-${randomUUID()}`, kind: 'rich_text', body: { html } },
  });
  const page = await team.post(pages, {
    ...{ name: 'P', slug: `p-${randomUUID()}`, title: 'P', content_block_ids: [block.body.id] },
  });
  const id = String(page.body.id);
  expect((await team.post(`${pages}/${id}/publish`)).status).toBe(200);
  return { id, block: String(block.body.id), path: new URL(String(page.body.url)).pathname };
}

test('repeated loads of a published page do not send it each time', async () => {
  const { id, block, path } = await aPage('<p>First</p>');
  const first = await open(path);
  const tag = first.headers.get('etag');
  expect([first.status, first.headers.get('cache-control')]).toEqual([200, 'private, max-age=30']);
  const again = await open(path, tag);
  expect([again.status, again.body, again.headers.get('etag')]).toEqual([304, undefined, tag]);
  expect(again.headers.get('content-security-policy')).toContain("default-src 'none'");

  // Published content is shown at once, also to a visitor with an older copy.
  await team.patch(`/v2/partner/content-blocks/${block}`, { body: { html: '<p>Second</p>' } });
  expect((await team.post(`${pages}/${id}/publish`)).status).toBe(200);
  const changed = await open(path, tag);
  expect([changed.status, changed.body]).toEqual([200, expect.stringContaining('Second')]);
  expect((await team.post(`${pages}/${id}/archive`)).status).toBe(200);
  expect((await open(path, changed.headers.get('etag'))).status).toBe(404);
});

test('a form belongs to one visitor, so its page is never served from a cache', async () => {
  const { path } = await aFormPage(team);
  const [first, second] = [await open(path), await open(path)];
  expect([first.headers.get('etag'), first.headers.get('cache-control')]).toEqual([
    null,
    'no-cache',
  ]);
  expect(proofIn(first)).not.toBe('');
  expect(proofIn(first)).not.toBe(proofIn(second));
});

test('repeated loads of an API description do not send it each time', async () => {
  for (const path of ['/v2/meta/openapi.json', '/.well-known/oauth-authorization-server']) {
    const first = await open(path);
    const again = await open(path, first.headers.get('etag'));
    expect([path, first.status, again.status, again.body]).toEqual([path, 200, 304, undefined]);
  }
});
