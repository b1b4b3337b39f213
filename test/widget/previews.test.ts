import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import { aJourneyIn, aTemplateWithPages } from '../journeys/a-journey.ts';
import type { TestTeam } from '../support/api.ts';
import { useTestApi } from '../support/use-test-api.ts';
import { aVisitor, aWidget } from './a-widget.ts';

// Pages are shown as their previews are.

const api = useTestApi();
let team: TestTeam;
beforeAll(async () => {
  team = await api.newTeam();
  const settings = { locale: 'es-MX', timezone: 'America/Mexico_City', currency: 'MXN' };
  await team.patch('/v2/partner/team', settings);
});

const shows = (word: string, more = '') =>
  `<p>${word} {{ "2026-01-05" | date: "%A, %x" }}, {{ 1999 | money }}, {{ team.name }}${more}</p>`;

async function aBlock(more = ''): Promise<string> {
  const localizations = Object.fromEntries(
    ['es', 'zh', 'zh-Hant'].map((locale) => [locale, { html: shows(locale, more) }]),
  );
  const { body } = await team.post('/v2/partner/content-blocks', {
    ...{ name: 'B', key: `b-${randomUUID()}`, kind: 'rich_text' },
    ...{ body: { html: shows('own', more) }, localizations },
  });
  return String(body.id);
}

test.each([
  [undefined, 'es lunes, 5 de enero de 2026, $19.99, Test', 'es-MX'],
  ['zh-Hant-TW', 'zh-Hant 星期一, 2026年1月5日, MX$19.99, Test', 'zh-Hant-TW'],
  ['fr', 'own lundi, 5 janvier 2026, 19,99 $MX, Test', 'fr'],
])('a landing page with the locale %s is what its previews show', async (locale, text, lang) => {
  const fields = {
    ...{ name: 'P', slug: `p-${randomUUID()}`, title: 'Offer' },
    ...{ content_block_ids: [await aBlock(', {{ landing_page.url }}')], locale },
  };
  const made = await team.post('/v2/partner/landing-pages', fields);
  const path = `/v2/partner/landing-pages/${String(made.body.id)}`;
  const contact = await team.post('/v2/partner/contacts', {
    unique_id: randomUUID(),
    locale: 'zh',
  });
  const sample = await team.get(`${path}/preview`);
  const forContact = await team.post(`${path}/render`, { contact_id: contact.body.id });
  expect((await team.post(`${path}/publish`)).status).toBe(200);
  const url = new URL(String(made.body.url));
  const visited = await api.call('GET', url.pathname);
  expect(visited.status).toBe(200);
  expect(visited.body.replaceAll(/[\u00a0\u202f]/g, ' ')).toContain(`<p>${text}, ${url.href}</p>`);
  expect(visited.body).toContain(`lang="${lang}"`);
  expect([sample.body.html, forContact.body.html]).toEqual([visited.body, visited.body]);
  const chosen = await team.post(`${path}/render`, { locale: 'zh-Hant-HK' });
  expect(chosen.body.html).toContain('<p>zh-Hant');
});

test.each([
  [{}, 'es lunes'],
  [{ locale: 'zh-SG', timezone: 'Asia/Singapore' }, 'zh 星期一'],
])('a page of a journey for %j is what its preview shows', async (person, text) => {
  const zoned =
    ', {{ contact.first_name }}, {{ contact.timezone }}, {{ template.name }}, {{ journey.link_url }}, ' +
    '{{ template.deadline_at | date: "%H:%M %Z" }}';
  const page = {
    ...{ name: 'Start', title: 'Dear {{ contact.first_name }}' },
    content_block_ids: [await aBlock(zoned)],
  };
  const deadline_at = '2027-01-01T04:59:00.000Z';
  const templateId = await aTemplateWithPages(team, [page], { deadline_at });
  const journey = await aJourneyIn(api, team, templateId, { first_name: 'Ada', ...person });
  await api.db.look(
    (sql) => sql`update journeys set deadline_at = ${deadline_at} where id = ${journey.id}`,
  );
  const scene = { team, journey, widgetId: await aWidget(team) };
  const visitor = await aVisitor(api, scene, { assurance: 'authenticated' });
  const pageId = String(visitor.body.pages[0].id);
  const visited = await visitor.call('GET', `${visitor.path}/pages/${pageId}`);
  const preview = await team.post(`/v2/partner/pages/${pageId}/render`, {
    contact_id: journey.contactId,
  });
  const withoutToken = (html: string) => html.replaceAll(/dol~[\w~-]+/g, 'token');
  expect(visited.body.html).toContain(`<p>${text}`);
  expect(withoutToken(preview.body.html)).toBe(withoutToken(visited.body.html));
});
