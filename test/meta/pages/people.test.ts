import { afterAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { aLaunchedTemplate } from '../../campaigns/a-template.ts';
import { enrolled } from '../../journeys/a-journey.ts';
import type { TestTeam } from '../../support/api.ts';
import { useTestApi } from '../../support/use-test-api.ts';
import { aBrowser } from '../../widget/a-browser.ts';
import { closePage, expectGoodInEveryForm, openPage, openRow, panelOf } from './open-page.ts';

const browser = await aBrowser();
const api = useTestApi();
afterAll(() => browser?.close());

const contacts = '/v2/partner/contacts';
const person = {
  email: 'ada@example.com',
  unique_id: 'crm 4711/a',
  first_name: 'Ada',
  last_name: '<b>Lovelace</b>',
};

async function aContact(team: TestTeam): Promise<string> {
  const { status, body } = await team.post(contacts, person);
  expect(status).toBe(201);
  return String(body.id);
}

async function showsAContact(chromium: Browser): Promise<void> {
  const team = await api.newTeam();
  const id = await aContact(team);
  const templateId = await aLaunchedTemplate(team, { name: 'Welcome' });
  await enrolled(team, templateId, id);
  const consent = { status: 'subscribed', source: 'branch' };
  const agreed = await team.put(`${contacts}/${id}/consents/email`, consent);
  const account = await team.post(`${contacts}/${id}/accounts`, {
    kind: 'deposit',
    name: 'Savings',
  });
  expect([agreed.status, account.status]).toEqual([200, 201]);
  const opened = await openPage(chromium, api, '/people', team.token);
  const { page } = opened;
  const search = page.getByLabel('Id, unique_id or e-mail address');
  // Nothing of anybody is read before a search.
  await page.getByText('Search for a contact').waitFor();
  expect(opened.answers).toEqual([]);
  await expectGoodInEveryForm(page);
  for (const text of [id, person.unique_id]) {
    await search.fill(text);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Ada <b>Lovelace</b>' }).waitFor();
    await page.getByRole('link', { name: 'People' }).last().click();
    await search.waitFor();
  }
  await search.fill(person.email);
  await page.keyboard.press('Enter');
  await openRow(page, 'Ada');
  await page.getByText('Savings').waitFor();
  await page.getByText('No message was decided for this contact.').waitFor();
  await page.getByText('Subscribed').first().waitFor();
  await expectGoodInEveryForm(page);
  await openRow(page, 'Welcome');
  await panelOf(page).getByText('What comes next, and why').waitFor();
  await panelOf(page).getByText('The contact has an open journey').waitFor();
  await expectGoodInEveryForm(page);
  await closePage(opened);
}

async function hidesOthers(chromium: Browser): Promise<void> {
  const [team, other] = [await api.newTeam(), await api.newTeam()];
  const id = await aContact(team);
  const foreign = await openPage(chromium, api, `/people#/people/${id}`, other.token);
  await foreign.page.getByText('Your team has no such contact.').waitFor();
  expect(await foreign.page.content()).not.toContain('Ada');
  await expectGoodInEveryForm(foreign.page);
  await foreign.page.context().close();

  const erasure = await team.post(`${contacts}/${id}/erase`, {});
  expect(erasure.status).toBe(202);
  const erased = await openPage(chromium, api, `/people#/people/${id}`, team.token);
  await erased.page.getByText('This contact was permanently erased.').waitFor();
  const content = await erased.page.content();
  for (const text of ['Ada', 'Lovelace', person.email]) expect(content).not.toContain(text);
  await erased.page.context().close();
}

if (browser) {
  const chromium = browser;
  test('a contact is found by id, external id and e-mail, and shown with what comes next', () =>
    showsAContact(chromium));
  test('an erased contact and one of another team are a sentence, and never data', () =>
    hidesOthers(chromium));
} else {
  test('2 promises about the page of people were skipped because Chromium is absent', () => {
    console.warn('The page was not opened: get a browser by `npm run browser`.');
    expect(browser).toBeUndefined();
  });
}
