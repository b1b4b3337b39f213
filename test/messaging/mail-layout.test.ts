import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { hasOwnColors, hasOwnLayout } from '../../src/messaging/mail-layout/rules.ts';
import { aReader, aSendingTemplate, anEmail, enrolled, mailboxOf } from '../journeys/a-send.ts';
import { startTestApi } from '../support/api.ts';
import type { TestApi, TestTeam } from '../support/api.ts';
import { anUnboundedTeam } from '../support/sending-service.ts';
import { aBrowser, picture } from '../widget/a-browser.ts';
import { expectAccessible } from '../widget/accessible.ts';
import { startSendingLanes } from './sending-lanes.ts';
import type { SendingLanes } from './sending-lanes.ts';

// E-mails without a layout of their own, as they are sent. The titles of the second part name what
// public bug trackers of e-mail templates report.

const browser = await aBrowser();
let api: TestApi;
let team: TestTeam;
let lanes: SendingLanes;

const legal = 'Example Bank AG, Hauptplatz 1, 1010 Wien <FN 1>\nPart of Example Group';
const theme = {
  primary_color: '#0a6847',
  radius: 12,
  font_family: 'Verdana',
  legal_text: legal,
};

async function aTeam(name: string, its: object = theme): Promise<TestTeam> {
  const made = await anUnboundedTeam(api);
  expect((await made.patch('/v2/partner/team', { name })).status).toBe(200);
  const widget = { name: 'Look', widget_kind: 'journey', allowed_origins: [], theme: its };
  expect((await made.post('/v2/partner/widget-instances', widget)).status).toBe(201);
  return made;
}

beforeAll(async () => {
  api = await startTestApi();
  team = await aTeam('Example Bank');
  const topic = { name: 'Offers', default_consent: 'subscribed' };
  expect((await team.post('/v2/partner/topics', topic)).status).toBe(201);
  lanes = await startSendingLanes(api);
});
afterAll(async () => {
  await browser?.close();
  await lanes.stop();
  await api.stop();
});

const button = { key: 'go', name: 'Go', kind: 'button' };

/** An e-mail as it was sent. */
async function sent(message: object, contact: object = {}, by: TestTeam = team) {
  const template = await aSendingTemplate(by, [{ ...anEmail, purpose: 'marketing', ...message }]);
  const contact_id = await aReader(by, { unique_id: randomUUID(), ...contact });
  await enrolled(by, template, [contact_id]);
  await lanes.decide();
  await lanes.send();
  const mail = (await mailboxOf(by)).find((one) => one.contact_id === contact_id);
  return mail?.content as { subject: string; html: string; text: string };
}

const words =
  '<h1>Welcome, Ada</h1><p>Your account is open. <a href="https://bank.example/">Log in</a></p>';

describe('an e-mail without a layout', () => {
  test('has the name and colors of the team, its legal text, and the text as before', async () => {
    const { html, text } = await sent({ body_html: words, subject: 'Welcome' });
    expect(text).toBe('Welcome, Ada\n\nYour account is open. Log in (https://bank.example/)');
    expect(html.match(/>Example Bank</g)).toHaveLength(2);
    expect(html).toContain('Wien &lt;FN 1&gt;<br>Part of Example Group');
    expect(html).toContain('border-top:4px solid #0a6847');
    expect(html).toContain('font-family:Verdana,');
    expect(html).toContain('border-radius:12px');
  });

  test.each([
    ['en', 'Your message preferences', 'Unsubscribe', 'en'],
    ['es-MX', 'Sus preferencias de mensajes', 'Darse de baja', 'es'],
    ['de', 'Ihre Nachrichten', 'Abbestellen', 'de'],
    ['fr', 'Vos préférences de messages', 'Se désabonner', 'fr'],
    ['ja', 'Your message preferences', 'Unsubscribe', 'en'],
  ])(
    'offers in the language %s to choose topics and to leave, once',
    async (locale, preferences, leave, lang) => {
      const { html } = await sent({ body_html: words }, { locale });
      const [, attributes, links = ''] =
        /<div (lang="[^"]*" dir="ltr")>((?:<a [^>]*>[^<]*<\/a>[^<]*)+)<\/div><\/td>/.exec(html) ??
        [];
      expect(attributes).toBe(`lang="${lang}" dir="ltr"`);
      expect(
        [...links.matchAll(/href="([^"~]*)~[^>]*>([^<]*)/g)].map(([, to, label]) => [to, label]),
      ).toEqual([
        ['http://onward.test/preferences/dou', preferences],
        ['http://onward.test/unsubscribe/dou', leave],
      ]);
    },
  );

  test('says neither again that the e-mail says itself', async () => {
    const own =
      '<p><a href="{{ unsubscribe_url }}">Leave</a> <a href="{{ preferences_url }}">Choose</a></p>';
    const { html } = await sent({ body_html: own });
    expect(html.match(/\/unsubscribe\/dou~/g)).toHaveLength(1);
    expect(html.match(/\/preferences\/dou~/g)).toHaveLength(1);
  });

  test('offers nothing that a transactional message does not have', async () => {
    const { html } = await sent({ body_html: words, purpose: 'transactional' });
    expect(html).not.toMatch(/\/(?:unsubscribe|preferences)\//);
  });

  test('offers no topics where the team has none', async () => {
    const { html } = await sent({ body_html: words }, {}, await aTeam('Small Bank'));
    expect(html).not.toContain('/preferences/');
    expect(html).toContain('/unsubscribe/');
  });

  test('has the logo of the team from a safe address, with the name for those who do not load it', async () => {
    const logo = await aTeam('Logo Bank', { logo_url: 'https://bank.example/a.png?a=1&b="2' });
    expect((await sent({ body_html: words }, {}, logo)).html).toContain(
      'src="https://bank.example/a.png?a=1&amp;b=&quot;2" alt="Logo Bank" height="40"',
    );
    for (const logo_url of [
      'javascript:alert(1)',
      'http://bank.example/a.png',
      '//bank.example/a.png',
    ]) {
      const none = await aTeam('Plain Bank', { logo_url });
      expect((await sent({ body_html: words }, {}, none)).html).not.toContain('<img');
    }
  });
});

describe('a layout of the author', () => {
  test.each([
    ['a style sheet', '<style>p{color:red}</style><p>x</p>'],
    ['a table for layout', '<table role="presentation"><tr><td>x</td></tr></table>'],
    ['a table without headings', '<table width="600"><tr><td>x</td></tr></table>'],
    [
      'tables in tables',
      '<table><tr><th>x</th><td><table><tr><td>x</td></tr></table></td></tr></table>',
    ],
    ['a column', '<div style="margin:0 auto;max-width:600px"><p>x</p></div>'],
    ['a background', '<div style="background-color:#eee"><p>x</p></div>'],
  ])('is %s, and stays', async (_, body_html) => {
    expect(hasOwnLayout(body_html)).toBe(true);
    expect((await sent({ body_html })).html).not.toContain('o-card');
  });

  test.each([
    ['text', '<p>x</p>'],
    ['a table of data', '<p>x</p><table><tr><th>Day</th></tr><tr><td>1</td></tr></table>'],
    ['a styled word', '<p><span style="background:#ff0">x</span></p>'],
  ])('is not %s', async (_, body_html) => {
    expect(hasOwnLayout(body_html)).toBe(false);
    expect((await sent({ body_html })).html).toContain('o-card');
  });

  test('is found in linear time', () => {
    const from = performance.now();
    for (const piece of ['<table', '<table><tr>', '<div ', '<a style="', ' style="']) {
      const html = piece.repeat(300_000 / piece.length);
      hasOwnLayout(html);
      hasOwnColors(html);
    }
    expect(performance.now() - from).toBeLessThan(10_000);
  });
});

/** The text that a list of messages shows next to the subject: the beginning of the body. */
const previewOf = (html: string) =>
  (/<body[^>]*>([^]*)<\/body>/.exec(html)?.[1] ?? '')
    .replaceAll(/<!--[^]*?-->|<[^>]*>/g, '')
    .replaceAll(/&#847;|&zwnj;|&nbsp;/g, '\u{a0}');

describe('reported by readers of other layouts', () => {
  test.each([
    ['the text', { body_html: '<p>Your card is on its way.</p>' }, 'Your card is on its way.'],
    [
      'the preheader',
      { body_html: words, preheader: 'Three days & more' },
      'Three days &amp; more',
    ],
    [
      'no address of a link',
      { body_html: `<p><a href="https://bank.example/${'x'.repeat(90)}">Open</a> it</p>` },
      'Open it',
    ],
  ])(
    'the preview shows %s, from its first character, and neither name nor footer',
    async (_, message, shown) => {
      const preview = previewOf((await sent(message)).html);
      expect(preview.startsWith(`${shown}\u{a0}`)).toBe(true);
      expect(preview.indexOf('Example Bank')).toBeGreaterThan(140);
    },
  );

  test('a heading that repeats the subject is not shown twice in a list', async () => {
    const { html } = await sent({ body_html: words, subject: 'Welcome, Ada' });
    expect(previewOf(html).startsWith('Your account is open. Log in')).toBe(true);
  });

  test('Gmail cuts e-mails of more than 102 KB: the layout adds less than 10', async () => {
    const { html } = await sent({ body_html: words });
    expect(Buffer.byteLength(html)).toBeLessThan(10_000);
  });

  test('Outlook knows no maximum width, no padding but of cells, and no font after an unknown one', async () => {
    const { html } = await sent({ body_html: words });
    expect(html).toContain('<!--[if mso]><table role="presentation" width="600"');
    expect(html).toContain('<!--[if mso]><style>*{font-family:Arial');
    const padded = [...html.matchAll(/<(\w+)[^>]*style="[^"]*padding:[1-9]/g)].map(
      ([, name]) => name,
    );
    expect(new Set(padded)).toEqual(new Set(['td']));
    // A line appears at a cell that has both.
    expect(html).not.toMatch(/<(?:td|table)[^>]*\sdir=/);
  });

  test('a color in attributes has six digits, and one that mail programs do not know is not used', async () => {
    const short = await aTeam('Short Bank', {
      primary_color: '#0a4',
      background_color: 'oklch(50% 0.1 20)',
    });
    const { html } = await sent({ body_html: words }, {}, short);
    expect(html).toContain('border-top:4px solid #00aa44');
    expect(html).not.toContain('oklch');
    for (const [, color = ''] of html.matchAll(/bgcolor="([^"]*)"/g))
      expect(color).toMatch(/^#[\da-f]{6}$/);
  });

  test('colors of the author are not put on a dark page', async () => {
    const { html } = await sent({ body_html: '<p style="color:#222">x</p>' });
    expect(html).toContain('name="color-scheme" content="light only"');
    expect(html).not.toContain('prefers-color-scheme');
  });
});

const inDocuments = new Set([
  'mail-layout-en-700-light.png',
  'mail-layout-en-375-dark.png',
  'mail-layout-ar-700-dark.png',
]);
const isForPictures = process.env['ONWARD_PICTURES'] === 'true';
/** A word and a picture that are wider than the e-mail. */
const wide = `<p><img src="https://bank.example/wide.png" width="1200" height="80" alt="A card"> ${'x'.repeat(120)}</p>`;

const chosen: Readonly<Record<string, string>> = { en: 'en', ar: 'ar' };
const bodies = {
  en:
    '<h1>Your account is open</h1><p>Dear Ada,<br>welcome. This is what is next.</p>' +
    '<ul><li>Confirm your <a href="https://bank.example/">address</a></li><li>Order a card</li></ul>' +
    '<table><tr><th>Account</th><th>Balance</th></tr><tr><td>Savings</td><td>€1,519.50</td></tr></table>' +
    (isForPictures ? '' : wide),
  ar: '<h1>حسابك مفتوح</h1><p>عزيزتي آدا، مرحبا. <a href="https://bank.example/">التالي</a></p><ul><li>أكدي عنوانك</li></ul>',
};

async function opened(html: string, width: number, colorScheme: 'light' | 'dark'): Promise<Page> {
  if (!browser) throw new Error('there is no browser');
  const context = await browser.newContext({ viewport: { width, height: 800 }, colorScheme });
  await context.route('**/*', (route) => route.abort());
  const page = await context.newPage();
  await page.setContent(html);
  return page;
}

const views = (['en', 'ar'] as const).flatMap((language) =>
  [375, 700].flatMap((width) =>
    (['light', 'dark'] as const).map((scheme) => [language, width, scheme] as const),
  ),
);

describe('the layout in a browser', () => {
  test.each(views)('in %s, %i pixels wide, %s, is read', async (language, width, scheme) => {
    if (!browser) return;
    const block = { ...button, body: { label: 'Go on', url: 'https://bank.example/next' } };
    const { body } = await team.post('/v2/partner/content-blocks', {
      ...block,
      key: `go-${randomUUID()}`,
    });
    const localizations = { ar: { body_html: bodies.ar } };
    const { html } = await sent(
      { body_html: bodies.en, localizations, content_block_ids: [body.id] },
      { locale: chosen[language] },
    );
    const page = await opened(html, width, scheme);
    const shown = await page.evaluate(`(() => {
      const box = (name) => document.querySelector(name).getBoundingClientRect();
      const card = box('.o-card'), press = box('.button');
      return {
        scrollWidth: document.documentElement.scrollWidth,
        isCentered: Math.abs(card.left - (innerWidth - card.right)) <= 1,
        width: card.width,
        isPressable: press.height >= 44,
        direction: getComputedStyle(document.querySelector('h1')).direction,
        back: getComputedStyle(document.querySelector('.o-card')).backgroundColor,
      };
    })()`);
    await expectAccessible(page);
    const name = `mail-layout-${language}-${String(width)}-${scheme}.png`;
    if (inDocuments.has(name)) await picture(page, name);
    await page.context().close();
    expect(shown).toEqual({
      ...{ scrollWidth: width, isCentered: true, isPressable: true },
      width: width === 375 ? 375 : 600,
      direction: language === 'ar' ? 'rtl' : 'ltr',
      back: scheme === 'dark' ? 'rgb(20, 24, 30)' : 'rgb(255, 255, 255)',
    });
  });
});
