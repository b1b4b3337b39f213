import { afterAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { insertConfirmation } from '../../src/messaging/confirming/queries.ts';
import { confirmationUrl } from '../../src/messaging/confirming/token.ts';
import { choiceUrls } from '../../src/messaging/unsubscribing/token.ts';
import { insertDelivery } from '../contract/recipes/messages.ts';
import { aReader } from '../journeys/a-send.ts';
import type { TestTeam } from '../support/api.ts';
import { useTestApi } from '../support/use-test-api.ts';
import { aBrowser, focused, tabTo } from '../widget/a-browser.ts';

// Public reports about preference, unsubscribe and confirm pages, see test/field/README.md, and each
// of these pages by keyboard alone.

const browser = await aBrowser();
const api = useTestApi();
afterAll(() => browser?.close());

async function aStory() {
  const team = await api.newTeam();
  await team.patch('/v2/partner/team', { name: 'Harbor Bank' });
  const topics: string[] = [];
  for (const name of ['Offers', 'Security tips']) {
    topics.push(String((await team.post('/v2/partner/topics', { name })).body.id));
  }
  const contact = await aReader(team);
  const id = await insertDelivery(team, { contact_id: contact, status: 'sent' });
  const urls = choiceUrls(api.url, api.keyring, { team_id: team.id, id });
  const consent = async () =>
    (await team.get(`/v2/partner/contacts/${contact}`)).body.consents.email.status;
  const topicConsents = async (): Promise<string[]> =>
    (await team.get(`/v2/partner/contacts/${contact}/topic-consents`)).body.topics.map(
      ({ consents }: any) => String(consents.email.status),
    );
  return { team, contact, urls, consent, topicConsents };
}

async function opened(url: string): Promise<Page> {
  if (!browser) throw new Error('there is no browser');
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const page = await context.newPage();
  await page.goto(url);
  return page;
}

const boxes = (page: Page) => page.getByRole('checkbox', { name: 'E-mail' });
const ticks = async (page: Page): Promise<boolean[]> =>
  Promise.all((await boxes(page).all()).map((box) => box.isChecked()));

async function aConfirmation(team: TestTeam, contact_id: string): Promise<string> {
  await team.put(`/v2/partner/contacts/${contact_id}/consents/email`, {
    ...{ status: 'pending', source: 'form' },
  });
  const place = await team.post('/v2/partner/landing-pages', { name: 'Join', slug: 'join' });
  const made = await api.db.database.transact((sql) =>
    insertConfirmation(sql, team.id, {
      ...{ contact_id, channel: 'email', landing_page_id: String(place.body.id) },
    }),
  );
  const digest = await api.db.database.read(async (sql) => {
    const { addressDigests } = await import('../../src/messaging/notices/address-digests.ts');
    const { body } = await team.get(`/v2/partner/contacts/${contact_id}`);
    const of = await addressDigests(sql, api.keyring, [body.email]);
    return of({ channel: 'email', address: String(body.email) })[0];
  });
  return confirmationUrl(api.url, api.keyring, { team_id: team.id, id: made.id, digest });
}

const promises: Record<string, () => Promise<void>> = {
  async 'who goes back after leaving everything sees that, and saves nothing else by it'() {
    const { urls, consent } = await aStory();
    const page = await opened(urls.preferences_url);
    expect(await ticks(page)).toEqual([true, true]);
    await page.getByRole('button', { name: 'Unsubscribe from everything' }).click();
    await page.getByText('You are unsubscribed from everything.').waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'Save' }).waitFor();
    expect(await ticks(page)).toEqual([false, false]);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('status').waitFor();
    expect(await consent()).toBe('unsubscribed');
    await page.context().close();
  },

  async 'a choice of another tab stays, when the first one is reloaded'() {
    const { urls, topicConsents } = await aStory();
    const first = await opened(urls.preferences_url);
    await boxes(first).nth(0).uncheck();
    await first.getByRole('button', { name: 'Save' }).click();
    await first.getByRole('status').waitFor();
    const second = await first.context().newPage();
    await second.goto(urls.preferences_url);
    await boxes(second).nth(0).check();
    await boxes(second).nth(1).uncheck();
    await second.getByRole('button', { name: 'Save' }).click();
    await second.getByRole('status').waitFor();
    await first.reload();
    expect(await ticks(first)).toEqual([true, false]);
    expect(await topicConsents()).toEqual(['subscribed', 'unsubscribed']);
    await first.context().close();
  },

  async 'a form of an older tab changes only what was changed in it'() {
    const { urls, topicConsents } = await aStory();
    const first = await opened(urls.preferences_url);
    const second = await first.context().newPage();
    await second.goto(urls.preferences_url);
    await boxes(second).nth(0).uncheck();
    await second.getByRole('button', { name: 'Save' }).click();
    await second.getByRole('status').waitFor();
    await boxes(first).nth(1).uncheck();
    await first.getByRole('button', { name: 'Save' }).click();
    await first.getByRole('status').waitFor();
    expect(await topicConsents()).toEqual(['unsubscribed', 'unsubscribed']);
    await first.context().close();
  },

  async 'the confirm page takes a double click, a reload and the Back button'() {
    const { team, contact, consent } = await aStory();
    const page = await opened(await aConfirmation(team, contact));
    await page.getByRole('button').dblclick();
    await page.getByRole('heading', { name: 'Thank you, it is confirmed.' }).waitFor();
    expect(await consent()).toBe('subscribed');
    await page.reload();
    await page.getByRole('heading', { name: 'Thank you, it is confirmed.' }).waitFor();
    await page.goBack();
    await page.getByRole('button').waitFor();
    expect(await consent()).toBe('subscribed');
    await page.context().close();
  },

  async 'the confirm page works by keyboard, and says that it is done'() {
    const { team, contact, consent } = await aStory();
    const page = await opened(await aConfirmation(team, contact));
    const before = await page.title();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await page.getByRole('status').waitFor();
    expect(await focused(page)).toContain('You');
    expect(await page.title()).not.toBe(before);
    expect(await consent()).toBe('subscribed');
    await page.context().close();
  },

  async 'the unsubscribe page works by keyboard, leads to the preferences, and back'() {
    const { urls, consent } = await aStory();
    const page = await opened(urls.unsubscribe_url);
    const before = await page.title();
    await tabTo(page, /^Unsubscribe/);
    await page.keyboard.press('Enter');
    await page.getByRole('status').waitFor();
    expect(await focused(page)).toMatch(/E-mail|e-mail/);
    expect(await page.title()).not.toBe(before);
    expect(await consent()).toBe('unsubscribed');
    await tabTo(page, /^Choose/);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Your message preferences' }).waitFor();
    await tabTo(page, /E-mail/);
    await page.keyboard.press('Space');
    await tabTo(page, /^Save$/);
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('status').waitFor();
    expect(await focused(page)).toBe('Your choices are saved.');
    expect(await page.title()).toMatch(/^Your choices are saved/);
    expect(await consent()).toBe('subscribed');
    await page.context().close();
  },
};

const names = Object.keys(promises);
if (browser) {
  test.each(names)('%s', async (name) => promises[name]?.());
} else {
  test('reports about preferences were skipped because Chromium is absent', () => {
    expect(names).not.toEqual([]);
  });
}
