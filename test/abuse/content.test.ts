import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { useTestApi } from '../support/use-test-api.ts';
import type { TestTeam } from '../support/api.ts';
import { sanitizeMarkup } from '../../src/platform/content/html.ts';
import { isSafeReference, isSafeUrl } from '../../src/platform/schema/safe-url.ts';
import { aReceiver } from '../inbound/a-receiver.ts';
import { aWidget, widgetInstances } from '../widget/a-widget.ts';
import { widgetScript } from '../../src/widget/site/script.ts';

const api = useTestApi();
let team: TestTeam;
beforeAll(async () => {
  team = await api.newTeam();
});

const blocks = '/v2/partner/content-blocks';

async function rendered(html: string, contact: object = {}): Promise<string> {
  const person = await team.post('/v2/partner/contacts', { unique_id: randomUUID(), ...contact });
  const block = await team.post(blocks, {
    ...{ key: `b-${randomUUID()}`, name: 'B', kind: 'html', body: { html } },
  });
  const path = `${blocks}/${String(block.body.id)}/render`;
  const { status, body } = await team.post(path, { contact_id: person.body.id });
  expect(status).toBe(200);
  return String(body.html);
}

describe('rendered content', () => {
  test('a source that renders Liquid delimiters does not put a script into a link', async () => {
    const html =
      `{{ "{" }}{ <a href="{{ 'javascript:alert(document.domain)' }}">go</a>` +
      ' <img src="{{ \'data:text/html,x\' }}"> {{ "}" }}}';
    const shown = await rendered(html);
    expect(shown).toContain('{{ <a>go</a>');
    expect(shown).not.toMatch(/javascript:|data:/);
  });

  test('a contact whose name is Liquid delimiters does not shield markup between them', async () => {
    const shown = await rendered(
      '<p>{{ contact.first_name }}<a href="{{ contact.attributes.site }}">x</a>{{ contact.last_name }}</p>',
      { first_name: '{{', last_name: '}}', attributes: { site: 'javascript:alert(1)' } },
    );
    expect(shown).toContain('<p>{{<a>x</a>}}</p>');
  });

  test('delimiters in rendered text leave no element open', () => {
    const html = '{{ <div><b onclick="x()"> }} <i>after</i>';
    expect(sanitizeMarkup(html, { liquid: false })).toBe('{{ <div><b> }} <i>after</i></b></div>');
  });
});

const dangerous = [
  'javascript:alert(1)',
  'JavaScript:alert(1)',
  'javascript://example.com/%0aalert(1)',
  'java\tscript:alert(1)',
  ' javascript:alert(1)',
  '\u0001javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:msgbox(1)',
  'blob:https://example.com/1',
  'file:///etc/passwd',
  'view-source:https://example.com',
  'intent://scan/#Intent;scheme=javascript;end',
  'itms-services://?action=download-manifest&url=https://evil.example/a.plist',
  'javascript://example.com:x/%0aalert(1)',
  'search-ms://query=a&crumb=location:evil.example',
];

describe('a field that holds an address', () => {
  test.each(dangerous)('refuses %j', async (url) => {
    const kind = 'mobile_app';
    const apps = (fields: object) => ({
      ...{ name: 'Apps', widget_kind: kind, allowed_origins: [] },
      mobile_app: fields,
    });
    const replies = [
      await team.post(widgetInstances, apps({ ios_url: url })),
      await team.post(widgetInstances, apps({ android_url: url })),
      await team.post('/v2/partner/engagement-events', {
        events: [{ kind: 'message.clicked', occurred_at: new Date().toISOString(), url }],
      }),
      await team.post(blocks, {
        ...{ key: `b-${randomUUID()}`, name: 'B', kind: 'button', body: { label: 'Go', url } },
      }),
      await team.post('/v2/partner/landing-pages', {
        ...{ name: 'P', slug: `p-${randomUUID()}`, title: 'P', seo: { image_url: url } },
      }),
    ];
    expect(replies.map(({ status }) => status)).toEqual([422, 422, 422, 422, 422]);
    expect(isSafeUrl(url, 'app')).toBe(false);
    expect(isSafeReference(url)).toBe(false);
  });

  test('accepts the page of an app store and the deep link of an app', async () => {
    const ios_url = 'https://apps.apple.com/app/id1';
    const mobile_app = { ios_url, android_url: 'mybank://accounts/new' };
    const id = await aWidget(team, { widget_kind: 'mobile_app', mobile_app });
    const { body } = await team.get(`${widgetInstances}/${id}`);
    expect(body.mobile_app).toEqual(mobile_app);
  });

  test('refuses a deep link as an image address and mailto as a page address', () => {
    expect(isSafeUrl('mybank://a', 'app')).toBe(true);
    expect(isSafeUrl('mybank://a', 'link')).toBe(false);
    expect(isSafeUrl('mailto:ada@example.com', 'link')).toBe(true);
    expect(isSafeUrl('mailto:ada@example.com', 'web')).toBe(false);
    expect(isSafeReference('//evil.example')).toBe(false);
    expect(isSafeReference('/\\evil.example')).toBe(false);
    expect(isSafeReference('#section')).toBe(true);
  });
});

test('a click that a provider reports stores no executable address', async () => {
  const receiver = await aReceiver(api, team, { receiver_kind: 'email_b' });
  const contact = await team.post('/v2/partner/contacts', { unique_id: randomUUID() });
  const reply = await receiver.send({
    ...{ kind: 'email_b', event: 'click', recipient: 'ada@example.com', message_id: 'm' },
    ...{ email_b_event_id: randomUUID(), timestamp: Math.floor(Date.now() / 1_000) },
    ...{ url: 'javascript:alert(1)', do_contact_id: String(contact.body.id) },
  });
  expect(reply.body.status).toBe('accepted');
  const filter = `filter[contact_id]=${String(contact.body.id)}`;
  const events = await team.get(`/v2/partner/engagement-events?${filter}`);
  expect(events.status).toBe(200);
  expect(events.body.data).toMatchObject([{ kind: 'message.clicked' }]);
  expect(events.body.data[0]).not.toHaveProperty('url');
});

test('the widget script applies the same rule to the links that it writes', async () => {
  const { text } = await widgetScript();
  expect(text).toContain("isSafeUrl(href, 'app')");
  expect(text).toMatch(/^function isSafeUrl\(/m);
});
