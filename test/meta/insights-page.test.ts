import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { startTestApi } from '../support/api.ts';
import type { TestApi, TestTeam } from '../support/api.ts';
import { drawing, liveALife } from '../insights/rows.ts';
import { aBrowser, picture } from '../widget/a-browser.ts';

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

test('the page and its resources are served by the service only', async () => {
  const page = await api.call('GET', '/insights');
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
  const sources = [...String(page.body).matchAll(/src="([^"]+)"/g)].map(([, source]) => source);
  expect(sources).toEqual(['/insights/chart.js', '/insights/page.js']);
  for (const source of sources) {
    const { status, headers } = await api.call('GET', String(source));
    expect([status, headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8']);
  }
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
    return typeof one === 'object' && !Array.isArray(one) ? figuresIn(one, `${prefix}${key} `) : [];
  });
}

/** Every figure of every insight is the one of the API, and an amount only where it is one. */
async function expectFiguresOfApi(page: Page): Promise<void> {
  const { body: catalog } = await team.get('/v2/partner/insights');
  let compared = 0;
  for (const { name, path } of catalog.data as { name: string; path: string }[]) {
    if (path.includes('{')) continue;
    const { body } = await team.get(`${path}?period=2026&timezone=America/New_York`);
    const tiles = await page.locator(`#${name} .figure`).evaluateAll((all) =>
      all.map((one) => ({
        label: one.querySelector('dt')?.textContent ?? '',
        text: one.querySelector('dd')?.textContent ?? '',
      })),
    );
    for (const [key, value] of figuresIn(body.value)) {
      const label = key.replaceAll(/_cents(?=_|$|\b)/g, '').replaceAll(/[_-]/g, ' ');
      const tile = tiles.find((one) => one.label.toLowerCase() === label.toLowerCase());
      expect([name, key, tile === undefined]).toEqual([name, key, false]);
      const shown = numberOf(tile?.text ?? '');
      const isAmount = key.includes('_cents') && !key.startsWith('change ');
      if (value !== null)
        expect([key, /[$€]|[A-Z]{3}/.test(tile?.text ?? '')]).toEqual([key, isAmount]);
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

async function drawsEveryInsight(chromium: Browser): Promise<void> {
  const context = await chromium.newContext({ viewport: { width: 1_100, height: 1_400 } });
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('console', (line) => {
    if (line.type() === 'error') problems.push(line.text());
  });
  page.on('pageerror', (error) => problems.push(error.message));
  await page.goto(`${api.url}/insights`);
  await page.getByLabel('Period').fill('2026');
  await page.getByLabel('Time zone').fill('America/New_York');
  await page.getByLabel('Access token').fill(team.token);
  await page.getByRole('button', { name: 'Show' }).click();
  await page.getByText('All 20 insights are shown.').waitFor();
  expect(await page.locator('section').count()).toBe(20);
  expect(await page.locator('canvas').count()).toBeGreaterThan(20);

  const enrollment = page.locator('#campaign-enrollment');
  const { body } = await team.get(
    '/v2/partner/insights/advanced/campaign-enrollment?period=2026&timezone=America/New_York',
  );
  const tile = enrollment.locator('.figure', { hasText: 'Total enrolled' }).locator('dd');
  expect(Number((await tile.textContent())?.replaceAll(/\D/g, ''))).toBe(body.value.total_enrolled);

  await expectFiguresOfApi(page);

  const [csv] = await Promise.all([
    page.waitForEvent('download'),
    enrollment.getByRole('button', { name: 'CSV' }).first().click(),
  ]);
  const lines = (await readFile(await csv.path(), 'utf8')).trimEnd().split('\r\n');
  expect(lines[0]).toBe('start,enrolled');
  expect(lines.slice(1)).toHaveLength(body.value.series.length);
  const [png] = await Promise.all([
    page.waitForEvent('download'),
    enrollment.getByRole('button', { name: 'PNG' }).first().click(),
  ]);
  const bytes = await readFile(await png.path());
  expect(bytes.subarray(1, 4).toString()).toBe('PNG');

  await page.evaluate('scrollTo(0, 0)');
  await picture(page, 'insights-page.png');
  await page.evaluate("document.querySelector('#campaign-enrollment').scrollIntoView()");
  await picture(page, 'insights.png');
  expect(problems).toEqual([]);
  const kept = await page.evaluate<string>(
    'JSON.stringify([localStorage, sessionStorage, document.cookie])',
  );
  expect(kept).not.toContain(team.token.slice(0, 20));
  await context.close();
}

if (browser) {
  const chromium = browser;
  test('draws every insight of a team, with its figures, tables, CSV and PNG, and stores no token', () =>
    drawsEveryInsight(chromium));
} else {
  test('1 promise about the page was skipped because Chromium is absent', () => {
    console.warn('The page of insights was not opened: get a browser by `npm run browser`.');
    expect(browser).toBeUndefined();
  });
}
