import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { aReader, mailboxOf } from '../journeys/a-send.ts';
import { aRequestable } from '../messaging/a-requested-send.ts';
import { startSendingLanes } from '../messaging/sending-lanes.ts';
import type { SendingLanes } from '../messaging/sending-lanes.ts';
import { startTestApi } from '../support/api.ts';
import type { TestApi, TestTeam } from '../support/api.ts';
import { anUnboundedTeam } from '../support/sending-service.ts';
import { aBrowser } from '../widget/a-browser.ts';

// Usual e-mails as they are sent: what a browser shows of them, and what their text part says.

let api: TestApi;
let team: TestTeam;
let lanes: SendingLanes;
let browser: Browser | undefined;
beforeAll(async () => {
  api = await startTestApi();
  team = await anUnboundedTeam(api);
  const settings = { name: 'Example Bank', locale: 'en-GB', timezone: 'Europe/Berlin' };
  expect((await team.patch('/v2/partner/team', settings)).status).toBe(200);
  lanes = await startSendingLanes(api);
  browser = await aBrowser();
});
afterAll(async () => {
  await browser?.close();
  await lanes.stop();
  await api.stop();
});

const source = (name: string) =>
  readFileSync(path.resolve('test', 'campaigns', 'mails', `${name}.html`), 'utf8');

const words = {
  en: {
    title: 'Your statement for November',
    greeting: 'Dear',
    text: 'these are the movements of your account.',
    caption: 'Movements',
    day: 'Day',
    entry: 'Entry',
    amount: 'Amount',
    salary: 'Salary',
    rent: 'Rent',
    balance: 'Balance',
    button: 'Open the statement',
  },
  de: {
    title: 'Ihr Kontoauszug für November',
    greeting: 'Guten Tag',
    text: 'das sind die Umsätze Ihres Kontos.',
    caption: 'Umsätze',
    day: 'Tag',
    entry: 'Buchung',
    amount: 'Betrag',
    salary: 'Gehalt',
    rent: 'Miete',
    balance: 'Kontostand',
    button: 'Zum Kontoauszug',
  },
  ar: {
    title: 'كشف حسابك لشهر نوفمبر',
    greeting: 'عزيزتي',
    text: 'هذه حركات حسابك.',
    caption: 'الحركات',
    day: 'اليوم',
    entry: 'القيد',
    amount: 'المبلغ',
    salary: 'الراتب',
    rent: 'الإيجار',
    balance: 'الرصيد',
    button: 'فتح الكشف',
  },
};
type Language = keyof typeof words;

function statementIn(language: Language) {
  const texts: Readonly<Record<string, string>> = words[language];
  const body_html = source('statement').replaceAll(
    /\[\[(\w+)\]\]/g,
    (_, name: string) => texts[name] ?? '',
  );
  return { subject: texts['title'] ?? '', body_html };
}

const amount = { type: 'integer' };
const moment = { type: 'string' };
const statement = {
  name: 'Statement',
  channel: 'email',
  purpose: 'servicing',
  trigger: { kind: 'on_request' },
  from_email: 'service@bank.example',
  ...statementIn('en'),
  localizations: { de: statementIn('de'), ar: statementIn('ar') },
  data_schema: {
    type: 'object',
    properties: {
      first_at: moment,
      second_at: moment,
      salary_cents: amount,
      rent_cents: amount,
      balance_cents: amount,
    },
    additionalProperties: false,
  },
};
/** The first moment is another day in Berlin than in UTC. */
const data = {
  ...{ first_at: '2026-11-01T23:30:00Z', second_at: '2026-11-03T09:00:00Z' },
  ...{ salary_cents: 250_000, rent_cents: -98_050, balance_cents: 151_950 },
};

/** An e-mail as it was sent to a contact with this locale. */
async function sent(message: object, locale: string, given?: object) {
  const { path: sends } = await aRequestable(team, message);
  const contact_id = await aReader(team, { locale, unique_id: randomUUID() });
  const reply = await team.post(sends, { contact_id, ...(given && { data: given }) });
  expect(reply.status).toBe(202);
  await lanes.send();
  const mail = (await mailboxOf(team)).find((one) => one.contact_id === contact_id);
  return mail?.content as { subject: string; html: string; text: string };
}

/** A page that loads nothing but the e-mail. */
async function opened(html: string, width: number): Promise<Page> {
  if (!browser) throw new Error('there is no browser');
  const context = await browser.newContext({ viewport: { width, height: 700 } });
  await context.route('**/*', (route) => route.abort());
  const page = await context.newPage();
  await page.setContent(html);
  return page;
}

const inDocuments = /^(?:statement-.*|news-800)$/;

/** Renews a picture of the documentation if ONWARD_PICTURES is true. */
async function takePicture(page: Page, name: string): Promise<void> {
  if (process.env['ONWARD_PICTURES'] !== 'true' || !inDocuments.test(name)) return;
  const file = path.resolve('docs', 'images', `mail-${name}.png`);
  await page.locator('body').screenshot({ path: file });
}

const locales = { en: 'en-GB', de: 'de-AT', ar: 'ar-EG' } as const;
const languages = ['en', 'de', 'ar'] as const;

describe('the notice of a statement', () => {
  test.each(languages)('has its text apart, in the language %s', async (language) => {
    const { subject, text } = await sent(statement, locales[language], data);
    const said = words[language];
    const money = (cents: number) =>
      new Intl.NumberFormat(locales[language], { style: 'currency', currency: 'EUR' })
        .format(cents / 100)
        .replaceAll(/\s/g, ' ');
    const day = (date: number) =>
      new Intl.DateTimeFormat(locales[language], { day: 'numeric', month: 'short' })
        .formatToParts(Date.UTC(2026, 10, date, 12))
        .find(({ type }) => type === 'month')?.value ?? '';
    expect(subject).toBe(said.title);
    expect(text.split('\n').filter((line) => line !== '')).toEqual([
      'Example Bank',
      said.title,
      `${said.greeting} Ada,`,
      said.text,
      said.caption,
      `${said.day} | ${said.entry} | ${said.amount}`,
      `2 ${day(2)} | ${said.salary} | ${money(250_000)}`,
      `3 ${day(3)} | ${said.rent} | ${money(-98_050)}`,
      `${said.balance} |  | ${money(151_950)}`,
      `${said.button} (https://bank.example/statements)`,
    ]);
  });

  const widths = [375, 800];
  test.each(languages.flatMap((language) => widths.map((width) => [language, width] as const)))(
    'is shown in the language %s, %i pixels wide',
    async (language, width) => {
      if (!browser) return;
      const { html } = await sent(statement, locales[language], data);
      const page = await opened(html, width);
      const shown = await page.evaluate(`(() => {
        const boxes = (name) =>
          [...document.querySelectorAll(name)].map((one) => one.getBoundingClientRect());
        const [day, , amount] = boxes('th');
        const [, card] = boxes('table');
        const { scrollWidth, lang } = document.documentElement;
        return {
          scrollWidth,
          lang,
          isDayFirst: day.right <= amount.left,
          direction: getComputedStyle(document.body).direction,
          isCentered: Math.abs(card.left - (innerWidth - card.right)) <= 1,
          bar: getComputedStyle(document.querySelector('table table td')).backgroundColor,
        };
      })()`);
      await takePicture(page, `statement-${language}-${String(width)}`);
      await page.context().close();
      const isRightToLeft = language === 'ar';
      expect(shown).toEqual({
        ...{ scrollWidth: width, isDayFirst: !isRightToLeft, isCentered: true },
        lang: language === 'en' ? 'en-GB' : language,
        direction: isRightToLeft ? 'rtl' : 'ltr',
        bar: 'rgb(11, 61, 110)',
      });
    },
  );
});

const others: [name: string, text: string[]][] = [
  [
    'receipt',
    [
      'Your receipt for the transfer of today',
      'Example Bank',
      'Transfer received',
      'From',
      '  Ada Lovelace',
      'Amount',
      '  1,234.00 EUR',
      '3. Check the amount.',
      '4. Keep this e-mail.',
      '> Reference: rent for December',
    ],
  ],
  [
    'news',
    [
      'Savings',
      'A new rate from January.',
      'Read more (https://bank.example/savings)',
      'Branches',
      'Open on Saturdays, too.',
      'Find yours (https://bank.example/branches)',
    ],
  ],
];

describe.each(others)('the e-mail %s', (name, lines) => {
  const message = { ...statement, localizations: {}, data_schema: null, body_html: source(name) };

  test('has its text apart', async () => {
    const { text } = await sent(message, 'en-GB');
    expect(text.split('\n').filter((line) => line !== '')).toEqual(lines);
  });

  test.each([375, 800])('is shown %i pixels wide', async (width) => {
    if (!browser) return;
    const { html } = await sent(message, 'en-GB');
    const page = await opened(html, width);
    const shown = await page.evaluate('document.documentElement.scrollWidth');
    await takePicture(page, `${name}-${String(width)}`);
    const tops = await page.evaluate<number[]>(
      "[...document.querySelectorAll('h3')].map((one) => one.getBoundingClientRect().top)",
    );
    await page.context().close();
    expect(shown).toBe(width);
    // Columns stand side by side where there is room, and else below each other.
    if (name === 'news') expect(tops[0] === tops[1]).toBe(width === 800);
  });
});

test.each([375, 800])('a style sheet holds in a mail program, %i pixels wide', async (width) => {
  if (!browser) return;
  const cell = '<td class="half" width="300">x</td>';
  const body_html =
    '<style>@media (max-width: 500px) { .half { display: block !important; width: 100% !important } }' +
    'p { color: red } #a { color: red }</style>' +
    `<table width="600"><tr>${cell}${cell}</tr></table>`;
  const message = { ...statement, localizations: {}, data_schema: null, body_html };
  const { html, text } = await sent(message, 'en-GB');
  expect(html).toMatch(/<head>.*<style>[^<]*<\/style><\/head>/s);
  expect(html).not.toContain('#a');
  expect(text).toBe('x  x');
  const page = await opened(html, width);
  const tops = await page.evaluate<number[]>(
    "[...document.querySelectorAll('td')].map((one) => one.getBoundingClientRect().top)",
  );
  const margin = await page.evaluate<string>('getComputedStyle(document.body).margin');
  await page.context().close();
  expect(tops[0] === tops[1]).toBe(width === 800);
  expect(margin).toBe('0px');
});
