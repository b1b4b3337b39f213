import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Locator, Page } from 'playwright-core';
import { insertMailboxMessages } from '../../src/messaging/dev-mailbox/queries.ts';
import { readConfig } from '../../src/platform/config.ts';
import type { LocalTeam } from '../../src/platform/http/services.ts';
import { startTestApi } from '../support/api.ts';
import type { TestApi, TestTeam } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { aBrowser, picture } from '../widget/a-browser.ts';
import { expectAccessible } from '../widget/accessible.ts';

const browser = await aBrowser();
const teams: LocalTeam[] = [];
const pageKey = 'key-of-the-pages';
let api: TestApi;
let foreign: TestApi;
let team: TestTeam;

let cookie = '';

beforeAll(async () => {
  const access = { teams: () => teams, pageKey, temporalUiUrl: () => 'http://127.0.0.1:8233' };
  const settings = { MAILBOX_PAGE: 'true', REQUEST_LOG: 'true' };
  api = await startTestApi(settings, { local: access });
  const opened = await fetch(`${api.url}/webhooks?key=${pageKey}`, { redirect: 'manual' });
  cookie = opened.headers.get('set-cookie')?.split(';', 1).join('') ?? '';
  foreign = await startTestApi();
  team = await api.newTeam();
  const scopes = ['meta:requests:read', 'partner:journeys:read', 'partner:insights:read'];
  const local = { teamId: team.id, clientId: team.clientId, scopes };
  teams.push(
    { name: 'Demo', isSample: false, ...local },
    { name: 'Made up', isSample: true, ...local },
  );
});
afterAll(async () => {
  await browser?.close();
  await api.stop();
  await foreign.stop();
});

/** Asks with headers that fetch does not let one set. */
async function ask(headers: Readonly<Record<string, string>>, url = api.url) {
  return new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
    const all = { 'Sec-Fetch-Site': 'same-origin', Cookie: cookie, ...headers };
    const asked = request(`${url}/local/session`, { headers: all }, (response) => {
      let text = '';
      response.on('data', (part: Buffer) => (text += part.toString()));
      response.on('end', () => {
        resolve({ status: response.statusCode, text });
      });
    });
    asked.on('error', reject);
    asked.end();
  });
}

describe('tokens for the pages of this machine', () => {
  test('work, with the scopes of the team’s client and no others', async () => {
    const { status, text } = await ask({});
    expect(status).toBe(200);
    const [demo, sample] = JSON.parse(text).teams;
    expect([demo.name, demo.is_sample, sample.is_sample]).toEqual(['Demo', false, true]);
    const get = (path: string) =>
      api.call('GET', path, { headers: { Authorization: `Bearer ${String(demo.access_token)}` } });
    expect((await get('/v2/partner/journeys')).status).toBe(200);
    expect((await get('/v2/partner/contacts')).body.errors[0].code).toBe('scope_missing');
  });

  test.each(['localhost', 'localhost:3000', '127.0.0.1:80', '[::1]:3000'])(
    'are given at the name %s',
    async (Host) => {
      expect((await ask({ Host })).status).toBe(200);
    },
  );

  test.each([
    ['a page of another port', { 'Sec-Fetch-Site': 'same-site' }],
    ['a page of another site', { 'Sec-Fetch-Site': 'cross-site' }],
    ['an address that is typed or linked', { 'Sec-Fetch-Site': 'none' }],
    ['a program that is no browser', { 'Sec-Fetch-Site': '' }],
    ['a proxy', { 'X-Forwarded-For': '127.0.0.1' }],
    ['a proxy that names the address alone', { 'X-Real-IP': '127.0.0.1' }],
    ['a proxy with the standard header', { Forwarded: 'for=127.0.0.1' }],
    ['a tunnel', { 'X-Forwarded-Host': 'tunnel.example.com' }],
  ])('are refused to %s', async (_, headers) => {
    const { status, text } = await ask({ ...headers });
    expect([status, text]).toEqual([204, '']);
  });

  test.each([
    ['a name of others that leads here', 'evil.example.com'],
    ['an address of the network', '10.0.0.5:3000'],
  ])('are refused to %s, as every page is', async (_, Host) => {
    const { status, text } = await ask({ Host });
    expect([status, text]).toEqual([421, expect.stringContaining('"misdirected_request"')]);
  });

  test.each([
    ['without a cookie', ''],
    ['with another key', 'onward_pages_00000000=key-of-the-pages'],
    ['with another value', () => cookie.replace(/=.*/, '=another')],
  ])('are refused to a browser %s, which learns what to do', async (_, given) => {
    const { status, text } = await ask({ Cookie: typeof given === 'string' ? given : given() });
    expect(status).toBe(200);
    expect(JSON.parse(text)).toEqual({
      teams: [],
      missing: expect.stringContaining('npm run --silent onward -- open'),
    });
  });

  test('are given by no service that was not started for this machine', async () => {
    expect((await ask({}, foreign.url)).status).toBe(204);
  });
});

describe('the key of the pages', () => {
  const open = (path: string) => fetch(`${api.url}${path}`, { redirect: 'manual' });

  test('leaves the address, and stays in a cookie of this site for a year', async () => {
    const answer = await open(`/mailbox?to=ada&key=${pageKey}`);
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/mailbox?to=ada']);
    expect(answer.headers.get('set-cookie')).toMatch(
      /^onward_pages_[0-9a-f]{8}=key-of-the-pages; Max-Age=34560000; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
  });

  test('that is wrong gives no cookie', async () => {
    const answer = await open('/webhooks?key=wrong');
    expect([answer.status, answer.headers.get('set-cookie')]).toEqual([200, null]);
  });

  test('leads to no other host', async () => {
    const answer = await open(`//evil.example.com/?key=${pageKey}`);
    expect(answer.headers.get('location')).toBeNull();
  });

  test('opens the mailbox, which says what to do without it', async () => {
    const refused = await open('/mailbox');
    expect(refused.status).toBe(403);
    expect(await refused.text()).toContain('npm run --silent onward -- open');
    const shown = await fetch(`${api.url}/mailbox`, { headers: { Cookie: cookie } });
    expect(shown.status).toBe(200);
  });
});

test('signing in locally is off unless this machine alone can reach the service', () => {
  const read = (development: boolean, settings: Record<string, string>) =>
    readConfig({ development }, settings).signsInLocally;
  expect(read(true, {})).toBe(true);
  expect(read(true, { LOCAL_SIGN_IN: 'false' })).toBe(false);
  expect(read(true, { HOST: '0.0.0.0' })).toBe(false);
  expect(() => read(true, { HOST: '0.0.0.0', LOCAL_SIGN_IN: 'true' })).toThrow('LOCAL_SIGN_IN');
});

async function expectNoSidewaysScrolling(page: Page): Promise<void> {
  expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(phone.width);
}

async function expectInSight(place: Locator): Promise<void> {
  const box = await place.boundingBox();
  expect(box && box.x >= 0 && box.x + box.width <= phone.width).toBe(true);
}

const phone = { width: 390, height: 844 };

async function open(
  chromium: Browser,
  path: string,
  problems: string[],
  viewport = { width: 1_100, height: 900 },
): Promise<Page> {
  const context = await chromium.newContext({ viewport });
  const page = await context.newPage();
  page.on('console', (line) => {
    if (line.type() === 'error') problems.push(line.text());
  });
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('request', (asked) => {
    if (!asked.url().startsWith(api.url) && !asked.url().startsWith('data:')) {
      problems.push(asked.url());
    }
  });
  const key = `${path.includes('?') ? '&' : '?'}key=${pageKey}`;
  await page.goto(`${api.url}${path}${key}`);
  return page;
}

async function showsRequests(chromium: Browser): Promise<void> {
  const problems: string[] = [];
  const page = await open(chromium, '/requests', problems);
  await team.post('/v2/partner/contacts', { email: 'ada@example.com' });
  const refused = await team.post('/v2/partner/contacts', { email: 'nobody' });
  expect(refused.status).toBe(422);
  const row = page.locator('tr', { hasText: 'POST /v2/partner/contacts' });
  await eventually(
    async () => row.count(),
    (count) => count === 2,
  );
  expect(await page.content()).not.toContain('ada@example.com');
  await expectAccessible(page);
  await picture(page, 'requests-page.png');
  await page.getByLabel('Show', { exact: true }).selectOption({ label: 'Refused (4xx and 5xx)' });
  await page.getByRole('link', { name: refused.body.errors[0].code }).waitFor();
  await eventually(
    async () => row.count(),
    (count) => count === 1,
  );
  await row.locator('a.open').focus();
  await page.keyboard.press('Enter');
  const id = String(refused.headers.get('x-request-id'));
  const panel = page.getByRole('complementary', { name: 'Details' });
  await panel.getByText(id).waitFor();
  await expectAccessible(page);
  // The address opens the same once more, with the filter.
  expect(page.url()).toContain(`#/requests/${id}?requests.which=refused`);
  await page.reload();
  await panel.getByText(id).waitFor();
  await page.keyboard.press('Escape');
  await eventually(
    async () => panel.isVisible(),
    (isVisible) => !isVisible,
  );
  expect(await row.count()).toBe(1);
  const links = await page
    .getByRole('navigation', { name: 'Pages' })
    .getByRole('link')
    .allTextContents();
  expect(links).toEqual([
    'Documentation',
    'Requests',
    'Webhooks',
    'Batches',
    'Callbacks',
    'Campaigns',
    'People',
    'Insights',
    'Mailbox',
    'Temporal',
  ]);
  expect(problems).toEqual([]);
  await page.context().close();
}

async function showsRequestsOnAPhone(chromium: Browser): Promise<void> {
  const problems: string[] = [];
  const page = await open(chromium, '/requests', problems, phone);
  const refused = await team.post('/v2/partner/contacts', { email: 'nobody' });
  const id = String(refused.headers.get('x-request-id'));
  await page.goto(`${api.url}/requests#/requests/${id}`);
  const panel = page.getByRole('complementary', { name: 'Details' });
  await panel.getByText(id).waitFor();
  const inSight = await panel.boundingBox();
  expect([inSight?.x, inSight?.y, inSight?.width]).toEqual([0, 0, phone.width]);
  await expectAccessible(page);
  await panel.getByRole('link', { name: 'Close' }).click();
  const line = page.locator('tr a.open', { hasText: 'POST /v2/partner/contacts' }).first();
  await line.waitFor();
  // The path of a request is on one line.
  expect((await line.boundingBox())?.height).toBeLessThan(30);
  await expectNoSidewaysScrolling(page);
  await expectInSight(page.getByRole('link', { name: 'Requests', exact: true }));
  await expectAccessible(page);
  expect(problems).toEqual([]);
  await page.context().close();
}

async function drawsTheSample(chromium: Browser): Promise<void> {
  const problems: string[] = [];
  const page = await open(chromium, '/insights', problems);
  // The own team has no journeys, so that the made-up data is shown, without a click.
  await page.locator('section').first().waitFor();
  expect(await page.getByLabel('Team').locator('option:checked').textContent()).toBe(
    'Made up (made-up data)',
  );
  await expectAccessible(page);
  expect(problems).toEqual([]);
  await page.context().close();
}

async function showsTheEmptyMailbox(chromium: Browser): Promise<void> {
  const problems: string[] = [];
  const page = await open(chromium, '/mailbox', problems, phone);
  await page.getByRole('heading', { name: 'No message yet' }).waitFor();
  await expectNoSidewaysScrolling(page);
  await expectAccessible(page);
  expect(problems).toEqual([]);
  await page.context().close();
}

async function showsTheMailbox(chromium: Browser): Promise<void> {
  const content = {
    channel: 'email',
    to: 'ada@example.com',
    subject: 'Welcome, Ada',
    text: 'Hello Ada',
    from: { name: 'The Bank', address: 'hello@example.com' },
    html: '<p>Hello Ada</p>',
  } as const;
  const message = { id: randomUUID(), team_id: team.id, contact_id: null, content } as const;
  await api.db.database.transact((sql) =>
    insertMailboxMessages(sql, [{ ...message, channel: 'email', recipient: content.to }]),
  );
  const problems: string[] = [];
  const page = await open(chromium, '/mailbox', problems, phone);
  await expectAccessible(page);
  await expectNoSidewaysScrolling(page);
  await expectInSight(page.getByRole('link', { name: content.subject }));
  await page.getByRole('link', { name: content.subject }).click();
  await page.frameLocator('iframe').getByText('Hello Ada').waitFor();
  await expectAccessible(page);
  expect(problems).toEqual([]);
  await page.context().close();
}

if (browser) {
  const chromium = browser;
  test('the page of requests shows those of the team as they come, and what was refused', () =>
    showsRequests(chromium));
  test('on a phone the page of requests has lines that can be read, and details in sight', () =>
    showsRequestsOnAPhone(chromium));
  test('the page of insights draws made-up data as long as there is none of its own', () =>
    drawsTheSample(chromium));
  test('on a phone the empty mailbox is no wider than its screen', () =>
    showsTheEmptyMailbox(chromium));
  test('the mailbox shows a message as its recipient gets it', () => showsTheMailbox(chromium));
} else {
  test('5 promises about local pages were skipped because Chromium is absent', () => {
    console.warn('The local pages were not opened: get a browser by `npm run browser`.');
    expect(browser).toBeUndefined();
  });
}
