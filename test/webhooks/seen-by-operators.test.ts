import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { startTestApi } from '../support/api.ts';
import type { TestApi } from '../support/api.ts';
import { environmentNames } from '../support/environment.ts';
import { eventually } from '../support/eventually.ts';
import { startReceiver } from '../support/receiver.ts';
import type { Receiver } from '../support/receiver.ts';
import { startTestWorker } from '../support/worker.ts';
import type { TestWorker } from '../support/worker.ts';
import { aBrowser, picture } from '../widget/a-browser.ts';

// The details of a failing receiver in Temporal's UI, as docs/operators.md shows them.

const uiUrl = process.env[environmentNames.temporalUiUrl];
const browser: Browser | undefined = uiUrl === undefined ? undefined : await aBrowser();

let api: TestApi;
let worker: TestWorker;
let receiver: Receiver;
beforeAll(async () => {
  if (!browser) return;
  api = await startTestApi({
    WEBHOOK_RETRY_SCHEDULE_SECONDS: '0,1,1800,3600',
    WEBHOOK_JITTER_PERCENT: '0',
    WEBHOOK_BREAKER_TRIES: '1000',
  });
  worker = await startTestWorker(api);
  receiver = await startReceiver();
}, 120_000);
afterAll(async () => {
  if (!browser) return;
  await browser.close();
  await worker.close();
  await Promise.all([api.stop(), receiver.stop()]);
}, 60_000);

/** The id of a subscription whose deliveries have failed twice and wait for half an hour. */
async function aTroubledSubscription(): Promise<string> {
  const team = await api.newTeam();
  receiver.answer(() => ({ status: 503 }));
  const made = await team.post('/v2/partner/webhook-subscriptions', {
    target_url: receiver.url,
    event_types: ['contact.created'],
  });
  const id = String(made.body.id);
  for (let at = 0; at < 12; at += 1) {
    await team.post('/v2/partner/contacts', { email: `p${String(at)}@example.com` });
  }
  await eventually(
    () =>
      api.db.look<{ attempt_count: number }>(
        (sql) => sql`
          select attempt_count from webhook_deliveries where subscription_id = ${id}`,
      ),
    (rows) => rows.length === 12 && rows.every(({ attempt_count }) => attempt_count === 2),
    60_000,
  );
  return id;
}

async function look(page: Page): Promise<void> {
  const id = await aTroubledSubscription();
  const workflows = `${uiUrl ?? ''}/namespaces/${worker.namespace}/workflows`;
  await page.goto(`${workflows}?query=${encodeURIComponent(`SubscriptionId="${id}"`)}`);
  await page
    .getByRole('link', { name: `webhook-recovery/${id}` })
    .first()
    .click();
  await page.getByText('attemptDueWebhooks').first().waitFor();
  await picture(page, 'subscription-in-trouble-attempts.png');
  await page.getByText('User Metadata').first().click();
  // Texts of workflows are shown in frames of their own, this one last.
  const details = page
    .locator('iframe')
    .last()
    .contentFrame()
    .getByText('12 deliveries wait since');
  await details.waitFor();
  expect(await details.innerText()).toMatch(/Last error: HTTP 503\. Next attempt due at \d{4}-/);
  await picture(page, 'subscription-in-trouble.png');
}

if (browser) {
  test('a failing subscription is found by its id, with its backlog, last error, next attempt and attempts', async () => {
    const context = await browser.newContext({ viewport: { width: 1_280, height: 1_000 } });
    await look(await context.newPage());
  }, 180_000);
} else {
  test('the view of operators on a failing subscription was skipped', () => {
    process.stderr.write(
      'The test of what operators see did not run: it needs Chromium, and the Temporal of the tests.\n',
    );
    expect(uiUrl === undefined || browser === undefined).toBe(true);
  });
}
