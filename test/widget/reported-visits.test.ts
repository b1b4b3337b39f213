import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { aJourneyIn, aTemplateWithPages } from '../journeys/a-journey.ts';
import { startTestApi } from '../support/api.ts';
import type { TestApi } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { aBrowser, aSite, document, focused } from './a-browser.ts';
import type { Site } from './a-browser.ts';
import { aFormPage, aField } from './a-form.ts';
import { aToken, aWidget } from './a-widget.ts';

// Public reports about visits: what browsers, networks and other programs do to a page that somebody
// has open, see test/field/README.md.

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

const longName = 'Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz'
  .repeat(2)
  .slice(0, 118);

/** A journey with a text, a form and a locked page. */
async function aStory({
  names = ['Welcome', 'About you', 'Your account'],
  bankName = 'Bank',
} = {}) {
  const team = await api.newTeam();
  await team.patch('/v2/partner/team', { name: bankName });
  const block = async (kind: string, body: object): Promise<string> => {
    const made = await team.post('/v2/partner/content-blocks', {
      ...{ name: kind, key: `b-${randomUUID()}`, kind, body },
    });
    expect(made.body.errors).toBeUndefined();
    return String(made.body.id);
  };
  const hello = await block('rich_text', {
    html: '<p>Hello {{ contact.first_name | default: "there" }}</p>',
  });
  const form = await block('form', {
    submit_label: 'Send',
    fields: [aField('nickname', { label: 'Nickname', is_required: true })],
  });
  const [welcome = '', about = '', account = ''] = names;
  const templateId = await aTemplateWithPages(
    team,
    [
      { name: 'Welcome', title: welcome, content_block_ids: [hello] },
      { name: 'About you', title: about, content_block_ids: [form] },
      {
        name: 'Account',
        title: account,
        content_block_ids: [hello],
        requires_identity_challenge: true,
      },
    ],
    {
      secure_personalization: {
        ...{ enabled: true, factors: ['postal_code', 'date_of_birth'] },
        ...{ max_attempts: 3, lockout_minutes: 15 },
      },
    },
  );
  const journey = await aJourneyIn(api, team, templateId, {
    ...{ first_name: 'Augusta', postal_code: '94105', date_of_birth: '1815-12-10' },
  });
  const eventsOf = async (kind: string): Promise<any[]> =>
    (await team.get(`/v2/partner/engagement-events?filter[kind]=${kind}`)).body.data;
  const link = `${api.url}/journey#${journey.linkToken}`;
  return { team, journey, eventsOf, link };
}

async function aPage(options: BrowserContextOptions = {}): Promise<Page> {
  if (!browser) throw new Error('there is no browser');
  const context = await browser.newContext({ viewport: { width: 1_280, height: 800 }, ...options });
  return context.newPage();
}

const goOn = (page: Page, title: string) =>
  page.getByRole('button', { name: `Next: ${title}` }).click();

/** Opens the locked page, and answers its question. */
async function identify(page: Page): Promise<void> {
  await page
    .getByRole('navigation')
    .getByRole('button', { name: /Your account/ })
    .click();
  await page.getByLabel('Postal code').fill('94105');
  await page.getByRole('button', { name: 'Confirm', exact: true }).click();
  await page.getByText('Hello Augusta').waitFor();
}

async function sendForm(page: Page): Promise<void> {
  await page.getByLabel('Nickname').fill('Ada');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText('Saved. Thank you.').waitFor();
}

const seenAgain = {
  tab: 'document.dispatchEvent(new Event("visibilitychange"))',
  history: 'window.dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }))',
};

const promises: Record<string, () => Promise<void>> = {
  async 'a visitor whose clock is wrong by hours goes on, and events have the time of the service'() {
    for (const hours of [-30, 7]) {
      const { link, eventsOf } = await aStory();
      const page = await aPage();
      await page.clock.install({ time: Date.now() + hours * 3_600_000 });
      await page.goto(link);
      await goOn(page, 'About you');
      await sendForm(page);
      await identify(page);
      const [event] = await eventually(
        () => eventsOf('page.form_submitted'),
        (all) => all.length > 0,
      );
      expect(Math.abs(Date.parse(event.occurred_at) - Date.now())).toBeLessThan(3_600_000);
      await page.context().close();
    }
  },

  async 'a link that a scanner of mails has encoded, or a program has added to, opens the journey'() {
    const { journey } = await aStory();
    const encoded = journey.linkToken.replaceAll('~', '%7E');
    const links = [
      `/journey%23${encoded}`,
      `/journey#${encoded}`,
      `/journey#${journey.linkToken}&fbclid=IwAR1%`,
      `/journey#${journey.linkToken}?utm_source=mail`,
      `/journey#${journey.linkToken}).`,
    ];
    for (const link of links) {
      const page = await aPage();
      await page.goto(api.url + link);
      await page.getByText('Hello there').waitFor();
      await page.context().close();
    }
    const page = await aPage();
    await page.goto(`${api.url}/journey#%E0%A4%A`);
    await page.getByText('This page has expired').waitFor();
    await page.context().close();
  },

  async 'a request without an answer ends after half a minute, with a way to repeat it'() {
    const { link, eventsOf } = await aStory();
    const page = await aPage();
    await page.clock.install();
    await page.goto(link);
    await goOn(page, 'About you');
    await page.getByLabel('Nickname').fill('Ada');
    let isSilent = true;
    let asked = 0;
    await page.route('**/events', async (route) => {
      if (!isSilent) return route.continue();
      asked += 1;
      return undefined;
    });
    await page.getByRole('button', { name: 'Send' }).click();
    await eventually(
      () => Promise.resolve(asked),
      (count) => count > 0,
    );
    await page.clock.fastForward('00:31');
    await page.getByText('We cannot be reached').waitFor();
    isSilent = false;
    await sendForm(page);
    expect(await eventsOf('page.form_submitted')).toHaveLength(1);
    // The same while a step is opened: the focus moves to the way out, and then to the step.
    await page.route('**/pages/*', () => undefined);
    await page.getByRole('button', { name: /Back/ }).click();
    await page.clock.fastForward('00:31');
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    expect(await focused(page)).toBe('Try again');
    await page.unroute('**/pages/*');
    await page.keyboard.press('Enter');
    await page.getByText('Hello there').waitFor();
    await eventually(
      () => focused(page),
      (name) => name === 'Welcome',
    );
    await page.context().close();
  },

  async 'a browser without randomUUID, as in a page without TLS, can go on and send forms'() {
    const { link, eventsOf } = await aStory();
    const page = await aPage();
    await page.addInitScript('delete Crypto.prototype.randomUUID');
    await page.goto(link);
    await goOn(page, 'About you');
    await sendForm(page);
    expect(await eventsOf('page.form_submitted')).toHaveLength(1);
    await page.context().close();
  },

  async 'a frame whose storage may not be read shows the journey'() {
    const { team, journey } = await aStory();
    const widgetId = await aWidget(team, { allowed_origins: [bank.origin] });
    const token = await aToken(team, widgetId, { contact_id: journey.contactId });
    const widget = await team.get(`/v2/partner/widget-instances/${widgetId}`);
    const src = `${api.url}/widget/${String(widget.body.publishable_key)}#${token}`;
    bank.html = document(`<iframe src="${src}" width="600" height="600" title="Journey"></iframe>`);
    const page = await aPage();
    await page.addInitScript(`for (const name of ['localStorage', 'sessionStorage', 'indexedDB']) {
      Object.defineProperty(window, name, { get() { throw new DOMException('denied', 'SecurityError'); } });
    }`);
    await page.goto(bank.origin);
    const frame = page.frameLocator('iframe');
    await frame.getByRole('button', { name: 'Next: About you' }).click();
    await frame.getByLabel('Nickname').fill('Ada');
    await frame.getByRole('button', { name: 'Send' }).click();
    await frame.getByText('Saved. Thank you.').waitFor();
    await page.context().close();
  },

  async 'a browser that keeps no cookie is told why it cannot confirm who somebody is'() {
    const { team, journey } = await aStory();
    const widgetId = await aWidget(team, { allowed_origins: [bank.origin] });
    const token = await aToken(team, widgetId, { contact_id: journey.contactId });
    bank.html = document(`<h1>Bank</h1><div data-onward-token="${token}"></div>
<script src="${api.url}/widget.js"></script>`);
    const page = await aPage();
    await page.goto(bank.origin);
    await page.getByText('Hello there').waitFor();
    await page.context().clearCookies();
    await page
      .getByRole('navigation')
      .getByRole('button', { name: /Your account/ })
      .click();
    await page.getByText('Your browser blocks the cookie that this needs.').waitFor();
    expect(await page.getByLabel('Postal code').count()).toBe(0);
    await page.context().close();
  },

  async 'a step that is chosen again keeps its question, and what is typed'() {
    const { link } = await aStory();
    const page = await aPage();
    await page.goto(link);
    const step = page.getByRole('navigation').getByRole('button', { name: /Your account/ });
    await step.click();
    const answer = page.getByLabel('Postal code');
    await answer.fill('94105');
    let questions = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/identity-challenges')) questions += 1;
    });
    await step.click();
    await step.dblclick();
    expect(await focused(page)).toBe('Your account');
    expect(await answer.inputValue()).toBe('94105');
    await page.getByRole('button', { name: 'Confirm', exact: true }).click();
    await page.getByText('Hello Augusta').waitFor();
    expect(questions).toBe(0);
    await page.context().close();
  },

  async 'what a recipient has signed out of in one tab is hidden in the other once it is seen'() {
    for (const event of Object.values(seenAgain)) {
      const { link } = await aStory();
      const first = await aPage();
      await first.goto(link);
      await identify(first);
      const second = await first.context().newPage();
      await second.goto(link);
      await second.getByRole('navigation').waitFor();
      await identify(second);
      await second.getByRole('button', { name: 'Sign out' }).click();
      await second.getByText('You are signed out.').waitFor();
      let questions = 0;
      first.on('response', (response) => {
        const { pathname } = new URL(response.url());
        if (pathname.endsWith('/identity-challenges') && response.ok()) questions += 1;
      });
      await first.evaluate(event);
      await first.getByText('is hidden again').waitFor();
      expect(await first.getByText('Augusta').count()).toBe(0);
      // A question can send a code, and nobody may be there: it waits for a press.
      await first.getByRole('button', { name: 'Confirm', exact: true }).click();
      await first.getByLabel('Postal code').waitFor();
      expect(questions).toBe(1);
      await first.context().close();
    }
  },

  async 'a page that wakes up before its network keeps what it shows, and then goes on'() {
    const { link } = await aStory();
    const page = await aPage();
    await page.goto(link);
    await identify(page);
    await page.context().setOffline(true);
    await page.evaluate(seenAgain.tab);
    const failed = page.waitForEvent('requestfailed');
    await page.evaluate(seenAgain.history);
    await failed;
    expect(await page.getByText('Hello Augusta').count()).toBe(1);
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
    await page.context().setOffline(false);
    await page.getByRole('button', { name: 'Back' }).click();
    await page.getByLabel('Nickname').waitFor();
    await page.context().close();
  },

  async 'a page that is translated, or that an extension has added to, goes on'() {
    // As Google Translate does it: each text gets two elements around it, and the page a class.
    const translate = `(() => {
      document.documentElement.lang = 'es';
      document.documentElement.classList.add('translated-ltr');
      const root = document.querySelector('[data-onward-fragment]').shadowRoot;
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      const texts = [];
      while (walker.nextNode()) texts.push(walker.currentNode);
      for (const text of texts) {
        if (!text.data.trim() || text.parentElement.closest('style, option')) continue;
        const [outer, inner] = [document.createElement('font'), document.createElement('font')];
        text.replaceWith(outer);
        outer.append(inner);
        inner.append(text);
      }
    })()`;
    const extend = `(() => {
      const root = document.querySelector('[data-onward-fragment]').shadowRoot;
      for (const one of root.querySelectorAll('div, form, p, main, section, ol, ul, button, label')) {
        one.prepend(document.createElement('grammarly-extension'));
        one.append(document.createElement('div'));
      }
      for (const field of root.querySelectorAll('input')) field.setAttribute('data-lastpass-icon-root', '');
    })()`;
    for (const script of [translate, extend]) {
      const { link, eventsOf } = await aStory();
      const page = await aPage();
      const faults: string[] = [];
      page.on('pageerror', (error) => faults.push(error.message));
      await page.goto(link);
      await page.getByText('Hello there').waitFor();
      await page.evaluate(script);
      await goOn(page, 'About you');
      await page.getByLabel('Nickname').waitFor();
      await page.evaluate(script);
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByText('There is a problem').waitFor();
      await page.evaluate(script);
      await sendForm(page);
      await page.evaluate(script);
      await page.getByRole('button', { name: 'Back' }).click();
      await page.getByText('Hello there').waitFor();
      expect(await eventsOf('page.form_submitted')).toHaveLength(1);
      expect(faults).toEqual([]);
      await page.context().close();
    }
  },

  async 'a field that a program fills in without an event is sent'() {
    const { link, eventsOf } = await aStory();
    const page = await aPage();
    await page.goto(link);
    await goOn(page, 'About you');
    await page.getByLabel('Nickname').waitFor();
    await page.evaluate(`document.querySelector('[data-onward-fragment]').shadowRoot
      .querySelector('[name=nickname]').value = 'Ada'`);
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('Saved. Thank you.').waitFor();
    const [event] = await eventsOf('page.form_submitted');
    expect(event.properties).toEqual({ fields: { nickname: 'Ada' } });
    await page.context().close();
  },

  async 'a date of birth is the same day in every time zone'() {
    for (const timezoneId of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
      const { link } = await aStory();
      const page = await aPage({ timezoneId });
      await page.goto(link);
      await page
        .getByRole('navigation')
        .getByRole('button', { name: /Your account/ })
        .click();
      await page.getByLabel('Question').selectOption('date_of_birth');
      await page.getByLabel('Date of birth').fill('1815-12-10');
      await page.getByRole('button', { name: 'Confirm', exact: true }).click();
      await page.getByText('Hello Augusta').waitFor();
      await page.context().close();
    }
  },

  async 'very long names do not widen a page'() {
    const { link, team } = await aStory({
      names: [longName, longName.replace('R', 'B'), longName.replace('R', 'K')],
      bankName: longName,
    });
    const form = await aFormPage(team, {
      title: longName,
      submit_label: longName.slice(0, 60),
      fields: [aField('first_name', { label: longName.slice(0, 120) })],
    });
    const isWide = 'document.documentElement.scrollWidth > innerWidth';
    const page = await aPage({ viewport: { width: 320, height: 640 } });
    await page.goto(link);
    await page.getByText('Hello there').waitFor();
    expect(await page.evaluate(isWide)).toBe(false);
    await page.goto(api.url + form.path);
    expect(await page.evaluate(isWide)).toBe(false);
    await page.context().close();
  },

  async 'a form of a landing page that is sent by a double click, and again after Back, is recorded once'() {
    const form = await aFormPage(await api.newTeam(), {
      ...{ submit_label: 'Send', success_message: 'Received.' },
      fields: [aField('first_name', { label: 'Name' })],
    });
    const page = await aPage();
    await page.goto(api.url + form.path);
    await page.getByLabel('Name').fill('Ada');
    await page.getByRole('button', { name: 'Send' }).dblclick();
    await page.getByText('Received.').waitFor();
    await page.goBack();
    await page.getByLabel('Name').waitFor();
    const events = async () =>
      (await form.team.get('/v2/partner/engagement-events?filter[kind]=widget.submitted')).body
        .data;
    expect(await events()).toHaveLength(1);
    await page.getByLabel('Name').fill('Ada');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('Received.').waitFor();
    await page.reload();
    await page.getByText('Received.').waitFor();
    await page.context().close();
  },
};

const names = Object.keys(promises);
if (browser) {
  test.each(names)('%s', async (name) => promises[name]?.());
} else {
  test('reports about visits were skipped because Chromium is absent', () => {
    expect(names).not.toEqual([]);
  });
}
