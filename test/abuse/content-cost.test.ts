import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { blockKinds } from '../../src/campaigns/content-blocks/content-block.ts';
import { create } from '../contract/recipes/recipe.ts';
import { hostileText } from './cost/hostile-texts.ts';
import type { HostileText } from './cost/hostile-texts.ts';
import { runs } from './cost/judge.ts';
import { useWatchedApi } from './cost/use-watched-api.ts';

// Partner content is read, sanitized and rendered without a long block of the event loop, as are
// the files that they send.

const cost = useWatchedApi('content cost');

const { numRuns } = runs;
/** A few kinds of request instead of one for each endpoint. */
const many = { ...runs, numRuns: numRuns * 10 };

async function post(path: string, body: object, name: string) {
  const headers = {
    Authorization: `Bearer ${cost.team.token}`,
    'Content-Type': 'application/json',
  };
  const raw = JSON.stringify(body);
  return cost.judge.expectCheap({
    ...{ name: `${path} ${name}`, method: 'POST', path, headers, raw },
  });
}

/** A text that fills a field, alone or with others of its kind around it. */
const fill = ({ make }: HostileText, length: number) => make(length).toWellFormed();

function blockOf(kind: (typeof blockKinds)[number], text: HostileText, length: number) {
  const words = fill(text, Math.min(length, 200));
  const link = fill(text, Math.min(length, 2_048));
  const html = fill(text, length);
  const button = { label: words, url: link };
  const field = { name: 'a', label: words, kind: 'select', options: Array(100).fill(words) };
  const bodies = {
    ...{ rich_text: { html }, html: { html }, disclosure: { title: words, html }, button },
    image: { url: link, alt: words, link_url: link },
    video: { url: link, title: words, poster_url: link },
    form: { submit_label: 'Go', title: words, fields: [field] },
    objective_checklist: { items: Array(50).fill({ objective_key: 'a', label: words }) },
    product_card: { title: words, description: fill(text, Math.min(length, 2_000)), button },
  };
  return { kind, body: bodies[kind] };
}

const lengths = fc.constantFrom(500, 3_500, 16_000, 250_000);
const values = { first_name: '%'.repeat(900), attributes: { a: '{{<&"'.repeat(180) } };

describe('other requests are not blocked by the content', () => {
  test('of a block that is previewed before it is stored', async () => {
    const kinds = fc.constantFrom(...blockKinds, 'html', 'html', 'rich_text');
    const run = fc.asyncProperty(kinds, hostileText, lengths, async (kind, text, length) => {
      const block = blockOf(kind, text, length);
      await post(
        '/v2/partner/content-blocks/preview',
        { ...block, data: { contact: values } },
        text.name,
      );
    });
    await fc.assert(run, many);
  });

  test('of a block in many languages', async () => {
    const run = fc.asyncProperty(hostileText, lengths, async (text, length) => {
      const html = fill(text, Math.min(length, 50_000));
      const locales = 'de fr es it pt nl pl cs sv da fi no hu ro bg el tr uk ru'.split(' ');
      const localizations = Object.fromEntries(locales.map((locale) => [locale, { html }]));
      const about = { key: `k-${randomUUID()}`, name: 'Block', kind: 'html', body: { html } };
      await post('/v2/partner/content-blocks', { ...about, localizations }, text.name);
    });
    await fc.assert(run, many);
  });

  test('of a message', async () => {
    const template = await create(cost.team, '/v2/partner/templates', { name: 'T' });
    const run = fc.asyncProperty(hostileText, lengths, async (text, length) => {
      const body_html = fill(text, length);
      const subject = fill(text, Math.min(length, 200));
      const message = { name: 'M', channel: 'email', subject, body_html, body_text: body_html };
      const kept = await post(`/v2/partner/templates/${template}/messages`, message, text.name);
      if (kept.status !== 201) return;
      const { id } = JSON.parse(kept.text);
      await post(
        `/v2/partner/messages/${String(id)}/render`,
        { data: { contact: values } },
        text.name,
      );
      await cost.team.delete(`/v2/partner/messages/${String(id)}`);
    });
    await fc.assert(run, many);
  });

  test('of a page made of many large blocks', async () => {
    const run = fc.asyncProperty(hostileText, async (text) => {
      const ids: string[] = [];
      for (let at = 0; at < 5; at += 1) {
        const block = blockOf('html', text, 250_000);
        const about = { key: `k-${randomUUID()}`, name: 'Block', ...block };
        const kept = await post('/v2/partner/content-blocks', about, text.name);
        if (kept.status !== 201) return;
        ids.push(String(JSON.parse(kept.text).id));
      }
      const slug = `p-${randomUUID()}`;
      const page = { name: 'P', slug, title: 'P', content_block_ids: ids };
      const id = await create(cost.team, '/v2/partner/landing-pages', page);
      const path = `/v2/partner/landing-pages/${id}`;
      await post(`${path}/render`, {}, text.name);
      await post(`${path}/publish`, {}, text.name);
      await cost.judge.expectCheap({
        ...{
          name: `/p/ ${text.name}`,
          method: 'GET',
          path: `/p/${cost.team.id}/${slug}`,
          headers: {},
        },
      });
    });
    await fc.assert(run, { ...runs, numRuns: numRuns * 3 });
  });
});

describe('other requests are not blocked by a file', () => {
  test.each(['text/csv', 'application/x-ndjson'])('of the type %s', async (type) => {
    const sizes = fc.constantFrom(10_000, 3_000_000);
    const columns = fc.constantFrom('', 'unique_id,email\n', 'attributes.a,consents,tags\n');
    const run = fc.asyncProperty(hostileText, sizes, columns, async (text, size, header) => {
      const headers = { Authorization: `Bearer ${cost.team.token}`, 'Content-Type': type };
      const raw = `${type === 'text/csv' ? header : ''}${fill(text, size)}`;
      const name = `${header.trim()} ${text.name}`;
      const upload = { ...{ name, method: 'POST', path: '/v2/batch/uploads', headers, raw } };
      const kept = await cost.judge.expectCheap(upload);
      expect(kept.status).toBe(201);
      const body = {
        ...{ operation_kind: 'contacts.bulk_upsert', upload_id: JSON.parse(kept.text).id },
        ...(type === 'text/csv' && { mapping: { a: 'email' } }),
      };
      await post('/v2/batch/operations/validate', body, name);
    });
    await fc.assert(run, { ...runs, numRuns: numRuns * 3 });
  });
});
