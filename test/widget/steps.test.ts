import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { anObjective } from '../campaigns/a-template.ts';
import { aJourneyIn, aTemplateWithPages } from '../journeys/a-journey.ts';
import type { TestTeam } from '../support/api.ts';
import { useTestApi } from '../support/use-test-api.ts';
import { aVisitor, aWidget, bootstrapByLink } from './a-widget.ts';

const api = useTestApi();

async function aBlock(team: TestTeam, kind: string, body: object): Promise<string> {
  const key = `b-${randomUUID()}`;
  const made = await team.post('/v2/partner/content-blocks', { name: 'Block', key, kind, body });
  expect(made.status).toBe(201);
  return String(made.body.id);
}

const form = { submit_label: 'Send', fields: [{ name: 'a', label: 'A', kind: 'text' }] };
const link = { label: 'Open', url: 'https://example.com' };

test.each([
  ['a text', 'rich_text', { html: '<p>Hello</p>' }, 'page.continued'],
  ['a form', 'form', form, 'page.form_submitted'],
  ['a button', 'button', link, 'page.cta_clicked'],
  ['a card with a button', 'product_card', { title: 'Card', button: link }, 'page.cta_clicked'],
  ['a card without one', 'product_card', { title: 'Card' }, 'page.continued'],
])('a step with %s is done by its task, and not by a view', async (_, kind, body, event) => {
  const team = await api.newTeam();
  const block = await aBlock(team, kind, body);
  const pages = [{ name: 'Step', content_block_ids: [block] }];
  const journey = await aJourneyIn(api, team, await aTemplateWithPages(team, pages));
  const visitor = await aVisitor(api, { team, journey, widgetId: await aWidget(team) });
  const page_id = String(visitor.body.pages[0].id);
  const after = async (event_kind: string) => {
    const events = [{ unique_id: randomUUID(), kind: event_kind, page_id }];
    const sent = await visitor.call('POST', `${visitor.path}/events`, { body: { events } });
    expect(sent.status).toBe(202);
    const { body: now } = await visitor.call('GET', visitor.path);
    const [page] = now.pages;
    return [page.is_completed, page.is_done, now.journey.progress.pages_done];
  };
  const kinds = ['page.viewed', 'page.continued', 'page.cta_clicked', 'page.form_submitted'];
  for (const other of kinds.filter((one) => one !== event)) {
    // The law of the interface: the rule `viewed` completes a page by a view.
    expect(await after(other)).toEqual([true, false, 0]);
  }
  expect(await after(event)).toEqual([true, true, 1]);
});

test('a step with a checklist is done with its objectives, one with a rule by that rule', async () => {
  const team = await api.newTeam();
  const objective_id = await anObjective(team);
  const objective = await team.get(`/v2/partner/objectives/${objective_id}`);
  const items = [{ objective_key: String(objective.body.key), label: 'Use your card' }];
  const list = await aBlock(team, 'objective_checklist', { items });
  const pages = [
    { name: 'List', content_block_ids: [list] },
    { name: 'Form', completion_rule: 'form_submitted', objective_id },
    { name: 'End', kind: 'completion' },
  ];
  const templateId = await aTemplateWithPages(team, pages, { objective_ids: [objective_id] });
  const journey = await aJourneyIn(api, team, templateId);
  const visitor = await aVisitor(api, { team, journey, widgetId: await aWidget(team) });
  const ids = visitor.body.pages.map(({ id }: any) => String(id));
  const after = async (kind: string, page_id: string) => {
    const events = [{ unique_id: randomUUID(), kind, page_id }];
    await visitor.call('POST', `${visitor.path}/events`, { body: { events } });
    const { body } = await visitor.call('GET', visitor.path);
    return body.pages.map(({ is_done }: any) => is_done);
  };
  expect(await after('page.viewed', ids[0])).toEqual([false, false, false]);
  expect(await after('page.viewed', ids[1])).toEqual([false, false, false]);
  expect(await after('page.form_submitted', ids[1])).toEqual([true, true, false]);
  expect(await after('page.viewed', ids[2])).toEqual([true, true, true]);
});

test('a link shows the name of the team, and the theme of a widget of its template first', async () => {
  const [team, other] = [await api.newTeam(), await api.newTeam()];
  await aWidget(other, { theme: { primary_color: '#000000' } });
  const templateId = await aTemplateWithPages(team, [{ name: 'Hello' }]);
  const journey = await aJourneyIn(api, team, templateId);
  const opened = async () => (await bootstrapByLink(api, journey.linkToken)).body;
  expect(await opened()).toMatchObject({ team: { name: 'Test' }, template: { theme: {} } });
  const hidden = await aWidget(team, { theme: { primary_color: '#111111' } });
  await team.patch(`/v2/partner/widget-instances/${hidden}`, { is_active: false });
  expect((await opened()).template.theme).toEqual({});
  await aWidget(team, { theme: { primary_color: '#222222' } });
  expect((await opened()).template.theme).toEqual({ primary_color: '#222222' });
  await aWidget(team, { theme: { primary_color: '#333333' }, template_id: templateId });
  expect((await opened()).template.theme).toEqual({ primary_color: '#333333' });
});
