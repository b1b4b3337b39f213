import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { useTestApi } from '../support/use-test-api.ts';
import type { TestTeam } from '../support/api.ts';
import { aLaunchedTemplate, at, codesOf, templates } from './a-template.ts';

const api = useTestApi();
let team: TestTeam;
beforeAll(async () => {
  team = await api.newTeam();
});

const blocks = '/v2/partner/content-blocks';
const place = (id: unknown, rest = '') => `${blocks}/${String(id)}${rest}`;
const aBlock = (body: object = { html: '<p>Hello</p>' }, fields: object = {}) =>
  team.post(blocks, {
    name: 'Hello',
    key: `b-${randomUUID()}`,
    kind: 'rich_text',
    body,
    ...fields,
  });
const rulesOf = (body: { errors: { meta: { rule: string; pointer: string } }[] }) =>
  body.errors.map(({ meta }) => `${meta.rule} ${meta.pointer}`);

const namesOf = (warnings: { pointer: string; name: string }[]) =>
  warnings.map(({ pointer, name }) => `${pointer} ${name}`);

describe('a content block', () => {
  test('is stored with its variables in sorted order, those of its languages included', async () => {
    const made = await aBlock(
      { html: '<p>Hi {{ contact.first_name | default: "you" }} of {{ team.name }}</p>' },
      { localizations: { de: { html: '<p>Hallo {{ contact.attributes.rank }}</p>' } } },
    );
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      type: 'content_block',
      variables: ['contact.attributes.rank', 'contact.first_name', 'team.name'],
      version: 1,
      used_by: { pages: 0, messages: 0, landing_pages: 0 },
      is_archived: false,
    });
  });

  test('has all HTML removed that the allow-list does not contain, and the answer says so', async () => {
    const html =
      '<p onclick="x()">a<script>alert(1)</script></p><a href="#b">b</a>' +
      '<img src="https://example.com/a.png" onerror="x"><iframe src="//example.com"></iframe>';
    const { body } = await aBlock({ html });
    expect(body.body.html).toBe(
      '<p>a</p><a href="#b">b</a><img src="https://example.com/a.png" />',
    );
    expect(namesOf(body.warnings)).toEqual([
      '/body/html p[onclick]',
      '/body/html script',
      '/body/html img[onerror]',
      '/body/html iframe',
    ]);
    const shown = await team.get(place(body.id));
    expect(shown.body).not.toHaveProperty('warnings');
    const again = await team.patch(place(body.id), { body: body.body });
    expect(again.body.lock_version ?? again.headers.get('etag')).toBe('"1"');
  });

  test('that is sent back with its warnings is accepted, and warns of its own HTML only', async () => {
    const made = await aBlock({ html: '<p id="a">a</p>' });
    expect(namesOf(made.body.warnings)).toEqual(['/body/html p[id]']);
    const again = await team.patch(place(made.body.id), { ...made.body, name: 'New' });
    expect([again.status, again.body.name, again.body.warnings]).toEqual([200, 'New', undefined]);
  });

  test('warns of what a preview removes', async () => {
    const body = { html: '<video></video><p style="position:fixed">a</p>' };
    const shown = await team.post(`${blocks}/preview`, { kind: 'html', body });
    expect(namesOf(shown.body.warnings)).toEqual(['/body/html video', '/body/html position']);
  });

  test.each([
    ['<a href="javascript:alert(1)">a</a>', 'javascript:alert(1)'],
    ['<a href="mybank://accounts">a</a>', 'mybank://accounts'],
    ['<a href="//evil.example/">a</a>', '//evil.example/'],
    ['<img src="data:image/png;base64,AAAA">', 'data:image/png;base64,AAAA'],
    ['<img src="cid:logo">', 'cid:logo'],
    ['<img src="mailto:ada@example.com">', 'mailto:ada@example.com'],
    ['<td background="javascript:alert(1)">a</td>', 'javascript:alert(1)'],
    [`${'<x-a></x-a>'.repeat(60)}<a href=" JavaScript:a">a</a>`, 'JavaScript:a'],
  ])('is refused with an unsafe address: %s', async (html, address) => {
    const { status, body } = await aBlock({ html });
    expect(status).toBe(422);
    expect(rulesOf(body)).toEqual(['format /body/html']);
    expect(body.errors[0].detail).toContain(address);
  });

  test.each([
    '<a href="{{ contact.attributes.site }}">a</a>',
    '<a href="#a">a</a><a href="sms:+14155550100">b</a>',
  ])('is accepted with the address %s', async (html) => {
    const { status, body } = await aBlock({ html });
    expect([status, body.body.html, body.warnings]).toEqual([201, html, undefined]);
  });

  test('retains Liquid comparisons that look like markup', async () => {
    const html = '<p>{% if contact.postal_code < "5" %}west{% endif %}</p>';
    expect((await aBlock({ html })).body.body.html).toBe(html);
  });

  test.each([
    ['a tag that reads files', '{% include "secret" %}'],
    ['a loop over numbers', '{% for tag in (1..9) %}{{ contact.email }}{% endfor %}'],
    ['a loop over a text', '{% for one in "contact" %}x{% endfor %}'],
    ['a division by zero', '{{ contact.attributes.a | divided_by: 0 }}'],
    ['an assignment', '{% assign a = contact.email %}'],
    ['a filter that lifts the escaping', '{{ contact.first_name | raw }}'],
    ['an output that is not closed', '{{ contact.first_name'],
    ['a variable picked by another one', '{{ contact[contact.email] }}'],
    ['a zone that there is not', '{{ contact.email | date: "%Y", "No/Where" }}'],
    ['a group of variables', '{{ contact }}{{ contact.email }}'],
    ['more outputs than it may have', '{{ contact.email }}'.repeat(501)],
    ['half of an if that goes with its element', '<script>{% if a %}</script>b{% endif %}'],
  ])('is refused with %s', async (_, html) => {
    const { status, body } = await aBlock({ html });
    expect(status).toBe(422);
    expect(rulesOf(body)).toEqual(['liquid /body/html']);
    expect(JSON.stringify(body)).not.toContain('contact');
  });

  test('needs the body of its kind, and the answer names every problem', async () => {
    const bad = await aBlock({ label: 7, link: 'x' }, { kind: 'button' });
    expect(bad.status).toBe(422);
    expect(rulesOf(bad.body).sort()).toEqual([
      'required /body/url',
      'type /body/label',
      'unknown_field /body/link',
    ]);
  });

  test('has a unique key in the team', async () => {
    const { body } = await aBlock();
    const other = await aBlock();
    const taken = await team.patch(place(other.body.id), { key: body.key });
    expect(taken.status).toBe(409);
    expect(taken.body.errors[0]).toMatchObject({ code: 'key_taken', meta: { id: body.id } });
    const second = await aBlock({ html: 'a' }, { key: body.key });
    expect(codesOf(second.body)).toEqual(['key_taken']);
    const copy = await team.post(place(body.id, '/duplicate'), { key: `c-${randomUUID()}` });
    expect(copy.body).toMatchObject({ name: 'Hello (copy)', body: body.body });
  });

  test('increments its version only when its content changes', async () => {
    const { body } = await aBlock();
    expect((await team.patch(place(body.id), { name: 'Other' })).body.version).toBe(1);
    const changed = await team.patch(place(body.id), { body: { html: '<p>Other</p>' } });
    expect(changed.body.version).toBe(2);
  });
});

describe('rendering', () => {
  test('no value becomes markup, neither as text nor as an address', async () => {
    const contact = await team.post('/v2/partner/contacts', {
      unique_id: randomUUID(),
      first_name: '<img src=x onerror=alert(1)>',
      attributes: { site: 'javascript:alert(1)', quote: '" onmouseover="alert(1)' },
    });
    const { body: block } = await aBlock({
      html:
        '<p title="{{ contact.attributes.quote }}">{{ contact.first_name }}</p>' +
        '<a href="{{ contact.attributes.site }}" title="{{ contact.attributes.quote }}">x</a>',
    });
    const { body } = await team.post(place(block.id, '/render'), { contact_id: contact.body.id });
    expect(body.html).toContain('&lt;img src=x onerror=alert(1)&gt;');
    expect(body.html).not.toMatch(/<img|javascript:|" onmouseover/);

    const { body: button } = await aBlock(
      { label: '{{ contact.first_name }}', url: '{{ contact.attributes.site }}' },
      { kind: 'button' },
    );
    const shown = await team.post(place(button.id, '/render'), { contact_id: contact.body.id });
    expect(shown.body.html).toContain(
      '<a class="button" href="#">&lt;img src=x onerror=alert(1)&gt;</a>',
    );
  });

  test.each([
    [
      'image',
      { url: '{{ site }}/a.png', alt: '{{ name }}', link_url: 'https://example.com/more' },
      '<a href="https://example.com/more"><img src="https://example.com/a.png" alt="&lt;b&gt;&quot;"></a>',
    ],
    ['image', { url: '{{ other }}' }, '<img src="#" alt="">'],
    [
      'video',
      { url: '{{ site }}/v', title: '{{ name }}', poster_url: '{{ site }}/p.png' },
      '<a class="video" href="https://example.com/v"><img src="https://example.com/p.png" alt="&lt;b&gt;&quot;"></a>',
    ],
    ['video', { url: '{{ other }}', title: 'See' }, '<a class="video" href="#">See</a>'],
    [
      'product_card',
      {
        ...{ title: '{{ name }}', description: 'For {{ name }}', image_url: '{{ site }}/c.png' },
        button: { label: 'Take it', url: '{{ other }}' },
      },
      '<img src="https://example.com/c.png" alt=""><h2>&lt;b&gt;&quot;</h2><p>For &lt;b&gt;&quot;</p>' +
        '<a class="button" href="#">Take it</a>',
    ],
    ['product_card', { title: 'Plain' }, '<h2>Plain</h2>'],
  ])('of a block of kind %s shows its fields, and no value as markup', async (kind, body, html) => {
    const values = {
      ...{ site: 'https://example.com', other: 'javascript:alert(1)', name: '<b>"' },
    };
    const attributes = (text: string) =>
      text.replaceAll(/\{\{ (\w+) \}\}/g, '{{ contact.attributes.$1 }}');
    const reply = await team.post(`${blocks}/preview`, {
      ...{ kind, body: JSON.parse(attributes(JSON.stringify(body))) },
      data: { contact: { attributes: values } },
    });
    expect([reply.status, reply.body.html]).toEqual([200, expect.stringContaining(html)]);
  });

  test('that exceeds its limits or breaks a filter is refused as a validation error', async () => {
    for (const [html, words] of [
      ['{{ contact.attributes.words }}'.repeat(250), '&'.repeat(1_000)],
      ['{{ "now" | date: contact.attributes.words }}', '%9999999999Y'],
    ]) {
      const attributes = { words };
      const reply = await team.post(`${blocks}/preview`, {
        ...{ kind: 'html', body: { html }, data: { contact: { attributes } } },
      });
      expect([reply.status, reply.body.errors]).toMatchObject([
        422,
        [{ meta: { rule: 'render' } }],
      ]);
      expect(JSON.stringify(reply.body)).not.toContain('words');
    }
  });

  test('shows a list as its items', async () => {
    const attributes = { sizes: ['S', 7, { of: 'x' }, true] };
    const reply = await team.post(`${blocks}/preview`, {
      ...{ kind: 'html', body: { html: '[{{ contact.attributes.sizes }}]' } },
      data: { contact: { attributes } },
    });
    expect(reply.body.html).toContain('[S, 7, true]');
  });

  test('prefers given data to the sample and uses the requested language', async () => {
    const { body: block } = await aBlock(
      { html: '{{ contact.first_name }} {{ contact.last_name }}' },
      { localizations: { de: { html: 'Hallo {{ contact.first_name }}' } } },
    );
    const sample = await team.post(place(block.id, '/render'));
    expect(sample.body.html).toContain('Ada Lovelace');
    const data = { contact: { first_name: 'Grace' } };
    const given = await team.post(place(block.id, '/render'), { data, locale: 'de-AT' });
    expect(given.body.html).toContain('Hallo Grace');
  });

  test('shows missing values as empty and names unknown variables', async () => {
    const { body } = await team.post(`${blocks}/preview`, {
      kind: 'html',
      body: { html: 'a{{ contact.fist_name }}{{ __proto__.x }}{{ contact.attributes.none }}b' },
    });
    expect(body.html).toContain('ab');
    expect(body.unknown_variables).toEqual(['__proto__.x', 'contact.fist_name']);
  });

  test('never shows contact fields that the API hides', async () => {
    const contact = await team.post('/v2/partner/contacts', {
      unique_id: randomUUID(),
      date_of_birth: '1990-01-31',
    });
    const { body } = await team.post(`${blocks}/preview`, {
      kind: 'html',
      body: { html: '[{{ contact.date_of_birth }}{{ contact.sealed_date_of_birth }}]' },
      contact_id: contact.body.id,
    });
    expect(body.html).toContain('[]');
  });

  test('of a contact needs the scope to read contacts', async () => {
    const { body: block } = await aBlock();
    const reader = await team.withScopes('partner:content_blocks:read');
    const contact = await team.post('/v2/partner/contacts', { unique_id: randomUUID() });
    const refused = await reader.post(place(block.id, '/render'), { contact_id: contact.body.id });
    expect(refused.status).toBe(401);
    expect(refused.body.errors[0].meta.required_scope).toBe('partner:contacts:read');
    expect((await reader.post(place(block.id, '/render'))).status).toBe(200);
  });
});

describe('a block in use', () => {
  test('counts and names its uses, and cannot be deleted', async () => {
    const { body: block } = await aBlock();
    const template = await team.post(templates, { name: 'T' });
    const fields = { name: 'P', content_block_ids: [block.id] };
    const page = await team.post(at(String(template.body.id), '/pages'), fields);
    expect(page.body.content_block_ids).toEqual([block.id]);
    const { body } = await team.get(place(block.id));
    expect(body.used_by).toEqual({ pages: 1, messages: 0, landing_pages: 0 });
    const usage = await team.get(place(block.id, '/usage'));
    expect(usage.body.pages).toEqual([
      { id: page.body.id, name: 'P', template_id: template.body.id },
    ]);
    expect(codesOf((await team.delete(place(block.id))).body)).toEqual(['content_block_in_use']);
    await team.delete(`/v2/partner/pages/${String(page.body.id)}`);
    expect((await team.delete(place(block.id))).status).toBe(204);
  });

  test('is archived unless a launched template shows it', async () => {
    const { body: block } = await aBlock();
    const id = await aLaunchedTemplate(team);
    await team.post(at(id, '/pause'));
    await team.post(at(id, '/unlock'));
    await team.post(at(id, '/pages'), { name: 'P', content_block_ids: [block.id] });
    const refused = await team.post(place(block.id, '/archive'));
    expect(codesOf(refused.body)).toEqual(['content_block_in_use']);
    await team.post(at(id, '/expire'));
    expect((await team.post(place(block.id, '/archive'))).body.is_archived).toBe(true);
    expect((await team.post(place(block.id, '/unarchive'))).body.is_archived).toBe(false);
  });
});
