import { readFile } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { eventually } from '../../support/eventually.ts';
import { useService } from '../../support/use-service.ts';
import { aBrowser } from '../../widget/a-browser.ts';
import { act, closePage, expectGoodInEveryForm, openPage, openRow, panelOf } from './open-page.ts';

const browser = await aBrowser();
const { api } = useService();
afterAll(() => browser?.close());

const batches = '/v2/batch/operations';

/** A batch of 30 contacts, of which the third has no address that is one. */
async function aBatch() {
  const team = await api.newTeam();
  const items = Array.from({ length: 30 }, (_, at) => ({
    unique_id: `crm-${String(at)}`,
    email: at === 2 ? 'nobody' : `ada${String(at)}@example.com`,
  }));
  const body = { operation_kind: 'contacts.bulk_upsert', items };
  const made = await team.post(batches, body, { 'Idempotency-Key': randomUUID() });
  expect(made.status).toBe(202);
  const at = `${batches}/${String(made.body.id)}`;
  await eventually(
    async () => (await team.get(at)).body.status,
    (status) => status === 'succeeded_with_errors',
  );
  return { team, at };
}

async function showsABatch(chromium: Browser): Promise<void> {
  const { team, at } = await aBatch();
  const opened = await openPage(chromium, api, '/batches', team.token);
  const { page } = opened;
  await page.getByText('Succeeded with errors').last().waitFor();
  await expectGoodInEveryForm(page);
  await openRow(page, 'contacts.bulk_upsert');
  await page.getByText('30 of 30').waitFor();
  const row = page.getByRole('table', { name: 'Items' }).getByRole('row');
  await page.getByRole('button', { name: 'Older' }).click();
  await eventually(
    async () => row.count(),
    (count) => count === 31,
  );
  const names = await page.locator('tr a.open').allTextContents();
  expect(names).toEqual(Array.from({ length: 30 }, (_, place) => `Item ${String(place + 1)}`));
  await page.getByLabel('Show', { exact: true }).selectOption('failed');
  await eventually(
    async () => row.count(),
    (count) => count === 2,
  );
  await page.getByRole('cell', { name: 'email', exact: true }).waitFor();
  await openRow(page, 'Item 3');
  await panelOf(page).getByText('email must be an e-mail address').first().waitFor();
  await expectGoodInEveryForm(page);
  await page.keyboard.press('Escape');

  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save the errors (CSV)' }).click(),
  ]);
  const { body: csv } = await team.get(`${at}/errors.csv`);
  expect(await readFile(await file.path(), 'utf8')).toBe(csv);

  await act(page, 'Retry failed items', ['Retry failed items']);
  const { body: all } = await team.get(batches);
  expect(all.data).toHaveLength(2);
  expect(at).toContain(all.data[0].retry_of_id);
  await closePage(opened);
}

async function showsRuns(chromium: Browser): Promise<void> {
  const team = await api.newTeam();
  const items = Array.from({ length: 150 }, (_, at) => ({ unique_id: `crm-${String(at)}` }));
  const made = await team.post('/v2/ipaas/operations/contacts.bulk_upsert/execute', { items });
  expect(made.status).toBe(202);
  const opened = await openPage(chromium, api, '/batches', team.token);
  const { page } = opened;
  await page.getByText('Your team has run no batch.').waitFor();
  await page.getByRole('link', { name: 'Operation runs' }).click();
  await openRow(page, 'contacts.bulk_upsert');
  await page.getByRole('button', { name: 'Save the result (JSON)' }).waitFor();
  await expectGoodInEveryForm(page);
  await closePage(opened);
}

async function cancels(chromium: Browser): Promise<void> {
  const { team, at } = await aBatch();
  // As if no worker had taken it yet.
  await api.db.look(
    (sql) => sql`update operation_runs set status = 'queued', completed_at = null
      where team_id = ${team.id} returning id`,
  );
  const opened = await openPage(
    chromium,
    api,
    `/batches#/batches/${at.split('/').at(-1) ?? ''}`,
    team.token,
  );
  await act(opened.page, 'Cancel the run', ['Cancel the run']);
  expect(['canceling', 'canceled']).toContain((await team.get(at)).body.status);
  await closePage(opened);
}

if (browser) {
  const chromium = browser;
  test('a batch is shown with the field and reason of each failed item, its errors file and a retry', () =>
    showsABatch(chromium));
  test('runs of operations are shown with their result', () => showsRuns(chromium));
  test('a batch that has not ended is canceled', () => cancels(chromium));
} else {
  test('3 promises about the page of batches were skipped because Chromium is absent', () => {
    console.warn('The page was not opened: get a browser by `npm run browser`.');
    expect(browser).toBeUndefined();
  });
}
