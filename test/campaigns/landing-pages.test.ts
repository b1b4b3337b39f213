import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { useTestApi } from '../support/use-test-api.ts';
import type { TestTeam } from '../support/api.ts';
import { codesOf } from './a-template.ts';
import { eventTypesOf, eventsOf, subscribe } from '../support/recorded-events.ts';

const api = useTestApi();
let team: TestTeam;
beforeAll(async () => {
  team = await api.newTeam();
  await subscribe(api, team);
});

const pages = '/v2/partner/landing-pages';
const place = (id: unknown, rest = '') => `${pages}/${String(id)}${rest}`;

async function aBlock(html = '<p>Hello</p>'): Promise<string> {
  const block = { name: 'Block', key: `b-${randomUUID()}`, kind: 'rich_text', body: { html } };
  return String((await team.post('/v2/partner/content-blocks', block)).body.id);
}

/** A draft that is complete enough to publish. */
async function aPage(fields: object = {}) {
  const complete = { title: 'Welcome', content_block_ids: [await aBlock()] };
  const made = await team.post(pages, {
    name: 'Page',
    slug: `p-${randomUUID()}`,
    ...complete,
    ...fields,
  });
  return made.body;
}

async function aPublishedPage(fields: object = {}) {
  const { id } = await aPage(fields);
  return (await team.post(place(id, '/publish'))).body;
}

describe('publishing', () => {
  test('stores a complete copy of the page, which later edits do not change', async () => {
    const block = await aBlock('<p>First</p>');
    const page = await aPublishedPage({
      content_block_ids: [block],
      theme: { primary_color: '#123456' },
    });
    expect(page).toMatchObject({ status: 'published', version: 1, has_unpublished_changes: false });
    await team.patch(`/v2/partner/content-blocks/${block}`, { body: { html: '<p>Second</p>' } });
    await team.patch(place(page.id), { title: 'Other' });
    const rows = await api.db.look(
      (sql) => sql<{ content: unknown }[]>`
        select content from landing_page_versions where landing_page_id = ${page.id}`,
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]?.content).toMatchObject({
      title: 'Welcome',
      theme: { primary_color: '#123456' },
      seo: { noindex: true },
      blocks: [{ id: block, kind: 'rich_text', body: { html: '<p>First</p>' }, version: 1 }],
    });
  });

  test('again creates another version, and the page reports unpublished changes', async () => {
    const block = await aBlock();
    const page = await aPublishedPage({ content_block_ids: [block] });
    const hasChanges = async () => (await team.get(place(page.id))).body.has_unpublished_changes;
    await team.patch(place(page.id), { name: 'Only the team sees the name' });
    expect(await hasChanges()).toBe(false);
    await team.patch(place(page.id), { title: 'Other' });
    expect(await hasChanges()).toBe(true);
    await team.patch(place(page.id), { title: 'Welcome' });
    expect(await hasChanges()).toBe(false);
    await team.patch(`/v2/partner/content-blocks/${block}`, { body: { html: 'x' } });
    expect(await hasChanges()).toBe(true);
    const again = await team.post(place(page.id, '/publish'));
    expect(again.body).toMatchObject({ version: 2, has_unpublished_changes: false });
    expect(again.body.published_at >= page.published_at).toBe(true);
  });

  test('of a page without a title and blocks shows its name', async () => {
    const page = await aPublishedPage({
      name: 'Welcome & more',
      title: null,
      content_block_ids: [],
    });
    expect(page).toMatchObject({ status: 'published', has_unpublished_changes: false });
    const shown = await (await fetch(`${api.url}/p/${team.id}/${String(page.slug)}`)).text();
    expect(shown).toContain('<title>Welcome &amp; more</title>');
    expect(shown).toContain('<h1>Welcome &amp; more</h1>');
    await team.patch(place(page.id), { name: 'Other' });
    expect((await team.get(place(page.id))).body.has_unpublished_changes).toBe(true);
  });

  test('is refused with a list of everything that is missing', async () => {
    const archived = await aBlock();
    const misspelt = await aBlock('{{ contact.fist_name }} {{ journey.link_url }}');
    const page = await aPage({ title: null, content_block_ids: [archived, misspelt] });
    await team.post(`/v2/partner/content-blocks/${archived}/archive`);
    const refused = await team.post(place(page.id, '/publish'));
    expect(refused.status).toBe(422);
    expect(refused.body.errors[0]).toMatchObject({
      code: 'landing_page_incomplete',
      meta: {
        missing: [
          `content_blocks/${archived}/unarchived`,
          `content_blocks/${misspelt}/variables/contact.fist_name`,
          `content_blocks/${misspelt}/variables/journey.link_url`,
        ],
      },
    });
  });

  test('prevents the archiving of blocks on the page', async () => {
    const page = await aPublishedPage();
    const block = `/v2/partner/content-blocks/${String(page.content_block_ids[0])}`;
    expect(codesOf((await team.post(`${block}/archive`)).body)).toEqual(['content_block_in_use']);
    await team.post(place(page.id, '/unpublish'));
    expect((await team.post(`${block}/archive`)).status).toBe(200);
  });
});

test('every action is refused from states without that transition', async () => {
  const reach = { draft: [], published: ['publish'], archived: ['archive'] };
  const legal = {
    publish: ['draft', 'published'],
    unpublish: ['published'],
    archive: ['draft', 'published'],
    unarchive: ['archived'],
  };
  for (const [state, way] of Object.entries(reach)) {
    for (const [action, from] of Object.entries(legal)) {
      const { id } = await aPage();
      for (const step of way) await team.post(place(id, `/${step}`));
      const reply = await team.post(place(id, `/${action}`));
      expect([state, action, reply.status]).toEqual([
        state,
        action,
        from.includes(state) ? 200 : 409,
      ]);
      if (reply.status === 409) {
        expect(reply.body.errors[0]).toMatchObject({
          code: 'invalid_state_transition',
          meta: { state, action, allowed_actions: expect.not.arrayContaining([action]) },
        });
      }
    }
  }
});

describe('a slug', () => {
  test.each(['', 'Spring', 'a b', 'a--b', '-a', 'ä', 'a'.repeat(81)])(
    'refuses the slug “%s”, which is no part of an address',
    async (slug) => {
      const { status, body } = await team.post(pages, { name: 'A', slug });
      expect([status, body.errors[0].meta.pointer]).toEqual([422, '/slug']);
    },
  );

  test('refuses an empty name, and one that is too long', async () => {
    for (const name of ['', 'a'.repeat(256)]) {
      const { status, body } = await team.post(pages, { name, slug: `p-${randomUUID()}` });
      expect([status, body.errors[0].meta.pointer]).toEqual([422, '/name']);
    }
  });

  test('is unique among the pages that are not archived', async () => {
    const page = await aPage();
    const refused = await team.post(pages, { name: 'B', slug: page.slug });
    expect(refused.status).toBe(409);
    expect(refused.body.errors[0]).toMatchObject({ code: 'slug_taken', meta: { id: page.id } });
    await team.post(place(page.id, '/archive'));
    const other = await team.post(pages, { name: 'B', slug: page.slug });
    expect(other.status).toBe(201);
    const back = await team.post(place(page.id, '/unarchive'));
    expect(codesOf(back.body)).toEqual(['slug_taken']);
    await team.patch(place(page.id), { slug: `q-${randomUUID()}` });
    expect((await team.post(place(page.id, '/unarchive'))).body.status).toBe('draft');
    const moved = await team.patch(place(page.id), { slug: page.slug });
    expect(codesOf(moved.body)).toEqual(['slug_taken']);
  });

  test('is part of the url, and a copy receives a free one', async () => {
    const page = await aPage({ slug: 'spring' });
    expect(page.url).toBe(`http://onward.test/p/${team.id}/spring`);
    const copies = [];
    for (let made = 0; made < 2; made += 1) {
      copies.push((await team.post(place(page.id, '/duplicate'))).body.slug);
    }
    expect(copies).toEqual(['spring-copy', 'spring-copy-2']);
  });
});

test('a published page must be unpublished before it is deleted', async () => {
  const page = await aPublishedPage();
  expect(codesOf((await team.delete(place(page.id))).body)).toEqual(['invalid_state_transition']);
  await team.post(place(page.id, '/unpublish'));
  expect((await team.delete(place(page.id))).status).toBe(204);
  expect((await team.get(place(page.id))).status).toBe(404);
});

test('subscribers receive one event for each change', async () => {
  const page = await aPage();
  await team.patch(place(page.id), { title: 'Other' });
  await team.patch(place(page.id), { title: 'Other' });
  for (const action of ['publish', 'unpublish', 'archive', 'unarchive']) {
    await team.post(place(page.id, `/${action}`));
  }
  expect(await eventTypesOf(api, team, page.id)).toEqual([
    'landing_page.created',
    'landing_page.updated',
    'landing_page.published',
    'landing_page.unpublished',
    'landing_page.archived',
    'landing_page.updated',
  ]);
  const [, updated, published] = await eventsOf(api, team, page.id);
  expect(updated?.previous).toMatchObject({ title: 'Welcome' });
  expect(published?.data).toMatchObject({ status: 'published', url: page.url });
});

test('a preview is the whole document, for a sample contact or given data', async () => {
  const block = await aBlock('<p>Hi {{ contact.first_name }}</p>');
  const page = await aPage({ title: 'A & B', content_block_ids: [block] });
  const { body } = await team.get(place(page.id, '/preview'));
  expect(body.html).toContain('<title>A &amp; B</title>');
  expect(body.html).toContain('<p>Hi Ada</p>');
  const data = { contact: { first_name: '<b>Grace</b>' } };
  const given = await team.post(place(page.id, '/render'), { data });
  expect(given.body.html).toContain('<p>Hi &lt;b&gt;Grace&lt;/b&gt;</p>');
});

test('the list hides archived pages and includes content blocks on request', async () => {
  const own = await api.newTeam();
  const made = await own.post(pages, { name: 'A', slug: 'a' });
  const gone = await own.post(pages, { name: 'B', slug: 'b' });
  await own.post(place(gone.body.id, '/archive'));
  const shown = await own.get(`${pages}?include=content_blocks&sort=name`);
  expect(shown.body.data).toMatchObject([
    { id: made.body.id, relationships: { content_blocks: [] } },
  ]);
  const archived = await own.get(`${pages}?filter[status]=archived`);
  expect(archived.body.data).toMatchObject([{ id: gone.body.id }]);
});
