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
  await showsWhereRecipientsAreLost(page);
  await expectGoodInEveryForm(page);

  const enrollment = page.locator('#campaign-enrollment');
  const { body } = await team.get(`/v2/partner/insights/advanced/campaign-enrollment?${period}`);
  const series = enrollment.locator('.part', { hasText: 'Over time' });
  const [csv] = await Promise.all([
    page.waitForEvent('download'),
    series.getByRole('button', { name: 'CSV' }).click(),
  ]);
  const lines = (await readFile(await csv.path(), 'utf8')).trimEnd().split('\r\n');
  // With the mark by which Excel knows UTF-8, and days as a spreadsheet reads them.
  expect(lines[0]).toBe('\uFEFFstart,enrolled');
  const [firstDay = ''] = (lines[1] ?? '').split(',');
  expect(firstDay).toMatch(/^\d{4}-\d\d-\d\d$/);
  expect(lines.slice(1).map((line) => line.split(',')[0])).toEqual(
    expect.arrayContaining(['2026-03-02', '2026-03-09']),
  );
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
    ...['Enrolled', 'Reached', 'Engaged', 'Completions', 'Value of all completions'],
  ]);
  expect(texts[1]).toContain(`Reached${Number(current.reached).toLocaleString('en-US')}`);
  expect(texts[0]).toContain(`Enrolled${Number(current.enrolled).toLocaleString('en-US')}`);
  expect(texts[3]).toContain(`Completions${Number(current.completions).toLocaleString('en-US')}`);
}

/** Each campaign has its own way from enrollment to click, and says where recipients are lost. */
async function showsWhereRecipientsAreLost(page: Page): Promise<void> {
  const { body } = await team.get(`/v2/partner/insights/advanced/campaign-performance?${period}`);
  const section = page.locator('#campaign-performance');
  const part = section.locator('.part', { hasText: 'Where recipients are lost' });
  for (const row of [{ ...body.value.totals, name: 'All campaigns' }, ...body.value.campaigns]) {
    await section.getByLabel('Steps of').selectOption({ label: row.name });
    await part.locator('summary').click();
    const cells = await part
      .locator('tbody tr')
      .evaluateAll((all) =>
        all.map((one) => [...one.querySelectorAll('td')].map(({ textContent }) => textContent)),
      );
    const counts = [row.enrolled, row.reached, row.delivered, row.opened, row.clicked];
    expect(cells.map(([, recipients]) => numberOf(recipients))).toEqual([
      ...counts,
      row.completed_journeys,
    ]);
    expect(cells.slice(1, 5).map(([, , , lost]) => numberOf(lost))).toEqual(
      counts.slice(1).map((count, at) => (count > counts[at] ? null : counts[at] - count)),
    );
  }
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

const finished = 'All 20 questions are answered.';
const chosen = { label: 'Last 90 days' };

/** The question is in the address: it survives a reload, is shared, and the back button leaves it. */
async function keepsTheQuestion(chromium: Browser): Promise<void> {
  const opened = await openPage(chromium, api, '/insights', team.token);
  const { page } = opened;
  const { body } = await team.get('/v2/partner/templates?page[size]=1');
  const campaign = String(body.data[0].id);
  await page.getByLabel('Period').selectOption(chosen);
  await page.getByLabel('Campaign').selectOption(campaign);
  await page.locator('#page').getByText(finished).waitFor();
  const address = new URL(page.url());
  expect(address.hash).toBe(`#/?period=P90D&campaign=${campaign}`);
  await page.getByRole('link', { name: 'Gap analysis' }).click();
  expect(new URL(page.url()).hash).toBe(`#/gap-analysis?period=P90D&campaign=${campaign}`);
  await page.getByRole('link', { name: 'Skip to the content' }).focus();
  await page.keyboard.press('Enter');
  expect(new URL(page.url()).hash).toContain(`campaign=${campaign}`);
  for (const period of ['P90D', 'P90D', 'P30D']) {
    await page.goBack();
    await page.waitForFunction(
      `[...document.querySelectorAll('select')].some(({ value }) => value === '${period}')`,
    );
  }
  await closePage(opened);

  const other = await openPage(chromium, api, `/insights${address.hash}`, team.token);
  await other.page.locator('#page').getByText(finished).waitFor();
  expect(await other.page.getByLabel('Period').inputValue()).toBe('P90D');
  expect(await other.page.getByLabel('Campaign', { exact: true }).inputValue()).toBe(campaign);
  await closePage(other);
}

/** Answers of insights as the page gets them, changed. */
const answering = (page: Page, change: (answer: any, headers: Record<string, string>) => void) =>
  page.route(/\/v2\/partner\/insights\/.*period=/, async (route) => {
    const response = await route.fetch();
    const [json, headers] = [await response.json(), response.headers()];
    change(json, headers);
    await route.fulfill({ response, json, headers });
  });

/** More clicks than openings are no loss: mail programs that block images report no opening. */
async function drawsNoNegativeLoss(chromium: Browser): Promise<void> {
  const opened = await openPage(chromium, api, '/insights', team.token);
  const { page } = opened;
  await answering(page, ({ value: { totals } }) => {
    if (totals?.clicked !== undefined && totals.reached !== undefined)
      Object.assign(totals, { delivered: 40, opened: 10, clicked: 25 });
  });
  await page.getByLabel('Period').selectOption(chosen);
  await page.locator('#page').getByText(finished).waitFor();
  const part = page.locator('#campaign-performance .part', {
    hasText: 'Where recipients are lost',
  });
  await part.locator('summary').click();
  const lost = async (step: string) =>
    part.locator('tbody tr', { hasText: step }).locator('td').nth(3).textContent();
  expect([await lost('Opened'), await lost('Clicked')]).toEqual(['30', '–']);
  await closePage(opened);
}

/** The page asks as often as the limit of its team allows, and no earlier. */
async function keepsToTheRateLimit(chromium: Browser): Promise<void> {
  const opened = await openPage(chromium, api, '/insights', team.token);
  const { page } = opened;
  await page.locator('#page').getByText(finished).waitFor();
  await answering(page, (_, headers) => {
    headers['ratelimit-policy'] = '"insights";q=60;w=60, "insights-burst";q=1;w=1';
  });
  let asked = 0;
  page.on('request', (request) => {
    if (/\/insights\/.*period=/.test(request.url())) asked += 1;
  });
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  const first = page.waitForResponse(/\/insights\/.*period=/);
  await page.getByLabel('Period').selectOption(chosen);
  await (await first).finished();
  await page.locator('#performance [data-figure]').first().waitFor();
  await page.clock.runFor(999);
  expect(asked).toBe(1);
  const second = page.waitForRequest(/\/insights\/.*period=/);
  await page.clock.runFor(1);
  await second;
  await page.unrouteAll({ behavior: 'wait' });
  await page.context().close();
}

/** Days are those of the zone that was asked, in whatever zone the browser is. */
async function writesDaysOfItsZone(chromium: Browser): Promise<void> {
  const question = '#/?period=2026-03-01/2026-03-11&zone=Asia/Tokyo';
  const options = { timezoneId: 'America/Los_Angeles', locale: 'de-DE' };
  const opened = await openPage(chromium, api, `/insights${question}`, team.token, options);
  const { page } = opened;
  await page.locator('#page').getByText(finished).waitFor();
  const overview = page.locator('#overview');
  await overview.getByText('Mar 1, 2026, 12:00 AM to Mar 11, 2026, 12:00 AM, Asia/Tokyo').waitFor();
  expect(await page.getByLabel('From').inputValue()).toBe('2026-03-01');
  expect(await page.getByLabel('To', { exact: true }).inputValue()).toBe('2026-03-10');
  const series = page.locator('#campaign-enrollment .part', { hasText: 'Over time' });
  await series.locator('summary').click();
  const days = await series.locator('tbody tr td:first-child').allTextContents();
  expect(days).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((day) => `${String(day)}.3.2026`));
  await closePage(opened);
}

/** Any column sorts all rows, the largest first and then the smallest. */
async function sortsTables(chromium: Browser): Promise<void> {
  const opened = await openPage(
    chromium,
    api,
    '/insights#/?period=2026-02-20/2026-11-01',
    team.token,
  );
  const { page } = opened;
  await page.locator('#page').getByText(finished).waitFor();
  const part = page.locator('#campaign-performance .part', { hasText: 'Campaigns' });
  await part.locator('summary').click();
  const name = 'Value that these journeys led to';
  const heads = await part.locator('th').allTextContents();
  const column = part.locator(`tbody td:nth-child(${String(heads.indexOf(name) + 1)})`);
  const values = async () => (await column.allTextContents()).map((text) => numberOf(text) ?? 0);
  const before = await values();
  expect(new Set(before).size).toBeGreaterThan(1);
  const sort = part.getByRole('button', { name, exact: true });
  await sort.click();
  expect(await values()).toEqual([...before].sort((a, b) => b - a));
  await sort.click();
  expect(await values()).toEqual([...before].sort((a, b) => a - b));
  await closePage(opened);
}

/** A refused question has no figures, and no sentence about them. */
async function saysWhatIsRefused(chromium: Browser): Promise<void> {
  const opened = await openPage(chromium, api, '/insights#/?zone=Mars/Base', team.token);
  const { page, answers } = opened;
  await page.getByRole('alert').getByText('The time zone does not exist').waitFor();
  expect(await page.getByText('Nothing stands out.').count()).toBe(0);
  expect(await page.getByRole('alert').count()).toBe(1);
  expect(answers.filter((line) => line.startsWith('400')).length).toBe(1);
  await page.getByLabel('Time zone').fill('');
  await page.getByLabel('Time zone').blur();
  await page.locator('#page').getByText(finished).waitFor();
  await page.context().close();
}

if (browser) {
  const chromium = browser;
  test('draws every insight of a team, with its figures, tables, CSV and PNG, and stores no token', () =>
    drawsEveryInsight(chromium));
  test('the questions that have a filter are narrowed to a campaign, and the others say so', () =>
    narrows(chromium));
  test('the question is in the address, for a reload, a colleague and the back button', () =>
    keepsTheQuestion(chromium));
  test('days are those of the zone that was asked, not of the browser', () =>
    writesDaysOfItsZone(chromium));
  test('more clicks than openings are not drawn as a loss', () => drawsNoNegativeLoss(chromium));
  test('the page asks no faster than the rate limit says', () => keepsToTheRateLimit(chromium));
  test('a table is sorted by any of its columns', () => sortsTables(chromium));
  test('a refused question says why, once, and nothing about figures', () =>
    saysWhatIsRefused(chromium));
  test('an insight without anything in the period says so', () =>
    saysThatNothingHappened(chromium));
} else {
  test('7 promises about the page were skipped because Chromium is absent', () => {
    console.warn('The page of insights was not opened: get a browser by `npm run browser`.');
    expect(browser).toBeUndefined();
  });
}
