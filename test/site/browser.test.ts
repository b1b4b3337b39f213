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
  width = 1_200,
): Promise<void> {
  const context = await browser?.newContext({
    ...{ viewport: { width, height: 800 }, colorScheme },
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

async function expectFast(page: Page): Promise<void> {
  const entry = 'performance.getEntriesByName("first-contentful-paint")[0]?.startTime';
  const ms = await page.evaluate<number>(entry);
  console.info(`${page.url()}: first contentful paint after ${String(Math.round(ms))} ms`);
  expect(ms).toBeLessThan(5_000);
}

/** Waits until the script of a page, which is drawn before it, answers. */
async function untilLive(page: Page): Promise<void> {
  // Not waitForFunction, whose second look the policy of the page forbids.
  await untilTrue(() => page.evaluate<boolean>('"__vue_app__" in document.querySelector("#app")'));
}

/** A button of the client has another one inside. */
const knownOfTheClient = /nested-interactive: <button id="headlessui-/;

const results = '.VPLocalSearchBox a.result';

/** The first results of the search for words, the best first. */
async function search(page: Page, words: string): Promise<string[]> {
  const box = page.getByRole('searchbox');
  if ((await box.count()) === 0) await page.keyboard.press('Control+k');
  await box.waitFor();
  await box.fill('');
  await box.fill(words);
  await page.locator(results).first().waitFor();
  let last: string[] = [];
  let looks = 0;
  // The results of the words before are shown for a moment: the same for a second are the last.
  await untilTrue(async () => {
    const before = last;
    last = await page.evaluate<string[]>(
      `[...document.querySelectorAll('${results}')].map((link) => link.getAttribute('href'))`,
    );
    looks = before.join() === last.join() ? looks + 1 : 0;
    return last.length > 0 && looks >= 20;
  });
  return last;
}

/** Searches of readers, each with the section that answers it. */
const searches: Readonly<Record<string, string>> = {
  'retry schedule': '/docs/webhooks#retry-schedule',
  'import csv': '/docs/guides/run-a-batch#run-a-batch',
  createContact: '/docs/reference/contacts#createContact',
  'create a contact': '/docs/quick-start#4-create-a-contact',
  'contact.created': '/docs/events/contact#contact.created',
  unique_id_taken: '/docs/errors/unique_id_taken',
  cursor_invalid: '/docs/errors/cursor_invalid',
};

/** Pages for reviewers and of changes, which nobody who searches wants first. */
const internal = /\/docs\/(adr|changelog|security-asvs|performance|mutants|first-hour)/;

const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';

const promises: Record<string, () => Promise<void>> = {
  'the home page and a guide are accessible, in light and dark, and drawn at once': async () => {
    for (const scheme of ['light', 'dark'] as const) {
      await visit(async (page) => {
        await page.goto(`${api.url}/docs`);
        await page.getByRole('heading', { name: 'Start here' }).waitFor();
        await expectFast(page);
        await untilLive(page);
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
      await untilLive(page);
      await page.keyboard.press('Control+k');
      await page.getByRole('searchbox').waitFor();
      await page.keyboard.type('retry schedule');
      const options = page.getByRole('option');
      await options.first().waitFor();
      await expectAccessible(page);
      const titles = await options.allTextContents();
      expect(titles[0]).toMatch(/Webhook delivery.*Retry schedule/s);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Retry schedule' }).waitFor();
    }),

  'the search finds operations, events, errors and guides, and no internal page': () =>
    visit(async (page) => {
      await page.goto(`${api.url}/docs/quick-start`);
      await untilLive(page);
      for (const [words, address] of Object.entries(searches)) {
        const found = await search(page, words);
        expect([words, found[0]]).toEqual([words, address]);
        expect([words, found.filter((one) => internal.test(one))]).toEqual([words, []]);
      }
    }),

  'the reference is read at an operation, on screens and phones, in light and dark': async () => {
    for (const [scheme, width] of [
      ['light', 1_440],
      ['dark', 390],
    ] as const) {
      await visit(
        async (page) => {
          await page.goto(`${api.url}/docs/reference#createContact`);
          await page.waitForURL('**/docs/reference/contacts#createContact');
          const heading = page.getByRole('heading', { name: 'Create a contact', exact: false });
          await heading.first().waitFor();
          await expectFast(page);
          await untilLive(page);
          await untilTrue(async () => {
            const box = await heading.first().boundingBox();
            return box !== null && box.y >= 0 && box.y < 400;
          });
          expect(await page.evaluate<number>(overflow)).toBe(0);
          expect(await page.locator('main').count()).toBe(1);
          await expectAccessible(page);
          await page.getByRole('button', { name: 'Search' }).first().waitFor();
          if (scheme === 'light') await picture(page, 'site-reference.png');
        },
        scheme,
        width,
      );
    }
  },

  'a chosen language stays, and the operation stays in view': () =>
    visit(async (page) => {
      await page.goto(`${api.url}/docs/reference/contacts#updateContact`);
      await untilLive(page);
      const section = page.locator('.operation').filter({ has: page.locator('#updateContact') });
      await section.getByText('Python', { exact: true }).click();
      await section.getByText('print(onward.contacts.update(').waitFor();
      await page.reload();
      await section.getByText('print(onward.contacts.update(').waitFor();
      await untilTrue(async () => ((await section.boundingBox())?.y ?? 9_000) < 800);
    }),

  'an operation is tried, and its answer is shown': () =>
    visit(async (page) => {
      const email = 'reference@example.com';
      await team.post('/v2/partner/contacts', { email });
      await page.route('**/local/session', (route) =>
        route.fulfill({ json: { teams: [{ is_sample: false, access_token: team.token }] } }),
      );
      await page.goto(`${api.url}/docs/reference/contacts#listContacts`);
      await page.getByRole('link', { name: 'Try it: List contacts' }).click();
      const client = page.getByRole('dialog');
      await client.getByRole('button', { name: /^Send/ }).first().waitFor();
      await expectAccessible(page, knownOfTheClient);
      await client.getByRole('button', { name: /^Send/ }).first().click();
      await page.getByText('200 OK').waitFor();
      await page.getByText(email).first().waitFor();
      expect(await page.locator('main main').count()).toBe(0);
    }),

  'addresses of earlier versions lead to the operation': () =>
    visit(async (page) => {
      for (const address of [
        'docs#/Contacts/listContacts',
        'docs/reference#tag/contacts/listContacts',
      ]) {
        await page.goto(`${api.url}/${address}`);
        await page.waitForURL('**/docs/reference/contacts#listContacts');
      }
      await page.goto(`${api.url}/docs/endpoints#createcontact`);
      await page.waitForURL('**/docs/reference/contacts#createContact');
    }),

  'a page that is missing says so in plain words, and leads on': async () => {
    const context = await browser?.newContext({ viewport: { width: 390, height: 800 } });
    const page = await context?.newPage();
    if (!page) throw new Error('there is no browser');
    await page.goto(`${api.url}/docs/no-such-page`);
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    await untilLive(page);
    await expectAccessible(page);
    await page.getByRole('link', { name: 'API reference' }).first().waitFor();
    await page.getByRole('button', { name: 'Search the documentation' }).click();
    await page.getByRole('searchbox').waitFor();
    await context?.close();
  },

  'no page is wider than its screen': async () => {
    for (const width of [1_440, 390]) {
      await visit(
        async (page) => {
          for (const path of [
            '',
            '/settings',
            '/events',
            '/events/template',
            '/errors/cursor_invalid',
          ]) {
            await page.goto(`${api.url}/docs${path}`);
            expect([path, width, await page.evaluate<number>(overflow)]).toEqual([path, width, 0]);
            await untilLive(page);
            await expectAccessible(page);
          }
        },
        'light',
        width,
      );
    }
  },
};

if (browser) {
  test.each(Object.entries(promises))('%s', async (_, promise) => promise());
} else {
  test(`${String(Object.keys(promises).length)} promises about the site were skipped because Chromium is absent`, () => {
    console.warn('The site was not opened: get a browser by `npm run browser`.');
    expect(browser).toBeUndefined();
  });
}
