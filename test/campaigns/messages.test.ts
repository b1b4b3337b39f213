import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { useTestApi } from '../support/use-test-api.ts';
import type { TestTeam } from '../support/api.ts';
import { aLaunchedTemplate, anObjective, at, codesOf, templates } from './a-template.ts';

const api = useTestApi();
let team: TestTeam;
beforeAll(async () => {
  team = await api.newTeam();
});

const place = (id: unknown, rest = '') => `/v2/partner/messages/${String(id)}${rest}`;

async function aTemplate(fields: object = {}): Promise<string> {
  return String((await team.post(templates, { name: 'T', ...fields })).body.id);
}
async function aMessage(template: string, fields: object = {}) {
  const sent = { name: 'M', channel: 'email', ...fields };
  return (await team.post(at(template, '/messages'), sent)).body;
}
const orderOf = async (template: string) => {
  const { body } = await team.get(at(template, '/messages'));
  return body.data.map((row: { name: string; position: number }) => [row.name, row.position]);
};
const rulesOf = (body: { errors: { meta: { rule: string; pointer: string } }[] }) =>
  body.errors.map(({ meta }) => `${meta.rule} ${meta.pointer}`);

describe('a message', () => {
  test('is created with defaults and increments its version when its content changes', async () => {
    const made = await aMessage(await aTemplate());
    expect(made).toMatchObject({
      purpose: 'marketing',
      list_unsubscribe: true,
      trigger: { kind: 'on_enroll' },
      respect_quiet_hours: true,
      frequency_cap_exempt: false,
      localizations: {},
      variants: [],
      version: 1,
    });
    const full = await team.patch(place(made.id), { ...made, subject: 'Hi' });
    expect(full.body).toMatchObject({ subject: 'Hi', version: 2 });
    expect((await team.patch(place(made.id), { name: 'N' })).body.version).toBe(2);
    expect((await team.get(place(made.id))).body).toMatchObject({ name: 'N', subject: 'Hi' });
  });

  test('accepts only the fields of its channel, which is immutable', async () => {
    const template = await aTemplate();
    const sms = { name: 'M', channel: 'sms', subject: 'Hi', deep_link: 'app://x' };
    const refused = await team.post(at(template, '/messages'), sms);
    expect(rulesOf(refused.body)).toEqual(['channel /subject', 'channel /deep_link']);
    const { id } = await aMessage(template);
    const moved = await team.patch(place(id), { channel: 'sms' });
    expect(moved.body.errors[0]).toMatchObject({
      code: 'immutable_field',
      meta: { pointer: '/channel' },
    });
  });

  test('has its HTML sanitized, in languages and variants too', async () => {
    const html = '<p>a<script>x</script></p>';
    const made = await aMessage(await aTemplate(), {
      body_html: html,
      localizations: { de: { body_html: html } },
      variants: [{ key: 'b', weight: 50, overrides: { body_html: html } }],
    });
    expect(made.body_html).toBe('<p>a</p>');
    expect(made.localizations.de.body_html).toBe('<p>a</p>');
    expect(made.variants[0].overrides.body_html).toBe('<p>a</p>');
    expect(made.warnings).toEqual(
      ['/body_html', '/localizations/de/body_html', '/variants/0/overrides/body_html'].map(
        (pointer) => ({
          ...{ pointer, kind: 'element', name: 'script', count: 1 },
          detail: expect.stringContaining('The element script was removed'),
        }),
      ),
    );
    const change = await team.patch(place(made.id), { body_html: '<p id="x">a</p>' });
    expect(change.body).toMatchObject({ version: 1, warnings: [{ name: 'p[id]' }] });
    expect((await team.patch(place(made.id), { name: 'N' })).body.warnings).toBeUndefined();
    expect((await team.get(place(made.id))).body.warnings).toBeUndefined();
    const trail = await team.get(`/v2/partner/audit-events?filter[resource_id]=${made.id}`);
    expect(JSON.stringify(trail.body)).not.toContain('"warnings"');
  });

  test.each([
    ['<p id="x">a</p>', 'attribute', 'p[id]'],
    ['<p style="position:fixed">a</p>', 'style', 'position'],
    ['<!--[if mso]><p>b</p><![endif]--><p>a</p>', 'comment', '[if mso]'],
    [
      '<p><a href="{{ contact.first_name }}://b">a</a></p>',
      'address',
      '{{ contact.first_name }}://b',
    ],
  ])('names what is removed from %s', async (body_html, kind, name) => {
    const { warnings } = await aMessage(await aTemplate(), { body_html });
    expect(warnings).toMatchObject([{ pointer: '/body_html', kind, name, count: 1 }]);
  });

  test.each([
    [{ kind: 'delay' }, 'required /trigger/delay'],
    [{ kind: 'on_page' }, 'required /trigger/page_id'],
    [{ kind: 'on_page', page_id: randomUUID() }, 'reference_not_found /trigger/page_id'],
    [
      { kind: 'on_objective_incomplete', objective_id: randomUUID() },
      'reference_not_found /trigger/objective_id',
    ],
    [{ kind: 'delay', delay: 'P' }, 'pattern /trigger/delay'],
    [{ kind: 'delay', delay: 'P1DT' }, 'pattern /trigger/delay'],
  ])('is refused with the trigger %j', async (trigger, rule) => {
    const sent = { name: 'M', channel: 'sms', trigger };
    const { status, body } = await team.post(at(await aTemplate(), '/messages'), sent);
    expect([status, ...rulesOf(body)]).toEqual([422, rule]);
  });

  const locale = { field: 'contact.locale', op: 'eq', value: 'de' };
  const unknownCohort = { cohort: { id: randomUUID() } };
  test.each([
    [{}, ['one_of /condition']],
    [{ field: 'contact.shoe_size', op: 'eq', value: 44 }, ['enum /condition/field']],
    [{ op: 'any', rules: [locale, { ...locale, op: 'gte' }] }, ['enum /condition/rules/1/op']],
    [{ op: 'all', rules: [] }, ['min_items /condition/rules']],
    [{ op: 'none', rules: [unknownCohort] }, ['reference_not_found /condition/rules/0/cohort/id']],
    [{ ...locale, value: 'x'.repeat(17_000) }, ['max_length /condition']],
  ])('is refused with the condition %#, on create and on change', async (condition, rules) => {
    const template = await aTemplate();
    const sent = { name: 'M', channel: 'email', condition };
    const made = await team.post(at(template, '/messages'), sent);
    expect([made.status, ...rulesOf(made.body)]).toEqual([422, ...rules]);
    const { id } = await aMessage(template, { condition: locale });
    const changed = await team.patch(place(id), { condition });
    expect([changed.status, ...rulesOf(changed.body)]).toEqual([422, ...rules]);
    expect((await team.get(place(id))).body.condition).toEqual(locale);
    expect((await team.patch(place(id), { condition: null })).body.condition).toBeUndefined();
  });

  test('accepts every kind of cohort rule as its condition', async () => {
    const path = '/v2/partner/cohorts';
    const cohort = (await team.post(path, { name: randomUUID(), kind: 'static' })).body.id;
    const rules = [locale, { cohort: { id: cohort } }, { event: { kind: 'page.viewed' } }];
    const condition = { op: 'any', rules };
    const { id } = await aMessage(await aTemplate(), { condition });
    expect((await team.get(place(id))).body.condition).toEqual(condition);
    const other = await api.newTeam();
    const template = String((await other.post(templates, { name: 'T' })).body.id);
    const foreign = { name: 'M', channel: 'email', condition };
    const refused = await other.post(at(template, '/messages'), foreign);
    expect(rulesOf(refused.body)).toEqual(['reference_not_found /condition/rules/1/cohort/id']);
  });

  test('is refused with broken Liquid and duplicate variants, each named', async () => {
    const sent = {
      name: 'M',
      channel: 'email',
      subject: '{{ contact.first_name',
      variants: [
        { key: 'a', weight: 1, overrides: {} },
        { key: 'a', weight: 1, overrides: {} },
      ],
    };
    const { body } = await team.post(at(await aTemplate(), '/messages'), sent);
    expect(rulesOf(body).sort()).toEqual(['liquid /subject', 'unique /variants/1/key']);
  });

  test('is not changed, deleted or archived while its template is locked', async () => {
    const id = await aLaunchedTemplate(team);
    await team.post(at(id, '/pause'));
    await team.post(at(id, '/unlock'));
    const message = await aMessage(id, { from_email: 'a@example.com' });
    await team.post(at(id, '/resume'));
    for (const reply of [
      await team.patch(place(message.id), { name: 'Other' }),
      await team.delete(place(message.id)),
      await team.post(place(message.id, '/archive')),
    ]) {
      expect([reply.status, ...codesOf(reply.body)]).toEqual([409, 'template_locked']);
    }
    const same = await team.patch(place(message.id), { name: message.name });
    expect(same.body.status).toBe('active');
  });
});

describe('the order', () => {
  test('has no gaps after moves, deletions and archiving', async () => {
    const template = await aTemplate();
    const ids: string[] = [];
    for (const name of ['a', 'b', 'c', 'd']) ids.push((await aMessage(template, { name })).id);
    const [a, b, , d] = ids;
    await team.patch(place(a), { position: 99 });
    expect(await orderOf(template)).toEqual([['b', 0], ['c', 1], ['d', 2], ['a', 3]]); // prettier-ignore
    await team.patch(place(d), { position: 0 });
    expect(await orderOf(template)).toEqual([['d', 0], ['b', 1], ['c', 2], ['a', 3]]); // prettier-ignore
    await team.post(place(b, '/archive'));
    expect(await orderOf(template)).toEqual([['d', 0], ['c', 1], ['a', 2]]); // prettier-ignore
    await aMessage(template, { name: 'e', position: 1 });
    await team.delete(place(d));
    expect(await orderOf(template)).toEqual([['e', 0], ['c', 1], ['a', 2]]); // prettier-ignore
    const back = await team.post(place(b, '/unarchive'));
    expect(back.body).toMatchObject({ status: 'draft', position: 3 });
    const { body } = await team.get(at(template));
    expect(body.message_ids).toHaveLength(4);
    expect(body.message_ids[3]).toBe(b);
  });
});

describe('a rendered message', () => {
  test('matches the language and variant of its recipient, with its blocks', async () => {
    const block = await team.post('/v2/partner/content-blocks', {
      name: 'Block',
      key: `b-${randomUUID()}`,
      kind: 'button',
      body: { label: 'Go on', url: '{{ journey.link_url }}' },
    });
    const message = await aMessage(await aTemplate(), {
      subject: 'Hi {{ contact.first_name }}',
      body_html: '<p>{{ contact.first_name }}</p>',
      content_block_ids: [block.body.id],
      localizations: { de: { subject: 'Hallo {{ contact.first_name }}' } },
      variants: [
        { key: 'loud', weight: 10, overrides: { subject: 'HI {{ contact.first_name }}' } },
      ],
    });
    const contact = await team.post('/v2/partner/contacts', {
      unique_id: randomUUID(),
      first_name: 'A<b>\r\nBcc: x',
      locale: 'de-CH',
    });
    const german = await team.post(place(message.id, '/render'), { contact_id: contact.body.id });
    expect(german.body.subject).toBe('Hallo A<b> Bcc: x');
    expect(german.body.html).toContain('<p>A&lt;b&gt;');
    expect(german.body.html).toMatch(/href="http:\/\/onward\.test\/journey#dol~[\w~]+"/);
    const loud = await team.post(place(message.id, '/render'), { variant_key: 'loud' });
    expect(loud.body).toMatchObject({ channel: 'email', subject: 'HI Ada', unknown_variables: [] });
  });

  test('of a push has its title, its text and its deep link', async () => {
    const push = { channel: 'push', title: 'Hi {{ contact.first_name }}', body: 'Go on' };
    const message = await aMessage(await aTemplate(), { ...push, deep_link: 'mybank://start' });
    const { status, body } = await team.post(place(message.id, '/render'), {});
    expect(status).toBe(200);
    expect(body).toMatchObject({ channel: 'push', title: 'Hi Ada', body: 'Go on' });
    expect(body.deep_link).toBe('mybank://start');
    expect(body).not.toHaveProperty('html');
  });

  test('of a contact of another team is refused like one for an unknown contact', async () => {
    const message = await aMessage(await aTemplate());
    const other = await api.newTeam();
    const contact = await other.post('/v2/partner/contacts', { unique_id: randomUUID() });
    const reply = await team.post(place(message.id, '/render'), { contact_id: contact.body.id });
    expect(rulesOf(reply.body)).toEqual(['reference_not_found /contact_id']);
  });
});

test('a template is complete when all its content can be sent', async () => {
  const template = await aTemplate({ objective_ids: [await anObjective(team)] });
  const block = await team.post('/v2/partner/content-blocks', {
    name: 'Block',
    key: `b-${randomUUID()}`,
    kind: 'rich_text',
    body: { html: '{{ landing_page.url }}' },
  });
  const page = await team.post(at(template, '/pages'), {
    name: 'P',
    title: '{{ unsubscribe_url }}',
  });
  const message = await aMessage(template, {
    from_email: 'a@example.com',
    subject: '{{ contact.fist_name }}',
    content_block_ids: [block.body.id],
    trigger: { kind: 'on_page', page_id: page.body.id },
  });
  await team.post(`/v2/partner/content-blocks/${String(block.body.id)}/archive`);
  const missing = async () => (await team.post(at(template, '/validate'))).body.missing;
  expect(await missing()).toEqual([
    `pages/${page.body.id}/variables/unsubscribe_url`,
    `messages/${message.id}/variables/contact.fist_name`,
    `content_blocks/${block.body.id}/unarchived`,
    `content_blocks/${block.body.id}/variables/landing_page.url`,
  ]);
  await team.delete(`/v2/partner/pages/${String(page.body.id)}`);
  expect(await missing()).toContain(`messages/${message.id}/trigger/page_id`);
  const refused = await team.post(at(template, '/launch'));
  expect(codesOf(refused.body)).toEqual(['template_incomplete']);
});

test('a copied template has its own pages and messages, with triggers on its own pages', async () => {
  const template = await aTemplate();
  const page = await team.post(at(template, '/pages'), { name: 'P', path: 'start' });
  await aMessage(template, { subject: 'S', trigger: { kind: 'on_page', page_id: page.body.id } });
  const copy = await team.post(at(template, '/duplicate'));
  const [copied] = (await team.get(at(copy.body.id, '/messages'))).body.data;
  expect(copied).toMatchObject({ subject: 'S', version: 1, status: 'draft' });
  expect(copied.trigger.page_id).toBe(copy.body.page_ids[0]);
  expect(copied.trigger.page_id).not.toBe(page.body.id);
});

test('a version retains the blocks as they were launched', async () => {
  const block = await team.post('/v2/partner/content-blocks', {
    name: 'Block',
    key: `b-${randomUUID()}`,
    kind: 'rich_text',
    body: { html: 'before' },
  });
  const template = await aTemplate({ objective_ids: [await anObjective(team)] });
  await team.post(at(template, '/pages'), { name: 'P', content_block_ids: [block.body.id] });
  await team.post(at(template, '/launch'));
  const place = `/v2/partner/content-blocks/${String(block.body.id)}`;
  await team.patch(place, { body: { html: 'after' } });
  const { body } = await team.get(at(template, '/versions/1'));
  expect(body.content_blocks).toMatchObject([{ id: block.body.id, body: { html: 'before' } }]);
});
