import { afterAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { choiceUrls } from '../../src/messaging/unsubscribing/token.ts';
import { insertDelivery } from '../contract/recipes/messages.ts';
import { aReader } from '../journeys/a-send.ts';
import { useTestApi } from '../support/use-test-api.ts';
import type { TestTeam } from '../support/api.ts';
import { aBrowser, focused, picture, tabTo } from '../widget/a-browser.ts';
import { expectAccessible } from '../widget/accessible.ts';

const browser = await aBrowser();
const api = useTestApi();
afterAll(() => browser?.close());

const topics = [
  { name: 'Offers', description: 'Discounts and rates, at most twice a month.' },
  { name: 'Security tips', description: 'How to recognize fraud.' },
  {
    name: 'Community',
    description: 'Events in branches near you.',
    default_consent: 'unsubscribed',
  },
];

/** The page of a recipient, with scripts switched off. */
async function opened(
  team: TestTeam,
  contact: string,
  colorScheme: 'light' | 'dark',
): Promise<Page> {
  if (!browser) throw new Error('there is no browser');
  const id = await insertDelivery(team, { contact_id: contact, status: 'sent' });
  const page = await browser.newPage({
    ...{ colorScheme, viewport: { width: 390, height: 960 } },
    // The check of accessibility is a script; the policy of the page forbids those of others.
    bypassCSP: true,
  });
  await page.goto(choiceUrls(api.url, api.keyring, { team_id: team.id, id }).preferences_url);
  return page;
}

async function choosesByKeyboard() {
  const team = await api.newTeam();
  await team.patch('/v2/partner/team', { name: 'Harbor Bank' });
  for (const topic of topics) await team.post('/v2/partner/topics', topic);
  const contact = await aReader(team, { phone: '+14155550177' });
  for (const scheme of ['light', 'dark'] as const) {
    const page = await opened(team, contact, scheme);
    expect(await page.locator('script').count()).toBe(0);
    await expectAccessible(page);
    if (scheme === 'light') await picture(page, 'preferences.png');
    const width = await page.evaluate<number>('document.documentElement.scrollWidth');
    expect(width).toBeLessThanOrEqual(390);
    await page.close();
  }
  const page = await opened(team, contact, 'light');
  await tabTo(page, /E-mail/);
  await page.keyboard.press('Space');
  await tabTo(page, /^Save$/);
  await page.keyboard.press('Enter');
  await page.waitForSelector('[role=status]');
  expect(await focused(page)).toBe('Your choices are saved.');
  await expectAccessible(page);
  const { body } = await team.get(`/v2/partner/contacts/${contact}/topic-consents`);
  expect(body.topics[0].consents.email).toMatchObject({
    status: 'unsubscribed',
    source: 'preference_center',
  });
  await page.click('text=Unsubscribe from everything');
  await page.waitForSelector('text=You are unsubscribed from everything.');
  expect((await team.get(`/v2/partner/contacts/${contact}`)).body.consents).toMatchObject({
    email: { status: 'unsubscribed' },
    push: { status: 'unsubscribed' },
  });
}

if (browser) {
  test(
    'the preference center works by keyboard without scripts, in both color schemes and on a phone',
    choosesByKeyboard,
  );
} else {
  test('the page of preferences was skipped because Chromium is absent', () => {
    process.stderr.write('Get a browser by `npm run browser`, or name it by ONWARD_CHROMIUM.\n');
    expect(browser).toBeUndefined();
  });
}
