import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { startTestApi } from '../support/api.ts';
import type { TestApi, TestTeam } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { anObjective } from '../campaigns/a-template.ts';
import { aJourneyIn, aTemplateWithPages } from '../journeys/a-journey.ts';
import type { AJourney } from '../journeys/a-journey.ts';
import { samplesRunBy } from '../site/samples.ts';
import { aBrowser, aSite, document, focused, picture, tabTo } from './a-browser.ts';
import type { Site } from './a-browser.ts';
import { aToken, aWidget, widgetInstances } from './a-widget.ts';
import { mendAndSend } from './form-by-keyboard.ts';

const browser: Browser | undefined = await aBrowser();

let api: TestApi;
let bank: Site;
let evil: Site;
const contexts: BrowserContext[] = [];

beforeAll(async () => {
  api = await startTestApi();
  bank = await aSite('bank');
  evil = await aSite('evil');
});
afterAll(async () => {
  await Promise.all(contexts.map((context) => context.close()));
  await browser?.close();
  await Promise.all([bank.close(), evil.close()]);
  await api.stop();
});

async function aPage(size = { width: 390, height: 844 }): Promise<Page> {
  if (!browser) throw new Error('there is no browser');
  const context = await browser.newContext({ viewport: size });
  contexts.push(context);
  return context.newPage();
}

interface Story {
  team: TestTeam;
  journey: AJourney;
  widgetId: string;
}

const blocks = {
  hello: {
    kind: 'rich_text',
    body: { html: '<p>Hello {{ contact.first_name | default: "there" }}, good to see you.</p>' },
  },
  list: {
    kind: 'objective_checklist',
    body: {
      title: 'To begin with',
      items: [{ objective_key: 'debit-card-activation', label: 'Use your card' }],
    },
  },
  link: { kind: 'button', body: { label: 'Open an account', url: 'https://example.com/open' } },
  form: {
    kind: 'form',
    body: {
      title: 'How may we call you?',
      submit_label: 'Send',
      fields: [
        { name: 'nickname', label: 'Nickname', kind: 'text', is_required: true },
        { name: 'news', label: 'Send me news', kind: 'checkbox', consent: 'email' },
      ],
    },
  },
};

/** A recipient with three pages, the last of which is locked. */
async function aStory(): Promise<Story> {
  const team = await api.newTeam();
  const ids: string[] = [];
  for (const [name, block] of Object.entries(blocks)) {
    const made = await team.post('/v2/partner/content-blocks', {
      ...{ name, key: `${name}-${randomUUID().slice(0, 8)}`, ...block },
    });
    if (made.status !== 201) throw new Error(JSON.stringify(made.body));
    ids.push(String(made.body.id));
  }
  const [hello = '', list = '', link = '', form = ''] = ids;
  const objectives = await team.get('/v2/partner/objectives?filter[key]=debit-card-activation');
  const objective_id = String(objectives.body.data[0]?.id ?? (await anObjective(team)));
  const templateId = await aTemplateWithPages(
    team,
    [
      { name: 'Welcome', title: 'Welcome', content_block_ids: [hello, list, link] },
      {
        ...{ name: 'About you', title: 'About you', kind: 'form', content_block_ids: [form] },
        ...{ completion_rule: 'form_submitted', objective_id },
      },
      { name: 'Your account', requires_identity_challenge: true, content_block_ids: [hello] },
    ],
    {
      objective_ids: [objective_id],
      secure_personalization: {
        ...{ enabled: true, factors: ['postal_code', 'date_of_birth'] },
        ...{ max_attempts: 2, lockout_minutes: 15 },
      },
    },
  );
  const contact = { first_name: 'Augusta', postal_code: '94105', date_of_birth: '1815-12-10' };
  const journey = await aJourneyIn(api, team, templateId, contact);
  const widgetId = await aWidget(team, {
    allowed_origins: [bank.origin],
    theme: { primary_color: '#0a6847' },
  });
  return { team, journey, widgetId };
}

const tokenFor = ({ team, journey, widgetId }: Story, more: object = {}) =>
  aToken(team, widgetId, { contact_id: journey.contactId, ...more });

const embedded = (token: string) =>
  document(`<h1>Your bank</h1><div data-onward-token="${token}"></div>
<script src="${api.url}/widget.js" async></script>`);

const kindsOf = async ({ team }: Story): Promise<string[]> =>
  (await team.get('/v2/partner/engagement-events?sort=occurred_at&page[size]=100')).body.data.map(
    ({ kind }: any) => String(kind),
  );

const whenRecorded = (story: Story, ...kinds: string[]) =>
  eventually(
    () => kindsOf(story),
    (found) => kinds.every((kind) => found.includes(kind)),
  );

/** Chooses a step of the list, which a phone shows behind a button. */
async function choose(page: Page, name: RegExp): Promise<void> {
  const nav = page.getByRole('navigation');
  const toggle = nav.getByRole('button', { name: 'All steps' });
  await nav.waitFor();
  if (await toggle.isVisible()) await toggle.click();
  await nav.getByRole('button', { name }).click();
}

/** A journey whose first refresh waits for `answer`, and gives one of its steps another title. */
async function whileRefreshing(step: number): Promise<{ page: Page; answer: () => void }> {
  const story = await aStory();
  bank.html = embedded(await tokenFor(story));
  const page = await aPage({ width: 1_280, height: 800 });
  let answer: () => void = () => undefined;
  const isAwaited = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const journey = `${api.url}/v2/widget/journeys/${story.journey.id}`;
  await page.route(journey, async (route) => {
    const response = await route.fetch();
    const json = await response.json();
    json.pages[step].title = 'Another title';
    await isAwaited;
    await route.fulfill({ response, json });
  });
  const asked = page.waitForRequest(journey);
  await page.goto(bank.origin);
  await asked;
  return { page, answer };
}

const promises: Record<string, () => Promise<void>> = {
  async 'a page of the bank shows the journey, and what is done there is recorded'() {
    const story = await aStory();
    bank.html = embedded(await tokenFor(story, { assurance: 'authenticated' }));
    const page = await aPage();
    const sent: string[] = [];
    page.on('request', (request) => {
      const { authorization } = request.headers();
      if (request.url().includes('/v2/widget/') && request.method() !== 'OPTIONS') {
        sent.push(
          `${new URL(request.url()).pathname.split('/').at(-1) ?? ''} ${authorization ? 'token' : 'cookie'}`,
        );
      }
    });
    await page.goto(bank.origin);
    await page.getByText('Hello Augusta').waitFor();
    await whenRecorded(story, 'widget.loaded', 'page.viewed');
    await page.getByText('Open an account').click();
    await whenRecorded(story, 'page.cta_clicked');
    await choose(page, /About you/);
    await page.getByLabel('Nickname').fill('Ada');
    await page.getByLabel('Send me news').check();
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('Saved. Thank you.').waitFor();
    await whenRecorded(story, 'page.form_submitted', 'objective.completed', 'opt_in.granted');
    const contact = await story.team.get(`/v2/partner/contacts/${story.journey.contactId}`);
    expect(contact.body.consents.email).toMatchObject({
      status: 'subscribed',
      evidence: expect.stringContaining('Send me news'),
    });
    await choose(page, /Welcome/);
    await page.locator('li.is-done', { hasText: 'Use your card' }).waitFor();
    await picture(page, 'widget-in-a-page.png');
    const { body } = await story.team.get(
      '/v2/partner/engagement-events?filter[kind]=page.form_submitted',
    );
    expect(body.data[0].properties).toEqual({ fields: { nickname: 'Ada', news: 'on' } });
    // The token opened the session; from then on the cookie of this site within that site.
    expect(sent.filter((one) => one.endsWith('token'))).toEqual(['bootstrap token']);
    const [cookie, ...others] = await page.context().cookies();
    expect(others).toEqual([]);
    expect(cookie).toMatchObject({
      ...{ name: '__Secure-do_rs', path: `/v2/widget/journeys/${story.journey.id}` },
      ...{ httpOnly: true, secure: true, sameSite: 'None' },
    });
    expect(cookie?.partitionKey).toBe('http://bank.localhost');
    expect(await page.evaluate('document.cookie')).toBe('');
  },

  async 'a page asks for another token when its token is over, as docs/widget.md shows it'() {
    const story = await aStory();
    const token = await tokenFor(story);
    await story.team.post(`${widgetInstances}/${story.widgetId}/tokens/revoke`);
    const [sample] = samplesRunBy('docs/widget.md', 'test/widget/browser.test.ts');
    bank.html = document(`<div></div>
<script src="${api.url}/widget.js"></script>
<script>
const [element, token] = [document.querySelector('div'), '${token}'];
${sample?.text ?? ''}</script>`);
    const page = await aPage();
    await page.route('**/my/token', async (route) =>
      route.fulfill({ body: await tokenFor(story) }),
    );
    await page.goto(bank.origin);
    await page.getByText('Hello there').waitFor();
    await whenRecorded(story, 'widget.loaded', 'page.viewed');
  },

  async 'a browser that keeps no cookie of another site goes on with the token'() {
    const story = await aStory();
    bank.html = embedded(await tokenFor(story));
    const page = await aPage();
    // Requested outside the browser, which gets the response without the cookie.
    await page.route('**/v2/widget/bootstrap', async (route) => {
      const request = route.request();
      const { authorization = '', origin = bank.origin } = await request.allHeaders();
      const response = await fetch(request.url(), {
        ...{ method: request.method(), body: request.postData() },
        headers: { authorization, origin, 'content-type': 'application/json' },
      });
      const headers = Object.fromEntries(response.headers);
      delete headers['set-cookie'];
      await route.fulfill({ status: response.status, headers, body: await response.text() });
    });
    await page.goto(bank.origin);
    await page.getByText('Hello there').waitFor();
    await whenRecorded(story, 'widget.loaded', 'page.viewed');
    expect(await page.context().cookies()).toEqual([]);
  },

  async 'a page that the widget does not admit is shown nothing, and records nothing'() {
    const story = await aStory();
    evil.html = embedded(await tokenFor(story, { assurance: 'authenticated' }));
    const page = await aPage();
    await page.goto(evil.origin);
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    expect(await page.content()).not.toContain('Augusta');
    expect(await page.getByText('Augusta').count()).toBe(0);
    expect(await kindsOf(story)).toEqual([]);
  },

  async 'our page in a frame of the bank works, and in a frame of others does not open'() {
    const story = await aStory();
    const widget = await story.team.get(`${widgetInstances}/${story.widgetId}`);
    const token = await tokenFor(story);
    const src = `${api.url}/widget/${String(widget.body.publishable_key)}#${token}`;
    bank.html = document(`<iframe src="${src}" width="360" height="600" title="Journey"></iframe>`);
    evil.html = bank.html;
    const page = await aPage();
    await page.goto(bank.origin);
    await page.frameLocator('iframe').getByText('Hello there').waitFor();
    await whenRecorded(story, 'widget.loaded', 'page.viewed');
    const before = await kindsOf(story);

    const other = await aPage();
    const refused = other.waitForEvent('console', {
      predicate: (message) => message.text().includes('frame-ancestors'),
    });
    await other.goto(evil.origin);
    await refused;
    expect(await other.frameLocator('iframe').getByText('Hello').count()).toBe(0);
    const link = `<iframe src="${api.url}/journey#${story.journey.linkToken}"></iframe>`;
    bank.html = document(link);
    const framed = page.waitForEvent('console', {
      predicate: (message) => message.text().includes('frame-ancestors'),
    });
    await page.goto(bank.origin);
    await framed;
    expect(await kindsOf(story)).toEqual(before);
  },

  async 'our page outside a frame opens no token that somebody sends in a link'() {
    const story = await aStory();
    const widget = await story.team.get(`${widgetInstances}/${story.widgetId}`);
    const token = await tokenFor(story);
    const key = String(widget.body.publishable_key);
    for (const path of [`/journey#${token}`, `/widget/${key}#${token}`]) {
      const page = await aPage();
      await page.goto(api.url + path);
      await page.getByText('This page has expired').waitFor();
    }
    expect(await kindsOf(story)).toEqual([]);
  },

  async 'a visitor enrolls, and goes on where that leads'() {
    const { team, journey } = await aStory();
    const widgetId = await aWidget(team, {
      ...{ widget_kind: 'enrollment', template_id: journey.templateId },
      allowed_origins: [bank.origin],
    });
    bank.html = embedded(await aToken(team, widgetId, {}));
    const page = await aPage();
    await page.goto(bank.origin);
    await page.getByLabel('First name').fill('Grace');
    await page.getByLabel('Email').fill('grace@example.com');
    await page.getByRole('button', { name: 'Get started' }).click();
    await page.getByText('Hello there').waitFor();
    const { body } = await team.get('/v2/partner/contacts?filter[email]=grace@example.com');
    expect(body.data).toMatchObject([{ first_name: 'Grace' }]);
    await page.reload();
    await page.getByRole('navigation').waitFor();
  },

  async 'the recipient’s link asks who they are, opens what is theirs, and locks'() {
    const story = await aStory();
    const page = await aPage();
    const problems: string[] = [];
    page.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) problems.push(message.text());
    });
    await page.goto(`${api.url}/journey#${story.journey.linkToken}`);
    await page.getByText('Hello there').waitFor();
    await choose(page, /Your account/);
    await page.getByLabel('Postal code').fill('10001');
    await page.getByRole('button', { name: 'Confirm', exact: true }).click();
    await page.getByRole('alert').getByText('Attempts left: 1').waitFor();
    await page.getByLabel('Question').selectOption('date_of_birth');
    await page.getByLabel('Date of birth').fill('1815-12-10');
    await picture(page, 'identity-challenge.png');
    await page.getByRole('button', { name: 'Confirm', exact: true }).click();
    await page.getByText('Hello Augusta').waitFor();

    const other = await aPage();
    await other.goto(`${api.url}/journey#${story.journey.linkToken}`);
    // It opens where the recipient was last.
    await choose(other, /About you/);
    await other.getByLabel('Nickname').waitFor();
    await choose(other, /Your account/);
    for (const wrong of ['10001', '10002']) {
      await other.getByLabel('Postal code').fill(wrong);
      await other.getByRole('button', { name: 'Confirm', exact: true }).click();
      await other
        .getByRole('alert')
        .getByText(/Attempts left: 1|Too many/)
        .waitFor();
    }
    await other.getByRole('alert').getByText('Too many attempts').waitFor();
    expect(await other.getByText('Augusta').count()).toBe(0);
    const answered = /^identity\.challenge_(passed|failed|locked)$/;
    const verdicts = (await kindsOf(story)).flatMap((kind) => answered.exec(kind)?.[1] ?? []);
    expect(verdicts).toEqual(['failed', 'passed', 'failed', 'failed', 'locked']);
    expect(problems).toEqual([]);
  },

  async 'a recipient who signs out leaves nothing of theirs in the page of a link'() {
    const story = await aStory();
    const page = await aPage();
    await page.goto(`${api.url}/journey#${story.journey.linkToken}`);
    await page.getByText('Hello there').waitFor();
    expect(await page.getByRole('button', { name: 'Sign out' }).count()).toBe(0);
    await choose(page, /Your account/);
    await page.getByLabel('Postal code').fill('94105');
    await page.getByRole('button', { name: 'Confirm', exact: true }).click();
    await page.getByText('Hello Augusta').waitFor();
    const before = await page.context().cookies();
    await tabTo(page, /^Sign out$/);
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('You are signed out.').waitFor();
    await page.getByRole('navigation').waitFor();
    expect(await page.getByText('Augusta').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Sign out' }).count()).toBe(0);
    expect(await focused(page)).toBe('You are signed out.');
    const after = await page.context().cookies();
    expect(after.map(({ value }) => value)).not.toEqual(before.map(({ value }) => value));
    await choose(page, /Your account/);
    await page.getByLabel('Postal code').waitFor();
    expect(await page.getByText('Augusta').count()).toBe(0);
  },

  async 'a page of the bank vouches by its login, which has a way out of its own'() {
    const story = await aStory();
    bank.html = embedded(await tokenFor(story, { assurance: 'authenticated' }));
    const page = await aPage({ width: 1_280, height: 800 });
    await page.goto(bank.origin);
    await page.getByText('Hello Augusta').waitFor();
    await whenRecorded(story, 'page.viewed');
    expect(await page.getByRole('button', { name: 'Sign out' }).count()).toBe(0);
  },

  async 'a step that is pressed while the steps are drawn again is shown'() {
    const { page, answer } = await whileRefreshing(0);
    await page
      .getByRole('navigation')
      .getByRole('button', { name: /Your account/ })
      .hover();
    await page.mouse.down();
    answer();
    await page.getByRole('navigation').getByText('Another title').waitFor();
    await page.mouse.up();
    await page.getByLabel('Postal code').waitFor();
  },

  async 'the focus stays at the next step when that has another name'() {
    const { page, answer } = await whileRefreshing(1);
    await tabTo(page, /^Next/);
    answer();
    await page.getByRole('button', { name: 'Next: Another title' }).waitFor();
    expect(await focused(page)).toBe('Next: Another title');
  },

  async 'a recipient who signs out of a page of the bank is not shown again by its token'() {
    const story = await aStory();
    bank.html = embedded(await tokenFor(story));
    const page = await aPage({ width: 1_280, height: 800 });
    await page.goto(bank.origin);
    await choose(page, /Your account/);
    await page.getByLabel('Postal code').fill('94105');
    await page.getByRole('button', { name: 'Confirm', exact: true }).click();
    await page.getByText('Hello Augusta').waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('status').getByText('You are signed out. To go on, reload').waitFor();
    expect(await page.getByText('Augusta').count()).toBe(0);
    expect(await page.context().cookies()).toEqual([]);
    await page.reload();
    // No message has led here, so that none is named.
    await page.getByText('Your session here has ended. To go on, reload').waitFor();
    expect(await page.getByText('Augusta').count()).toBe(0);
  },

  async 'a session that ends while its page is open leaves nothing of the recipient in it'() {
    const story = await aStory();
    bank.html = embedded(await tokenFor(story, { assurance: 'authenticated' }));
    const page = await aPage();
    await page.goto(bank.origin);
    await page.getByText('Hello Augusta').waitFor();
    await whenRecorded(story, 'page.viewed');
    await story.team.post(`${widgetInstances}/${story.widgetId}/tokens/revoke`);
    await choose(page, /About you/);
    await page.getByText('Your session here has ended').waitFor();
    expect(await page.getByText('Augusta').count()).toBe(0);
    expect(await page.getByRole('button').count()).toBe(0);
  },

  async 'a page that nobody uses for half an hour shows no more than a link shows to anybody'() {
    const story = await aStory();
    const page = await aPage();
    await page.clock.install();
    await page.goto(`${api.url}/journey#${story.journey.linkToken}`);
    await choose(page, /Your account/);
    await page.getByLabel('Postal code').fill('94105');
    await page.getByRole('button', { name: 'Confirm', exact: true }).click();
    await page.getByText('Hello Augusta').waitFor();
    await whenRecorded(story, 'page.viewed', 'identity.challenge_passed');
    await api.db.look(
      (sql) => sql`
        update recipient_sessions set last_seen_at = last_seen_at - interval '31 minutes'
        where journey_id = ${story.journey.id}`,
    );
    await page.clock.fastForward('31:00');
    await page.getByRole('status').getByText('is hidden again').waitFor();
    expect(await page.getByText('Augusta').count()).toBe(0);
    await page.getByRole('button', { name: 'Confirm', exact: true }).click();
    await page.getByLabel('Postal code').waitFor();
  },

  async 'a keyboard alone is enough, and what changes is said aloud'() {
    const story = await aStory();
    const page = await aPage();
    await page.goto(`${api.url}/journey#${story.journey.linkToken}`);
    await page.getByText('Hello there').waitFor();
    await whenRecorded(story, 'page.viewed');
    await tabTo(page, /^All steps$/);
    await page.keyboard.press('Enter');
    await tabTo(page, /: About you/);
    await page.keyboard.press('Enter');
    await page.getByLabel('Nickname').waitFor();
    expect(await focused(page)).toBe('About you');
    await tabTo(page, /^Send$/);
    await page.keyboard.press('Enter');
    // The list of problems has the focus and leads to the field.
    await page.getByText('There is a problem').waitFor();
    expect(await focused(page)).toContain('Nickname: Fill this in.');
    await tabTo(page, /^Nickname$/);
    await page.keyboard.press('Enter');
    expect(await focused(page)).toMatch(/^Nickname/);
    await page.keyboard.type('Ada');
    await tabTo(page, /^Send$/);
    await page.keyboard.press('Enter');
    await page.getByText('Saved. Thank you.').waitFor();
    expect(await focused(page)).toBe('Saved. Thank you.');
    expect(await page.locator('[role=status]').getAttribute('aria-live')).toBe('polite');
    await whenRecorded(story, 'page.form_submitted');
    const here = page.locator('button[aria-current="step"]');
    await tabTo(page, /^Next: Your account$/);
    expect(await here.textContent()).toContain('About you');
  },

  async 'a phone shows it without scrolling sideways, and every field has its label'() {
    const story = await aStory();
    const page = await aPage({ width: 320, height: 640 });
    await page.goto(`${api.url}/journey#${story.journey.linkToken}`);
    await page.getByText('Hello there').waitFor();
    await choose(page, /About you/);
    await page.getByLabel('Nickname').waitFor();
    const found = await page.evaluate(`(() => {
      const root = document.querySelector('[data-onward-fragment]').shadowRoot;
      const all = (selector) => [...root.querySelectorAll(selector)];
      return {
        isWide: document.documentElement.scrollWidth > innerWidth,
        bare: all('input, select').filter(({ labels }) => labels.length === 0).length,
        small: all('button').filter((one) => one.checkVisibility()).filter((one) => one.getBoundingClientRect().height < 44).length,
      };
    })()`);
    expect(found).toEqual({ isWide: false, bare: 0, small: 0 });
  },

  async 'a form of a landing page is mended and sent by keyboard alone, without a script'() {
    if (browser) await mendAndSend(api, browser);
  },

  async 'a landing page is shown without a script, and counted'() {
    const { team } = await aStory();
    const block = await team.post('/v2/partner/content-blocks', {
      ...{ name: 'Offer', key: 'offer', kind: 'rich_text' },
      body: { html: '<h2>A card for {{ contact.first_name | default: "everyone" }}</h2>' },
    });
    const made = await team.post('/v2/partner/landing-pages', {
      ...{ name: 'Offer', slug: 'offer', title: 'The card', theme: { primary_color: '#0a6847' } },
      content_block_ids: [block.body.id],
    });
    const id = String(made.body.id);
    await team.post(`/v2/partner/landing-pages/${id}/publish`);
    const page = await aPage();
    const problems: string[] = [];
    page.on('console', (message) => problems.push(message.text()));
    await page.goto(api.url + new URL(String(made.body.url)).pathname);
    await page.getByRole('heading', { name: 'A card for everyone' }).waitFor();
    expect(await page.title()).toBe('The card');
    expect(problems).toEqual([]);
    const { body } = await team.get('/v2/partner/engagement-events');
    expect(body.data).toMatchObject([
      { kind: 'landing_page.viewed', landing_page_id: id, source: 'landing_page', channel: 'web' },
    ]);
  },
};

const names = Object.keys(promises);
if (browser) {
  test.each(names)('%s', async (name) => promises[name]?.());
} else {
  test(`${String(names.length)} promises about browsers were skipped because Chromium is absent`, () => {
    process.stderr.write(
      `${String(names.length)} tests of pages in a browser did not run: get one by ` +
        '`npm run browser`, or name it by ONWARD_CHROMIUM.\n',
    );
    expect(names).not.toEqual([]);
  });
}
