import { expect } from '@jest/globals';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { TestApi } from '../../support/api.ts';
import { eventually } from '../../support/eventually.ts';
import { expectAccessible } from '../../widget/accessible.ts';

export interface OpenPage {
  page: Page;
  /** Errors in the browser, and requests to any other place. */
  problems: string[];
  /** Responses of the API, as `403 GET /v2/…`. */
  answers: string[];
}

const wide = { width: 1_440, height: 900 };
const phone = { width: 390, height: 844 };

/** Opens one of the team's pages and signs in by a pasted token. */
export async function openPage(
  chromium: Browser,
  api: TestApi,
  path: string,
  token: string,
  options: BrowserContextOptions = {},
): Promise<OpenPage> {
  const context = await chromium.newContext({ viewport: wide, ...options });
  const page = await context.newPage();
  const problems: string[] = [];
  const answers: string[] = [];
  page.on('console', (line) => {
    if (line.type() === 'error') problems.push(line.text());
  });
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('request', (asked) => {
    const url = asked.url();
    if (!url.startsWith(api.url) && !/^(data|blob):/.test(url)) problems.push(url);
  });
  page.on('response', (answer) => {
    const { pathname } = new URL(answer.url());
    if (!pathname.startsWith('/v2/')) return;
    answers.push(`${String(answer.status())} ${answer.request().method()} ${pathname}`);
  });
  await page.goto(`${api.url}${path}`);
  await page.getByLabel('Access token').fill(token);
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  return { page, problems, answers };
}

/** The page is accessible and fits, wide and on a phone, light and dark. */
export async function expectGoodInEveryForm(page: Page): Promise<void> {
  for (const viewport of [wide, phone]) {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme });
      await expectAccessible(page);
      const width = await page.evaluate<number>('document.documentElement.scrollWidth');
      expect([page.url(), width]).toEqual([page.url(), viewport.width]);
    }
  }
  await page.setViewportSize(wide);
  await page.emulateMedia({ colorScheme: 'light' });
}

/** Opens the row of a list by the keyboard. */
export async function openRow(page: Page, name: string): Promise<void> {
  const row = page.locator('tr a.open', { hasText: name }).first();
  await row.waitFor();
  await row.focus();
  await page.keyboard.press('Enter');
}

export const panelOf = (page: Page) => page.getByRole('complementary', { name: 'Details' });

/** Presses the button of an action, and confirms it as many times as its dialog asks. */
export async function act(page: Page, label: string, confirmations: readonly string[]) {
  await page
    .getByRole('button', { name: `${label}…` })
    .last()
    .click();
  const dialog = page.getByRole('dialog', { name: label });
  for (const [at, name] of confirmations.entries()) {
    await dialog.getByRole('button', { name, exact: true }).click();
    await eventually(
      async () => dialog.locator('.note').count(),
      (count) => count === 1,
    );
    if (at < confirmations.length - 1) continue;
    await dialog.getByRole('button', { name: 'Close' }).click();
  }
}

/** Closes a page that had no problems. */
export async function closePage({ page, problems }: OpenPage): Promise<void> {
  expect(problems).toEqual([]);
  await page.context().close();
}
