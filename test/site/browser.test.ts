import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { untilTrue } from '../support/eventually.ts';
import { startTestApi } from '../support/api.ts';
import type { TestApi, TestTeam } from '../support/api.ts';
import { aBrowser, focused, picture } from '../widget/a-browser.ts';
import { expectAccessible } from '../widget/accessible.ts';
import { buildSiteOnce } from './built-site.ts';

const browser = await aBrowser();

let api: TestApi;
let team: TestTeam;
beforeAll(async () => {
  await buildSiteOnce();
  api = await startTestApi();
  team = await api.newTeam();
});
afterAll(async () => {
  await browser?.close();
  await api.stop();
});

/** Runs a visit and expects no error on the console and no request to another machine. */
async function visit(
  work: (page: Page) => Promise<void>,
  colorScheme: 'light' | 'dark' = 'light',
): Promise<void> {
  const context = await browser?.newContext({
    ...{ viewport: { width: 1_200, height: 800 }, colorScheme },
  });
  const page = await context?.newPage();
  if (!page) throw new Error('there is no browser');
  const problems: string[] = [];
  page.on('console', (line) => {
    if (line.type() === 'error') problems.push(line.text());
  });
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(`${api.url}/`) && !/^(data|blob):/.test(url)) problems.push(url);
  });
  try {
    await work(page);
    expect(problems).toEqual([]);
  } finally {
    await context?.close();
  }
}

/** The search of the theme has links as options of its list, which is how both are announced. */
const knownOfTheTheme = /nested-interactive: <li [^>]*id="localsearch-item-/;

async function expectFast(page: Page): Promise<void> {
  const entry = 'performance.getEntriesByName("first-contentful-paint")[0]?.startTime';
  const ms = await page.evaluate<number>(entry);
  console.info(`${page.url()}: first contentful paint after ${String(Math.round(ms))} ms`);
  expect(ms).toBeLessThan(5_000);
}

/** The reference with one operation, signed in with the token of the team. */
async function openReference(page: Page, operation: string): Promise<void> {
  await page.route('**/local/session', (route) =>
    route.fulfill({ json: { teams: [{ is_sample: false, access_token: team.token }] } }),
  );
  await page.goto(`${api.url}/docs/reference#${operation}`);
  await page.getByRole('heading', { name: 'List contacts' }).waitFor();
}

const promises: Record<string, () => Promise<void>> = {
  'the home page and a guide are accessible, in light and dark, and drawn at once': async () => {
    for (const scheme of ['light', 'dark'] as const) {
      await visit(async (page) => {
        await page.goto(`${api.url}/docs`);
        await page.getByRole('heading', { name: 'Start here' }).waitFor();
        await expectFast(page);
        await expectAccessible(page);
        if (scheme === 'light') await picture(page, 'site-home.png');
        await page.getByRole('link', { name: 'Receive webhooks' }).first().click();
        await page.getByRole('heading', { name: '1. Subscribe' }).waitFor();
        await expectAccessible(page);
        await picture(page, scheme === 'light' ? 'site-guide.png' : 'site-dark.png');
      }, scheme);
    }
  },

  'the search is opened, used and left by keyboard, and finds the retry schedule': () =>
    visit(async (page) => {
      await page.goto(`${api.url}/docs/quick-start`);
      await page.keyboard.press('Tab');
      expect(await focused(page)).toContain('Skip to content');
      // The page is drawn before its script listens to keys.
      const app = '"__vue_app__" in document.querySelector("#app")';
      // Not waitForFunction, whose second look the policy of the page forbids.
      await untilTrue(() => page.evaluate<boolean>(app));
      await page.keyboard.press('Control+k');
      await page.getByRole('searchbox').waitFor();
      await page.keyboard.type('retry schedule');
      const results = page.getByRole('option');
      await results.first().waitFor();
      await expectAccessible(page, knownOfTheTheme);
      const titles = await results.allTextContents();
      expect(titles[0]).toMatch(/Receiving webhooks.*Retry schedule/s);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Retry schedule' }).waitFor();
    }),

  'an operation is tried in the reference, and its answer is shown': () =>
    visit(async (page) => {
      const email = 'reference@example.com';
      await team.post('/v2/partner/contacts', { email });
      await openReference(page, 'listContacts');
      await expectFast(page);
      await expectAccessible(page);
      await page.getByText('curl "$ONWARD_BASE_URL/v2/partner/contacts"').first().waitFor();
      await picture(page, 'site-reference.png');
      await page
        .getByRole('button', { name: /Test Request/ })
        .first()
        .click();
      await page.getByRole('dialog').getByRole('button', { name: /^Send/ }).first().click();
      await page.getByText('200 OK').waitFor();
      await page.getByText(email).first().waitFor();
    }),

  'addresses of earlier versions lead to the operation': () =>
    visit(async (page) => {
      await page.goto(`${api.url}/docs#/Contacts/listContacts`);
      await page.waitForURL(/\/docs\/reference#.*listContacts$/);
    }),
};

if (browser) {
  test.each(Object.entries(promises))('%s', async (_, promise) => promise());
} else {
  test(`${String(Object.keys(promises).length)} promises about the site were skipped because Chromium is absent`, () => {
    console.warn('The site was not opened: get a browser by `npm run browser`.');
    expect(browser).toBeUndefined();
  });
}
