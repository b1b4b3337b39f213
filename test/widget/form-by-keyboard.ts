import { expect } from '@jest/globals';
import type { Browser } from 'playwright-core';
import type { TestApi } from '../support/api.ts';
import { focused, tabTo } from './a-browser.ts';
import { aFormPage } from './a-form.ts';

// As text: what runs in the browser knows another world than what is typed here.
const descriptionOfFocused = `document.getElementById(
  document.activeElement.getAttribute('aria-describedby'))?.textContent`;

/** A form of a landing page, corrected and sent by keyboard alone, without a script. */
export async function mendAndSend(api: TestApi, browser: Browser): Promise<void> {
  const form = await aFormPage(await api.newTeam());
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  await page.goto(`${api.url}${form.path}`);

  await tabTo(page, /^Your first_name/);
  await page.keyboard.type('Ada');
  await tabTo(page, /^Your topic/);
  await page.keyboard.type('Loans');
  await tabTo(page, /^Send it$/);
  await page.keyboard.press('Enter');
  // The error has the focus, and is announced immediately.
  await page.getByRole('alert').waitFor();
  expect(await page.title()).toBe('Not sent yet: Contact');
  expect(await focused(page)).toContain('Your email: Fill this in.');
  await tabTo(page, /^Your email$/);
  await page.keyboard.press('Enter');
  expect(await focused(page)).toMatch(/^Your email/);
  expect(await page.evaluate<string>(descriptionOfFocused)).toBe('Fill this in.');
  await page.keyboard.type('ada@example.com');
  await tabTo(page, /^Send me news/);
  await page.keyboard.press('Space');
  await page.keyboard.press('Enter');

  await page.getByRole('status').waitFor();
  expect(await page.title()).toBe('Sent: Contact');
  expect(await focused(page)).toBe('We will write to you.');
  await page.reload();
  const events = await form.team.get('/v2/partner/engagement-events?filter[kind]=widget.submitted');
  expect(events.body.data).toMatchObject([
    { properties: { fields: { topic: 'Loans & more', newsletter: true } } },
  ]);
  const contacts = await form.team.get('/v2/partner/contacts');
  expect(contacts.body.data).toMatchObject([
    { first_name: 'Ada', email: 'ada@example.com', consents: { email: { status: 'pending' } } },
  ]);
  // The policy of the page blocks nothing.
  expect(complaints.filter((text) => /policy/i.test(text))).toEqual([]);
  await context.close();
}
