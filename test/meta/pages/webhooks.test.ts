import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { eventually } from '../../support/eventually.ts';
import { startReceiver } from '../../support/receiver.ts';
import type { Receiver } from '../../support/receiver.ts';
import { useService } from '../../support/use-service.ts';
import { aBrowser, picture } from '../../widget/a-browser.ts';
import { act, closePage, expectGoodInEveryForm, openPage, openRow, panelOf } from './open-page.ts';

const browser = await aBrowser();
// One attempt: a failure is one for good.
const { api } = useService({ WEBHOOK_RETRY_SCHEDULE_SECONDS: '0', WEBHOOK_LANE_IDLE_SECONDS: '1' });
let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(async () => {
  await browser?.close();
  await receiver.stop();
});

const hostile = '<img src=x onerror="document.title=1"> relation "orders" does not exist';
const subscriptions = '/v2/partner/webhook-subscriptions';

/** A subscription of a team of its own, whose first delivery has failed. */
async function aFailedDelivery(
  name = 'Orders',
  answer: { body: string; headers?: Record<string, string> } = {
    body: 'relation "orders" does not exist',
  },
) {
  const team = await api.newTeam();
  receiver.answer(() => ({ status: 500, ...answer }));
  const { body } = await team.post(subscriptions, {
    name,
    target_url: receiver.url,
    event_types: ['contact.created'],
  });
  const at = `${subscriptions}/${String(body.id)}`;
  await team.post('/v2/partner/contacts', { email: 'ada@example.com' });
  const deliveries = async () => (await team.get(`${at}/deliveries`)).body.data;
  await eventually(deliveries, (all) => all[0]?.status === 'failed');
  return { team, at, deliveries };
}

/** A row may change while it is pressed: its click is not lost. */
async function opensAPressedRow(chromium: Browser): Promise<void> {
  const { team, at } = await aFailedDelivery();
  const opened = await openPage(chromium, api, '/webhooks', team.token);
  const { page } = opened;
  const row = page.locator('tr a.open', { hasText: 'Orders' });
  await row.waitFor();
  let answer: () => void = () => undefined;
  const isPressed = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const isOfList = (address: string) => new URL(address).pathname === subscriptions;
  await team.patch(at, { name: 'Payments' });
  await page.route(
    ({ href }) => isOfList(href),
    async (route) => {
      const response = await route.fetch();
      await isPressed;
      await route.fulfill({ response });
    },
  );
  await page.waitForRequest((one) => isOfList(one.url()));
  await row.hover();
  await page.mouse.down();
  const refreshed = page.waitForResponse((one) => isOfList(one.url()));
  answer();
  await (await refreshed).finished();
  // Two frames later a row that is drawn at once stands there.
  const frame = 'new Promise((resolve) => requestAnimationFrame(resolve))';
  await page.evaluate(frame);
  await page.evaluate(frame);
  await page.mouse.up();
  await page.getByText('The last delivery failed permanently.').waitFor();
  await page.getByRole('heading', { name: 'Payments' }).waitFor();
  await page.unrouteAll({ behavior: 'wait' });
  await closePage(opened);
}

async function showsAndRetries(chromium: Browser): Promise<void> {
  const { team, deliveries } = await aFailedDelivery('Orders <i>of the bank</i>', {
    body: hostile,
    headers: { 'x-note': '<b>hostile</b>' },
  });
  const opened = await openPage(chromium, api, '/webhooks', team.token);
  const { page } = opened;
  await page.getByText('Failing').waitFor();
  await expectGoodInEveryForm(page);
  await openRow(page, 'Orders <i>of the bank</i>');
  await page.getByText('The last delivery failed permanently.').waitFor();
  await openRow(page, 'contact.created');
  const panel = panelOf(page);
  await panel.getByText('x-note: <b>hostile</b>').waitFor();
  await panel.getByText(hostile).waitFor();
  expect([
    await page.locator('img, main b:has-text("hostile")').count(),
    await page.title(),
  ]).toEqual([0, 'Webhooks · Onward']);
  await panel.getByText('"ada@example.com"').waitFor();
  await expectGoodInEveryForm(page);

  // Nothing is sent before the confirmation.
  const sentBefore = receiver.received.length;
  await page.getByRole('button', { name: 'Retry…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  expect(receiver.received).toHaveLength(sentBefore);
  receiver.answer(() => ({ status: 204 }));
  await act(page, 'Retry', ['Retry']);
  await panel.locator('h2', { hasText: 'Delivered' }).waitFor();
  const [before, after] = receiver.received.slice(-2);
  expect(after?.headers['webhook-id']).toBe(before?.headers['webhook-id']);
  expect((await deliveries())[0].status).toBe('delivered');
  await page.keyboard.press('Escape');
  await page.locator('tr', { hasText: 'Delivered' }).waitFor();
  await closePage(opened);
}

async function replays(chromium: Browser): Promise<void> {
  const { team } = await aFailedDelivery();
  const opened = await openPage(chromium, api, '/webhooks', team.token);
  const { page } = opened;
  await openRow(page, 'Orders');
  await openRow(page, 'contact.created');
  await panelOf(page).getByText('relation "orders" does not exist').waitFor();
  await picture(page, 'webhooks-page.png');
  await page.keyboard.press('Escape');
  receiver.answer(() => ({ status: 204 }));
  await page.getByRole('button', { name: 'Replay…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Replay' });
  const sentBefore = receiver.received.length;
  await dialog.getByRole('button', { name: 'Count first' }).click();
  await dialog.getByText('Would send 1 delivery').waitFor();
  await expectGoodInEveryForm(page);
  expect(receiver.received).toHaveLength(sentBefore);
  await dialog.getByRole('button', { name: 'Replay', exact: true }).click();
  await dialog.getByText('The replay of 1 delivery has begun.').waitFor();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await receiver.waitFor(sentBefore + 1);
  await page.getByRole('table', { name: 'Replays' }).getByText('Completed').waitFor();
  await closePage(opened);
}

async function testsAndEnables(chromium: Browser): Promise<void> {
  const { team, at } = await aFailedDelivery();
  receiver.answer(() => ({ status: 204 }));
  const opened = await openPage(chromium, api, '/webhooks', team.token);
  const { page } = opened;
  await openRow(page, 'Orders');
  await act(page, 'Send a test', ['Send a test']);
  await eventually(
    () => Promise.resolve(receiver.received.at(-1)?.body ?? ''),
    (body) => body.includes('webhook.ping'),
  );
  await team.patch(at, { is_active: false });
  await page.getByText('The subscription is switched off.').waitFor();
  expect(await page.getByRole('button', { name: 'Send a test…' }).count()).toBe(0);
  await act(page, 'Enable again', ['Enable again']);
  await page.getByRole('button', { name: 'Send a test…' }).waitFor();
  expect((await team.get(at)).body.is_active).toBe(true);
  await closePage(opened);
}

async function readsOnly(chromium: Browser): Promise<void> {
  const { team } = await aFailedDelivery();
  const reader = await team.withScopes('partner:webhooks:read');
  const opened = await openPage(chromium, api, '/webhooks', reader.token);
  const { page } = opened;
  await openRow(page, 'Orders');
  await openRow(page, 'contact.created');
  await panelOf(page).getByText('Attempt 1').waitFor();
  await panelOf(page).getByText('The body needs the scope partner:webhooks:write').waitFor();
  expect(await page.content()).not.toContain('ada@example.com');
  expect(await page.locator('.actions button').count()).toBe(0);
  await closePage(opened);
}

if (browser) {
  const chromium = browser;
  test('a failed delivery is shown with what the receiver answered, as text, and is retried', () =>
    showsAndRetries(chromium));
  test('a row that changes while it is pressed is opened', () => opensAPressedRow(chromium));
  test('a replay is counted first, and sends after the second confirmation', () =>
    replays(chromium));
  test('a test is sent, and a subscription that is off is enabled again', () =>
    testsAndEnables(chromium));
  test('a token that may only read sees everything and no button', () => readsOnly(chromium));
} else {
  test('4 promises about the page of webhooks were skipped because Chromium is absent', () => {
    console.warn('The page was not opened: get a browser by `npm run browser`.');
    expect(browser).toBeUndefined();
  });
}
