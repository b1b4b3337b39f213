import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { at } from '../campaigns/a-template.ts';
import { startTestApi } from '../support/api.ts';
import type { TestApi, TestTeam } from '../support/api.ts';
import { eventually, untilTrue } from '../support/eventually.ts';
import { startMailServer } from '../support/mail-server.ts';
import type { MailServer, ReceivedMail } from '../support/mail-server.ts';
import { startReceiver } from '../support/receiver.ts';
import type { Receiver } from '../support/receiver.ts';
import { startTestWorker } from '../support/worker.ts';
import type { TestWorker } from '../support/worker.ts';
import { aBrowser, aSite, document } from '../widget/a-browser.ts';
import type { Site } from '../widget/a-browser.ts';
import { aToken } from '../widget/a-widget.ts';
import { aCampaign, enrolled, people } from './a-campaign.ts';
import type { Campaign } from './a-campaign.ts';
import { aMailProvider } from './a-mail-provider.ts';
import type { MailProvider, Report } from './a-mail-provider.ts';
import { heardBy, insightOf, listsOf } from './the-books.ts';

const browser: Browser | undefined = await aBrowser();

let api: TestApi;
let team: TestTeam;
let worker: TestWorker;
let mail: MailServer;
let bank: Site;
let subscriber: Receiver;

beforeAll(async () => {
  mail = await startMailServer();
  api = await startTestApi({
    SMTP_URL: mail.url,
    SMTP_FAMILY: 'email_b',
    SEND_RETRY_SCHEDULE_SECONDS: '1,1',
  });
  team = await api.newTeam();
  await team.patch('/v2/partner/team', { quiet_hours: null, frequency_cap: null });
  bank = await aSite('bank');
  subscriber = await startReceiver();
  worker = await startTestWorker(api);
  await eventually(() => Promise.resolve(worker.isPolling()), Boolean);
});
afterAll(async () => {
  await browser?.close();
  await worker.close();
  await Promise.all([mail.stop(), bank.close(), subscriber.stop()]);
  await api.stop();
});

// Numbers of letters by outcome.
const refused = 3;
const sent = people.reachable - refused;
const bounced = 8;
const neverHeardOf = 4;
const delivered = sent - bounced - neverHeardOf;
/** Messages that the provider reports before it answers, and messages that it refuses as busy. */
const told = { early: 20, unanswered: 2 };
const opened = 60;
const openedTwice = 10;
const openedByMachines = 25;
const clickedOpened = 22;
const clickedUnopened = 2;
const clicked = clickedOpened + clickedUnopened;
const clickedTwice = 4;
const complained = 3;
const unsubscribed = { there: 2, here: 1 };
const skips = {
  missing_address: people.withoutAddress,
  suppressed: people.suppressed,
  no_consent: people.withoutConsent,
  condition_false: people.ofAnotherLanguage,
};
const skipped = enrolled - people.reachable;
const canceled = 1;
// With a browser, one contact that opened finishes the journey and gets the second mail meanwhile.
const finishers = browser ? 1 : 0;
const completed = finishers;
const valueCents = 2_500;

async function launch({ templateId }: Campaign): Promise<void> {
  const asked: string[] = [];
  mail.refuse((recipient) => {
    if (!asked.includes(recipient)) asked.push(recipient);
    return asked.indexOf(recipient) < refused ? 550 : undefined;
  });
  expect((await team.post(at(templateId, '/launch'))).status).toBe(200);
}

/** The letters in order of arrival; the provider reports some before it answers. */
async function lettersSent(provider: MailProvider): Promise<ReceivedMail[]> {
  let taken = 0;
  mail.beforeAnswering(async (one) => {
    taken += 1;
    const place = taken;
    if (place <= told.early) await provider.report([{ mail: one, event: 'delivered' }]);
    if (place <= told.unanswered) throw new Error('busy');
  });
  await untilTrue(() => mail.received.length === sent);
  const path = '/v2/partner/message-deliveries?filter[status]=queued&page[size]=1';
  await untilTrue(async () => (await team.get(path)).body.data.length === 0);
  return [...mail.received];
}

/** Sends the reports of the provider about the letters: in lists, latest first, one twice. */
async function tell(letters: readonly ReceivedMail[], provider: MailProvider): Promise<void> {
  const arrived = letters.slice(0, delivered);
  const reports = (mails: readonly ReceivedMail[], event: Report['event'], more: object = {}) =>
    mails.map((one): Report => ({ mail: one, event, more }));
  const readers = arrived.slice(0, opened);
  const happened = [
    ...reports(arrived.slice(told.early), 'delivered'),
    ...reports(letters.slice(delivered, delivered + bounced), 'bounce'),
    ...reports(arrived.slice(-openedByMachines), 'open', { sg_machine_open: true }),
    ...reports(readers, 'open'),
    ...reports(readers.slice(0, openedTwice), 'open'),
    ...reports(arrived.slice(opened, opened + clickedUnopened), 'click'),
    ...reports(readers.slice(0, clickedOpened), 'click'),
    ...reports(readers.slice(0, clickedTwice), 'click'),
    ...reports(arrived.slice(100, 100 + complained), 'spamreport'),
    ...reports(arrived.slice(110, 110 + unsubscribed.there), 'unsubscribe'),
  ].toReversed();
  for (let from = 0; from < happened.length; from += 50) {
    const callback = await provider.report(happened.slice(from, from + 50));
    if (from === 0) await provider.repeat(callback);
  }
}

/** One click in a mailbox, RFC 8058. */
async function unsubscribe(letter: ReceivedMail | undefined): Promise<void> {
  const source = letter?.source.replaceAll(/\r\n[ \t]+/g, ' ') ?? '';
  const url = new URL(/^List-Unsubscribe: <(.*)>/m.exec(source)?.[1] ?? '');
  const raw = 'List-Unsubscribe=One-Click';
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
  expect((await api.call('POST', url.pathname, { raw, headers })).status).toBe(200);
}

const contactOf = (letter: ReceivedMail | undefined) =>
  /^X-DO-CONTACT-ID: (.*)\r$/im.exec(letter?.source ?? '')?.[1] ?? '';

/** A contact visits the bank, views the first page, gets the guide, and fills in the form. */
async function finish(letter: ReceivedMail | undefined, { widgetId }: Campaign): Promise<void> {
  if (!browser) return;
  const token = await aToken(team, widgetId, { contact_id: contactOf(letter) });
  bank.html = document(`<h1>Your bank</h1><div data-onward-token="${token}"></div>
<script src="${api.url}/widget.js" async></script>`);
  const page = await browser.newPage();
  await page.goto(bank.origin);
  await page.getByRole('button', { name: /Hello/ }).waitFor();
  await untilTrue(() => mail.received.length === sent + 1);
  expect(mail.received.at(-1)).toMatchObject({ recipient: letter?.recipient });
  await page.getByRole('button', { name: /^Step 2 of 2/ }).click();
  await page.getByLabel('Nickname').fill('Ada');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText('Saved. Thank you.').waitFor();
  await page.close();
}

/** The bank cancels the journey of a contact without events: the last action of the story. */
async function cancel(letter: ReceivedMail | undefined): Promise<void> {
  const { body } = await team.get(`/v2/partner/journeys?filter[contact_id]=${contactOf(letter)}`);
  const path = `/v2/partner/journeys/${String(body.data[0].id)}/cancel`;
  expect((await team.post(path)).status).toBe(200);
}

const withoutZeros = (counts: Record<string, number>) =>
  Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));

test('a template reaches two hundred people, and every figure agrees with what happened', async () => {
  const campaign = await aCampaign(team, bank.origin, valueCents);
  const { templateId, letterId, guideId } = campaign;
  await team.post('/v2/partner/webhook-subscriptions', {
    target_url: subscriber.url,
    event_types: ['message.*', 'journey.*', 'objective.completed'],
  });
  const provider = await aMailProvider(api, team);
  await launch(campaign);
  const letters = await lettersSent(provider);
  await tell(letters, provider);
  await unsubscribe(letters[120]);
  await finish(letters[0], campaign);

  const inTotal = { sent: sent + finishers, opens: opened + openedTwice };
  const clicks = clicked + clickedTwice;
  const unsubscriptions = unsubscribed.there + unsubscribed.here;
  const heard = withoutZeros({
    'journey.enrolled': enrolled,
    'journey.started': enrolled,
    'journey.completed': completed,
    'message.sent': inTotal.sent,
    'message.failed': refused,
    'message.delivered': delivered,
    'message.bounced': bounced,
    'message.opened': inTotal.opens,
    'message.clicked': clicks,
    'message.complained': complained,
    'message.unsubscribed': unsubscriptions,
    'objective.completed': completed,
  });
  // Engagement has no kind for what was not sent.
  const received = { ...heard, 'message.skipped': skipped };
  await eventually(
    () => Promise.resolve(heardBy(subscriber.received)),
    (types) => Object.entries(received).every(([type, count]) => (types[type] ?? 0) >= count),
  );
  await cancel(letters.at(-1));
  await untilTrue(() => 'journey.canceled' in heardBy(subscriber.received));
  expect(heardBy(subscriber.received)).toEqual({ ...received, 'journey.canceled': canceled });

  const books = await listsOf(team, templateId);
  const active_journey_count = enrolled - completed - canceled;
  expect(books.template).toMatchObject({ enrolled_count: enrolled, active_journey_count });
  expect(books.journeys).toEqual(
    withoutZeros({ active: active_journey_count, completed, canceled }),
  );
  expect(books.deliveries).toEqual({
    ...{ sent: neverHeardOf + finishers, delivered, bounced, failed: refused, skipped },
  });
  expect(books.skips).toEqual(skips);
  const figures = {
    ...{ sent, delivered, bounced, failed: refused, opened, opened_machine: openedByMachines },
    ...{ clicked, unsubscribed: unsubscriptions, complained },
  };
  const letter = { ...figures, queued: people.reachable, skipped };
  expect(books.statsOf.get(letterId)).toEqual(letter);
  const none = Object.fromEntries(Object.keys(letter).map((name) => [name, 0]));
  const guide = { ...none, queued: finishers, sent: finishers };
  expect(books.statsOf.get(guideId)).toEqual(guide);
  const [exited, loaded, viewed, submitted] = [canceled, finishers, 2 * finishers, finishers];
  expect(books.events).toEqual({
    ...heard,
    'journey.exited': exited,
    'message.queued': people.reachable + finishers,
    'message.opened (machine)': openedByMachines,
    ...withoutZeros({
      'widget.loaded': loaded,
      'page.viewed': viewed,
      'page.form_submitted': submitted,
    }),
  });

  const insight = (name: string) => insightOf(team, templateId, name);
  const shownMessages = await insight('messages');
  expect(shownMessages.totals).toMatchObject({ ...figures, sent: inTotal.sent });
  expect(shownMessages.messages[0]).toMatchObject({ message_id: letterId, ...figures });
  expect(withoutZeros(shownMessages.skipped_by_reason)).toEqual(skips);
  expect((await insight('campaign-performance')).campaigns).toMatchObject([
    {
      ...{ template_id: templateId, enrolled, reached: sent, delivered, opened, clicked },
      ...{ unsubscribed: unsubscriptions, objectives_completed: completed },
      ...{ completed_journeys: completed, value_cents: completed * valueCents },
    },
  ]);
  const engaged = opened + clickedUnopened;
  expect((await insight('campaign-engagement')).campaigns).toMatchObject([
    {
      ...{ enrolled, engaged, opens: inTotal.opens, clicks, page_views: viewed },
      ...{ widget_interactions: loaded, replies: 0 },
    },
  ]);
  expect(await insight('campaign-enrollment')).toMatchObject({
    ...{ total_enrolled: enrolled, unique_contacts: enrolled },
    by_source: { cohort: enrolled, api: 0, widget: 0 },
  });
  expect((await insight('pages')).totals).toMatchObject({
    ...{ views: viewed, unique_contacts: viewed, completions: viewed },
  });
  expect((await insight('objective-completion-rate')).overall).toMatchObject({
    ...{ journeys: enrolled, completed },
  });
  expect(await insight('objective-total-value')).toMatchObject({
    ...{ total_completions: completed, attributed_value_cents: completed * valueCents },
  });
  expect((await insight('performance')).current).toMatchObject({
    ...{
      enrolled,
      engaged,
      messages_delivered: delivered,
      clicks: clicked,
      completions: completed,
    },
    value_cents: completed * valueCents,
  });
});

if (!browser) {
  test('1 part of 1 story was skipped because Chromium is absent', () => {
    process.stderr.write('1 part of a story did not run: get a browser by `npm run browser`.\n');
    expect(finishers).toBe(0);
  });
}
