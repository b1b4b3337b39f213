import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import type { Browser, Page } from 'playwright-core';
import { startTestApi } from '../support/api.ts';
import type { TestApi, TestTeam } from '../support/api.ts';
import { environmentNames, required } from '../support/environment.ts';
import { startMailServer } from '../support/mail-server.ts';
import type { MailServer } from '../support/mail-server.ts';
import { startReceiver } from '../support/receiver.ts';
import type { Receiver } from '../support/receiver.ts';
import { newNamespace } from '../support/worker.ts';
import type { TestWorker } from '../support/worker.ts';
import {
  aBatchWithBadItems,
  aCampaignUnderWay,
  aReplay,
  aTroubledSubscription,
  deploy,
} from './scenes.ts';
import {
  aBrowserForTheUi,
  aWindow,
  detailsShown,
  findWorkflow,
  openVersions,
  takePicture,
  versionShown,
} from './temporal-ui.ts';
import { changedSignal, jobId } from '../../src/platform/jobs/shape.ts';
import {
  batchJob,
  inboundReplayJob,
  journeyJob,
  templateJob,
  webhookRecoveryJob,
} from '../../workflows/jobs.ts';

// The tour of docs/operators.md: every question is answered in at most three clicks from an id.
// `npm run pictures -- tour` renews its pictures.

const browser: Browser | undefined = await aBrowserForTheUi();
const [before, next] = ['2026-11-26.1', '2026-12-01.1'];

let api: TestApi;
let namespace: string;
let team: TestTeam;
let mail: MailServer;
let receiver: Receiver;
let page: Page;
const workers: TestWorker[] = [];

beforeAll(async () => {
  if (!browser) return;
  mail = await startMailServer();
  api = await startTestApi({
    ...{ SMTP_URL: mail.url, SMTP_FAMILY: 'email_b' },
    WEBHOOK_RETRY_SCHEDULE_SECONDS: '0,1,1800,3600',
    WEBHOOK_JITTER_PERCENT: '0',
    WEBHOOK_BREAKER_TRIES: '1000',
  });
  namespace = await newNamespace();
  receiver = await startReceiver();
  team = await api.newTeam();
  page = await aWindow(browser);
  workers.push(await deploy(api, namespace, { version: before }));
});
afterAll(async () => {
  if (!browser) return;
  await browser.close();
  for (const worker of workers) await worker.close();
  await Promise.all([api.stop(), receiver.stop(), mail.stop()]);
});

const find = (workflowId: string, query?: string) =>
  findWorkflow(page, namespace, { workflowId, ...(query !== undefined && { query }) });

async function readAgain(templateId: string): Promise<void> {
  const address = required(environmentNames.temporalAddress);
  const connection = await Connection.connect({ address });
  const { workflow } = new Client({ connection, namespace });
  await workflow.getHandle(jobId(templateJob, templateId)).signal(changedSignal);
  await connection.close();
}

const questions: Record<string, () => Promise<void>> = {
  async 'a campaign shows its numbers, and the journey of a person why there was no message'() {
    const { templateId, journeyId } = await aCampaignUnderWay(team);
    await readAgain(templateId);
    await find(jobId(templateJob, templateId), `TemplateId="${templateId}"`);
    const campaign = await detailsShown(page, '200 contacts enrolled');
    expect(campaign).toContain('185 messages queued so far, of which 185 sent; 15 skipped (');
    expect(campaign).toContain('3 no_consent');
    await takePicture(page, 'tour-campaign.png', 730);

    await team.post(`/v2/partner/journeys/${journeyId}/watch`);
    await find(jobId(journeyJob, journeyId));
    const journey = await detailsShown(page, 'The journey is active');
    expect(journey).toContain(
      '1 messages decided: 1 skipped (1 no_consent). No step is scheduled.',
    );
    await takePicture(page, 'tour-journey.png', 730);
  },

  async 'a subscription in trouble shows its backlog, last error, next attempt and attempts'() {
    const id = await aTroubledSubscription(await api.newTeam(), receiver);
    await find(jobId(webhookRecoveryJob, id), `SubscriptionId="${id}"`);
    await page.getByText('recoverWebhookSubscriptionRound').first().waitFor();
    await takePicture(page, 'tour-attempts.png', 790);
    const details = await detailsShown(page, '12 deliveries wait since');
    expect(details).toMatch(/Last error: HTTP 503\. Next attempt due at \d{4}-/);
    await takePicture(page, 'tour-subscription.png', 730);
  },

  async 'a batch shows how many items failed and why, in its result and its details'() {
    const id = await aBatchWithBadItems(team);
    await find(jobId(batchJob, id));
    await page.getByText('"succeeded_with_errors"').first().waitFor();
    await takePicture(page, 'tour-batch-result.png', 730);
    const details = await detailsShown(page, 'contacts.bulk_upsert is succeeded_with_errors');
    expect(details).toContain('600 of 600 items done, 3 of them failed (3 validation_failed)');
    await takePicture(page, 'tour-batch.png', 730);
  },

  async 'a replay shows its progress and its rate'() {
    await find(jobId(inboundReplayJob, await aReplay(api, team)));
    const details = await detailsShown(page, 'The replay is running');
    expect(details).toMatch(/\d+ of 2000 deliveries replayed, .* at 10 a second\. receiverId: /);
    await takePicture(page, 'tour-replay.png', 730);
  },

  async 'an upgrade shows which version gets what'() {
    workers.push(await deploy(api, namespace, { version: next, percentage: 10 }));
    await openVersions(page, namespace, 'onward');
    await versionShown(page, before, 'Current');
    await versionShown(page, next, 'Ramping 10%');
    await takePicture(page, 'tour-versions.png', 270);
  },
};

const names = Object.keys(questions);
if (browser) {
  test.each(names)('%s', async (name) => questions[name]?.());
} else {
  test(`${String(names.length)} promises of the tour were skipped: no Chromium, or no UI`, () => {
    process.stderr.write('The tour of the Temporal UI was not made: see `npm run browser`.\n');
    expect(browser).toBeUndefined();
  });
}
