import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { aJourneyIn, aTemplateWithPages } from '../journeys/a-journey.ts';
import { startTestApi } from '../support/api.ts';
import type { TestApi } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { aBrowser, aSite, document, focused } from './a-browser.ts';
import type { Site } from './a-browser.ts';
import { aToken, aWidget } from './a-widget.ts';

// Public reports about widgets and hosted forms, see test/field/README.md.

const browser = await aBrowser();
let api: TestApi;
let bank: Site;

beforeAll(async () => {
  api = await startTestApi();
  bank = await aSite('bank');
});
afterAll(async () => {
  await browser?.close();
  await bank.close();
  await api.stop();
});

async function aStory() {
  const team = await api.newTeam();
  const made = await team.post('/v2/partner/content-blocks', {
    ...{ name: 'Form', key: `form-${randomUUID()}`, kind: 'form' },
    body: { submit_label: 'Send', fields: [{ name: 'nickname', label: 'Name', kind: 'text' }] },
  });
  const templateId = await aTemplateWithPages(team, [
    { name: 'Welcome', title: 'Welcome' },
    { name: 'About you', title: 'About you', content_block_ids: [made.body.id] },
  ]);
  const journey = await aJourneyIn(api, team, templateId);
  const widgetId = await aWidget(team, { allowed_origins: [bank.origin] });
  const token = await aToken(team, widgetId, { contact_id: journey.contactId });
  const countOf = async (kind: string): Promise<number> =>
    (await team.get(`/v2/partner/engagement-events?filter[kind]=${kind}`)).body.data.length;
  return { journey, token, countOf };
}

async function opened(url: string): Promise<Page> {
  if (!browser) throw new Error('there is no browser');
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const page = await context.newPage();
  await page.goto(url);
  return page;
}

const promises: Record<string, () => Promise<void>> = {
  async 'styles of the page stay out, fields have 16 pixels, and the focus stays where it is'() {
    const { token } = await aStory();
    bank.html = document(`<style>html{font-size:62.5%}
body{text-transform:uppercase;letter-spacing:3px;text-align:center}</style>
<h1>Bank</h1><p style="height:2000px"></p><div data-onward-token="${token}"></div>
<script src="${api.url}/widget.js" async></script>`);
    const page = await opened(bank.origin);
    await page.getByRole('button', { name: 'Next: About you' }).waitFor();
    expect(await page.evaluate('[scrollY, document.activeElement.tagName]')).toEqual([0, 'BODY']);
    await page.getByRole('button', { name: 'Next: About you' }).click();
    await page.getByLabel('Name').waitFor();
    expect(await focused(page)).toBe('About you');
    const styles = await page.evaluate(`(() => {
      const field = document.querySelector('[data-onward-token]').shadowRoot.querySelector('input');
      const { fontSize, textTransform, letterSpacing, textAlign } = getComputedStyle(field);
      return [fontSize, textTransform, letterSpacing, textAlign];
    })()`);
    expect(styles).toEqual(['16px', 'none', 'normal', 'start']);
    expect(await page.getByRole('main').count()).toBe(0);
    expect(await page.getByRole('heading', { level: 1 }).allTextContents()).toEqual(['Bank']);
    expect(await page.getByRole('heading', { level: 2 }).allTextContents()).toEqual(['About you']);
  },

  async 'a form that is sent again after a lost answer is recorded once, and then says so'() {
    const { journey, countOf } = await aStory();
    const page = await opened(`${api.url}/journey#${journey.linkToken}`);
    await page.getByRole('button', { name: 'Next: About you' }).click();
    await page.getByLabel('Name').fill('Ada');
    let isLost = false;
    await page.route('**/events', async (route) => {
      const isForm = route.request().postData()?.includes('form_submitted') === true;
      if (!isForm || isLost) return route.continue();
      isLost = true;
      await route.fetch();
      return route.abort();
    });
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('We cannot be reached').waitFor();
    expect(await page.getByLabel('Name').inputValue()).toBe('Ada');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('Saved. Thank you.').waitFor();
    expect(await countOf('page.form_submitted')).toBe(1);
  },

  async 'the buttons of the browser lead through the steps, and what was written stays'() {
    const { journey } = await aStory();
    const page = await opened(`${api.url}/journey#${journey.linkToken}`);
    await page.getByRole('button', { name: 'Next: About you' }).click();
    await page.getByLabel('Name').fill('Ada');
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'Welcome' }).waitFor();
    await page.goForward();
    await page.getByLabel('Name').waitFor();
    expect(await page.getByLabel('Name').inputValue()).toBe('Ada');
    const bar = page.getByRole('progressbar');
    expect(await bar.getAttribute('aria-valuetext')).toBe('1 of 2 done');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('Saved. Thank you.').waitFor();
    await page.getByRole('button', { name: 'Finish' }).click();
    await page.getByRole('heading', { level: 1, name: 'All done' }).waitFor();
  },

  async 'a journey that was opened in a second tab can still be answered in the first'() {
    const { journey, countOf } = await aStory();
    const url = `${api.url}/journey#${journey.linkToken}`;
    const first = await opened(url);
    await first.getByRole('button', { name: 'Next: About you' }).click();
    await first.getByLabel('Name').fill('Ada');
    const second = await first.context().newPage();
    await second.goto(url);
    await second.getByRole('heading', { level: 1 }).waitFor();
    await first.getByRole('button', { name: 'Send' }).click();
    await first.getByText('Saved. Thank you.').waitFor();
    expect(await countOf('page.form_submitted')).toBe(1);
  },

  async 'a page that shows the widget twice in one element loads one'() {
    const { token, countOf } = await aStory();
    bank.html = document(`<div></div><script src="${api.url}/widget.js"></script><script>
const element = document.querySelector('div');
Onward.show(element, { token: '${token}' });
Onward.show(element, { token: '${token}' });</script>`);
    const page = await opened(bank.origin);
    await page.getByRole('button', { name: 'Next: About you' }).waitFor();
    for (const kind of ['page.viewed', 'widget.loaded']) {
      await eventually(
        () => countOf(kind),
        (count) => count > 0,
      );
    }
    expect(await countOf('widget.loaded')).toBe(1);
  },
};

const names = Object.keys(promises);
if (browser) {
  test.each(names)('%s', async (name) => promises[name]?.());
} else {
  test('reports about widgets were skipped because Chromium is absent', () => {
    expect(names).not.toEqual([]);
  });
}
