import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { aCompleteTemplate, at, inHours } from '../../campaigns/a-template.ts';
import { aJourneyIn } from '../../journeys/a-journey.ts';
import type { TestTeam } from '../../support/api.ts';
import { useTestApi } from '../../support/use-test-api.ts';
import { aBrowser } from '../../widget/a-browser.ts';
import { closePage, expectGoodInEveryForm, openPage, openRow, panelOf } from './open-page.ts';

const browser = await aBrowser();
const temporalUiUrl = 'http://127.0.0.1:8233';
const api = useTestApi(
  {},
  {
    local: { teams: () => [], pageKey: 'page-key', temporalUiUrl: () => temporalUiUrl },
  },
);
let team: TestTeam;

beforeAll(async () => {
  team = await api.newTeam();
});
afterAll(() => browser?.close());

async function showsALife(chromium: Browser): Promise<void> {
  const id = await aCompleteTemplate(team, {
    name: 'Welcome <u>home</u>',
    deadline_at: inHours(48),
  });
  const message = await team.post(at(id, '/messages'), {
    name: 'Hello',
    channel: 'email',
    purpose: 'servicing',
    subject: 'Hello',
    body_html: '<p>Hello</p>',
    trigger: { kind: 'delay', delay: 'P1D' },
  });
  expect([message.status, message.body.errors]).toEqual([201, undefined]);
  const scheduled = await team.post(at(id, '/schedule'), { scheduled_at: inHours(2) });
  expect([scheduled.status, scheduled.body.errors]).toEqual([200, undefined]);
  const opened = await openPage(chromium, api, '/campaigns', team.token);
  const { page } = opened;
  await page.getByRole('cell', { name: 'Scheduled' }).waitFor();
  await expectGoodInEveryForm(page);
  await openRow(page, 'Welcome <u>home</u>');
  // Both lie ahead, and are marked.
  await page.locator('li.next', { hasText: 'Launch is scheduled' }).waitFor();
  await page.locator('li.next', { hasText: 'Deadline: open journeys expire' }).waitFor();
  await page.getByRole('cell', { name: 'After P1D' }).waitFor();
  const workflow = page.getByRole('link', { name: 'Open it in Temporal' });
  expect(await workflow.getAttribute('href')).toBe(
    `${temporalUiUrl}/namespaces/default/workflows/template%2F${id}`,
  );
  await team.post(at(id, '/launch'));
  const { contactId } = await aJourneyIn(api, team, id);
  await page.reload();
  await page.getByLabel('Access token').fill(team.token);
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await page.locator('li.good', { hasText: 'Launched' }).waitFor();
  await expectGoodInEveryForm(page);
  await openRow(page, contactId);
  const panel = panelOf(page);
  await panel.getByText('The contact has an open journey').waitFor();
  expect(await panel.getByRole('link', { name: 'Open the contact' }).getAttribute('href')).toBe(
    `/people#/people/${contactId}`,
  );
  await expectGoodInEveryForm(page);
  await page.keyboard.press('Escape');
  await openRow(page, 'Hello');
  await panel.getByText('Servicing').waitFor();
  await closePage(opened);
}

if (browser) {
  const chromium = browser;
  test('the life of a template is shown with what lies ahead, its messages and journeys', () =>
    showsALife(chromium));
} else {
  test('1 promise about the page of campaigns was skipped because Chromium is absent', () => {
    console.warn('The page was not opened: get a browser by `npm run browser`.');
    expect(browser).toBeUndefined();
  });
}
