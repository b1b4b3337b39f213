import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { at, templates } from '../campaigns/a-template.ts';
import { aReader, aSendingTemplate, anEmail, enrolled, mailboxOf } from '../journeys/a-send.ts';
import { startTestApi } from '../support/api.ts';
import type { TestApi, TestTeam } from '../support/api.ts';
import { anUnboundedTeam } from '../support/sending-service.ts';
import { mailBrandOf } from '../../src/messaging/mail-layout/colors.ts';
import { previewText } from '../../src/messaging/mail-layout/layout.ts';
import { withInlineStyles } from '../../src/messaging/mail-layout/styles.ts';
import { anActiveUser } from './a-test-recipient.ts';
import { startSendingLanes } from './sending-lanes.ts';
import type { SendingLanes } from './sending-lanes.ts';

// A preview is what is sent. FC_SEED tries other messages.

let api: TestApi;
let team: TestTeam;
let lanes: SendingLanes;

beforeAll(async () => {
  api = await startTestApi();
  team = await anUnboundedTeam(api);
  await team.patch('/v2/partner/team', { locale: 'es-MX', timezone: 'America/Mexico_City' });
  lanes = await startSendingLanes(api);
});
afterAll(async () => {
  await lanes.stop();
  await api.stop();
});

const pieces = fc.array(
  fc.constantFrom(
    ...['Hello {{ contact.first_name }}', '{{ team.name }}, {{ template.name }}', 'a & b'],
    ...['{{ contact.locale }} {{ contact.timezone }}', '{{ contact.tags }}, {{ data.items }}'],
    ...['{{ template.deadline_at | date: "%A, %-d %B %Y %H:%M %Z" }}', '{{ data.cents | money }}'],
    ...[
      '{{ template.deadline_at | date: "%x", contact.timezone }}',
      '{{ data.cents | number: 1 }}',
    ],
    ...['{% if contact.tags contains "pro" %}pro{% else %}no{% endif %}', '{{ journey.link_url }}'],
    ...['{% for tag in contact.tags %}{{ tag }}/{% endfor %}', '{{ unsubscribe_url }}'],
    ...['{{ contact.attributes.score | divided_by: contact.attributes.none }}', 'é 漢 😀'],
    ...['{{ preferences_url }}', '{{ data.cents | money: data.currency }}', '{{ contact.email }}'],
  ),
  { minLength: 1, maxLength: 5 },
);
const text = pieces.map((all) => all.join(' '));
/** Short enough for a title. */
const line = pieces.map(([first = '']) => first);
const html = pieces.map((all) => all.map((one) => `<p>${one}</p>`).join('\n'));

type Texts = Readonly<Record<string, fc.Arbitrary<string>>>;
const textsOf: Readonly<Record<'email' | 'sms' | 'push', Texts>> = {
  email: { subject: line, preheader: line, from_name: line, body_html: html, body_text: text },
  sms: { body: text },
  push: { title: line, body: text },
};
const data_schema = {
  type: 'object',
  properties: {
    cents: { type: 'integer' },
    currency: { type: 'string' },
    items: { type: 'array', items: { type: 'string' } },
  },
};

const locales = ['de', 'es', 'zh', 'zh-Hant'];
const aMessage = fc.constantFrom('email', 'sms', 'push').chain((channel) => {
  const texts = textsOf[channel];
  const overrides = fc.record(texts, { requiredKeys: [] });
  const requiredKeys = channel === 'email' ? ['subject', 'body_html'] : ['body'];
  return fc.record({
    channel: fc.constant(channel),
    texts: fc.record(texts, { requiredKeys }),
    localizations: fc.dictionary(fc.constantFrom(...locales), overrides, { maxKeys: 3 }),
    variants: fc
      .array(overrides, { maxLength: 3 })
      .map((all) =>
        all.map((one, index) => ({ key: `v${String(index)}`, weight: 1, overrides: one })),
      ),
    block: html,
    isRequested: fc.boolean(),
  });
});
const aContact = fc.record(
  {
    locale: fc.constantFrom('de-CH', 'es', 'zh-Hant-TW', 'zh-SG', 'en-US', 'ar-SA', 'pt-BR'),
    timezone: fc.constantFrom('America/New_York', 'Asia/Kolkata', 'Pacific/Apia', 'UTC'),
    tags: fc.uniqueArray(fc.constantFrom('pro', 'prospect', '<b>', 'a, b')),
    first_name: fc.constantFrom('Ada', 'Zoë & Co', '{{ team.name }}', '<i>'),
  },
  { requiredKeys: [] },
);
const someData = fc.record({
  cents: fc.integer({ min: -1_000_000, max: 1_000_000 }),
  currency: fc.constantFrom('EUR', 'JPY', 'KWD', 'none'),
  items: fc.array(fc.constantFrom('tea', 'milk', '&')),
});

/** Tokens are those of a delivery, or prove nothing; their length is the same. */
const withoutTokens = (content: unknown): unknown =>
  JSON.parse(
    JSON.stringify(content).replaceAll(
      /do[lu]~[\w~-]+/g,
      (token) => `token of ${String(token.length)}`,
    ),
  );

/** The parts of a message that its recipient reads, as `render` names them. */
function readableOf(content: any) {
  if (content.channel === 'sms') return { body: content.body };
  if (content.channel === 'push') return { title: content.title, body: content.body };
  const [hidden, preheader = ''] =
    /<div style="display:none[^>]*>(.*?)<\/div>/s.exec(content.html) ?? [];
  const laidOut = /<div class="o-text"[^>]*>(.*)<\/div><\/td><\/tr><\/table><table/s.exec(
    content.html,
  );
  expect([typeof hidden, laidOut?.length]).toEqual(['string', 2]);
  return {
    subject: content.subject,
    beginning: preheader
      .replaceAll(/&(amp|lt|gt|quot|#39);/g, (name) => signs[name] ?? name)
      .replaceAll(/&#847;&zwnj;&nbsp;/g, ''),
    from_name: content.from.name,
    html: laidOut?.[1],
    text: content.text,
  };
}
const signs: Readonly<Record<string, string>> = {
  ...{ '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" },
};

const previewed = async (id: string, whom: object) => {
  const { status, body } = await team.post(`/v2/partner/messages/${id}/render`, whom);
  expect(status).toBe(200);
  const { subject, preheader, from_name, html: markup, text: plain, title, body: words } = body;
  if (body.channel === 'sms') return { body: words };
  if (body.channel === 'push') return { title, body: words };
  const styled = withInlineStyles(markup, mailBrandOf({}));
  const beginning = previewText({ preheader: preheader ?? '', subject, text: plain });
  return { subject, beginning, from_name, html: styled, text: plain };
};

const sentTo = async (
  isMeant: (row: { contact_id: string | null; recipient: string }) => boolean,
) => {
  const found = (await mailboxOf(team)).filter(isMeant);
  expect(found).toHaveLength(1);
  return readableOf(found[0]?.content);
};

const deadline_at = '2027-01-01T04:59:00.000Z';

test('a preview for a contact is what the contact gets, and one for a sample person what a test gets', async () => {
  await fc.assert(
    fc.asyncProperty(aMessage, aContact, someData, async (made, person, data) => {
      const key = `b-${randomUUID()}`;
      const block = await team.post('/v2/partner/content-blocks', {
        ...{ name: 'B', key, kind: 'rich_text', body: { html: made.block } },
        localizations: { 'zh-Hant': { html: '<p>{{ contact.first_name }} 漢</p>' } },
      });
      const { channel, texts, localizations, variants, isRequested } = made;
      const message = {
        ...{ name: 'M', channel, ...texts, localizations, variants, data_schema },
        ...{ purpose: 'transactional', respect_quiet_hours: false },
        ...(channel === 'email' && {
          from_email: 'hello@bank.example',
          content_block_ids: [block.body.id],
        }),
        ...(isRequested && { trigger: { kind: 'on_request' } }),
      };
      const template = await aSendingTemplate(team, [message], { name: 'Card', deadline_at });
      const [id = ''] = template.messageIds;
      const contact = await aReader(team, {
        ...{ phone: '+14155550177', attributes: { score: 7 } },
        ...person,
      });
      if (channel === 'push') {
        const device = { platform: 'ios', token: randomUUID() };
        const { status } = await team.post(`/v2/partner/contacts/${contact}/devices`, device);
        expect(status).toBe(201);
      }
      if (isRequested) {
        const path = `/v2/partner/messages/${id}/sends`;
        expect((await team.post(path, { contact_id: contact, data })).status).toBe(202);
      } else {
        await enrolled(team, template, [contact]);
        await lanes.decide();
      }
      const tester = `${randomUUID()}@example.com`;
      if (channel === 'email') {
        await anActiveUser(team, tester);
        const tests = `/v2/partner/messages/${id}/test-sends`;
        expect((await team.post(tests, { to: [tester] })).status).toBe(202);
      }
      await lanes.send();
      const given = isRequested ? { data: { data } } : {};
      const sent = await sentTo(({ contact_id }) => contact_id === contact);
      expect(withoutTokens(await previewed(id, { contact_id: contact, ...given }))).toEqual(
        withoutTokens(sent),
      );
      if (channel !== 'email') return;
      const tried = await sentTo(({ recipient }) => recipient === tester);
      expect(withoutTokens(await previewed(id, {}))).toEqual(withoutTokens(tried));
    }),
    { numRuns: 15, seed: Number(process.env['FC_SEED'] ?? 5), endOnFailure: true },
  );
});

describe('a preview without a contact', () => {
  const draft = async (message: object) => {
    const template = await team.post(templates, { name: 'Draft' });
    const { body } = await team.post(at(template.body.id, '/messages'), { ...anEmail, ...message });
    return String(body.id);
  };

  test('has the language and the zone of the team, or those of the given data', async () => {
    const now = '{{ contact.timezone }} {{ contact.locale }} {{ "2026-01-05" | date: "%A" }}';
    const id = await draft({ subject: now });
    expect(await previewed(id, {})).toMatchObject({ subject: 'America/Mexico_City es-MX lunes' });
    const data = { contact: { locale: 'de', timezone: 'Europe/Berlin' } };
    expect(await previewed(id, { data })).toMatchObject({ subject: 'Europe/Berlin de Montag' });
    const wrong = { contact: { locale: 'no language!', timezone: 7 } };
    expect(await previewed(id, { data: wrong })).toMatchObject({ subject: '7 no language! lunes' });
    expect(await previewed(id, { locale: 'fr' })).toMatchObject({
      subject: 'America/Mexico_City es-MX lundi',
    });
  });

  test('shows a variant over the texts of the message only', async () => {
    const id = await draft({
      ...{ subject: 'Start', body_html: '<p>Go</p>' },
      localizations: { 'zh-Hant': { subject: '開始' }, zh: { subject: '开始' } },
      variants: [{ key: 'b', weight: 1, overrides: { subject: 'Start now' } }],
    });
    const subjectFor = async (locale: string) =>
      (await previewed(id, { locale, variant_key: 'b' })).subject;
    expect([
      await subjectFor('fr'),
      await subjectFor('zh-Hant-TW'),
      await subjectFor('ZH'),
    ]).toEqual([...['Start now', '開始', '开始']]);
  });
});

test('an amount in a text message has spaces of the basic alphabet', async () => {
  const message = { name: 'M', channel: 'sms', body: '{{ 123456789 | money: "EUR" }}' };
  const template = await team.post(templates, { name: 'Draft' });
  const made = await team.post(at(template.body.id, '/messages'), message);
  const path = `/v2/partner/messages/${String(made.body.id)}/render`;
  const { body } = await team.post(path, { locale: 'fr' });
  expect([body.body, body.sms_segments]).toEqual(['1 234 567,89 €', 1]);
});
