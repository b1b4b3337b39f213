import { describe, expect, test } from '@jest/globals';
import { blankMessage } from '../../src/campaigns/messages/message.ts';
import { valuesFor } from '../../src/campaigns/rendering/audience.ts';
import { renderMessage } from '../../src/campaigns/rendering/message.ts';
import { liquidProblem } from '../../src/platform/content/liquid.ts';

// Public bug reports about texts of messages, each with the input that it gives.

const team = { name: 'Bank', locale: 'en-US', timezone: 'UTC', currency: 'USD' };
interface Person {
  locale?: string;
  timezone?: string;
  tags?: readonly string[];
  attributes?: object;
}

/** The content of a message as a contact gets it. */
function contentFor(content: object, { locale, timezone, ...person }: Person, variantKey?: string) {
  const values = valuesFor({
    team,
    contact: { locale: locale ?? null, timezone: timezone ?? null, ...person },
    surroundings: { template: { name: 'Card', deadline_at: '2026-06-30T21:00:00.000Z' } },
  });
  return renderMessage({ ...blankMessage, ...content }, [], { values, variantKey });
}
const textFor = (source: string, person: Person) => {
  expect(liquidProblem(source)).toBeUndefined();
  const content = contentFor({ channel: 'push', body: source }, person);
  return content.channel === 'push' ? content.body.replaceAll(/[\u00a0\u202f]/g, ' ') : '';
};

describe('the text of a message', () => {
  const at = (format: string) => `{{ template.deadline_at | date: ${format} }}`;
  const toronto = { timezone: 'America/Toronto' };
  test.each<[report: string, source: string, person: Person, text: string]>([
    ['harttle/liquidjs#931', at('"%s", "America/Toronto"'), {}, '1782853200'],
    ['harttle/liquidjs#553', at('"%a, %b %d, %y", "America/Los_Angeles"'), {}, 'Tue, Jun 30, 26'],
    ['Shopify/liquid#1499', at('"%H:%M"'), toronto, '17:00'],
    [
      'AI-Shipping-Labs/website#666',
      at('"%B %d, %Y at %H:%M %Z"'),
      toronto,
      'June 30, 2026 at 17:00 EDT',
    ],
    ['AI-Shipping-Labs/website#666', at('"%H:%M %Z"'), {}, '21:00 UTC'],
    ['RaythaHQ/raytha#68', at('"%b %e %Y, %l:%M:%S %P"'), toronto, 'Jun 30 2026,  5:00:00 pm'],
    ['harttle/liquidjs#375', '{{ "2016-02-01" | date: "%Y/%m/%d" }}', toronto, '2016/02/01'],
    ['jg-rp/golden-liquid#28', '{{ "March 14, 2016" | date: "%s" }}', {}, '1457913600'],
    ['locomotivecms/engine#525', at('"%B"'), { locale: 'fr' }, 'juin'],
    ['iamkun/dayjs#1044', at('"%-d %B, %Y"'), { locale: 'pl' }, '30 czerwca, 2026'],
    ['iamkun/dayjs#1044', at('"%-d %B, %Y"'), { locale: 'hr' }, '30 lipnja, 2026'],
    ['iamkun/dayjs#1044', at('"%A"'), { locale: 'ro' }, 'marți'],
    ['unicode-org/icu4x#8201', at('"%-d %B %Y"'), { locale: 'th' }, '30 มิถุนายน 2026'],
    ['SAP/fundamental-ngx#9487', at('"%x"'), { locale: 'fa-u-ca-persian-nu-latn' }, '30 ژوئن 2026'],
    ['smp46/pingvin-share-x#101', at('"%x"'), { locale: 'de-DE' }, '30. Juni 2026'],
    [
      'mitsuhiko/minijinja#949',
      '{{ contact.attributes.a | divided_by: contact.attributes.zero }}',
      { attributes: { a: -1, zero: 0 } },
      '',
    ],
    [
      'Shopify/liquid#914',
      '{{ 1.0 | divided_by: contact.attributes.zero | money }}',
      { attributes: { zero: 0 } },
      '',
    ],
    [
      'huginn/huginn#2021',
      '{{ contact.attributes.a | divided_by: contact.attributes.b | number: 3 }}',
      { attributes: { a: '3634147', b: '5404530' } },
      '0.672',
    ],
    ['laravel/cashier-paddle#183', '{{ 1000 | money: "JPY" }}', { locale: 'ja-JP' }, '￥1,000'],
    [
      'Tanq16/ExpenseOwl#37',
      '{{ 1000 | money: "KRW" }} {{ 1000 | money: "IDR" }}',
      { locale: 'en' },
      '₩1,000 IDR 10.00',
    ],
    [
      'dotliquid/dotliquid#528',
      '{% if contact.tags contains "pro" %}pro{% endif %}',
      { tags: ['prospect'] },
      '',
    ],
  ])('%s: %s for %j is %j', (_, source, person, text) => {
    expect(textFor(source, person)).toBe(text);
  });

  test('osteele/liquid#96: a division by a written zero is refused', () => {
    expect(liquidProblem('{{ 20 | divided_by: 0 }}')).toBe('a filter is given what it cannot take');
  });
});

describe('the language of a message', () => {
  const localized = (names: readonly string[]) => ({
    ...{ channel: 'sms', body: 'own' },
    localizations: Object.fromEntries(names.map((name) => [name, { body: name }])),
  });
  test.each<[report: string, names: readonly string[], locale: string, body: string]>([
    ['AlexanderZaytsev/react-native-i18n#96', ['zh', 'zh-Hant'], 'zh-Hant-TW', 'zh-Hant'],
    ['falling-fruit/falling-fruit-web#753', ['zh-Hans', 'zh-Hant'], 'zh-Hant-HK', 'zh-Hant'],
    ['mautic/mautic#10762', ['en-ZA', 'en-AU', 'de-DE'], 'en', 'own'],
    ['mautic/mautic#10762', ['en-ZA', 'en-AU', 'de-DE'], 'en-AU', 'en-AU'],
    ['shuup/shuup#2013', ['pt', 'en'], 'pt-br', 'pt'],
    ['shuup/shuup#2013', ['pt', 'en'], 'EN-GB', 'en'],
    ['openlibhums/janeway#1031', ['de'], 'cs', 'own'],
    ['owncloud/ocis#7465', ['en'], 'cs', 'own'],
  ])('%s: of %j, a contact with %s gets %s', (_, names, locale, body) => {
    expect(contentFor(localized(names), { locale })).toMatchObject({ body });
  });

  test('mautic/mautic#10562: a variant and a localization are never mixed', () => {
    const content = {
      ...{ channel: 'email', subject: 'Start', body_html: '<p>Go</p>' },
      localizations: { de: { subject: 'Anfangen', body_html: '<p>Los</p>' } },
      variants: [{ key: 'b', weight: 100, overrides: { subject: 'Start now' } }],
    };
    const german = contentFor(content, { locale: 'de-AT' }, 'b');
    expect(german).toMatchObject({ subject: 'Anfangen', html: '<p>Los</p>', text: 'Los' });
    const french = contentFor(content, { locale: 'fr' }, 'b');
    expect(french).toMatchObject({ subject: 'Start now', html: '<p>Go</p>' });
  });
});

test.each([
  ['alphagov/notifications-utils#991', 'fr', 'EUR'],
  ['instasent/sms-counter-php#6', 'de', 'EUR'],
  ['nyaruka/rapidpro#1024', 'sv', 'SEK'],
])('%s: an amount for %s does not double the parts of a text message', (_, locale, currency) => {
  const text = `${'a'.repeat(140)} {{ 123456 | money: "${currency}" }}`;
  const content = contentFor({ channel: 'sms', body: text }, { locale });
  expect(content).toMatchObject({
    body: expect.not.stringMatching(/[\u00a0\u202f]/),
    sms_segments: 1,
  });
});
