import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { Page } from '../../src/campaigns/pages/page.ts';
import { WidgetInstance } from '../../src/widget/widget-instances/widget-instance.ts';
import { useTestApi } from '../support/use-test-api.ts';
import type { TestTeam } from '../support/api.ts';
import { aJourneyIn, aTemplateWithPages } from '../journeys/a-journey.ts';
import {
  aScene,
  aVisitor,
  aWidget,
  bootstrapByLink,
  verdict,
  visitorOf,
  widgetInstances,
} from './a-widget.ts';
import type { Visitor } from './a-widget.ts';

const api = useTestApi();

const person = {
  first_name: 'Augusta',
  email: 'augusta@example.com',
  postal_code: '94105',
  attributes: { branch: 'Mission' },
};

async function aBlock(team: TestTeam, html: string, localizations: object = {}): Promise<string> {
  const { status, body } = await team.post('/v2/partner/content-blocks', {
    name: 'Block',
    key: `b-${randomUUID()}`,
    kind: 'rich_text',
    body: { html },
    localizations,
  });
  if (status !== 201) throw new Error(JSON.stringify(body));
  return String(body.id);
}

const greeting =
  '<p>Hello {{ contact.first_name | default: "there" }} of {{ contact.attributes.branch }}, ' +
  'at {{ team.name }} in {{ template.name }}; <a href="{{ journey.link_url }}">link</a></p>';

async function aPersonalScene() {
  const team = await api.newTeam();
  const block = await aBlock(team, greeting, { de: { html: '<p>Hallo</p>' } });
  const templateId = await aTemplateWithPages(team, [
    { name: 'Start', title: 'Dear {{ contact.first_name }}', content_block_ids: [block] },
    { name: 'Private', requires_identity_challenge: true, content_block_ids: [block] },
  ]);
  const journey = await aJourneyIn(api, team, templateId, person);
  return { team, journey, widgetId: await aWidget(team) };
}

const pageAt = (visitor: Visitor, place: number) =>
  visitor.call('GET', `${visitor.path}/pages/${String(visitor.body.pages[place].id)}`);

test('a visitor with a link or an unauthenticated token sees no personal data', async () => {
  const scene = await aPersonalScene();
  const byLink = visitorOf(
    api,
    await bootstrapByLink(api, scene.journey.linkToken),
    'http://onward.test',
  );
  for (const visitor of [byLink, await aVisitor(api, scene)]) {
    const start = await pageAt(visitor, 0);
    expect(start.body).toMatchObject({
      title: 'Dear ',
      is_personalized: false,
      is_locked: false,
      html: expect.stringContaining('Hello there of , at Test in Welcome'),
    });
    const hidden = await pageAt(visitor, 1);
    expect(hidden.body).toMatchObject({ is_locked: true, is_personalized: false });
    expect(hidden.body).not.toHaveProperty('html');
    const all = JSON.stringify([visitor.body, start.body, hidden.body]);
    for (const value of [
      'Augusta',
      'augusta@',
      '94105',
      'Mission',
      'dol~',
      scene.journey.contactId,
    ]) {
      expect(all).not.toContain(value);
    }
  }
});

test('an authenticated token identifies the person, and unlocks pages', async () => {
  const scene = await aPersonalScene();
  const visitor = await aVisitor(api, scene, { assurance: 'authenticated' });
  expect(visitor.body.session.assurance).toBe('authenticated');
  expect(visitor.body.pages.map((page: any) => page.title)).toEqual(['Dear Augusta', 'Private']);
  const start = await pageAt(visitor, 0);
  expect(start.body).toMatchObject({ is_personalized: true, title: 'Dear Augusta' });
  expect(start.body.html).toContain('Hello Augusta of Mission');
  expect(start.body.html).toContain(`href="http://onward.test/journey#${scene.journey.linkToken}"`);
  expect((await pageAt(visitor, 1)).body.html).toContain('Augusta');
});

test('a page is in the language of the token, or otherwise in that of the contact', async () => {
  const scene = await aPersonalScene();
  const german = await aVisitor(api, scene, { locale: 'de-AT' });
  expect((await pageAt(german, 0)).body.html).toContain('Hallo');
  expect(german.body.locale).toBe('de-AT');
  await scene.team.patch(`/v2/partner/contacts/${scene.journey.contactId}`, { locale: 'de' });
  const second = await aVisitor(api, scene);
  expect((await pageAt(second, 0)).body.html).toContain('Hallo');
});

test('later edits do not change the pages of a journey', async () => {
  const scene = await aPersonalScene();
  const visitor = await aVisitor(api, scene);
  const pageId = String(visitor.body.pages[0].id);
  const at = `/v2/partner/templates/${scene.journey.templateId}`;
  await scene.team.post(`${at}/pause`);
  await scene.team.post(`${at}/unlock`);
  const edited = await scene.team.patch(`/v2/partner/pages/${pageId}`, { title: 'Changed' });
  expect(edited.status).toBe(200);
  expect((await pageAt(visitor, 0)).body.title).toBe('Dear ');
});

test('pages of other journeys are not found', async () => {
  const [scene, stranger] = [await aPersonalScene(), await aPersonalScene()];
  const visitor = await aVisitor(api, scene);
  const foreign = await aVisitor(api, stranger);
  for (const id of [String(foreign.body.pages[0].id), randomUUID(), 'x']) {
    expect(verdict(await visitor.call('GET', `${visitor.path}/pages/${id}`))).toBe('404 not_found');
  }
});

const { kind: pageKinds, completion_rule: rules } = Page.properties;

test.each([
  ...pageKinds.enum.map((kind) => ({ kind })),
  ...rules.enum.map((completion_rule) => ({ completion_rule })),
])('a page returns its kind or completion rule: %j', async (fields) => {
  const scene = await aScene(api, { pages: [{ name: 'Hello', ...fields }] });
  const visitor = await aVisitor(api, scene);
  expect(visitor.body.pages).toMatchObject([fields]);
  const shown = await pageAt(visitor, 0);
  expect([verdict(shown), shown.body]).toEqual(['200', expect.objectContaining(fields)]);
});

const settings: Record<string, object> = {
  card_on_file: { card_on_file: { merchants: ['Bookshop'] } },
  opt_in: { opt_in: { channels: ['email'], double_opt_in: false } },
  mobile_app: { mobile_app: { ios_url: 'mybank://start' } },
};

test.each(WidgetInstance.properties.widget_kind.enum)(
  'a page brings the settings of its widget of kind %s, while that is open',
  async (widget_kind) => {
    const team = await api.newTeam();
    const own = settings[widget_kind];
    const inner = await aWidget(team, { widget_kind, ...own });
    const templateId = await aTemplateWithPages(team, [
      { name: 'Stay in touch', kind: 'widget', widget_instance_id: inner },
    ]);
    const journey = await aJourneyIn(api, team, templateId);
    const visitor = await aVisitor(api, { team, journey, widgetId: await aWidget(team) });
    expect((await pageAt(visitor, 0)).body.widget).toEqual({
      ...{ id: inner, type: 'recipient_widget', team_id: team.id },
      widget_kind,
      ...own,
    });
    await team.patch(`${widgetInstances}/${inner}`, { is_active: false });
    expect((await pageAt(visitor, 0)).body).not.toHaveProperty('widget');
  },
);

test('hostile requests are refused without an internal error', async () => {
  const visitor = await aVisitor(api, await aScene(api));
  const deep = '['.repeat(50_000);
  for (const raw of ['{', deep, '"x"', 'null', '[]', '{"events":[{"__proto__":{}}]}', '\u0000']) {
    for (const [method, path] of [
      ['POST', `${visitor.path}/events`],
      ['PUT', `${visitor.path}/consents/email`],
      ['POST', `${visitor.path}/identity-challenges`],
      ['POST', `${visitor.path}/identity-challenges/${randomUUID()}/answers`],
      ['POST', '/v2/widget/bootstrap'],
    ] as const) {
      const reply = await visitor.call(method, path, { raw });
      expect(reply.status).toBeGreaterThanOrEqual(400);
      expect(reply.status).toBeLessThan(500);
    }
  }
  const large = await visitor.call('POST', `${visitor.path}/events`, { raw: 'x'.repeat(70_000) });
  expect(verdict(large)).toBe('413 payload_too_large');
  const form = await visitor.call('POST', `${visitor.path}/events`, {
    raw: 'a=b',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  });
  expect(verdict(form)).toBe('415 unsupported_media_type');
});
