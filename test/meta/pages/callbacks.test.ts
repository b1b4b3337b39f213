import { afterAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { aReceiver, anEvent, receiversPath } from '../../inbound/a-receiver.ts';
import { useService } from '../../support/use-service.ts';
import { aBrowser } from '../../widget/a-browser.ts';
import { closePage, expectGoodInEveryForm, openPage, openRow, panelOf } from './open-page.ts';

const browser = await aBrowser();
const { api } = useService();
afterAll(() => browser?.close());

async function aUsedReceiver() {
  const team = await api.newTeam();
  const receiver = await aReceiver(api, team, { name: 'Mail <b>provider</b>' });
  await team.post(`${receiversPath}/${receiver.id}/test`, {});
  const refused = await receiver.send(
    { note: '<script>alert(1)</script>' },
    { secret: `whsec_${Buffer.from('wrong').toString('base64')}` },
  );
  expect(refused.status).toBe(401);
  return { team, receiver };
}

async function showsCalls(chromium: Browser): Promise<void> {
  const { team, receiver } = await aUsedReceiver();
  const opened = await openPage(chromium, api, '/callbacks', team.token);
  const { page } = opened;
  await page.getByText('Mail <b>provider</b>').waitFor();
  await expectGoodInEveryForm(page);
  await openRow(page, 'Mail');
  await page.getByText('Consecutive calls without a valid signature: 1.').waitFor();
  // No secret is shown once the receiver has been made.
  expect(await page.content()).not.toContain(receiver.secret.replace('whsec_', ''));
  await openRow(page, '(not read)');
  const panel = panelOf(page);
  await panel.getByText('The signature does not match the content.').waitFor();
  await expectGoodInEveryForm(page);
  await page.keyboard.press('Escape');
  await page.getByLabel('Verification', { exact: true }).selectOption('verified');
  await openRow(page, 'deposit.received');
  await panel.getByText('The signature is valid.').waitFor();
  await panel.getByText('Event as it was read').waitFor();
  await expectGoodInEveryForm(page);
  await closePage(opened);
}

async function replays(chromium: Browser): Promise<void> {
  const { team, receiver } = await aUsedReceiver();
  const real = await receiver.send(anEvent());
  expect(real.status).toBeLessThan(300);
  const { data } = await receiver.deliveries('?filter[signature_status]=verified');
  const call = data.find((one: { is_test: boolean }) => !one.is_test);
  const fragment = `#/receivers/${receiver.id}/deliveries/${String(call.id)}`;
  const opened = await openPage(chromium, api, `/callbacks${fragment}`, team.token);
  const { page } = opened;
  const list = `/v2/webhooks/inbound/${receiver.id}/replays`;
  const panel = panelOf(page);
  await panel.getByRole('button', { name: 'Replay…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Replay' });
  await dialog.getByRole('button', { name: 'Count first' }).click();
  await dialog.getByText('Would apply 1.').waitFor();
  expect((await team.get(list)).body.data).toEqual([]);
  await dialog.getByRole('button', { name: 'Replay', exact: true }).click();
  await dialog.getByText('The replay has begun.').waitFor();
  expect((await team.get(list)).body.data).toHaveLength(1);
  await dialog.getByRole('button', { name: 'Close' }).click();
  await closePage(opened);
}

if (browser) {
  const chromium = browser;
  test('calls of providers are shown with the result of their verification and its reason', () =>
    showsCalls(chromium));
  test('a call is replayed after it was counted', () => replays(chromium));
} else {
  test('2 promises about the page of callbacks were skipped because Chromium is absent', () => {
    console.warn('The page was not opened: get a browser by `npm run browser`.');
    expect(browser).toBeUndefined();
  });
}
