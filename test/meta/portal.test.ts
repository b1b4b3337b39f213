import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { portalPages } from '../../src/team/portal-sessions/rules.ts';
import { teamPages } from '../../src/meta/local-pages/pages.ts';
import { startTestApi } from '../support/api.ts';
import type { TestApi, TestTeam } from '../support/api.ts';
import { aBrowser, aSite } from '../widget/a-browser.ts';
import { expectAccessible } from '../widget/accessible.ts';

const browser = await aBrowser();
const path = '/v2/partner/portal-sessions';
let api: TestApi;
let team: TestTeam;

beforeAll(async () => {
  api = await startTestApi({ REQUEST_LOG: 'true' });
  team = await api.newTeam();
});
afterAll(async () => {
  await browser?.close();
  await api.stop();
});

/** A link to the page of requests, at the address of the test. */
async function aLink(body: object = {}) {
  const { status, body: made } = await team.post(path, { page: 'requests', ...body });
  expect(status).toBe(201);
  const { pathname, hash } = new URL(made.url);
  return { id: String(made.id), href: `${api.url}${pathname}${hash}`, pathname };
}

describe('the page at a link', () => {
  test('has no data, no secret, and may be framed by the named origins only', async () => {
    const origins = ['https://bank.example', 'https://crm.bank.example:8443'];
    const { pathname } = await aLink({ allowed_origins: origins });
    const { status, headers } = await api.call('GET', pathname);
    expect(status).toBe(200);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain(`frame-ancestors ${origins.join(' ')}`);
    expect(policy).toContain("default-src 'none'");
    expect([headers.get('cache-control'), headers.get('referrer-policy')]).toEqual([
      'no-store',
      'no-referrer',
    ]);
    const alone = await aLink();
    const { headers: strict } = await api.call('GET', alone.pathname);
    expect(strict.get('content-security-policy')).toContain("frame-ancestors 'none'");
  });

  test('of an unknown or ended session is 404 in plain words', async () => {
    const { id, pathname } = await aLink();
    await team.delete(`${path}/${id}`);
    for (const at of [pathname, `/portal/${randomUUID()}/requests`]) {
      const { status, headers } = await api.call('GET', at);
      expect([status, headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    }
  });

  test('of an ended session may be framed by the same origins, so that its frame says so', async () => {
    const origins = ['https://bank.example'];
    const { id, pathname } = await aLink({ allowed_origins: origins });
    await team.delete(`${path}/${id}`);
    const { status, headers, body } = await api.call('GET', pathname);
    expect([status, String(body).includes('This link is over.')]).toEqual([404, true]);
    expect(headers.get('content-security-policy')).toContain(`frame-ancestors ${origins.join()}`);
    const unknown = await api.call('GET', `/portal/${randomUUID()}/requests`);
    expect(unknown.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  });

  test('is one of the team’s pages', () => {
    expect(Object.keys(teamPages)).toEqual([...portalPages]);
  });
});

async function open(chromium: Browser, href: string): Promise<Page> {
  const page = await (await chromium.newContext()).newPage();
  await page.goto(href);
  return page;
}

const stories: Readonly<Record<string, (chromium: Browser) => Promise<void>>> = {
  async 'a link shows its page once; the tab may be reloaded, another gets nothing'(chromium) {
    const refused = await team.post('/v2/partner/contacts', { email: 'nobody' });
    expect(refused.status).toBe(422);
    const { href } = await aLink();
    const page = await open(chromium, href);
    await page.getByRole('link', { name: refused.body.errors[0].code }).first().waitFor();
    expect(page.url()).not.toContain(new URL(href).hash.slice(1));
    await expectAccessible(page);
    await page.reload();
    await page.getByRole('link', { name: refused.body.errors[0].code }).first().waitFor();
    const names = await page
      .getByRole('navigation', { name: 'Pages' })
      .getByRole('link')
      .allTextContents();
    expect(names).not.toContain('Documentation');
    const thief = await open(chromium, href);
    await thief.getByRole('alert').getByText('The link was already used').waitFor();
    expect(await thief.locator('tbody tr').count()).toBe(0);
    await expectAccessible(thief);
  },
  async 'a link to another page opens that one, and its details lead on in the session'(chromium) {
    const { body } = await team.post('/v2/partner/webhook-subscriptions', {
      name: 'Orders',
      target_url: 'https://example.com/hook',
      event_types: ['contact.created'],
    });
    const { id, href } = await aLink({ page: 'webhooks', scopes: ['partner:webhooks:read'] });
    const page = await open(chromium, href);
    await page.locator('tr a.open', { hasText: 'Orders' }).click();
    await page.getByRole('heading', { name: 'Orders' }).waitFor();
    const address = `${api.url}/portal/${id}/webhooks#/subscriptions/${String(body.id)}`;
    expect(page.url()).toBe(address);
    // The link for the keyboard does not leave what is open.
    await page.getByRole('link', { name: 'Skip to the content' }).focus();
    await page.keyboard.press('Enter');
    expect(page.url()).toBe(address);
    await page
      .getByRole('navigation', { name: 'Pages' })
      .getByRole('link', { name: 'Batches' })
      .click();
    await page.getByText('batch:operations:read').first().waitFor();
    expect(await page.locator('.actions button').count()).toBe(0);
    await page.context().close();
  },
  async 'a link without the scope of a page names the scope, and shows nothing'(chromium) {
    const { href } = await aLink({ scopes: ['partner:users:read'] });
    const page = await open(chromium, href);
    await page.getByText('meta:requests:read').first().waitFor();
    expect(await page.locator('tbody tr').count()).toBe(0);
  },
  async 'a session that ends while its page is open says so, and names the way on'(chromium) {
    const { id, href } = await aLink({ page: 'webhooks' });
    const page = await open(chromium, href);
    await page
      .getByText('Your team has no webhook subscription')
      .or(page.locator('tbody tr'))
      .first()
      .waitFor();
    await team.delete(`${path}/${id}`);
    await page.getByRole('alert').getByText('This session is over.').waitFor();
    expect(await page.locator('#page').textContent()).not.toContain('oauth2/token');
    await expectAccessible(page);
    await page.reload();
    await page.getByText('This link is over.').waitFor();
  },
  async 'a link that got no answer is not lost: it opens at the next try'(chromium) {
    const { href } = await aLink({ page: 'webhooks' });
    const page = await (await chromium.newContext()).newPage();
    await page.route('**/open', (route) => route.abort(), { times: 1 });
    await page.goto(href);
    await page.getByRole('alert').getByText('The service does not answer now.').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText(/^Team: /).waitFor();
    await page
      .getByText('Your team has no webhook subscription')
      .or(page.locator('tbody tr'))
      .first()
      .waitFor();
  },
  async 'a page of a named origin shows it in a frame, and a page of another does not'(chromium) {
    const [bank, other] = [await aSite('bank'), await aSite('other')];
    const refused = await team.post('/v2/partner/contacts', { email: 'nobody' });
    const { href } = await aLink({ allowed_origins: [bank.origin] });
    const html = (src: string) =>
      `<!doctype html><title>Host</title><iframe src="${src}" width="900" height="600"></iframe>`;
    bank.html = html(href);
    const page = await open(chromium, bank.origin);
    await page
      .frameLocator('iframe')
      .getByRole('link', { name: refused.body.errors[0].code })
      .first()
      .waitFor();
    const again = await aLink({ allowed_origins: [bank.origin] });
    other.html = html(again.href);
    const foreign = await (await chromium.newContext()).newPage();
    const blocked = foreign.waitForEvent('console', {
      predicate: (line) => line.text().includes('frame-ancestors'),
    });
    await foreign.goto(other.origin);
    await blocked;
    // The secret was not used: the right page still opens it.
    bank.html = html(again.href);
    await page.goto(bank.origin);
    await page
      .frameLocator('iframe')
      .getByRole('link', { name: refused.body.errors[0].code })
      .first()
      .waitFor();
    await Promise.all([bank.close(), other.close()]);
  },
};

if (browser) {
  const chromium = browser;
  test.each(Object.entries(stories))('%s', (_, story) => story(chromium));
} else {
  test('3 promises about portal sessions were skipped because Chromium is absent', () => {
    console.warn('The portal was not opened: get a browser by `npm run browser`.');
    expect(browser).toBeUndefined();
  });
}
