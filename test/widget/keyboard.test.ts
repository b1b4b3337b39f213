import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { aJourneyIn, aTemplateWithPages } from '../journeys/a-journey.ts';
import { eventually } from '../support/eventually.ts';
import { startSendingService } from '../support/sending-service.ts';
import type { SendingService } from '../support/sending-service.ts';
import { aBrowser, aSite, document, focused, tabTo } from './a-browser.ts';
import type { Site } from './a-browser.ts';
import { aToken, aWidget } from './a-widget.ts';

// Stories of recipients in a journey and in a widget, by keyboard alone. The form of a landing page is in
// form-by-keyboard.ts, pages at links in messages in test/messaging/reported-preferences.test.ts.

const browser = await aBrowser();
let service: SendingService;
let bank: Site;
beforeAll(async () => {
  service = await startSendingService({});
  bank = await aSite('bank');
});
afterAll(async () => {
  await browser?.close();
  await bank.close();
  await service.stop();
});

async function aPage(): Promise<Page> {
  if (!browser) throw new Error('there is no browser');
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  return context.newPage();
}

// As text: what runs in the browser knows another world than what is typed here.
const active = `let active = document.activeElement;
  while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;`;
/** Whether the focused field is marked as wrong, and the text that it is described by. */
const problemOfFocused = `(() => { ${active}
  const by = active.getAttribute('aria-describedby') ?? '';
  return [active.getAttribute('aria-invalid'), active.getRootNode().getElementById(by)?.textContent ?? ''];
})()`;
/** Whether a person sees where the focus is. */
const isFocusSeen = `(() => { ${active}
  const { outlineStyle, outlineWidth } = getComputedStyle(active);
  return outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2;
})()`;

const whenFocused = (page: Page, name: RegExp) =>
  eventually(
    () => focused(page),
    (text) => name.test(text),
  );

async function aPersonalJourney() {
  const { api } = service;
  const team = await api.newTeam();
  const made = await team.post('/v2/partner/content-blocks', {
    ...{ name: 'Hello', key: `hello-${randomUUID()}`, kind: 'rich_text' },
    body: { html: '<p>Hello {{ contact.first_name | default: "there" }}</p>' },
  });
  const content_block_ids = [String(made.body.id)];
  const templateId = await aTemplateWithPages(
    team,
    [
      { name: 'Welcome', title: 'Welcome', content_block_ids },
      { name: 'Account', title: 'Account', content_block_ids, requires_identity_challenge: true },
    ],
    {
      secure_personalization: {
        ...{ enabled: true, factors: ['otp_email'], max_attempts: 3, lockout_minutes: 15 },
      },
    },
  );
  const email = `keys-${randomUUID()}@example.com`;
  const journey = await aJourneyIn(api, team, templateId, { first_name: 'Augusta', email });
  const code = async () => {
    const [mail] = await eventually(
      () => Promise.resolve(service.mailsTo(email)),
      (mails) => mails.length > 0,
    );
    return /\b\d{6}\b/.exec(mail?.source ?? '')?.[0] ?? '';
  };
  return { team, link: `${api.url}/journey#${journey.linkToken}`, code };
}

const promises: Record<string, () => Promise<void>> = {
  async 'a journey with a one-time code, from its link to the sign-out'() {
    const { link, code } = await aPersonalJourney();
    const page = await aPage();
    await page.goto(link);
    await page.getByText('Hello there').waitFor();
    const first = await page.title();
    await tabTo(page, /^Next: Account$/);
    expect(await page.evaluate(isFocusSeen)).toBe(true);
    await page.keyboard.press('Enter');
    await whenFocused(page, /^Account$/);
    expect(await page.title()).not.toBe(first);
    await tabTo(page, /^The code that we have sent you/);
    expect(await page.evaluate(isFocusSeen)).toBe(true);
    await page.keyboard.type('000000');
    await tabTo(page, /^Confirm$/);
    await page.keyboard.press('Space');
    await page.getByRole('alert').getByText('Attempts left: 2').waitFor();
    // The focus is in the field, which names what is wrong.
    await whenFocused(page, /^The code/);
    expect(await page.evaluate(problemOfFocused)).toEqual([
      'true',
      'That is not what we have. Attempts left: 2.',
    ]);
    // Typing replaces the wrong code. Keyboards of Arabic write these digits.
    const arabic = (await code()).replaceAll(/\d/g, (digit) => '٠١٢٣٤٥٦٧٨٩'.charAt(Number(digit)));
    await page.keyboard.insertText(`${arabic.slice(0, 3)} ${arabic.slice(3)}`);
    await page.keyboard.press('Enter');
    await page.getByText('Hello Augusta').waitFor();
    await whenFocused(page, /^Account$/);
    await page.getByRole('status').getByText('Thank you, we know it is you.').waitFor();
    // The Back button of the browser, and forth again.
    await page.evaluate('history.back()');
    await whenFocused(page, /^Welcome$/);
    await page.evaluate('history.forward()');
    await whenFocused(page, /^Account$/);
    await tabTo(page, /^Sign out$/);
    await page.keyboard.press('Enter');
    await whenFocused(page, /^You are signed out\.$/);
    expect(await page.getByText('Augusta').count()).toBe(0);
    await page.context().close();
  },

  async 'an enrollment in a page of the bank, with an error on the way'() {
    const { api } = service;
    const team = await api.newTeam();
    const template_id = await aTemplateWithPages(team, [{ name: 'Welcome', title: 'Welcome' }]);
    const widgetId = await aWidget(team, {
      ...{ widget_kind: 'enrollment', template_id, allowed_origins: [bank.origin] },
    });
    const token = await aToken(team, widgetId, {});
    bank.html = document(`<h1>Bank</h1><a href="#before">Before</a>
<div data-onward-token="${token}"></div><a href="#after">After</a>
<script src="${api.url}/widget.js"></script>`);
    const page = await aPage();
    await page.goto(bank.origin);
    await page.getByLabel('First name').waitFor();
    await tabTo(page, /^Before$/);
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('First name');
    await page.keyboard.type('Grace');
    await tabTo(page, /^Email$/);
    await page.keyboard.type('grace');
    await tabTo(page, /^Get started$/);
    // The way out is open in both directions.
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('After');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    await whenFocused(page, /There is a problem/);
    await tabTo(page, /^Email$/);
    await page.keyboard.press('Enter');
    expect(await page.evaluate(problemOfFocused)).toEqual([
      'true',
      'Enter an e-mail address such as name@example.com.',
    ]);
    await page.keyboard.press('End');
    await page.keyboard.type('@example.com');
    await page.keyboard.press('Enter');
    await whenFocused(page, /^Welcome$/);
    const { body } = await team.get('/v2/partner/contacts?filter[email]=grace@example.com');
    expect(body.data).toMatchObject([{ first_name: 'Grace' }]);
    await page.context().close();
  },
};

const names = Object.keys(promises);
if (browser) {
  test.each(names)('%s', async (name) => promises[name]?.());
} else {
  test('stories by keyboard were skipped because Chromium is absent', () => {
    expect(names).not.toEqual([]);
  });
}
