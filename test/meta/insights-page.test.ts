import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { startTestApi } from '../support/api.ts';
import type { TestApi, TestTeam } from '../support/api.ts';
import { drawing, liveALife } from '../insights/rows.ts';
import { aBrowser, picture } from '../widget/a-browser.ts';
import { closePage, expectGoodInEveryForm, openPage } from './pages/open-page.ts';

const browser = await aBrowser();

let api: TestApi;
let team: TestTeam;
beforeAll(async () => {
  api = await startTestApi();
  team = await api.newTeam();
  await liveALife(api, team, drawing(3));
});
afterAll(async () => {
  await browser?.close();
  await api.stop();
});

test('the page and its script are served by the service only', async () => {
  const page = await api.call('GET', '/insights');
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
  const sources = [...String(page.body).matchAll(/src="([^"]+)"/g)].map(([, source]) => source);
  expect(sources).toEqual(['/insights/page.js']);
});

test('every figure and column of every insight has a title in words', async () => {
  const { body: catalog } = await team.get('/v2/partner/insights');
  const titles: string[] = [];
  const read = (schema: any) => {
    for (const field of Object.values<any>(schema.properties ?? {})) {
      titles.push(field.title);
      read(field);
    }
    for (const one of schema.anyOf ?? []) read(one);
    if (schema.items) read(schema.items);
  };
  for (const { value_schema } of catalog.data) read(value_schema);
  expect(titles.length).toBeGreaterThan(200);
  expect(
    titles.filter((title) => !/^(\p{Lu}|iOS)[^_]*$/u.test(title) || /cents/i.test(title)),
  ).toEqual([]);
  expect(titles).toContain('Value per enrolled contact');
});

/** A number as the page writes it: in percent, in the currency of the team, or as it is. */
function numberOf(text: string): number | null {
  if (text === '–') return null;
  const number = Number(text.replaceAll(/[^\d.-]/g, ''));
  if (text.includes('%')) return number / 100;
  return /[$€]|[A-Z]{3}/.test(text) ? number * 100 : number;
}

/** Numbers of a value that stand alone, by the names of their groups. */
function figuresIn(value: object, prefix = ''): [name: string, value: number | null][] {
  return Object.entries(value).flatMap(([key, one]): [string, number | null][] => {
    if (typeof one === 'number' || one === null) return [[`${prefix}${key}`, one]];
    return typeof one === 'object' && !Array.isArray(one) ? figuresIn(one, `${prefix}${key}.`) : [];
  });
}

/** Every figure of every insight is the one of the API, and an amount only where it is one. */
async function expectFiguresOfApi(page: Page, query: string): Promise<void> {
  const { body: catalog } = await team.get('/v2/partner/insights');
  let compared = 0;
  for (const { name, path } of catalog.data as { name: string; path: string }[]) {
    if (path.includes('{')) continue;
    const { body } = await team.get(`${path}?${query}`);
    const shownFigures = new Map(
      await page
        .locator(`#${name} [data-figure]`)
        .evaluateAll((all) =>
          all.map((one): [string, string] => [
            one.getAttribute('data-figure') ?? '',
            (one.querySelector('dd') ?? one).textContent ?? '',
          ]),
        ),
    );
    for (const [key, value] of figuresIn(body.value)) {
      const text = shownFigures.get(key);
      expect([name, key, text === undefined]).toEqual([name, key, false]);
      const shown = numberOf(text ?? '');
      const isAmount = key.includes('_cents') && !key.startsWith('change.');
      if (value !== null) expect([key, /[$€]|[A-Z]{3}/.test(text ?? '')]).toEqual([key, isAmount]);
      // Shares have one decimal of a percent, days three.
      const distance = shown === null || value === null ? 0 : Math.abs(shown - value);
      expect([name, key, shown === null, distance < 0.000_51]).toEqual([
        name,
        key,
        value === null,
        true,
      ]);
      compared += 1;
    }
  }
  expect(compared).toBeGreaterThan(80);
}

const period = 'period=2026-02-20/2026-11-01&timezone=America/New_York';

async function drawsEveryInsight(chromium: Browser): Promise<void> {
  const opened = await openPage(chromium, api, '/insights', team.token);
  const { page } = opened;
  await page.getByLabel('Time zone').fill('America/New_York');
  await page.getByLabel('Period').selectOption({ label: 'Between two dates' });
  await page.getByLabel('From').fill('2026-02-20');
  await page.getByLabel('To', { exact: true }).fill('2026-10-31');
  await page.getByLabel('To', { exact: true }).blur();
  await page.locator('#page').getByText('All 20 questions are answered.').waitFor();
  expect(await page.locator('section').count()).toBe(20);
  const links = page.getByRole('navigation', { name: 'Questions' }).getByRole('link');
  expect(await links.count()).toBe(20);
  expect(await page.locator('canvas').count()).toBeGreaterThan(20);
  await expectFiguresOfApi(page, period);
  await expectOverviewOfApi(page);
  await expectGoodInEveryForm(page);

  const enrollment = page.locator('#campaign-enrollment');
  const { body } = await team.get(`/v2/partner/insights/advanced/campaign-enrollment?${period}`);
  const series = enrollment.locator('.part', { hasText: 'Over time' });
  const [csv] = await Promise.all([
    page.waitForEvent('download'),
    series.getByRole('button', { name: 'CSV' }).click(),
  ]);
  const lines = (await readFile(await csv.path(), 'utf8')).trimEnd().split('\r\n');
  expect(lines[0]).toBe('start,enrolled');
  expect(lines.slice(1)).toHaveLength(body.value.series.length);
  const [png] = await Promise.all([
    page.waitForEvent('download'),
    series.getByRole('button', { name: 'PNG' }).click(),
  ]);
  const bytes = await readFile(await png.path());
  expect(bytes.subarray(1, 4).toString()).toBe('PNG');

  await page.evaluate('scrollTo(0, 0)');
  await picture(page, 'insights-page.png');
  await page.evaluate("document.querySelector('#campaign-enrollment').scrollIntoView()");
  await picture(page, 'insights.png');
  const kept = await page.evaluate<string>(
    'JSON.stringify([localStorage, sessionStorage, document.cookie])',
  );
  expect(kept).not.toContain(team.token.slice(0, 20));
  await closePage(opened);
}

/** The overview has the figures of the API, with their changes. */
async function expectOverviewOfApi(page: Page): Promise<void> {
  const { body } = await team.get(`/v2/partner/insights/advanced/performance?${period}`);
  const texts = await page.locator('.overview > div').allTextContents();
  const { current } = body.value;
  expect(texts.map((text) => text.split(/[-+\d$–]/)[0])).toEqual([
    ...['Enrolled', 'Reached', 'Engaged', 'Completions', 'Value'],
  ]);
  expect(texts[0]).toContain(`Enrolled${Number(current.enrolled).toLocaleString('en-US')}`);
  expect(texts[3]).toContain(`Completions${Number(current.completions).toLocaleString('en-US')}`);
}

async function narrows(chromium: Browser): Promise<void> {
  const opened = await openPage(chromium, api, '/insights', team.token);
  const { page } = opened;
  const { body } = await team.get('/v2/partner/templates?page[size]=1');
  const [template] = body.data;
  const asked: string[] = [];
  page.on('request', (request) => asked.push(decodeURIComponent(request.url())));
  await page.getByLabel('Campaign').selectOption(template.id);
  await page.locator('#page').getByText('All 20 questions are answered.').waitFor();
  expect(asked.some((url) => url.includes(`filter[template_id]=${String(template.id)}`))).toBe(
    true,
  );
  await page.getByText('it has no filter for a campaign').first().waitFor();
  await closePage(opened);
}

async function saysThatNothingHappened(chromium: Browser): Promise<void> {
  const other = await api.newTeam();
  const opened = await openPage(chromium, api, '/insights', other.token);
  const { page } = opened;
  await page.locator('#page').getByText('All 20 questions are answered.').waitFor();
  await page
    .locator('#added-value-by-time')
    .getByText('Nothing happened in this period.')
    .waitFor();
  // No axis without anything on it.
  expect(await page.locator('canvas').count()).toBe(0);
  await closePage(opened);
}

if (browser) {
  const chromium = browser;
  test('draws every insight of a team, with its figures, tables, CSV and PNG, and stores no token', () =>
    drawsEveryInsight(chromium));
  test('the questions that have a filter are narrowed to a campaign, and the others say so', () =>
    narrows(chromium));
  test('an insight without anything in the period says so', () =>
    saysThatNothingHappened(chromium));
} else {
  test('3 promises about the page were skipped because Chromium is absent', () => {
    console.warn('The page of insights was not opened: get a browser by `npm run browser`.');
    expect(browser).toBeUndefined();
  });
}
