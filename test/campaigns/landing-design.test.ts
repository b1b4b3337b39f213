import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { contrast } from '../../src/platform/content/contrast.ts';
import { startTestApi } from '../support/api.ts';
import type { TestApi, TestTeam } from '../support/api.ts';
import { aBrowser, picture } from '../widget/a-browser.ts';
import { expectAccessible } from '../widget/accessible.ts';

// The layout, the colors of the theme and the title of a landing page, as visitors see them.

let api: TestApi;
let team: TestTeam;
let browser: Browser | undefined;
let blocks: string[];
beforeAll(async () => {
  api = await startTestApi();
  team = await api.newTeam();
  browser = await aBrowser();
  blocks = [];
  for (const [kind, body] of contents) blocks.push(await aBlock(kind, body));
});
afterAll(async () => {
  await browser?.close();
  await api.stop();
});

const button = (label: string) => ({ label, url: 'https://bank.example/open' });
const contents: readonly [kind: string, body: object][] = [
  [
    'rich_text',
    {
      html: `<p>Open your savings account online. It takes about <strong>five minutes</strong>.</p>
<h2>What you get</h2><ul><li>2.4 % interest a year, paid monthly</li><li>No fee, and no minimum</li></ul>
<table><tr><th>Balance</th><th>Rate</th></tr><tr><td>up to 50,000 €</td><td>2.40 %</td></tr></table>`,
    },
  ],
  ['button', button('Open an account')],
  [
    'product_card',
    { title: 'Everyday card', description: 'Pay everywhere.', button: button('See the card') },
  ],
  [
    'product_card',
    {
      ...{ title: 'Savings plus', description: 'For amounts of 10,000 € and more.' },
      button: button('See the account'),
    },
  ],
  [
    'objective_checklist',
    {
      title: 'Your first steps',
      items: [{ objective_key: 'a', label: 'Confirm your e-mail address' }],
    },
  ],
  [
    'form',
    {
      ...{ title: 'Ask us to call you', submit_label: 'Send' },
      fields: [
        { name: 'email', label: 'E-mail address', kind: 'email', is_required: true },
        { name: 'branch', label: 'Branch', kind: 'select', options: ['North', 'South'] },
        { name: 'news', label: 'Send me news by e-mail', kind: 'checkbox', consent: 'email' },
      ],
    },
  ],
  ['disclosure', { title: 'Legal', html: '<p>Interest rates as of 1 November.</p>' }],
];

async function aBlock(kind: string, body: object): Promise<string> {
  const about = { key: `k-${randomUUID()}`, name: kind, kind, body };
  const made = await team.post('/v2/partner/content-blocks', about);
  expect(made.status).toBe(201);
  return String(made.body.id);
}

/** The address of a published page. */
async function aLandingPage(fields: object): Promise<string> {
  const slug = `p-${randomUUID()}`;
  const made = await team.post('/v2/partner/landing-pages', {
    ...{ name: 'Savings', title: 'Savings, without the small print', slug },
    ...{ content_block_ids: blocks, ...fields },
  });
  expect(made.status).toBe(201);
  const published = await team.post(`/v2/partner/landing-pages/${String(made.body.id)}/publish`);
  expect(published.status).toBe(200);
  return `${api.url}/p/${team.id}/${slug}`;
}

const textOf = async (address: string) => (await fetch(address)).text();

const styleOf = (page: Page, selector: string, name: string) =>
  page.evaluate<string>(
    `getComputedStyle(document.querySelector(${JSON.stringify(selector)})).getPropertyValue(${JSON.stringify(name)})`,
  );

const themes = [
  ['default', {}, 'rgb(11, 87, 208)', 'rgb(255, 255, 255)'],
  [
    'green',
    { theme: { primary_color: '#0a6847', radius: '20px', font_family: 'Georgia, serif' } },
    ...['rgb(10, 104, 71)', 'rgb(255, 255, 255)'],
  ],
  [
    'yellow',
    { theme: { primary_color: '#fc0' }, locale: 'ar' },
    'rgb(255, 204, 0)',
    'rgb(20, 24, 30)',
  ],
] as const;

describe.each([1_440, 390])('%i pixels wide', (width) => {
  test.each(themes)('a page with the theme %s is laid out', async (name, fields, fill, onFill) => {
    if (!browser) return;
    const address = await aLandingPage(fields);
    const context = await browser.newContext({ viewport: { width, height: 900 } });
    const page = await context.newPage();
    await page.goto(address);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    expect(await styleOf(page, '.button', 'background-color')).toBe(fill);
    expect(await styleOf(page, '.button', 'color')).toBe(onFill);
    if (name === 'green') expect(await styleOf(page, 'body', 'font-family')).toBe('Georgia, serif');
    const lefts = await page.evaluate<number[]>(
      "[...document.querySelectorAll('.block-product_card')].map((one) => Math.round(one.getBoundingClientRect().left))",
    );
    // Cards stand side by side where there is room.
    expect(new Set(lefts).size).toBe(width === 390 ? 1 : 2);
    await expectAccessible(page);
    if (name === 'green') await picture(page, `landing-page-${String(width)}.png`);
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('alert').waitFor();
    await expectAccessible(page);
    await context.close();
  });
});

test('links have the primary color, and become darker where it could not be read', async () => {
  const linkColor = async (theme: object) =>
    /--accent:([^;]+);/.exec(
      (await textOf(await aLandingPage({ theme }))).split('@supports')[0]?.split(':root').at(-1) ??
        '',
    )?.[1];
  expect(await linkColor({ primary_color: '#0a6847' })).toBe('#0a6847');
  expect(contrast((await linkColor({ primary_color: '#ffcc00' })) ?? '', '#fff')).toBeGreaterThan(
    4.5,
  );
  expect(await linkColor({ primary_color: '#ffcc00', background_color: '#000' })).toBe('#ffcc00');
  expect(await linkColor({ link_color: 'teal' })).toBe('teal');
});

const [lightPage, darkPage] = ['rgb(255, 255, 255)', 'rgb(20, 24, 30)'];

describe('on a dark screen', () => {
  test.each([
    ['the default colors', {}, darkPage],
    ['a dark primary color', { primary_color: '#001f5b' }, darkPage],
    ['a pale primary color', { primary_color: '#ffcc00', text_color: '#222222' }, darkPage],
    ['a pale background', { background_color: '#fffbe6' }, 'rgb(255, 251, 230)'],
    [
      'a dark background',
      { background_color: '#101820', text_color: '#f0f0f0' },
      'rgb(16, 24, 32)',
    ],
  ])('a page with %s can be read', async (_, theme, background) => {
    if (!browser) return;
    // Colors that an author has chosen for a light page.
    const html =
      '<p style="color:#222222">Dark letters</p><p><font color="#333333">More</font></p>';
    const own = await aBlock('html', { html });
    const address = await aLandingPage({ theme, content_block_ids: [...blocks, own] });
    const page = await browser.newPage({ colorScheme: 'dark' });
    await page.goto(address);
    expect(await styleOf(page, 'body', 'background-color')).toBe(background);
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('alert').waitFor();
    if (!('background_color' in theme)) {
      expect(await styleOf(page, '.own-colors', 'background-color')).toBe(lightPage);
    }
    // Who sets a dark background answers for the colors of its own blocks.
    await expectAccessible(page, background === 'rgb(16, 24, 32)' ? /Dark letters/ : undefined);
    await page.emulateMedia({ colorScheme: 'light' });
    expect(await styleOf(page, 'body', 'background-color')).toBe(
      'background_color' in theme ? background : lightPage,
    );
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    if (background !== 'rgb(255, 251, 230)') {
      expect(await styleOf(page, 'body', 'background-color')).toBe(lightPage);
    }
    await page.close();
  });
});

test('a system that asks for more contrast gets it with every brand', async () => {
  if (!browser) return;
  const address = await aLandingPage({ theme: { primary_color: '#0a6847' } });
  const page = await browser.newPage({ contrast: 'more' });
  await page.goto(address);
  expect(await styleOf(page, '.block-disclosure', 'color')).toBe(
    await styleOf(page, 'body', 'color'),
  );
  await page.close();
});

// Ratios from the documents of WCAG and its checkers.
test.each([
  ['#000', '#ffffff', 21],
  ['#767676', '#fff', 4.54],
  ['#777777', '#FFF', 4.48],
  ['#ff0000', '#ffffff', 4],
  ['#fff', '#fff', 1],
  ['red', '#fff', undefined],
])('the contrast of %s and %s', (color, other, ratio) => {
  const found = contrast(color, other);
  expect(found === undefined ? undefined : Math.round(found * 100) / 100).toBe(ratio);
});

describe('the title', () => {
  const headings = (html: string) => html.match(/<h1[\s>]/g)?.length;

  test('is shown once', async () => {
    const html = await textOf(await aLandingPage({ title: 'Savings & more' }));
    expect(html).toContain('<h1>Savings &amp; more</h1>');
    expect(headings(html)).toBe(1);
  });

  test('gives way to a heading of the author', async () => {
    const own = await aBlock('html', { html: '<h1 class="a">Hello</h1>' });
    const html = await textOf(await aLandingPage({ content_block_ids: [own] }));
    expect(html).not.toContain('<h1>');
    expect(headings(html)).toBe(1);
  });
});

test('other programs find the title, the description and the picture of a card', async () => {
  const seo = { title: 'Savings "now"', image_url: 'https://bank.example/a.png' };
  const html = await textOf(await aLandingPage({ description: 'An account.', seo }));
  expect(html).toContain('<meta property="og:title" content="Savings &quot;now&quot;">');
  expect(html).toContain('<meta property="og:description" content="An account.">');
  expect(html).toContain('<meta property="og:image" content="https://bank.example/a.png">');
  expect(html).toContain('<meta name="twitter:card" content="summary_large_image">');
});

test('a page that does not exist has the design of other pages', async () => {
  const gone = await fetch(`${api.url}/p/${team.id}/nothing`);
  expect(gone.status).toBe(404);
  const html = await gone.text();
  expect(html).toContain('<h1>Nothing here</h1>');
  expect(html).toContain('prefers-color-scheme:dark');
  expect(html).toContain('<header>Test</header>');
});

test('a link that is not valid is said in the language of the browser', async () => {
  const headers = { 'Accept-Language': 'es-MX,es;q=0.9,en;q=0.5' };
  const page = await fetch(`${api.url}/preferences/unknown`, { headers });
  expect([page.status, await page.text()]).toEqual([
    404,
    expect.stringMatching(/<html lang="es"[^]*<h1>Este enlace no es válido\.<\/h1>/),
  ]);
});
